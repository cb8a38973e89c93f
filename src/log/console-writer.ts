/**
 * Synchronous writing to a descriptor that may be a slow pipe. A full pipe is waited for, but not for
 * ever: after a second the line is dropped, later lines are tried once each, and the first line that
 * fits again says how many are missing. A line is never cut in the middle: its rest is kept and written first.
 */
import { writeSync } from 'node:fs'

type WriteCall = (fd: number, bytes: Uint8Array, offset: number) => number

const waitMillis = 2
const maxWaits = 500
const pause = new Int32Array(new SharedArrayBuffer(4))

export class ConsoleWriter {
  readonly #fd: number
  readonly #writeCall: WriteCall
  #rest: Uint8Array | undefined
  #dropped = 0
  #isStalled = false
  #isClosed = false

  constructor(fd: number, writeCall: WriteCall = writeSync) {
    this.#fd = fd
    this.#writeCall = writeCall
  }

  write(line: string): void {
    if (this.#isClosed) return
    if (this.#rest !== undefined) {
      const rest = this.#rest
      this.#rest = undefined
      if (!this.#writeAll(rest, 0)) {
        this.#dropped += 1
        return
      }
    }
    const note =
      this.#dropped > 0 ? `${this.#dropped} log lines were dropped: standard output was blocked\n` : ''
    const bytes = Buffer.from(note + line)
    if (this.#writeAll(bytes, 0)) {
      this.#dropped = 0
      this.#isStalled = false
    } else if (this.#rest === bytes) {
      // Nothing of it was written: the line is dropped whole.
      this.#rest = undefined
      this.#dropped += 1
    } else {
      this.#dropped = 0
    }
  }

  /** Writes from `start` on; false leaves in `#rest` what could not be written. */
  #writeAll(bytes: Uint8Array, start: number): boolean {
    let offset = start
    let waits = this.#isStalled ? maxWaits : 0
    while (offset < bytes.length) {
      try {
        offset += this.#writeCall(this.#fd, bytes, offset)
      } catch (error) {
        const code = (error as NodeJS.ErrnoException).code
        if (code === 'EINTR') continue
        if (code !== 'EAGAIN' && code !== 'EWOULDBLOCK') {
          // The reader is gone (EPIPE) or there is no such descriptor: nobody can be told.
          this.#isClosed = true
          return false
        }
        if (waits >= maxWaits) {
          this.#isStalled = true
          this.#rest = offset === 0 ? bytes : bytes.subarray(offset)
          return false
        }
        waits += 1
        Atomics.wait(pause, 0, 0, waitMillis)
      }
    }
    return true
  }
}
