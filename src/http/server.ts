/**
 * Listens on a host and on the first free port of a range, with or without TLS, and closes within a time
 * limit: idle connections at once, requests in progress when they are answered or when the limit is over.
 */
import type { RequestListener, Server } from 'node:http'
import type { Server as SecureServer, TlsOptions } from 'node:tls'
import { answerBrokenRequestsOnce } from './broken-requests.ts'
import { limitConnections } from './connection-limit.ts'
import { oneAtATime } from './one-at-a-time.ts'
import { withOneHost } from './one-host.ts'
import type { TlsFiles } from './tls-files.ts'

// An import would touch every name the module has, and on newer versions of Node that loads a WebSocket client.
const { createServer } = process.getBuiltinModule('node:http')

interface ListenOptions {
  readonly host: string
  /** Inclusive. */
  readonly ports: { readonly first: number; readonly last: number }
  readonly tls?: TlsOptions | undefined
  /** Where `tls` was read from: replaced files are taken over without a restart. */
  readonly tlsFiles?: TlsFiles | undefined
  readonly tlsRenewed?: (error: Error | undefined) => void
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

/** How long a client may take for its part. */
const times = { headersTimeout: 10_000, requestTimeout: 20_000, keepAliveTimeout: 20_000 }
/** How often Node.js looks for requests that took longer. */
const checkEvery = 1000
const handshakeTimeout = 10_000
/** Fits into the smallest limit of open files that systems have, together with what pipelines open. */
const maxConnections = 512

export async function listen(options: ListenOptions): Promise<HttpServer> {
  const { host, ports, tls, listener } = options
  for (let port = ports.first; port <= ports.last; port++) {
    const server = await createFor(tls, oneAtATime(withOneHost(listener)))
    answerBrokenRequestsOnce(server)
    limitConnections(server, maxConnections)
    if (!(await isBound(server, host, port))) continue
    const endRenewal = await renewal(server, options)
    return {
      port: boundPort(server),
      close(limit) {
        endRenewal?.()
        return close(server, limit)
      },
    }
  }
  throw new PortsTaken(`no free port on ${host} from ${ports.first} to ${ports.last}`)
}

async function renewal(
  server: Server,
  { tlsFiles, tlsRenewed = () => {} }: ListenOptions,
): Promise<(() => void) | undefined> {
  if (tlsFiles === undefined) return undefined
  const { renewTls } = await import('./tls-renewal.ts')
  const use = (tls: TlsOptions) => (server as unknown as SecureServer).setSecureContext(tls)
  return renewTls({ files: tlsFiles, use, told: tlsRenewed })
}

async function createFor(tls: TlsOptions | undefined, listener: RequestListener): Promise<Server> {
  const options = { ...times, connectionsCheckingInterval: checkEvery }
  if (tls === undefined) return createServer(options, listener)
  const { createServer: createSecureServer } = await import('node:https')
  const server = createSecureServer({ ...options, ...tls, handshakeTimeout }, listener)
  // What is no TLS is closed by the server; nothing more is to be said about it.
  server.on('tlsClientError', () => {})
  return server
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
