/** Counts open connections and all connections since the start. */
import type { RequestListener } from 'node:http'
import type { Socket } from 'node:net'

export class Connections {
  readonly #open = new Set<Socket>()
  #opened = 0

  get open(): number {
    return this.#open.size
  }

  get opened(): number {
    return this.#opened
  }

  counting(listener: RequestListener): RequestListener {
    return (message, response) => {
      const { socket } = message
      if (!this.#open.has(socket)) {
        this.#opened += 1
        this.#open.add(socket)
        socket.once('close', () => this.#open.delete(socket))
      }
      listener(message, response)
    }
  }
}
