/**
 * `/ui/fleet/…`: other nodes that this one is told to look at (`api.ui.fleet`): Millrace, Logstash, Elasticsearch,
 * OpenSearch. Only a few readings of each can be asked for; nothing is ever changed there, and its address and
 * password come from the settings alone, never from a visitor.
 */
import { HttpProblem } from '../../http/problem.ts'
import { remoteRequest } from '../../http/remote-request.ts'
import { json, type Reply } from '../../http/respond.ts'
import type { Router } from '../../http/router.ts'
import type { Handler } from '../../http/service.ts'
import { hideText } from '../../log/hidden-texts.ts'
import type { Settings } from '../../settings/settings.ts'
import { fleetPath } from './paths.ts'

/** What may be asked of a node, by the name the page uses. */
const fleetReadings: Readonly<Record<string, string>> = {
  root: '/',
  stats: '/_node/stats',
  health: '/_health_report',
  cluster: '/_cluster/health',
  cluster_stats: '/_cluster/stats',
}

const timeoutMillis = 5000
const maxBytes = 4 * 1024 * 1024

export function addFleetRoutes(router: Router<Handler>, settings: Settings): void {
  const nodes = settings.get('api.ui.fleet').map(nodeOf)
  router.add('GET', `${fleetPath}/nodes`, () =>
    json({ nodes: nodes.map(({ address }, n) => ({ n, address })) }),
  )
  router.add('GET', `${fleetPath}/:n/:reading`, async ({ parameters, signal }) => {
    const node = /^\d{1,4}$/.test(parameters['n'] ?? '') ? nodes[Number(parameters['n'])] : undefined
    const reading = parameters['reading'] ?? ''
    const path = Object.hasOwn(fleetReadings, reading) ? fleetReadings[reading] : undefined
    if (node === undefined || path === undefined) throw new HttpProblem(404, 'Not Found')
    return asked(node, path, signal)
  })
}

interface FleetNode {
  readonly url: string
  /** Without user and password. */
  readonly address: string
  readonly headers: Readonly<Record<string, string>>
}

export function nodeOf(text: string): FleetNode {
  let url: URL
  try {
    url = new URL(text)
  } catch {
    throw new Error('[api.ui.fleet] must hold addresses such as http://host:9600')
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new Error('[api.ui.fleet] must hold addresses that begin with http:// or https://')
  const { username, password } = url
  url.username = ''
  url.password = ''
  const base = (url.origin + url.pathname).replace(/\/$/, '')
  if (password !== '') hideText(decodeURIComponent(password))
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return {
    url: base,
    address: base,
    headers: username === '' ? {} : { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` },
  }
}

async function asked({ url, headers }: FleetNode, path: string, signal: AbortSignal): Promise<Reply> {
  try {
    const answer = await remoteRequest({
      method: 'GET',
      url: url + path,
      headers,
      timeoutMillis,
      maxBytes: maxBytes,
      signal,
    })
    const text = answer.body.toString('utf8')
    if (answer.status !== 200) return silent(`it answered ${answer.status}`)
    JSON.parse(text)
    return { status: 200, type: 'application/json', content: { pieces: [answer.body] } }
  } catch (error) {
    const { message, cause } = error as Error
    return silent(
      error instanceof SyntaxError ? 'its answer is no JSON' : ((cause as Error)?.message ?? message),
    )
  }
}

function silent(message: string): Reply {
  return json({ status: 502, error: { message } }, 502)
}
