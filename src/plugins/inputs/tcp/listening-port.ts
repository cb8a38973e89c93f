/** The port of an input that listens: opened in `register`, or by `serve` after a stop, and closed with the input. */
import type { Socket } from 'node:net'
import type { Stop } from '../../receiving/stop.ts'
import type { TcpListener } from './server.ts'

export class ListeningPort {
  readonly #listen: () => Promise<TcpListener>
  #listener: TcpListener | undefined

  constructor(listen: () => Promise<TcpListener>) {
    this.#listen = listen
  }

  async open(): Promise<void> {
    this.#listener = await this.#listen()
  }

  /** Hands out connections until the input has to stop; then the port is closed, and those that are open stay. */
  async serve(stop: Stop, accept: (socket: Socket) => void): Promise<void> {
    this.#listener ??= await this.#listen()
    this.#listener.deliver(accept)
    await stop.requested
    this.close()
  }

  close(): void {
    this.#listener?.close()
    this.#listener = undefined
  }
}
