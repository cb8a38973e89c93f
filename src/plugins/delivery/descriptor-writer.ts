/**
 * Writes bytes to an open file descriptor that may be a terminal, a pipe or a socket: partial writes are
 * continued, a full pipe is tried again, a reader that has gone makes it fall silent for good.
 * Not process.stdout, which in a worker thread sends every chunk through the main thread.
 */
import { write } from 'node:fs'
import { pause } from './pause.ts'

export class DescriptorWriter {
  readonly #descriptor: number
  readonly #signal: AbortSignal
  readonly #onGone: () => void
  #gone = false

  constructor(descriptor: number, signal: AbortSignal, onGone: () => void) {
    this.#descriptor = descriptor
    this.#signal = signal
    this.#onGone = onGone
  }

  async write(bytes: Uint8Array): Promise<void> {
    let done = 0
    let waits = 0
    while (done < bytes.length && !this.#gone) {
      try {
        done += await writeSome(this.#descriptor, bytes, done)
        waits = 0
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException
        if (code === 'EPIPE' || code === 'ECONNRESET') {
          this.#gone = true
          this.#onGone()
        } else if (code === 'EAGAIN') {
          await pause(Math.min(50, 1 + waits++), this.#signal)
        } else {
          throw error
        }
      }
    }
  }
}

function writeSome(descriptor: number, bytes: Uint8Array, from: number): Promise<number> {
  return new Promise((resolve, reject) => {
    write(descriptor, bytes, from, bytes.length - from, null, (error, written) => {
      if (error === null) resolve(written)
      else reject(error)
    })
  })
}
