/**
 * Replies and how they are written: JSON (two-space indented with `pretty`) or text, with the headers of the
 * monitoring API. HEAD gets the headers of GET, its length included. Larger bodies are compressed on request.
 */
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'

export interface Reply {
  readonly status: number
  readonly type: string
  readonly content: { readonly json: unknown } | { readonly text: string }
  readonly headers?: OutgoingHttpHeaders
}

/** Smaller bodies fit into one packet anyway. */
const worthCompressing = 1400

export function json(value: unknown, status = 200, headers?: OutgoingHttpHeaders): Reply {
  return { status, type: 'application/json', content: { json: value }, ...(headers && { headers }) }
}

export function text(value: string, status = 200, headers?: OutgoingHttpHeaders): Reply {
  return { status, type: 'text/plain', content: { text: value }, ...(headers && { headers }) }
}

export async function send(
  request: IncomingMessage,
  response: ServerResponse,
  { status, type, content, headers }: Reply,
  pretty: boolean,
): Promise<void> {
  const plain = Buffer.from('text' in content ? content.text : jsonText(content.json, pretty))
  const isCompressed = plain.length > worthCompressing && acceptsGzip(request.headers['accept-encoding'])
  const bytes = isCompressed ? await compress(plain) : plain
  if (response.destroyed) return
  response.writeHead(status, {
    'content-type': type,
    'content-length': bytes.length,
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    ...(isCompressed && { 'content-encoding': 'gzip', vary: 'accept-encoding' }),
    ...headers,
  })
  if (request.method === 'HEAD') response.end()
  else response.end(bytes)
}

function jsonText(value: unknown, pretty: boolean): string {
  return pretty ? `${JSON.stringify(value, null, 2)}\n` : JSON.stringify(value)
}

function acceptsGzip(header: string | string[] | undefined): boolean {
  const offers = String(header ?? '').split(',')
  return offers.some((offer) => {
    const [coding = '', ...parameters] = offer.split(';').map((part) => part.trim().toLowerCase())
    return coding === 'gzip' && !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter))
  })
}

async function compress(bytes: Buffer): Promise<Buffer> {
  const { gzip } = await import('node:zlib')
  return new Promise((resolve, reject) => {
    gzip(bytes, (error, compressed) => (error === null ? resolve(compressed) : reject(error)))
  })
}
