/** A cluster of one HTTP server, for tests only: keeps requests, answers bulk requests as the test says. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { testCertificate, testKey } from '../../tls/test-certificate.ts'

interface Seen {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

interface BulkItem {
  readonly action: string
  readonly meta: Record<string, unknown>
  readonly document: Record<string, unknown> | undefined
}

/** Status of an item, or of the whole request, for the n-th bulk request. */
export interface SinkBehaviour {
  version?: string
  distribution?: string
  item?(item: BulkItem, request: number): number
  whole?(request: number, body: string): number
  other?(seen: Seen): number | undefined
  /** Whether a bulk request of so many items never gets an answer. */
  hangs?(items: number): boolean
  /** The whole answer to a bulk request, by the names of its actions; instead of `item` and `whole`. */
  answer?(actions: readonly string[]): { status: number; body: unknown }
}

export interface BulkSink {
  readonly url: string
  readonly port: number
  readonly requests: Seen[]
  readonly server: Server
  /** Bulk requests, taken apart. */
  bulks(): BulkItem[][]
  /** All items of all bulk requests. */
  items(): BulkItem[]
  close(): Promise<void>
}

export async function bulkSink(
  behaviour: SinkBehaviour = {},
  { tls = false, port = 0 }: { tls?: boolean; port?: number } = {},
): Promise<BulkSink> {
  const requests: Seen[] = []
  const bulk: Seen[] = []
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const bytes = Buffer.concat(chunks)
      const packed = request.headers['content-encoding'] === 'gzip'
      const [path = '', query = ''] = (request.url ?? '').split('?')
      const seen: Seen = {
        method: request.method ?? '',
        path,
        query,
        headers: request.headers,
        body: (packed ? gunzipSync(bytes) : bytes).toString('utf8'),
      }
      requests.push(seen)
      answer(seen, response)
    })
  }
  const answer = (seen: Seen, response: ServerResponse) => {
    const send = (status: number, body: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(seen.method === 'HEAD' ? undefined : JSON.stringify(body))
    }
    if (seen.method === 'POST' && seen.path.endsWith('_bulk')) {
      const number = bulk.push(seen) - 1
      if (behaviour.hangs?.(takeApart(seen.body).length) === true) return
      const given = behaviour.answer?.(takeApart(seen.body).map(({ action }) => action))
      if (given !== undefined) return send(given.status, given.body)
      const status = behaviour.whole?.(number, seen.body) ?? 200
      const reason = { root_cause: [], type: 'action_request_validation_exception', reason: 'no' }
      if (status !== 200) return send(status, { error: status === 400 ? reason : 'no', status })
      return send(200, bulkAnswer(seen, number))
    }
    const status = behaviour.other?.(seen)
    if (status !== undefined) return send(status, {})
    if (seen.path.endsWith('/') && !seen.path.includes('_')) {
      const { version = '8.15.0', distribution } = behaviour
      return send(200, { version: { number: version, ...(distribution && { distribution }) } })
    }
    send(seen.method === 'HEAD' || seen.method === 'GET' ? 404 : 200, {})
  }
  const bulkAnswer = ({ body }: Seen, number: number) => {
    const items = takeApart(body).map((item) => {
      const status = behaviour.item?.(item, number) ?? 201
      const error = status < 300 ? {} : { error: { type: `type_${status}`, reason: 'because' } }
      return { [item.action]: { status, ...error } }
    })
    return { took: 1, errors: items.some((item) => 'error' in Object.values(item)[0]!), items }
  }
  const server = tls ? createTlsServer({ key: testKey, cert: testCertificate }, handle) : createServer(handle)
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const bound = (server.address() as AddressInfo).port
  return {
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${bound}`,
    port: bound,
    requests,
    server: server as Server,
    bulks: () => bulk.map(({ body }) => takeApart(body)),
    items: () => bulk.flatMap(({ body }) => takeApart(body)),
    async close() {
      server.closeAllConnections()
      if (!server.listening) return
      server.close()
      await once(server, 'close')
    },
  }
}

function takeApart(body: string): BulkItem[] {
  if (!body.endsWith('\n')) throw new Error('a bulk request ends with a newline')
  const lines = body.slice(0, -1).split('\n')
  const items: BulkItem[] = []
  for (let i = 0; i < lines.length; i++) {
    const line = JSON.parse(lines[i]!) as Record<string, Record<string, unknown>>
    const [action = '', meta = {}] = Object.entries(line)[0] ?? []
    const document = action === 'delete' ? undefined : (JSON.parse(lines[++i]!) as Record<string, unknown>)
    items.push({ action, meta, document })
  }
  return items
}
