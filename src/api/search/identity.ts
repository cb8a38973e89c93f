/** `GET /` and the license endpoints that shippers ask before they send anything. */
import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { hostWithPort, isPageVisit } from '../../http/page-visit.ts'
import type { Compat } from '../../search/index/compat.ts'
import { resourceNotFound } from '../../search/request/index-errors.ts'
import type { Call } from './call.ts'
import type { Dashboard } from './node-view.ts'
import { type Answer, type Route, route } from './route.ts'

const buildDate = '2024-08-05T10:05:34.233336849Z'

function root(call: Call): Answer {
  const { cluster, node } = call
  const page = call.parameters.size === 0 ? dashboardRedirect(node.dashboard, call.headers) : undefined
  if (page !== undefined) return page
  const head = { name: node.name, cluster_name: node.clusterName, cluster_uuid: cluster.state.uuid }
  return { body: { ...head, ...versionOf(cluster.compat) } }
}

/** Which product it is, in the words of `GET /`. */
export function versionOf(compat: Compat) {
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
      version: { distribution: 'opensearch', number: compat.number, ...build },
      tagline: 'The OpenSearch Project: https://opensearch.org/',
    }
  return {
    version: { number: compat.number, build_flavor: 'default', ...build },
    tagline: 'You Know, for Search',
  }
}

/** Sends a browser to the dashboard, on the host that it used. */
export function dashboardRedirect(
  dashboard: Dashboard | undefined,
  headers: IncomingHttpHeaders,
): Answer | undefined {
  const host = dashboard && isPageVisit(headers) ? hostWithPort(headers.host, dashboard.port) : undefined
  if (dashboard === undefined || host === undefined) return undefined
  const location = `${dashboard.isSecure ? 'https' : 'http'}://${host}/ui`
  return { status: 302, text: '', headers: { location, vary: 'accept' } }
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
