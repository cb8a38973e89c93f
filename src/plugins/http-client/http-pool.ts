/**
 * The door to undici: a pool of connections, through a proxy or not. Its parts are loaded one by one, because all of
 * them, with fetch, web sockets and caches, take three times as long to load, in every thread that has an output.
 */
import { createRequire } from 'node:module'
import type { SecureContextOptions } from 'node:tls'
import type { Dispatcher } from 'undici'
import { maxTimer } from '../../time/max-timer.ts'

interface PoolSettings {
  readonly connectSeconds: number
  readonly socketSeconds: number
  readonly connections: number
  readonly keepAlive: boolean
  readonly proxy: { uri: string; token: string | undefined } | undefined
  readonly tls: SecureContextOptions & { rejectUnauthorized: boolean }
}

type Send = (
  dispatcher: Dispatcher,
  url: string | URL,
  options: Pick<Dispatcher.RequestOptions, 'method' | 'headers' | 'body' | 'signal'>,
) => Promise<Dispatcher.ResponseData>

const maxRedirects = 50
const load = createRequire(import.meta.url)

export function openPool(settings: PoolSettings): Dispatcher {
  const { proxy, tls } = settings
  const socketMilliseconds = milliseconds(settings.socketSeconds)
  const pool = {
    connections: settings.connections,
    pipelining: settings.keepAlive ? 1 : 0,
    headersTimeout: socketMilliseconds,
    bodyTimeout: socketMilliseconds,
  }
  const connect = { timeout: milliseconds(settings.connectSeconds), ...tls }
  if (proxy === undefined) {
    const Agent = load('undici/lib/dispatcher/agent.js') as typeof import('undici').Agent
    return new Agent({ ...pool, connect })
  }
  const ProxyAgent = load('undici/lib/dispatcher/proxy-agent.js') as typeof import('undici').ProxyAgent
  return new ProxyAgent({
    ...pool,
    uri: proxy.uri,
    ...(proxy.token !== undefined && { token: proxy.token }),
    requestTls: connect,
    proxyTunnel: false,
  })
}

/** Returns the same connections for requests that follow redirects. */
export function followingRedirects(dispatcher: Dispatcher): Dispatcher {
  const redirect = load('undici/lib/interceptor/redirect.js') as typeof import('undici').interceptors.redirect
  return dispatcher.compose(redirect({ maxRedirections: maxRedirects }))
}

type RequestOf = (
  this: Dispatcher,
  options: Dispatcher.RequestOptions & { origin: string },
) => Promise<Dispatcher.ResponseData>

export const send: Send = (dispatcher, url, options) => {
  const { request } = load('undici/lib/api/index.js') as { request: RequestOf }
  const { origin, pathname, search } = typeof url === 'string' ? new URL(url) : url
  return request.call(dispatcher, { ...options, origin, path: pathname + search })
}

/** A connection that broke, perhaps because the other side closed it just when it was used again. */
export function isBroken(error: Error): boolean {
  return brokenConnection.has((error as NodeJS.ErrnoException).code ?? '')
}

const brokenConnection = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'])

/** All of an answer; an error when it is longer than that. */
export async function readAnswer(body: Dispatcher.ResponseData['body'], maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > maxBytes) throw new Error(`The answer is longer than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
}

function milliseconds(seconds: number): number {
  return Math.min(seconds * 1000, maxTimer)
}
