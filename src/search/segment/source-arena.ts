/**
 * The JSON texts of documents that are not on disk, copied into chunks of memory that threads can share. Behind every text there is room for
 * a word to be read, so that whoever parses it there need not look where it ends.
 */
import { GrowingUint32 } from './growing-array.ts'
import type { SourceTexts } from './source-blocks.ts'

const smallestChunk = 16 * 1024
const largestChunk = 1024 * 1024
const padding = 8

export class SourceArena implements SourceTexts {
  readonly #chunks: Chunk[] = []
  #filled = 0
  #nextSize = smallestChunk
  readonly #chunkOf = new GrowingUint32(true)
  readonly #starts = new GrowingUint32(true)
  readonly #lengths = new GrowingUint32(true)

  /** Of all texts. */
  bytes = 0

  /** Copies a text behind the last; it is no document's until `keep`. */
  place(text: Uint8Array): Chunk {
    let chunk = this.#chunks[this.#chunks.length - 1]
    if (chunk === undefined || this.#filled + text.length + padding > chunk.bytes.length) {
      // A text of its own size when it is large, so that memory is not wasted on its neighbours.
      const bytes = new Uint8Array(new SharedArrayBuffer(Math.max(this.#nextSize, text.length + padding)))
      this.#nextSize = Math.min(this.#nextSize * 2, largestChunk)
      chunk = { bytes, view: new DataView(bytes.buffer) }
      this.#chunks.push(chunk)
      this.#filled = 0
    }
    chunk.bytes.set(text, this.#filled)
    return chunk
  }

  /** Where the placed text begins in its chunk. */
  get start(): number {
    return this.#filled
  }

  /** The placed text is that of the next document. */
  keep(length: number): void {
    this.#chunkOf.push(this.#chunks.length - 1)
    this.#starts.push(this.#filled)
    this.#lengths.push(length)
    this.#filled += length
    this.bytes += length
  }

  /** Where the last document's text is. */
  get last(): { readonly chunk: Chunk; readonly start: number; readonly length: number } {
    const doc = this.#lengths.length - 1
    return {
      chunk: this.#chunks[this.#chunkOf.at(doc)]!,
      start: this.#starts.at(doc),
      length: this.#lengths.at(doc),
    }
  }

  /** The next document has none. */
  skip(): void {
    this.#chunkOf.push(0)
    this.#starts.push(0)
    this.#lengths.push(0)
  }

  read(doc: number): Uint8Array {
    const length = this.#lengths.at(doc)
    if (length === 0) return nothing
    const start = this.#starts.at(doc)
    return this.#chunks[this.#chunkOf.at(doc)]!.bytes.subarray(start, start + length)
  }

  /** As plain data, for another thread. */
  texts(): ArenaTexts {
    return {
      chunks: this.#chunks.map(({ bytes }) => bytes),
      chunkOf: this.#chunkOf.view(),
      starts: this.#starts.view(),
      lengths: this.#lengths.view(),
    }
  }
}

/** Where the text of each document is. */
export interface ArenaTexts {
  readonly chunks: readonly Uint8Array[]
  readonly chunkOf: Uint32Array
  readonly starts: Uint32Array
  readonly lengths: Uint32Array
}

export function readArena({ chunks, chunkOf, starts, lengths }: ArenaTexts, doc: number): Uint8Array {
  const length = lengths[doc]!
  if (length === 0) return nothing
  return chunks[chunkOf[doc]!]!.subarray(starts[doc], starts[doc]! + length)
}

export interface Chunk {
  readonly bytes: Uint8Array
  readonly view: DataView
}

const nothing = new Uint8Array(0)
