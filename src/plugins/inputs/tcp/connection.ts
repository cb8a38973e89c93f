/**
 * One connection: its bytes go into a stream of its own. While the pipeline does not take more, the socket is
 * paused, so a connection holds one chunk and the buffer of its socket; an idle one holds nothing.
 */

import type { Socket } from 'node:net'
import type { ByteStream, PluginLogger } from '../../../plugin/define.ts'
import { isReset, reportFailure } from '../../receiving/connection-failure.ts'
import { InvalidProxyHeader, type ProxiedPeer, ProxyHeader } from './proxy-header.ts'

interface ConnectionSettings {
  readonly proxyProtocol: boolean
  readonly logger: PluginLogger
  /** The stream for the bytes of this peer. */
  open(socket: Socket, proxied: ProxiedPeer | undefined): Promise<ByteStream>
}

export class Connection {
  /** Resolves when the socket is closed and everything read from it was handed over. */
  readonly ended: Promise<void>
  /** Whether anything ever came. */
  used = false
  readonly #socket: Socket
  readonly #settings: ConnectionSettings
  readonly #peer: string
  #stream: ByteStream | undefined
  #header: ProxyHeader | undefined
  #pending: Promise<void> | undefined
  #finishing = false

  constructor(socket: Socket, settings: ConnectionSettings) {
    this.#socket = socket
    this.#settings = settings
    this.#peer = `${socket.remoteAddress}:${socket.remotePort}`
    if (settings.proxyProtocol) this.#header = new ProxyHeader()
    this.ended = new Promise((resolve) => {
      socket.once('close', () => void this.#close().then(resolve))
    })
    socket.on('error', (error: NodeJS.ErrnoException) => this.#report(error))
    socket.on('data', this.#receive)
  }

  #receive = (chunk: Buffer): void => {
    this.used = true
    let written: void | Promise<void>
    try {
      written = this.#stream === undefined ? this.#begin(chunk) : this.#stream.write(chunk)
    } catch (error) {
      this.#socket.destroy(error as Error)
      return
    }
    if (written === undefined) return
    this.#socket.pause()
    this.#pending = written.then(
      () => {
        this.#pending = undefined
        if (!this.#finishing) this.#socket.resume()
      },
      (error: Error) => {
        this.#pending = undefined
        this.#socket.destroy(error)
      },
    )
  }

  async #begin(chunk: Buffer): Promise<void> {
    const first = this.#header === undefined ? { peer: undefined, rest: chunk } : this.#header.push(chunk)
    if (first === undefined) return
    this.#stream = await this.#settings.open(this.#socket, first.peer)
    if (first.rest.length > 0) await this.#stream.write(first.rest)
  }

  async #close(): Promise<void> {
    await this.#pending
    try {
      await this.#stream?.end()
    } catch (error) {
      this.#report(error as Error)
    }
  }

  /** Hands over what was read already, then closes the socket. */
  async finish(): Promise<void> {
    this.#finishing = true
    this.#socket.off('data', this.#receive)
    this.#socket.pause()
    await this.#pending
    const rest = this.#stream !== undefined && this.#socket.readableLength > 0 ? this.#socket.read() : null
    if (rest !== null) await this.#stream!.write(rest as Buffer)
    this.#socket.destroy()
    await this.ended
  }

  destroy(): void {
    this.#socket.destroy()
  }

  #report(error: NodeJS.ErrnoException): void {
    const { logger } = this.#settings
    if (error instanceof InvalidProxyHeader) {
      logger.error('Invalid proxy protocol header label', { header: error.header })
    } else {
      const isEnding = this.#finishing
      reportFailure(logger, this.#peer, error, { wasReset: isReset(error), isEnding })
    }
  }
}
