/**
 * What events learn of the request they came in: its headers under Logstash's names, the client's address and,
 * with ECS, some of the headers a second time in the places the schema has for them.
 */
import type { IncomingMessage } from 'node:http'
import { type Fields, putField, readField, type Value } from '../../../event/value.ts'
import type { EcsCompatibility, Origin } from '../../../plugin/define.ts'
import { peerAddress } from '../../receiving/peer-address.ts'

interface TargetFields {
  readonly host: string
  readonly headers: string
  readonly ecs: EcsCompatibility
}

/** Headers that get another name, and are there even when the request does not have them. */
const renamed = [
  ['accept', 'http_accept'],
  ['host', 'http_host'],
  ['user_agent', 'http_user_agent'],
] as const

export function requestHeaders(request: IncomingMessage, body: { length: number; decoded: boolean }): Fields {
  const headers: Fields = {}
  const { rawHeaders } = request
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!.toLowerCase().replaceAll('-', '_')
    if (name !== 'authorization') putField(headers, name, rawHeaders[i + 1]!)
  }
  // The body is whole by now, and decoded: the headers say so.
  delete headers['transfer_encoding']
  if (body.decoded) delete headers['content_encoding']
  if (body.decoded || headers['content_length'] === undefined) headers['content_length'] = String(body.length)
  for (const [from, to] of renamed) {
    headers[to] = headers[from] ?? null
    delete headers[from]
  }
  headers['request_method'] = request.method ?? ''
  headers['request_path'] = request.url ?? ''
  headers['http_version'] = `HTTP/${request.httpVersion}`
  return headers
}

export function requestOrigin(request: IncomingMessage, headers: Fields, target: TargetFields): Origin {
  const overwrite: [string, Value][] = target.ecs === 'disabled' ? [] : ecsFields(headers)
  overwrite.push([target.headers, headers])
  overwrite.push([target.host, peerAddress(request.socket.remoteAddress ?? '')])
  return { overwrite }
}

function ecsFields(headers: Fields): [string, Value][] {
  const [domain, port] = domainAndPort(headers['http_host'])
  const places: [string, Value | undefined][] = [
    ['[http][version]', headers['http_version']],
    ['[user_agent][original]', headers['http_user_agent']],
    ['[url][domain]', domain],
    ['[url][port]', port],
    ['[http][method]', headers['request_method']],
    ['[url][path]', headers['request_path']],
    ['[http][request][body][bytes]', headers['content_length']],
    ['[http][request][mime_type]', readField(headers, 'content_type')],
  ]
  return places.filter((place): place is [string, Value] => place[1] !== undefined && place[1] !== null)
}

/** `example.org:8080`, `[::1]:8080`; anything else is a domain as a whole. */
function domainAndPort(host: Value | undefined): [string | undefined, number | undefined] {
  if (typeof host !== 'string') return [undefined, undefined]
  const match = /^(?:([^:]+)|\[(.*)\]):(\d+)$/.exec(host)
  return match === null ? [host, undefined] : [match[1] ?? match[2], Number(match[3])]
}
