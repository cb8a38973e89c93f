/**
 * The JSON texts of documents that are not on disk, or the values of those that are alike, in chunks of memory that
 * threads can share. Behind every text there is room for a word to be read, so that whoever parses it there need not
 * look where it ends.
 */
import type { BuilderMemory } from '../encoding/builder-memory.ts'
import { GrowingUint32 } from '../encoding/growing-array.ts'
import { SectionStream, type WrittenSection } from '../segment-file.ts'
import { type SourceTexts, SourceWriter } from '../source-blocks.ts'
import { documentOf, type SourceEntry, SourceShape } from './source-shape.ts'

const minChunkSize = 16 * 1024
const maxChunkSize = 1024 * 1024
const padding = 8
const word = 8
const copiedBytes = 64 * 1024
/** Shapes that are remembered, and bytes of them. Documents of others are kept whole. */
const maxShapes = 1024
const maxShapeBytes = 1024 * 1024

export class SourceArena implements SourceTexts {
  readonly #memory: BuilderMemory
  readonly #chunks: Chunk[] = []
  #filled = 0
  /** Where the placed text begins in its chunk. */
  start = 0
  #nextSize = minChunkSize
  readonly #chunkOf: GrowingUint32
  readonly #starts: GrowingUint32
  readonly #lengths: GrowingUint32
  /** By document: the number of its shape, plus one; 0 for one that is whole. */
  readonly #shapeOf: GrowingUint32
  readonly #shapes: SourceShape[] = []
  readonly #shapeNumbers = new Map<SourceShape, number>()
  #shapeBytes = 0
  #lastShape: SourceShape | undefined
  #lastNumber = 0

  /** Of all texts, also of those that are kept as values: what comes with them grows as they do. */
  bytes = 0

  /** `expected`: how many documents there will be, if that is known. */
  constructor(memory: BuilderMemory, expected = 0) {
    this.#memory = memory
    this.#chunkOf = new GrowingUint32(memory, expected)
    this.#starts = new GrowingUint32(memory, expected)
    this.#lengths = new GrowingUint32(memory, expected)
    this.#shapeOf = new GrowingUint32(memory, expected)
  }

  /**
   * Copies a text behind the last; it is no document's until `keep`. Both begin at the same place within a word,
   * because only then is memory that is shared copied by words, and not byte by byte.
   */
  place(text: Uint8Array): Chunk {
    const chunk = this.room(text.length, text.byteOffset)
    chunk.bytes.set(text, this.start)
    return chunk
  }

  /** Where a text can be written, at a place within a word like that of `offset`; it begins at `start`. */
  room(length: number, offset: number): Chunk {
    let chunk = this.#chunks[this.#chunks.length - 1]
    this.start = this.#filled + ((offset - this.#filled) & (word - 1))
    if (chunk === undefined || this.start + length + padding > chunk.bytes.length) {
      // A text of its own size when it is large, so that memory is not wasted on its neighbours.
      this.start = offset & (word - 1)
      const needed = this.start + length + padding
      const bytes = new Uint8Array(this.#memory.take(Math.max(this.#nextSize, needed)))
      this.#nextSize = Math.min(this.#nextSize * 2, maxChunkSize)
      chunk = { bytes, view: new DataView(bytes.buffer) }
      this.#chunks.push(chunk)
      this.#filled = 0
    }
    return chunk
  }

  /** What is written there stays, but is no document's. */
  pass(length: number): void {
    this.#filled = this.start + length
  }

  /** What was placed or written is the next document's: all of it, or the values along the shape of a number. */
  keep(length: number, shape = 0, whole = length): void {
    this.#chunkOf.push(this.#chunks.length - 1)
    this.#starts.push(this.start)
    this.#lengths.push(length)
    this.#shapeOf.push(shape)
    this.#filled = this.start + length
    this.bytes += whole
  }

  /** The number of a shape, from one on; 0 when there are too many. */
  shapeNumber(shape: SourceShape): number {
    if (shape === this.#lastShape) return this.#lastNumber
    let number = this.#shapeNumbers.get(shape)
    if (number === undefined) {
      const bytes = this.#shapeBytes + shape.definition.length
      if (this.#shapes.length === maxShapes || bytes > maxShapeBytes) return 0
      this.#shapeBytes = bytes
      number = this.#shapes.push(shape)
      this.#shapeNumbers.set(shape, number)
    }
    this.#lastShape = shape
    this.#lastNumber = number
    return number
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
    this.#shapeOf.push(0)
  }

  entry(doc: number): SourceEntry {
    const length = this.#lengths.at(doc)
    if (length === 0) return { bytes: nothing, shape: undefined }
    const start = this.#starts.at(doc)
    return {
      bytes: this.#chunks[this.#chunkOf.at(doc)]!.bytes.subarray(start, start + length),
      shape: this.#shapes[this.#shapeOf.at(doc) - 1],
    }
  }

  read(doc: number): Uint8Array {
    return documentOf(this.entry(doc))
  }

  /** As plain data, for another thread. */
  texts(): ArenaTexts {
    return {
      chunks: this.#chunks.map(({ bytes }) => bytes),
      chunkOf: this.#chunkOf.view(),
      starts: this.#starts.view(),
      lengths: this.#lengths.view(),
      shapeOf: this.#shapeOf.view(),
      shapes: this.#shapes.map(({ definition }) => definition),
    }
  }
}

/** Where the text of each document is, or its values. */
export interface ArenaTexts {
  readonly chunks: readonly Uint8Array[]
  readonly chunkOf: Uint32Array
  readonly starts: Uint32Array
  readonly lengths: Uint32Array
  /** By document: the number of its shape, plus one; 0 for one that is whole. */
  readonly shapeOf: Uint32Array
  /** Definitions. */
  readonly shapes: readonly Uint8Array[]
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
  { chunks, chunkOf, starts, lengths, shapeOf, shapes: definitions }: ArenaTexts,
  writer: SourceWriter,
): Iterable<Uint8Array> {
  const shapes = definitions.map((definition) => SourceShape.at(definition, 0))
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
      const bytes = lengths[doc] === 0 ? nothing : copy.subarray(start, start + lengths[doc]!)
      const block = writer.add(bytes, shapes[shapeOf[doc]! - 1])
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
