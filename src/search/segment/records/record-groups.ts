/**
 * The groups of a segment's records. The records of a block need the dictionary they were compressed with and the list
 * of shapes they have numbers of; a group is such a pair. A merge copies blocks with their groups. Sections: `source.tables` (dictionaries and lists of shapes, compressed,
 * one behind the other), `source.groups` (six words a group: start, end and CRC-32 of its dictionary, then of its list), `source.group` (the group of each block plus one; 0 for a block of
 * DEFLATE).
 */
import { crc32 } from 'node:zlib'
import { ByteWriter } from '../encoding/byte-writer.ts'
import { compress, decompress } from '../encoding/compression.ts'
import { readWords, type Sections } from '../encoding/sections.ts'
import { CorruptSegment, SectionStream, type WrittenSection } from '../segment-file.ts'
import type { SourceShape } from '../writer/source-shape.ts'
import { RecordDecoder } from './record-decoder.ts'
import { readDictionary, storedDictionary } from './record-dictionary.ts'
import type { RecordEncoder } from './record-encoder.ts'

const wordsPerGroup = 6
/** The groups of a segment that are ready for reading. */
const maxReady = 32
/** Tables that new ones are compared with: those of segments that were written one after the other are often the same. */
const maxCompared = 64
/** The number and bytes of the shapes of a list; documents of further shapes are stored whole. */
const maxShapes = 1024
const maxShapeBytes = 1024 * 1024
/** Objects of shapes that are told apart without their definition. */
const maxKnown = 4096

/** Decodes the shape whose definition begins at `from`. */
type ShapeReader = (bytes: Uint8Array, from: number) => SourceShape

/** What reads the records of a group. */
interface RecordGroup {
  readonly decoder: RecordDecoder
  readonly shapes: readonly SourceShape[]
}

/** The dictionary and the list of shapes of a group, as they are stored. */
export interface GroupTables {
  readonly dictionary: Uint8Array
  readonly shapes: Uint8Array
}

export class RecordGroups {
  readonly #sections: Sections
  readonly #places: Uint32Array
  readonly #ofBlocks: Uint32Array
  readonly #ready = new Map<number, RecordGroup>()
  readonly #shapeAt: ShapeReader

  constructor(sections: Sections, shapeAt: ShapeReader) {
    this.#sections = sections
    this.#shapeAt = shapeAt
    this.#places = readWords(sections, 'source.groups')
    this.#ofBlocks = readWords(sections, 'source.group')
  }

  get bytes(): number {
    const ready = Math.min(this.#places.length / wordsPerGroup, maxReady)
    return this.#places.byteLength + this.#ofBlocks.byteLength + ready * RecordDecoder.bytes
  }

  /** Returns the group of a block, or -1 when its documents are not records. */
  ofBlock(block: number): number {
    return this.#ofBlocks[block]! - 1
  }

  get areAllRecords(): boolean {
    return !this.#ofBlocks.includes(0)
  }

  tables(group: number): GroupTables {
    return { dictionary: this.#table(group, 0), shapes: this.#table(group, wordsPerGroup / 2) }
  }

  #table(group: number, word: number): Uint8Array {
    const [start, end, crc] = this.#places.subarray(group * wordsPerGroup + word)
    if (end === undefined || crc === undefined) throw this.#damaged(group)
    const bytes = this.#sections.readRange('source.tables', start!, end)
    if (crc32(bytes) !== crc) throw this.#damaged(group)
    return bytes
  }

  #damaged(group: number): CorruptSegment {
    return new CorruptSegment(
      this.#sections.path ?? 'a segment',
      `is damaged: section source.tables, group ${group}`,
    )
  }

  get(number: number): RecordGroup {
    return this.#ready.get(number) ?? this.#read(number)
  }

  #read(number: number): RecordGroup {
    const { dictionary, shapes } = this.tables(number)
    let group: RecordGroup
    try {
      group = {
        decoder: new RecordDecoder(readDictionary(dictionary)),
        shapes: readShapes(shapes, this.#shapeAt),
      }
    } catch {
      throw this.#damaged(number)
    }
    for (const [oldest] of this.#ready) if (this.#ready.size >= maxReady) this.#ready.delete(oldest)
    this.#ready.set(number, group)
    return group
  }
}

/** Collects the groups of a segment that is being written. */
export class GroupWriter {
  readonly #pieces: Uint8Array[] = []
  #bytes = 0
  readonly #recent: { readonly piece: Uint8Array; readonly place: readonly number[] }[] = []
  readonly #groups: (readonly number[])[] = []

  /** Returns the number of a group. */
  add({ dictionary, shapes }: GroupTables): number {
    const words = [...this.#place(dictionary), ...this.#place(shapes)]
    const known = this.#groups.findIndex((group) => words.every((word, i) => word === group[i]))
    return known >= 0 ? known : this.#groups.push(words) - 1
  }

  /** Returns the number of a group whose tables come later. */
  open(): number {
    return this.#groups.push([]) - 1
  }

  close(number: number, { dictionary, shapes }: GroupTables): void {
    this.#groups[number] = [...this.#place(dictionary), ...this.#place(shapes)]
  }

  #place(piece: Uint8Array): readonly number[] {
    const known = this.#recent.find((recent) => Buffer.compare(recent.piece, piece) === 0)
    if (known !== undefined) return known.place
    const place = [this.#bytes, this.#bytes + piece.length, crc32(piece)]
    this.#bytes += piece.length
    this.#pieces.push(piece)
    this.#recent.push({ piece, place })
    if (this.#recent.length > maxCompared) this.#recent.shift()
    return place
  }

  /** Yields nothing when there are no groups. */
  *sections(ofBlocks: Uint32Array): Iterable<WrittenSection> {
    if (this.#groups.length === 0) return
    yield ['source.tables', new SectionStream(this.#pieces)]
    yield ['source.groups', Uint32Array.from(this.#groups.flat())]
    yield ['source.group', ofBlocks]
  }
}

/** The shapes of the records that a writer compresses itself. */
export class ShapeList {
  readonly #numbers = new Map<SourceShape, number>()
  /** Keyed by the definition, because readers of different segments have objects of their own. */
  readonly #byDefinition = new Map<string, { readonly shape: SourceShape; readonly number: number }>()
  #bytes = 0

  /** Returns the number of a shape, from one on; 0 when there are too many. */
  number(shape: SourceShape): number {
    let number = this.#numbers.get(shape)
    if (number === undefined) {
      number = this.#numberOf(shape)
      if (this.#numbers.size === maxKnown) this.#numbers.clear()
      this.#numbers.set(shape, number)
    }
    return number
  }

  #numberOf(shape: SourceShape): number {
    const { definition } = shape
    const key = Buffer.from(definition.buffer, definition.byteOffset, definition.length).toString('latin1')
    const known = this.#byDefinition.get(key)
    if (known !== undefined) return known.number
    const bytes = this.#bytes + definition.length
    if (this.#byDefinition.size === maxShapes || bytes > maxShapeBytes) return 0
    this.#bytes = bytes
    const number = this.#byDefinition.size + 1
    this.#byDefinition.set(key, { shape, number })
    return number
  }

  tables({ dictionary }: RecordEncoder): GroupTables {
    const list = new ByteWriter()
    list.varint(this.#byDefinition.size)
    for (const { shape } of this.#byDefinition.values()) list.bytes(shape.definition)
    return { dictionary: storedDictionary(dictionary), shapes: compress(list.finish()) }
  }
}

function readShapes(stored: Uint8Array, shapeAt: ShapeReader): readonly SourceShape[] {
  const bytes = decompress(stored, stored.length * 4)
  let count = bytes[0]! & 0x7f
  let at = 1
  if (bytes[0]! >= 0x80) count |= bytes[at++]! << 7
  return Array.from({ length: count }, () => {
    const shape = shapeAt(bytes, at)
    at += shape.definition.length
    return shape
  })
}
