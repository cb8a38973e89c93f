/**
 * Listens on a host and on the first free port of a range, with or without TLS, and closes within a time
 * limit: idle connections at once, requests in progress when they are answered or when the limit is over.
 */
import { createServer, type RequestListener, type Server } from 'node:http'
import type { TlsOptions } from 'node:tls'

export interface ListenOptions {
  readonly host: string
  /** Inclusive. */
  readonly ports: { readonly first: number; readonly last: number }
  readonly tls?: TlsOptions | undefined
  readonly listener: RequestListener
}

export interface HttpServer {
  readonly port: number
  /** Resolves when every connection is closed, at the latest after the limit. */
  close(limitMillis?: number): Promise<void>
}

/** Every port of the range is in use by somebody else. */
export class PortsTaken extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'PortsTaken'
  }
}

const limits = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 20_000,
  maxConnections: 1024,
}

export async function listen({ host, ports, tls, listener }: ListenOptions): Promise<HttpServer> {
  for (let port = ports.first; port <= ports.last; port++) {
    const server: Server = tls === undefined ? createServer(listener) : await secureServer(tls, listener)
    Object.assign(server, limits)
    if (await isBound(server, host, port))
      return { port: boundPort(server), close: (limit) => close(server, limit) }
  }
  throw new PortsTaken(`no free port on ${host} from ${ports.first} to ${ports.last}`)
}

async function secureServer(tls: TlsOptions, listener: RequestListener): Promise<Server> {
  const { createServer: createSecureServer } = await import('node:https')
  return createSecureServer(tls, listener)
}

/** False when the port is in use. */
function isBound(server: Server, host: string, port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    server.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(false)
      else reject(error)
    })
    server.listen({ host, port }, () => resolve(true))
  })
}

function boundPort(server: Server): number {
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

function close(server: Server, limitMillis = 1000): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), limitMillis)
    server.close(() => {
      clearTimeout(timer)
      resolve()
    })
    server.closeIdleConnections()
  })
}
