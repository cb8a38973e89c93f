/**
 * Puts GELF messages together that came as several datagrams:
 *
 *   1e 0f | id, 8 bytes | number of this chunk, from 0 | number of chunks, at most 128 | part of the payload
 *
 * A message has five seconds; incomplete ones take a bounded number of bytes, the oldest go first. The id of a message is
 * only known by its sender, so that messages of different senders never mix.
 */
const magic = 0x1e0f
const headerBytes = 12
const maxChunks = 128

interface ChunkLimits {
  readonly messages: number
  readonly bytes: number
  readonly milliseconds: number
}

const defaultLimits: ChunkLimits = { messages: 5000, bytes: 64 * 1024 * 1024, milliseconds: 5000 }

interface Incomplete {
  readonly since: number
  readonly parts: (Buffer | undefined)[]
  missing: number
  bytes: number
}

export function isChunk(datagram: Buffer): boolean {
  return datagram.length >= 2 && datagram.readUInt16BE(0) === magic
}

export class GelfChunks {
  readonly #limits: ChunkLimits
  readonly #now: () => number
  readonly #lost: (messages: number) => void
  /** Messages by sender and id, the oldest first. */
  readonly #incomplete = new Map<string, Incomplete>()
  #bytes = 0

  constructor(
    lost: (messages: number) => void = () => {},
    limits: ChunkLimits = defaultLimits,
    now = () => performance.now(),
  ) {
    this.#lost = lost
    this.#limits = limits
    this.#now = now
  }

  get size(): number {
    return this.#incomplete.size
  }

  get bytes(): number {
    return this.#bytes
  }

  /** The message that this chunk completes. Throws when it is none. */
  add(chunk: Buffer, sender: string): Buffer | undefined {
    if (chunk.length < headerBytes) throw new Error(`a chunk of ${chunk.length} bytes has no header`)
    const [number, count] = [chunk[10]!, chunk[11]!]
    if (count === 0 || count > maxChunks || number >= count)
      throw new Error(`chunk ${number} of ${count} cannot be`)
    const part = chunk.subarray(headerBytes)
    if (count === 1) return part
    const now = this.#now()
    this.#forget(now - this.#limits.milliseconds)
    const key = `${sender} ${chunk.toString('latin1', 2, 10)}`
    let message = this.#incomplete.get(key)
    if (message === undefined) {
      message = { since: now, parts: new Array(count), missing: count, bytes: 0 }
      this.#incomplete.set(key, message)
    }
    if (message.parts.length !== count) throw new Error('chunks of a message disagree about their number')
    if (message.parts[number] !== undefined) return undefined
    // A copy: the memory of a datagram may be much larger than what is kept of it.
    message.parts[number] = Buffer.from(part)
    message.missing -= 1
    message.bytes += part.length
    this.#bytes += part.length
    if (message.missing === 0) {
      this.#drop(key, message)
      return Buffer.concat(message.parts as Buffer[], message.bytes)
    }
    this.#bound()
    return undefined
  }

  #drop(key: string, message: Incomplete): void {
    this.#incomplete.delete(key)
    this.#bytes -= message.bytes
  }

  #forget(before: number): void {
    for (const [key, message] of this.#incomplete) {
      if (message.since > before) return
      this.#drop(key, message)
      this.#lost(1)
    }
  }

  #bound(): void {
    const { messages, bytes } = this.#limits
    for (const [key, message] of this.#incomplete) {
      if (this.#incomplete.size <= messages && this.#bytes <= bytes) return
      this.#drop(key, message)
      this.#lost(1)
    }
  }
}
