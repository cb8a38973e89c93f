/** Reads a segment over its sections: fields and columns are decoded on first use and cached. */

import { utf8Text } from '../../text/utf8-text.ts'
import { decodedCache } from './decoded-cache.ts'
import { DecodedParts } from './decoded-parts.ts'
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
import type { FieldInfo } from './field-info.ts'
import { FieldReader } from './field-reader.ts'
import { IdFilter, type IdHash } from './id-filter.ts'
import { IdLookup, idTableBytes } from './id-lookup.ts'
import type { Segment } from './segment.ts'
import { CorruptSegment, type WrittenSection } from './segment-file.ts'
import { type StoredFields, StoredFieldsReader } from './stored-fields.ts'
import { storedFieldsSections } from './stored-fields-writer.ts'
import { StoredIds } from './stored-ids.ts'
import { withoutRepetition } from './writer/section-dedup.ts'

/** The section `table`, as JSON. */
export interface SegmentTable {
  readonly docCount: number
  readonly fields: readonly FieldInfo[]
  readonly nestedPaths: readonly string[]
  readonly routings: readonly (readonly [doc: number, routing: string])[]
}

const decoder = new TextDecoder()

export class SegmentReader<S extends Sections = Sections> implements Segment {
  readonly name: string
  readonly sections: S
  readonly docCount: number
  readonly fields: ReadonlyMap<string, FieldReader>
  readonly table: SegmentTable
  readonly #routings: ReadonlyMap<number, string>
  #roots: BitSet | null | undefined
  #nested: Uint32Array | undefined
  #storedIds: StoredIds | undefined
  readonly #parts: DecodedParts
  readonly #given: StoredFields | undefined

  /** Table and sources are given for a segment that was just built; otherwise they are among the sections. */
  constructor(name: string, sections: S, table?: SegmentTable, source?: StoredFields) {
    this.name = name
    this.sections = sections
    this.table = table ?? (JSON.parse(decoder.decode(readBytes(sections, 'table'))) as SegmentTable)
    this.docCount = this.table.docCount
    this.#given = source
    // Columns of a segment in memory cost nothing more when they are read.
    this.#parts = new DecodedParts(sections instanceof MemorySections ? null : decodedCache)
    this.#routings = new Map(this.table.routings)
    this.fields = new Map(
      this.table.fields.map((entry, i) => [
        entry.name,
        new FieldReader(entry, `f${i}`, sections, this.docCount, decodedCache),
      ]),
    )
  }

  /** Returns a reader with nothing decoded yet, for a single pass that should leave no memory behind. */
  fresh(): SegmentReader<S> {
    return new SegmentReader(this.name, this.sections, this.table, this.#given)
  }

  freshField(name: string): FieldReader | undefined {
    const place = this.table.fields.findIndex((entry) => entry.name === name)
    if (place < 0) return undefined
    return new FieldReader(this.table.fields[place]!, `f${place}`, this.sections, this.docCount)
  }

  get bytes(): number {
    return this.sections.bytes + (this.#given?.bytes ?? 0)
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
    return this.#column('seq.nos', readNumbers)
  }

  get versions(): Float64Array {
    return this.#column('versions', readNumbers)
  }

  get primaryTerms(): Uint32Array {
    return this.#column('primary.terms', readWords)
  }

  #column<C extends Float64Array | Uint32Array>(
    name: string,
    read: (sections: Sections, name: string) => C,
  ): C {
    return this.#parts.need(name, () => {
      const value = read(this.sections, name)
      return { value, bytes: value.byteLength }
    })
  }

  get #idLookup(): IdLookup {
    return this.#parts.need('ids', () => {
      const texts = readTexts(this.sections, 'ids')
      const bytes = sectionBytes(texts) + idTableBytes(this.docCount)
      return { value: new IdLookup(texts, this.roots), bytes }
    })
  }

  id(doc: number): string {
    const memory = this.sections instanceof MemorySections ? null : decodedCache
    this.#storedIds ??= new StoredIds(this.sections.randomTexts('ids'), memory)
    return this.#storedIds.id(doc)
  }

  findId(id: string): number {
    return this.#idLookup.find(id)
  }

  /** False: it has no document with that id. Ids that are decoded already answer as quickly as the filter would. */
  mayHaveId(hash: IdHash): boolean {
    if (this.#parts.has('ids') || !this.sections.has('id.filter')) return true
    const filter = this.#parts.need('id.filter', () => {
      const value = new IdFilter(readBytes(this.sections, 'id.filter'))
      return { value, bytes: value.bytes.length }
    })
    return filter.mayHave(hash)
  }

  routing(doc: number): string | undefined {
    return this.#routings.get(doc)
  }

  get storedFields(): StoredFields {
    if (this.#given !== undefined) return this.#given
    return this.#parts.need('sources', () => {
      const value = new StoredFieldsReader(this.sections)
      return { value, bytes: value.tableBytes }
    })
  }

  get readsAhead(): boolean {
    const { storedFields } = this
    return storedFields instanceof StoredFieldsReader && storedFields.readsAhead
  }

  readAhead(docs: readonly number[]): void {
    const { storedFields } = this
    if (!(storedFields instanceof StoredFieldsReader)) return
    try {
      storedFields.readAhead(docs)
    } catch (error) {
      // Damage is reported by the read of the document that lies in the block.
      if (!(error instanceof CorruptSegment)) throw error
    }
  }

  source(doc: number): Uint8Array {
    return this.storedFields.read(doc)
  }

  sourceText(doc: number): string {
    const { storedFields } = this
    return storedFields instanceof StoredFieldsReader
      ? storedFields.text(doc)
      : utf8Text(storedFields.read(doc))
  }
}

/** Yields the sections for writing a segment that is in memory to a file. */
export function* memorySections(segment: SegmentReader<MemorySections>): Iterable<WrittenSection> {
  yield* withoutRepetition(segment.sections.entries)
  yield* storedFieldsSections(segment.storedFields, segment.docCount)
  yield ['table', Buffer.from(JSON.stringify(segment.table))]
}
