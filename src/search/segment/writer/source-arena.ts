/**
 * An arena for the sources of buffered documents, or for the values of those that have a shape, in chunks of shared
 * memory (compare Lucene's ByteBlockPool). Behind every text a word is readable, so that parsers need no bounds
 * check per byte.
 */
import type { BuilderMemory } from '../encoding/builder-memory.ts'
import { GrowingUint32 } from '../encoding/growing-array.ts'
import type { RecordEncoder } from '../records/record-encoder.ts'
import { minTrainedBytes, sampleOf, trainedEncoder } from '../records/trained-encoder.ts'
import { SectionStream, type WrittenSection } from '../segment-file.ts'
import type { StoredFields } from '../stored-fields.ts'
import { StoredFieldsWriter } from '../stored-fields-writer.ts'
import { documentOf, type SourceEntry, SourceShape } from './source-shape.ts'

const minChunkSize = 16 * 1024
const maxChunkSize = 1024 * 1024
const padding = 8
const word = 8
const copiedBytes = 64 * 1024
/** The maximum number and bytes of shapes; documents of further shapes are stored whole. */
const maxShapes = 1024
const maxShapeBytes = 1024 * 1024

export class SourceArena implements StoredFields {
  readonly #memory: BuilderMemory
  readonly #chunks: Chunk[] = []
  #filled = 0
  /** Where the placed text begins in its chunk. */
  start = 0
  #nextSize = minChunkSize
  readonly #chunkOf: GrowingUint32
  readonly #starts: GrowingUint32
  readonly #lengths: GrowingUint32
  /** Indexed by document: the number of its shape plus one; 0 for one that is whole. */
  readonly #shapeOf: GrowingUint32
  readonly #shapes: SourceShape[] = []
  readonly #shapeNumbers = new Map<SourceShape, number>()
  #shapeBytes = 0
  #lastShape: SourceShape | undefined
  #lastNumber = 0

  /** Bytes of all sources, also of those stored as values, because other memory grows with the whole text. */
  bytes = 0

  /** `expected` is the number of documents to come, if that is known. */
  constructor(memory: BuilderMemory, expected = 0) {
    this.#memory = memory
    this.#chunkOf = new GrowingUint32(memory, expected)
    this.#starts = new GrowingUint32(memory, expected)
    this.#lengths = new GrowingUint32(memory, expected)
    this.#shapeOf = new GrowingUint32(memory, expected)
  }

  /**
   * Copies a text behind the last; it belongs to no document until `keep`. Source and target get the same alignment,
   * because only then is shared memory copied by words instead of bytes.
   */
  place(text: Uint8Array): Chunk {
    const chunk = this.room(text.length, text.byteOffset)
    chunk.bytes.set(text, this.start)
    return chunk
  }

  /** Returns memory to write a text to, aligned like `offset`; it begins at `start`. */
  room(length: number, offset: number): Chunk {
    let chunk = this.#chunks[this.#chunks.length - 1]
    this.start = this.#filled + ((offset - this.#filled) & (word - 1))
    if (chunk === undefined || this.start + length + padding > chunk.bytes.length) {
      // A large text gets a chunk of its own size, so that no memory is wasted on its neighbours.
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

  /** Keeps what was written without assigning it to a document. */
  pass(length: number): void {
    this.#filled = this.start + length
  }

  /** Assigns what was placed or written to the next document: the whole source, or the values of a shape. */
  keep(length: number, shape = 0, whole = length): void {
    this.#chunkOf.push(this.#chunks.length - 1)
    this.#starts.push(this.start)
    this.#lengths.push(length)
    this.#shapeOf.push(shape)
    this.#filled = this.start + length
    this.bytes += whole
  }

  /** Returns the number of a shape, from one on; 0 when there are too many. */
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

  /** The next document has no source. */
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

  /** Returns plain data for another thread. */
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

/** Where the source of each document is, or its values. */
export interface ArenaTexts {
  readonly chunks: readonly Uint8Array[]
  readonly chunkOf: Uint32Array
  readonly starts: Uint32Array
  readonly lengths: Uint32Array
  /** Indexed by document: the number of its shape plus one; 0 for one that is whole. */
  readonly shapeOf: Uint32Array
  /** Definitions of the shapes. */
  readonly shapes: readonly Uint8Array[]
}

/** Yields the stored-field sections of the arena. */
export function* arenaSections(arena: ArenaTexts): Iterable<WrittenSection> {
  const writer = new StoredFieldsWriter(encoderFor(arena))
  yield ['source', new SectionStream(blocksOf(arena, writer))]
  yield* writer.figures()
}

/** Sources of the same first shape are taken to be alike. */
function encoderFor({ chunks, chunkOf, starts, lengths, shapes }: ArenaTexts): RecordEncoder | undefined {
  let total = 0
  for (let doc = 0; doc < lengths.length; doc++) total += lengths[doc]!
  if (total < minTrainedBytes) return undefined
  // A copy, because words of shared memory that is not aligned are slow to read.
  const source = (doc: number): Uint8Array | undefined => {
    const [start, length] = [starts[doc]!, lengths[doc]!]
    return length === 0 ? undefined : new Uint8Array(chunks[chunkOf[doc]!]!.subarray(start, start + length))
  }
  const kind = Buffer.from(shapes[0] ?? []).toString('latin1')
  return trainedEncoder(kind, sampleOf(lengths.length, total, source))
}

/**
 * Copies many texts at a time out of shared memory, with the gaps between them: only a copy by words is fast, and
 * one text seldom begins at the alignment where the last one ends.
 */
function* blocksOf(
  { chunks, chunkOf, starts, lengths, shapeOf, shapes: definitions }: ArenaTexts,
  writer: StoredFieldsWriter,
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
