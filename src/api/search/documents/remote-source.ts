/** `_reindex` from a remote cluster by scroll. Only hosts that the node's settings allow are contacted. */

import { type RemoteAnswer, remoteRequest } from '../../../http/remote-request.ts'
import { writeJson } from '../../../search/answer/json-text.ts'
import type { DocumentBatches } from '../../../search/index/documents/by-query.ts'
import type { ScanHit } from '../../../search/index/search-calls.ts'
import { illegalArgument, validationFailed } from '../../../search/request/errors.ts'
import { parseExactJson } from '../../../search/request/json-literals.ts'
import { isObject, type JsonObject, own } from '../../../search/request/json-object.ts'
import { plainText } from '../../../search/request/plain-text.ts'
import { bodyLong } from '../../../search/request/request-values.ts'
import { SearchError } from '../../../search/request/search-error.ts'
import { simpleMatch } from '../../../search/request/simple-match.ts'
import { parseTime } from '../../../search/request/units/units.ts'
import type { Call } from '../call.ts'

interface RemoteCluster {
  /** Scheme, host, port and path, without a trailing slash. */
  readonly base: string
  readonly headers: Readonly<Record<string, string>>
  readonly timeoutMillis: number
}

const maxBytes = 100 * 1024 * 1024
const names = ['host', 'username', 'password', 'headers', 'socket_timeout', 'connect_timeout']

/** Throws when the request is invalid or the host is not allowed. */
export function remoteClusterOf(call: Call, json: unknown): RemoteCluster {
  const remote = isObject(json) ? json : {}
  for (const name of Object.keys(remote)) {
    if (!names.includes(name)) throw illegalArgument(`Unsupported fields in [remote]: [${name}]`)
  }
  const host = own(remote, 'host')
  if (host === undefined) throw illegalArgument('[host] must be specified to reindex from a remote cluster')
  const [, scheme, name, port, path = ''] =
    /^(https?):\/\/(\[[0-9a-f:.]+\]|[^:/\s]+):(\d{1,5})(\/\S*)?$/i.exec(plainText(host)) ?? []
  if (scheme === undefined || name === undefined)
    throw illegalArgument(
      `[host] must be of the form [scheme]://[host]:[port](/[pathPrefix])? but was [${plainText(host)}]`,
    )
  checkAllowed(call, `${name}:${port}`)
  const [username, password] = [own(remote, 'username'), own(remote, 'password')]
  const given = own(remote, 'headers')
  const headers: Record<string, string> = {}
  for (const [key, value] of Object.entries(isObject(given) ? given : {})) headers[key] = plainText(value)
  if (username !== undefined) {
    const pair = `${plainText(username)}:${plainText(password ?? '')}`
    headers['authorization'] = `Basic ${Buffer.from(pair).toString('base64')}`
  }
  const time = (key: string) => parseTime(plainText(own(remote, key) ?? '30s'), key)
  time('connect_timeout')
  return {
    base: `${scheme}://${name}:${port}${path.replace(/\/+$/, '')}`,
    headers,
    timeoutMillis: Math.max(1, time('socket_timeout')),
  }
}

/** `reindex.remote.whitelist`, in OpenSearch `allowlist`: patterns of host and port. */
function checkAllowed(call: Call, place: string): void {
  const list = call.cluster.compat.isOpenSearch ? 'allowlist' : 'whitelist'
  const { settings } = call.node
  const allowed = settings['reindex.remote.allowlist'] ?? settings['reindex.remote.whitelist'] ?? ''
  const patterns = allowed.split(',').map((one) => one.trim())
  if (patterns.some((pattern) => pattern !== '' && simpleMatch(pattern, place))) return
  throw illegalArgument(`[${place}] not ${list}ed in reindex.remote.${list}`)
}

interface RemoteQuery {
  readonly indices: readonly string[]
  readonly query: unknown
  readonly source: unknown
  readonly size: number
  readonly keepAlive: string
}

export async function openRemote(remote: RemoteCluster, wanted: RemoteQuery): Promise<DocumentBatches> {
  const { indices, query, source, size, keepAlive } = wanted
  const path = `/${indices.map(encodeURIComponent).join(',')}/_search?scroll=${keepAlive}&size=${size}&version=true&sort=_doc`
  let answer = await ask(remote, 'POST', path, { query, _source: source ?? true })
  let scrollId = scrollOf(answer)
  let isFirst = true
  return {
    total: totalOf(answer),
    async next() {
      if (!isFirst) {
        answer = await ask(remote, 'POST', '/_search/scroll', { scroll: keepAlive, scroll_id: scrollId })
        scrollId = scrollOf(answer) ?? scrollId
      }
      isFirst = false
      return hitsOf(answer)
    },
    async close() {
      if (scrollId === undefined) return
      // A scroll that no longer exists counts as closed.
      await ask(remote, 'DELETE', '/_search/scroll', { scroll_id: [scrollId] }).catch(() => undefined)
    },
  }
}

async function ask(
  { base, headers, timeoutMillis }: RemoteCluster,
  method: string,
  path: string,
  body: JsonObject,
): Promise<JsonObject> {
  let answer: RemoteAnswer
  try {
    const url = base + path
    answer = await remoteRequest({ method, url, headers, body: writeJson(body), timeoutMillis, maxBytes })
  } catch (error) {
    throw unreachable(error)
  }
  const { status, statusText, body: bytes } = answer
  if (status >= 300) {
    const line = `method [${method}], host [${base}], URI [${path}], status line [HTTP/1.1 ${status} ${statusText}]`
    const cause = new SearchError('response_exception', `${line}\n${bytes.toString('utf8')}`, { status })
    throw new SearchError('status_exception', `body=${bytes.toString('utf8')}`, { status, cause })
  }
  return bytes.length === 0 ? {} : parsedAnswer(bytes.toString('utf8'))
}

function parsedAnswer(text: string): JsonObject {
  let json: unknown
  try {
    JSON.parse(text)
    json = parseExactJson(text)
  } catch {
    // Cut off, nested too deeply, or the page of some other server.
  }
  if (isObject(json)) return json
  throw new SearchError('parse_exception', 'the answer of the remote cluster is no JSON object', {
    status: 502,
  })
}

function unreachable(error: unknown): SearchError {
  const { message, cause, name } = error as Error & { cause?: Error & { code?: string } }
  if (name === 'TimeoutError') return new SearchError('socket_timeout_exception', message)
  const reason = cause?.code === 'ECONNREFUSED' ? 'Connection refused' : (cause?.message ?? message)
  return new SearchError('connect_exception', reason)
}

function scrollOf(answer: JsonObject): string | undefined {
  const id = own(answer, '_scroll_id')
  return typeof id === 'string' ? id : undefined
}

function totalOf(answer: JsonObject): number {
  const hits = own(answer, 'hits')
  const total = isObject(hits) ? own(hits, 'total') : 0
  return (
    Number(plainText(isObject(total) && own(total, 'value') !== undefined ? own(total, 'value') : total)) || 0
  )
}

function hitsOf(answer: JsonObject): ScanHit[] {
  const hits = own(answer, 'hits')
  const list = isObject(hits) ? own(hits, 'hits') : undefined
  if (!Array.isArray(list)) return []
  return list.filter(isObject).map((hit): ScanHit => {
    const source = own(hit, '_source')
    const routing = own(hit, '_routing')
    return {
      index: plainText(own(hit, '_index')),
      id: plainText(own(hit, '_id')),
      routing: routing === undefined ? undefined : plainText(routing),
      source: source === undefined ? new Uint8Array(0) : Buffer.from(writeJson(source)),
      version: bodyLong(own(hit, '_version') ?? 1),
      seqNo: 0,
      primaryTerm: 0,
    }
  })
}

export function checkRemote(slices: number, body: JsonObject): void {
  if (slices !== 1)
    throw validationFailed(`reindex from remote sources doesn't support slices > 1 but was [${slices}]`)
  if (own(body, 'slice') !== undefined)
    throw validationFailed("reindex from remote sources doesn't support [slice]")
}
