/** A segment over its sections: fields and columns are decoded when they are first asked for, and kept. */

import { decodedMemory, Held } from './decoded-cache.ts'
import { BitSet } from './encoding/bit-set.ts'
import {
  MemorySections,
  readBytes,
  readNumbers,
  readTexts,
  readWords,
  type Sections,
  sectionBytes,
} from './encoding/sections.ts'
import type { FieldEntry } from './field-entry.ts'
import { IdFilter, type IdHash } from './id-filter.ts'
import { IdLookup, idTableBytes } from './id-lookup.ts'
import type { Segment } from './segment.ts'
import type { WrittenSection } from './segment-file.ts'
import { SourceReader, type SourceTexts, sourceSections } from './source-blocks.ts'
import { StoredField } from './stored-field.ts'
import { withoutRepetition } from './writer/same-sections.ts'

/** The section `table`, as JSON. */
export interface SegmentTable {
  readonly docCount: number
  readonly fields: readonly FieldEntry[]
  readonly nestedPaths: readonly string[]
  readonly routings: readonly (readonly [doc: number, routing: string])[]
}

const decoder = new TextDecoder()

export class StoredSegment<S extends Sections = Sections> implements Segment {
  readonly name: string
  readonly sections: S
  readonly docCount: number
  readonly fields: ReadonlyMap<string, StoredField>
  readonly table: SegmentTable
  readonly #routings: ReadonlyMap<number, string>
  #roots: BitSet | null | undefined
  #nested: Uint32Array | undefined
  #seqNos: Held<Float64Array> | undefined
  #versions: Held<Float64Array> | undefined
  #primaryTerms: Held<Uint32Array> | undefined
  #ids: Held<IdLookup> | undefined
  #idFilter: Held<IdFilter> | undefined
  #source: SourceTexts | undefined
  readonly #given: SourceTexts | undefined

  /** Table and texts are given for a segment that was just built; otherwise they are among the sections. */
  constructor(name: string, sections: S, table?: SegmentTable, source?: SourceTexts) {
    this.name = name
    this.sections = sections
    this.table = table ?? (JSON.parse(decoder.decode(readBytes(sections, 'table'))) as SegmentTable)
    this.docCount = this.table.docCount
    this.#source = source
    this.#given = source
    this.#routings = new Map(this.table.routings)
    this.fields = new Map(
      this.table.fields.map((entry, i) => [
        entry.name,
        new StoredField(entry, `f${i}`, sections, this.docCount, decodedMemory),
      ]),
    )
  }

  /** The same with nothing decoded yet, for readers that pass once and should leave no memory behind. */
  fresh(): StoredSegment<S> {
    return new StoredSegment(this.name, this.sections, this.table, this.#given)
  }

  freshField(name: string): StoredField | undefined {
    const place = this.table.fields.findIndex((entry) => entry.name === name)
    if (place < 0) return undefined
    return new StoredField(this.table.fields[place]!, `f${place}`, this.sections, this.docCount)
  }

  get bytes(): number {
    return this.sections.bytes + (this.#given?.bytes ?? 0)
  }

  /** Columns of a segment in memory take no more when they are read. */
  #hold<T extends object>(part: T, bytes: number): Held<T> {
    return this.sections instanceof MemorySections ? new Held(part) : decodedMemory.hold(part, bytes)
  }

  get roots(): BitSet | null {
    if (this.#roots === undefined) {
      this.#roots = this.sections.has('roots')
        ? new BitSet(this.docCount, readWords(this.sections, 'roots'))
        : null
    }
    return this.#roots
  }

  nestedPath(doc: number): string | undefined {
    if (this.roots === null) return undefined
    this.#nested ??= readWords(this.sections, 'nested')
    return this.table.nestedPaths[this.#nested[doc]! - 1]
  }

  get seqNos(): Float64Array {
    const known = this.#seqNos?.value
    if (known !== undefined) return known
    const read = readNumbers(this.sections, 'seq.nos')
    this.#seqNos = this.#hold(read, read.byteLength)
    return read
  }

  get versions(): Float64Array {
    const known = this.#versions?.value
    if (known !== undefined) return known
    const read = readNumbers(this.sections, 'versions')
    this.#versions = this.#hold(read, read.byteLength)
    return read
  }

  get primaryTerms(): Uint32Array {
    const known = this.#primaryTerms?.value
    if (known !== undefined) return known
    const read = readWords(this.sections, 'primary.terms')
    this.#primaryTerms = this.#hold(read, read.byteLength)
    return read
  }

  get #idLookup(): IdLookup {
    const known = this.#ids?.value
    if (known !== undefined) return known
    const texts = readTexts(this.sections, 'ids')
    const ids = new IdLookup(texts, this.roots)
    this.#ids = this.#hold(ids, sectionBytes(texts) + idTableBytes(this.docCount))
    return ids
  }

  id(doc: number): string {
    return this.#idLookup.id(doc)
  }

  findId(id: string): number {
    return this.#idLookup.find(id)
  }

  /** False: it has no document with that id. Ids that are decoded already answer as quickly as the filter would. */
  mayHaveId(hash: IdHash): boolean {
    if (this.#ids?.value !== undefined || !this.sections.has('id.filter')) return true
    let filter = this.#idFilter?.value
    if (filter === undefined) {
      filter = new IdFilter(readBytes(this.sections, 'id.filter'))
      this.#idFilter = this.#hold(filter, filter.bytes.length)
    }
    return filter.mayHave(hash)
  }

  routing(doc: number): string | undefined {
    return this.#routings.get(doc)
  }

  get sourceTexts(): SourceTexts {
    this.#source ??= new SourceReader(this.sections)
    return this.#source
  }

  source(doc: number): Uint8Array {
    return this.sourceTexts.read(doc)
  }
}

/** What a file of a segment in memory consists of. */
export function* memorySections(segment: StoredSegment<MemorySections>): Iterable<WrittenSection> {
  yield* withoutRepetition(segment.sections.entries)
  yield* sourceSections(segment.sourceTexts, segment.docCount)
  yield ['table', Buffer.from(JSON.stringify(segment.table))]
}
