/**
 * Replies and how they are written: JSON (two-space indented with `pretty`), text or bytes in pieces, or a stream
 * that its maker goes on writing to. HEAD gets the headers of GET, its length included. Larger bodies are
 * compressed on request.
 */
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'

export interface Reply {
  readonly status: number
  readonly type: string
  readonly content:
    | { readonly json: unknown }
    | { readonly text: string }
    | { readonly pieces: readonly Uint8Array[] }
    | { readonly stream: Streaming }
  readonly headers?: OutgoingHttpHeaders
}

/** Called once the headers are sent; not called at all for HEAD. */
type Streaming = (outlet: Outlet) => void

/** A body without an end in sight. Whoever writes looks at `waiting` first: nothing here limits it. */
export interface Outlet {
  write(text: string): void
  /** Bytes the client has not taken yet. */
  readonly waiting: number
  end(): void
  /** Ends without another word: for a client that does not read. */
  drop(): void
  /** Aborted when the connection is closed, by whatever side. */
  readonly closed: AbortSignal
}

/** Smaller bodies fit into one packet anyway. */
const worthCompressing = 1024

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
  const common = { 'content-type': type, 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' }
  if ('stream' in content) {
    response.writeHead(status, { ...common, ...headers })
    if (request.method === 'HEAD') return void response.end()
    response.flushHeaders()
    return content.stream(outletOf(response))
  }
  const plain =
    'pieces' in content
      ? content.pieces
      : [Buffer.from('text' in content ? content.text : jsonText(content.json, pretty))]
  const isLarge = lengthOf(plain) > worthCompressing
  const isCompressed = isLarge && acceptsGzip(request.headers['accept-encoding'])
  const pieces = isCompressed ? await compress(plain) : plain
  if (response.destroyed) return
  response.writeHead(status, {
    ...common,
    'content-length': lengthOf(pieces),
    ...(isLarge && { vary: 'accept-encoding' }),
    ...(isCompressed && { 'content-encoding': 'gzip' }),
    ...headers,
  })
  if (request.method === 'HEAD') return void response.end()
  for (const piece of pieces.slice(0, -1)) response.write(piece)
  response.end(pieces.at(-1))
}

function lengthOf(pieces: readonly Uint8Array[]): number {
  let length = 0
  for (const piece of pieces) length += piece.length
  return length
}

function outletOf(response: ServerResponse): Outlet {
  const closed = new AbortController()
  if (response.destroyed) closed.abort()
  else response.once('close', () => closed.abort())
  return {
    write: (text) => void (response.writable && response.write(text)),
    get waiting() {
      return response.writableLength
    },
    end: () => void response.end(),
    drop: () => void response.destroy(),
    closed: closed.signal,
  }
}

function jsonText(value: unknown, pretty: boolean): string {
  return pretty ? `${JSON.stringify(value, null, 2)}\n` : JSON.stringify(value)
}

/** What is said of gzip itself counts more than what is said of everything. */
function acceptsGzip(header: string | string[] | undefined): boolean {
  const offers = new Map(
    String(header ?? '')
      .toLowerCase()
      .split(',')
      .map((offer) => {
        const [coding = '', ...parameters] = offer.split(';').map((part) => part.trim())
        return [coding, !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter))]
      }),
  )
  return offers.get('gzip') ?? offers.get('*') ?? false
}

async function compress(pieces: readonly Uint8Array[]): Promise<Uint8Array[]> {
  const { createGzip } = await import('node:zlib')
  const squeezing = createGzip()
  for (const piece of pieces) squeezing.write(piece)
  squeezing.end()
  const squeezed: Uint8Array[] = []
  for await (const piece of squeezing) squeezed.push(piece as Uint8Array)
  return squeezed
}
