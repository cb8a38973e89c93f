/** `GET /` and the license endpoints that shippers ask before they send anything. */
import { createHash } from 'node:crypto'
import { hostWithPort, isPageVisit } from '../../http/page-visit.ts'
import { resourceNotFound } from '../../search/request/index-errors.ts'
import type { Call } from './call.ts'
import { type Answer, type Route, route } from './route.ts'

const buildDate = '2024-08-05T10:05:34.233336849Z'

function root(call: Call): Answer {
  const { cluster, node } = call
  const page = isPageVisit(call.headers) && call.parameters.size === 0 ? dashboardUrl(call) : undefined
  if (page !== undefined) return { status: 302, text: '', headers: { location: page, vary: 'accept' } }
  const { compat } = cluster
  const head = { name: node.name, cluster_name: node.clusterName, cluster_uuid: cluster.state.uuid }
  const build = {
    build_type: 'tar',
    build_hash: createHash('sha1').update(`millrace ${compat.number}`).digest('hex'),
    build_date: buildDate,
    build_snapshot: false,
    lucene_version: compat.luceneVersion,
    minimum_wire_compatibility_version: compat.wireVersion,
    minimum_index_compatibility_version: compat.indexVersion,
  }
  if (compat.isOpenSearch)
    return {
      body: {
        ...head,
        version: { distribution: 'opensearch', number: compat.number, ...build },
        tagline: 'The OpenSearch Project: https://opensearch.org/',
      },
    }
  return {
    body: {
      ...head,
      version: { number: compat.number, build_flavor: 'default', ...build },
      tagline: 'You Know, for Search',
    },
  }
}

/** The dashboard's address on the host that the visitor used. */
function dashboardUrl({ node: { dashboard }, headers }: Call): string | undefined {
  const host = dashboard && hostWithPort(headers.host, dashboard.port)
  return host && `${dashboard.isSecure ? 'https' : 'http'}://${host}/ui`
}

function license(call: Call): Answer {
  const { uuid } = call.cluster.state
  const body = {
    status: 'active',
    uid: uuid,
    type: 'basic',
    mode: 'basic',
    issue_date_in_millis: 0,
    max_nodes: 1000,
  }
  return { body: { license: body } }
}

function xpack(call: Call): Answer {
  const { uuid } = call.cluster.state
  return {
    body: {
      build: { hash: 'unknown', date: buildDate },
      license: { uid: uuid, type: 'basic', mode: 'basic', status: 'active' },
      features: { security: { available: true, enabled: call.node.gate !== undefined } },
      tagline: 'You know, for X',
    },
  }
}

export const identityRoutes: readonly Route[] = [
  route('GET', '/', '', root),
  route('GET', '/_license', 'local accept_enterprise', license),
  route('GET', '/_xpack', 'categories accept_enterprise', xpack),
  route('GET', '/_ilm/policy', '', () => ({ body: {} })),
  route('GET', '/_ilm/policy/:policy', 'master_timeout timeout', (call) => {
    throw resourceNotFound(`Lifecycle policy not found: ${call.part('policy')}`)
  }),
]
