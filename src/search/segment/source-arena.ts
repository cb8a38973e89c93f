/**
 * The JSON texts of documents that are not on disk, copied into chunks of memory that threads can share. Behind every
 * text there is room for a word to be read, so that whoever parses it there need not look where it ends.
 */
import { GrowingUint32 } from './growing-array.ts'
import { SectionStream, type WrittenSection } from './segment-file.ts'
import { type SourceTexts, SourceWriter } from './source-blocks.ts'

const smallestChunk = 16 * 1024
const largestChunk = 1024 * 1024
const padding = 8
const word = 8
const copiedBytes = 64 * 1024

export class SourceArena implements SourceTexts {
  readonly #chunks: Chunk[] = []
  #filled = 0
  /** Where the placed text begins in its chunk. */
  start = 0
  #nextSize = smallestChunk
  readonly #chunkOf: GrowingUint32
  readonly #starts: GrowingUint32
  readonly #lengths: GrowingUint32

  /** Of all texts. */
  bytes = 0

  /** `expected`: how many documents there will be, if that is known. */
  constructor(expected = 0) {
    this.#chunkOf = new GrowingUint32(true, expected)
    this.#starts = new GrowingUint32(true, expected)
    this.#lengths = new GrowingUint32(true, expected)
  }

  /**
   * Copies a text behind the last; it is no document's until `keep`. Both begin at the same place within a word,
   * because only then is memory that is shared copied by words, and not byte by byte.
   */
  place(text: Uint8Array): Chunk {
    let chunk = this.#chunks[this.#chunks.length - 1]
    this.start = this.#filled + ((text.byteOffset - this.#filled) & (word - 1))
    if (chunk === undefined || this.start + text.length + padding > chunk.bytes.length) {
      // A text of its own size when it is large, so that memory is not wasted on its neighbours.
      this.start = text.byteOffset & (word - 1)
      const needed = this.start + text.length + padding
      const bytes = new Uint8Array(new SharedArrayBuffer(Math.max(this.#nextSize, needed)))
      this.#nextSize = Math.min(this.#nextSize * 2, largestChunk)
      chunk = { bytes, view: new DataView(bytes.buffer) }
      this.#chunks.push(chunk)
      this.#filled = 0
    }
    chunk.bytes.set(text, this.start)
    return chunk
  }

  /** The placed text is that of the next document. */
  keep(length: number): void {
    this.#chunkOf.push(this.#chunks.length - 1)
    this.#starts.push(this.start)
    this.#lengths.push(length)
    this.#filled = this.start + length
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

/** The sections of these texts. */
export function* arenaSections(arena: ArenaTexts): Iterable<WrittenSection> {
  const writer = new SourceWriter()
  yield ['source', new SectionStream(blocksOf(arena, writer))]
  yield* writer.figures()
}

/**
 * Texts leave shared memory many at a time, with what stands between them: only a copy by words is
 * quick, and one text seldom begins at the place within a word where the last one ends.
 */
function* blocksOf(
  { chunks, chunkOf, starts, lengths }: ArenaTexts,
  writer: SourceWriter,
): Iterable<Uint8Array> {
  let copy = new Uint8Array(copiedBytes * 2)
  for (let doc = 0; doc < lengths.length; ) {
    let end = doc
    while (end < lengths.length && lengths[end] === 0) end++
    const chunk = chunks[chunkOf[end] ?? 0]
    const from = (starts[end] ?? 0) & -word
    let to = from
    for (; end < lengths.length && to < from + copiedBytes; end++) {
      if (lengths[end] === 0) continue
      if (chunks[chunkOf[end]!] !== chunk || starts[end]! < to) break
      to = starts[end]! + lengths[end]!
    }
    if (to - from > copy.length) copy = new Uint8Array(to - from)
    if (chunk !== undefined) copy.set(chunk.subarray(from, to))
    for (; doc < end; doc++) {
      const start = starts[doc]! - from
      const block = writer.add(lengths[doc] === 0 ? nothing : copy.subarray(start, start + lengths[doc]!))
      if (block !== undefined) yield block
    }
  }
  const rest = writer.finishBlock()
  if (rest !== undefined) yield rest
}

export interface Chunk {
  readonly bytes: Uint8Array
  readonly view: DataView
}

const nothing = new Uint8Array(0)
