/** Waits for connections; those that come before the pipeline runs are held until it does. */
import { createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer, type TlsOptions } from 'node:tls'
import type { PluginLogger } from '../../../plugin/define.ts'
import { defaultHandshakeTimeout } from '../../tls/server-tls.ts'

interface ServerSettings {
  readonly host: string
  readonly port: number
  readonly tls: TlsOptions | undefined
  readonly keepAlive: boolean
  /** Whether a client that has closed its side may still be answered. */
  readonly allowHalfOpen?: boolean
  readonly logger: PluginLogger
}

export class TcpListener {
  readonly #server: Server
  readonly #logger: PluginLogger
  readonly #held: Socket[] = []
  #accept: ((socket: Socket) => void) | undefined

  static async open(settings: ServerSettings): Promise<TcpListener> {
    const listener = new TcpListener(settings)
    const { host, port } = settings
    await new Promise<void>((resolve, reject) => {
      listener.#server.once('error', reject)
      listener.#server.listen(port, host, () => {
        listener.#server.off('error', reject)
        resolve()
      })
    })
    listener.#server.on('error', (error) =>
      settings.logger.error('tcp input listener failed', { message: error.message }),
    )
    return listener
  }

  private constructor({ tls, keepAlive, allowHalfOpen = false, logger }: ServerSettings) {
    this.#logger = logger
    const server = { keepAlive, allowHalfOpen }
    const limits = { handshakeTimeout: defaultHandshakeTimeout }
    this.#server =
      tls === undefined ? createServer(server) : createTlsServer({ ...limits, ...tls, ...server })
    this.#server.on(tls === undefined ? 'connection' : 'secureConnection', (socket: Socket) => {
      if (this.#accept === undefined) this.#hold(socket)
      else this.#hand(socket, this.#accept)
    })
    this.#server.on('tlsClientError', (error: Error, socket: Socket) => {
      this.#logger.error('SSL error', { message: error.message, exception: error.name })
      // A handshake that took too long leaves its connection open.
      socket.destroy()
    })
  }

  #hold(socket: Socket): void {
    socket.on('error', () => undefined)
    this.#held.push(socket)
  }

  /** The address in use; the port is the one the system chose when 0 was asked for. */
  get address(): string {
    const address = this.#server.address()
    return typeof address === 'object' && address !== null ? `${address.address}:${address.port}` : ''
  }

  deliver(accept: (socket: Socket) => void): void {
    this.#accept = accept
    for (const socket of this.#held.splice(0)) if (!socket.destroyed) this.#hand(socket, accept)
  }

  /** What goes wrong with one connection, a strange certificate for instance, is the end of that one only. */
  #hand(socket: Socket, accept: (socket: Socket) => void): void {
    try {
      accept(socket)
    } catch (error) {
      this.#logger.error('A connection could not be accepted', {
        client: `${socket.remoteAddress}:${socket.remotePort}`,
        message: (error as Error).message,
        exception: (error as Error).name,
      })
      socket.on('error', () => undefined)
      socket.destroy()
    }
  }

  /** No more connections; those that are open stay. */
  close(): void {
    this.#server.close()
    for (const socket of this.#held.splice(0)) socket.destroy()
  }
}
