/**
 * One connection to a peer, made when it is first needed and again, for ever, when it is lost. Bytes count as
 * sent when the operating system has taken all of them; if the connection breaks before, they are sent again
 * on the next one, from their start.
 */
import { connect, isIP, type Socket } from 'node:net'
import { type ConnectionOptions, connect as connectTls } from 'node:tls'
import type { PluginLogger } from '../../plugin/define.ts'
import { pause } from './pause.ts'

interface TcpClientSettings {
  host: string
  port: number
  /** Undefined: a bare connection. */
  tls: ConnectionOptions | undefined
  reconnectMilliseconds: number
  logger: PluginLogger
  signal: AbortSignal
}

const connectMilliseconds = 60_000
const closeMilliseconds = 5000

export class TcpClient {
  readonly #settings: TcpClientSettings
  readonly #stop = () => this.#socket?.destroy()
  #socket: Socket | undefined

  constructor(settings: TcpClientSettings) {
    this.#settings = settings
    settings.signal.addEventListener('abort', this.#stop)
  }

  async send(bytes: Uint8Array): Promise<void> {
    const { logger, signal, host, port, reconnectMilliseconds } = this.#settings
    for (;;) {
      signal.throwIfAborted()
      const socket = this.#socket ?? (await this.#connect())
      const error = await writeAll(socket, bytes)
      if (error === undefined) return
      signal.throwIfAborted()
      logger.warn('client socket failed:', { message: error.message, exception: error.name, host, port })
      this.#drop(socket)
      await pause(reconnectMilliseconds, signal)
    }
  }

  async #connect(): Promise<Socket> {
    const { logger, signal, host, port, tls, reconnectMilliseconds } = this.#settings
    for (;;) {
      try {
        const socket = await openConnection(this.#settings)
        socket.on('error', (error) => logger.debug('connection error', { message: error.message }))
        socket.on('close', () => this.#drop(socket))
        // Nothing is expected from the peer; reading shows when it closes the connection.
        socket.resume()
        this.#socket = socket
        logger.debug('opened connection', { client: `${host}:${port}` })
        return socket
      } catch (error) {
        signal.throwIfAborted()
        const { message, name } = error as Error
        logger.error(tls === undefined ? 'failed to connect:' : 'connect ssl failure:', {
          message,
          exception: name,
          host,
          port,
        })
        await pause(reconnectMilliseconds, signal)
      }
    }
  }

  #drop(socket: Socket): void {
    socket.destroy()
    if (this.#socket === socket) this.#socket = undefined
  }

  async close(): Promise<void> {
    this.#settings.signal.removeEventListener('abort', this.#stop)
    const socket = this.#socket
    this.#socket = undefined
    if (socket === undefined) return
    await endGracefully(socket, closeMilliseconds)
  }
}

function openConnection({ host, port, tls, signal }: TcpClientSettings): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const servername = isIP(host) === 0 ? host : undefined
    const socket =
      tls === undefined ? connect({ host, port }) : connectTls({ servername, ...tls, host, port })
    const settle = (error?: Error) => {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
      socket.off('error', settle)
      if (error === undefined) resolve(socket)
      else {
        socket.on('error', () => {})
        socket.destroy()
        reject(error)
      }
    }
    const stop = () => settle(new Error('stopped'))
    const timer = setTimeout(() => settle(new Error('connection timed out')), connectMilliseconds)
    signal.addEventListener('abort', stop)
    socket.once('error', settle)
    socket.once(tls === undefined ? 'connect' : 'secureConnect', () => settle())
  })
}

function writeAll(socket: Socket, bytes: Uint8Array): Promise<Error | undefined> {
  return new Promise((resolve) => {
    socket.write(bytes, (error) => {
      // A socket destroyed in the middle of a write reports no error to it.
      if (error || !socket.destroyed) resolve(error ?? undefined)
      else resolve(socket.errored ?? new Error('connection closed'))
    })
  })
}

/** Lets what is buffered go out, for a limited time. */
export function endGracefully(socket: Socket, milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    if (socket.destroyed) {
      resolve()
      return
    }
    const timer = setTimeout(() => socket.destroy(), milliseconds)
    socket.once('close', () => {
      clearTimeout(timer)
      resolve()
    })
    socket.end(() => socket.destroy())
  })
}
