/**
 * Memory for the bodies of requests that is used again once nobody needs what is in it. Bodies of some megabytes follow
 * each other quickly where documents are sent; in new memory each of them costs the clearing of its pages, and after a
 * few of them V8 goes looking for what to free. Larger ones are freed at once. Whoever gives memory back must be done
 * with every view of it.
 */
import { freeMemory } from './free-memory.ts'

const minBytes = 64 * 1024
const maxBytes = 16 * 1024 * 1024
/** Limit of the bytes that are kept. */
const maxKept = 16 * 1024 * 1024

export class BodyMemory {
  /** The last given back last. */
  readonly #free: Buffer[] = []
  #kept = 0
  /** What was handed out and not given back yet. */
  readonly #lent = new WeakSet<ArrayBufferLike>()

  /** Returns memory of at least that many bytes; they hold whatever was there before. */
  take(size: number): Buffer {
    if (size < minBytes) return Buffer.allocUnsafeSlow(size)
    let memory = size > maxBytes ? Buffer.allocUnsafeSlow(size) : this.#fitting(size)
    if (memory === undefined) {
      let room = minBytes
      while (room < size) room *= 2
      memory = Buffer.allocUnsafeSlow(room)
    }
    this.#lent.add(memory.buffer)
    return memory
  }

  /** Finds kept memory of less than twice the size, so that large memory is not held by small bodies. */
  #fitting(size: number): Buffer | undefined {
    const place = this.#free.findLastIndex(({ length }) => length >= size && length < 2 * size)
    if (place < 0) return undefined
    const [memory] = this.#free.splice(place, 1)
    this.#kept -= memory!.length
    return memory
  }

  /** Takes back what a view is of, unless it came from elsewhere or is back already. */
  giveBack({ buffer }: Uint8Array): void {
    if (!this.#lent.delete(buffer)) return
    if (buffer.byteLength > maxBytes) return freeMemory(new Uint8Array(buffer))
    this.#free.push(Buffer.from(buffer as ArrayBuffer))
    this.#kept += buffer.byteLength
    while (this.#kept > maxKept) this.#kept -= this.#free.shift()!.length
  }
}

/** The memory that all servers of this thread share. */
export const bodyMemory = new BodyMemory()
