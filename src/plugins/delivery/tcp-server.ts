/**
 * Listens for readers and sends every one of them all bytes. A reader that cannot keep up does not hold the
 * pipeline: it is disconnected when too much waits for it.
 */
import { createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer, type TlsOptions } from 'node:tls'
import type { PluginLogger } from '../../plugin/define.ts'
import { defaultHandshakeTimeout } from '../tls/server-tls.ts'
import { endGracefully } from './tcp-client.ts'

interface TcpServerSettings {
  host: string
  port: number
  tls: TlsOptions | undefined
  logger: PluginLogger
  /** Bytes that may wait for one reader. */
  bufferLimit: number
}

const closeMilliseconds = 2000

export class TcpServer {
  readonly #settings: TcpServerSettings
  readonly #readers = new Set<Socket>()
  #server: Server | undefined

  constructor(settings: TcpServerSettings) {
    this.#settings = settings
  }

  get readers(): number {
    return this.#readers.size
  }

  /** The port it listens on, once `listen` has resolved. */
  get port(): number {
    const address = this.#server?.address()
    return typeof address === 'object' && address !== null ? address.port : this.#settings.port
  }

  async listen(): Promise<void> {
    const { host, port, tls, logger } = this.#settings
    logger.info('Starting tcp output listener', { address: `${host}:${port}` })
    const server =
      tls === undefined
        ? createServer()
        : createTlsServer({ handshakeTimeout: defaultHandshakeTimeout, ...tls })
    server.on(tls === undefined ? 'connection' : 'secureConnection', (socket: Socket) => this.#accept(socket))
    server.on('tlsClientError', (error: Error, socket: Socket) => {
      logger.debug('connection refused', { message: error.message })
      // A handshake that took too long leaves its connection open.
      socket.destroy()
    })
    await new Promise<void>((resolve, reject) => {
      server.once('error', (error: NodeJS.ErrnoException) => {
        if (error.code === 'EADDRINUSE') {
          logger.error('Could not start tcp server: Address in use', { host, port })
        }
        reject(error)
      })
      server.listen(port, host, resolve)
    })
    server.on('error', (error) => logger.warn('tcp output listener failed:', { message: error.message }))
    this.#server = server
  }

  #accept(socket: Socket): void {
    const { logger, host } = this.#settings
    const client = `${socket.remoteAddress}:${socket.remotePort}`
    logger.debug('accepted connection', { client, server: `${host}:${this.port}` })
    this.#readers.add(socket)
    socket.on('error', (error) => {
      logger.warn('socket write failed:', { message: error.message, exception: error.name, socket: client })
    })
    socket.on('close', () => this.#readers.delete(socket))
    socket.resume()
  }

  broadcast(bytes: Uint8Array): void {
    const { logger, bufferLimit } = this.#settings
    for (const socket of this.#readers) {
      if (socket.writableLength + bytes.length > bufferLimit && socket.writableLength > 0) {
        const client = `${socket.remoteAddress}:${socket.remotePort}`
        logger.warn('A client reads too slowly and was disconnected', { socket: client })
        this.#readers.delete(socket)
        socket.destroy()
      } else {
        socket.write(bytes)
      }
    }
  }

  async close(): Promise<void> {
    const server = this.#server
    this.#server = undefined
    const closed =
      server === undefined ? undefined : new Promise<void>((resolve) => server.close(() => resolve()))
    await Promise.all([...this.#readers].map((socket) => endGracefully(socket, closeMilliseconds)))
    await closed
  }
}
