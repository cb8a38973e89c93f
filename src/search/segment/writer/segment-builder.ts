/**
 * Buffers documents in order of arrival (Lucene's DocumentsWriterPerThread), and hands out any range of them: as a
 * segment that is searchable while more are added, or as the rows a segment file is written from.
 */

import type { FieldInputs, IndexedDocument } from '../document.ts'
import { partitionPoint } from '../encoding/binary-search.ts'
import { BuilderMemory } from '../encoding/builder-memory.ts'
import { ByteWriter, initialSize } from '../encoding/byte-writer.ts'
import { GrowingUint32 } from '../encoding/growing-array.ts'
import { paddedTexts } from '../encoding/padded-text.ts'
import { MemorySections, type Section } from '../encoding/sections.ts'
import type { FieldInfo } from '../field-info.ts'
import { SegmentReader } from '../segment-reader.ts'
import { ArithmeticSequence } from './arithmetic-sequence.ts'
import { BufferedIds } from './buffered-ids.ts'
import { ByteDictionary, type TextCount } from './byte-dictionary.ts'
import { type DocumentRows, rowSections, rowTable } from './document-rows.ts'
import type { DocRange, FieldRows } from './field-rows.ts'
import { FieldWriter } from './field-writer.ts'
import type { BoundLeaf, ByteReader, LeafPlan, PlannedField } from './leaf-plan.ts'
import { type ArenaTexts, type Chunk, SourceArena } from './source-arena.ts'
import type { SourceShape, SourceValues } from './source-shape.ts'
import { TextColumn, type TextColumnRows } from './text-column.ts'

/** The texts of this many documents are looked up together, while their bytes are still in the CPU cache. */
const maxPendingDocs = 64
/** Estimated heap bytes of a routing value besides its characters. */
const routingBytes = 96

/** A document without fields, nested objects and source. */
export type DocumentHead = Omit<IndexedDocument, 'fields' | 'nested' | 'source'>

/** What a builder will take, as far as known. */
interface Expected {
  readonly docs: number
  /** Distinct texts, by field. */
  readonly texts: ReadonlyMap<string, TextCount>
}

/** How the source of the last document is stored. */
interface StoredSource {
  readonly whole: number
  readonly length: number
  /** The shape's number; 0 when the document is stored whole. */
  readonly shape: number
  readonly values: SourceValues | undefined
}

function whole({ length }: Uint8Array): StoredSource {
  return { whole: length, length, shape: 0, values: undefined }
}

const nothing = new Uint8Array(0)

export class SegmentBuilder {
  readonly #name: string
  #docCount = 0
  readonly #fields = new Map<string, FieldWriter>()
  readonly #expected: Expected
  readonly #memory = new BuilderMemory()
  readonly #source: SourceArena
  readonly #ids = new ByteWriter(initialSize, this.#memory)
  readonly #idEnds: GrowingUint32
  readonly #seqNos: ArithmeticSequence
  readonly #versions: ArithmeticSequence
  readonly #primaryTerms: GrowingUint32
  readonly #routings: [doc: number, routing: string][] = []
  readonly #liveIds: BufferedIds
  readonly #nestedPaths: string[] = []
  /** Indexed by document: 0 for a root, otherwise the index of its nested path plus one. */
  readonly #nested: GrowingUint32
  /** The last document was parsed, but a reader that knows its fields could read it from its bytes. */
  #isLastLong = false
  #plans: readonly LeafPlan[] | undefined
  #leaves: readonly BoundLeaf[] = []
  /** The memory with the pending texts, and of how many documents they are. */
  #chunk: Chunk | undefined
  #waiting = 0
  #kept = whole(nothing)

  /** `before` is the builder this one replaces; its sizes predict how much is to come. */
  constructor(name: string, before?: SegmentBuilder) {
    this.#name = name
    this.#expected = before === undefined ? { docs: 0, texts: new Map() } : before.#collected()
    const { docs } = this.#expected
    this.#source = new SourceArena(this.#memory, docs)
    this.#idEnds = new GrowingUint32(this.#memory, docs)
    this.#seqNos = new ArithmeticSequence(this.#memory, docs)
    this.#versions = new ArithmeticSequence(this.#memory, docs)
    this.#primaryTerms = new GrowingUint32(this.#memory, docs)
    this.#nested = new GrowingUint32(this.#memory, docs)
    this.#liveIds = new BufferedIds(this.#ids, this.#idEnds, this.#memory)
  }

  /** Adds an eighth, because no two buffers are equal. */
  #collected(): Expected {
    this.#resolvePending()
    const more = (count: number) => count + (count >>> 3)
    const texts = new Map<string, TextCount>()
    for (const [name, { distinct }] of this.#fields)
      if (distinct !== undefined)
        texts.set(name, { count: more(distinct.size), bytes: more(distinct.byteLength) })
    return { docs: more(this.#docCount), texts }
  }

  get docCount(): number {
    return this.#docCount
  }

  /** Adds a document and returns its number. */
  add(document: IndexedDocument): number {
    for (const { path, fields } of document.nested) {
      let number = this.#nestedPaths.indexOf(path)
      if (number < 0) number = this.#nestedPaths.push(path) - 1
      this.#begin(document, number + 1)
      this.#source.skip()
      this.#addFields(fields)
      this.#docCount += 1
    }
    this.#begin(document, 0)
    this.#source.place(document.source)
    this.#source.keep(document.source.length)
    if (document.routing !== undefined) this.#addRouting(document.routing)
    this.#addFields(document.fields)
    this.#isLastLong = document.nested.length === 0 && document.source.length > 0
    return this.#docCount++
  }

  /**
   * Reads the last document again. A document with new fields had to be parsed, but a reader that knows them now can
   * read it from its bytes. Its texts are then column values like all others, where parsed tokens would rule out a
   * value index.
   */
  readLastAgain(reader: ByteReader): void {
    if (!this.#isLastLong || this.#plans === reader.plans) return
    this.#isLastLong = false
    this.#bind(reader.plans)
    const { chunk, start, length } = this.#source.last
    const last = this.#docCount - 1
    this.#readIn(chunk)
    if (!reader.read(chunk, start, start + length, this.#leaves, last)) return
    for (const field of this.#fields.values()) field.forget(last)
    reader.addNumbers(last, this.#leaves)
    this.#resolvePending()
  }

  /** Returns whether the reader can read the document; if so, `addRead` must follow. */
  read(source: Uint8Array, reader: ByteReader): boolean {
    if (this.#plans !== reader.plans) this.#bind(reader.plans)
    if (this.#readShape(source, reader)) return true
    const chunk = this.#source.place(source)
    const { start } = this.#source
    this.#readIn(chunk)
    this.#kept = whole(source)
    return reader.read(chunk, start, start + source.length, this.#leaves, this.#docCount)
  }

  #readShape(source: Uint8Array, reader: ByteReader): boolean {
    const text = paddedTexts.at(source)
    if (text === undefined) return false
    const from = paddedTexts.start
    const chunk = this.#source.room(source.length, 0)
    const { start } = this.#source
    this.#readIn(chunk)
    const shape = reader.readShape(
      text,
      from,
      from + source.length,
      chunk,
      start,
      this.#leaves,
      this.#docCount,
    )
    if (shape === undefined) return false
    const number = this.#source.shapeNumber(shape)
    if (number === 0) {
      this.#source.pass(reader.copied)
      this.#source.place(source)
      this.#kept = whole(source)
    } else {
      const values = { shape, view: chunk.view, start, length: reader.copied }
      this.#kept = { whole: source.length, length: reader.copied, shape: number, values }
    }
    return true
  }

  /** Like `read`, for the values of a document of a shape that the reader gave out; they are stored as they are. */
  readFromValues(values: SourceValues, shape: SourceShape, reader: ByteReader): boolean {
    if (this.#plans !== reader.plans) this.#bind(reader.plans)
    const number = this.#source.shapeNumber(shape)
    if (number === 0) return false
    const { view, length } = values
    const chunk = this.#source.place(new Uint8Array(view.buffer, view.byteOffset + values.start, length))
    const { start } = this.#source
    this.#readIn(chunk)
    if (!reader.readValues(chunk, start, start + length, shape, this.#leaves, this.#docCount)) return false
    const kept = { shape, view: chunk.view, start, length }
    this.#kept = { whole: shape.lengthOf(length), length, shape: number, values: kept }
    return true
  }

  /** The values of the document that was read, if it is stored as values. */
  get readValues(): SourceValues | undefined {
    return this.#kept.values
  }

  /** Discards the document that was read. */
  dropRead(reader: ByteReader): void {
    reader.drop(this.#docCount, this.#leaves)
  }

  #readIn(chunk: Chunk): void {
    if (chunk === this.#chunk) return
    this.#resolvePending()
    this.#chunk = chunk
  }

  /** Resolves all pending texts to dictionary ids. */
  #resolvePending(): void {
    if (this.#chunk === undefined) return
    for (const { texts } of this.#leaves) texts?.resolvePending(this.#chunk.view)
    this.#waiting = 0
  }

  /** For readers of one field, who must not pay for all the others. */
  #resolveAdded(): void {
    if (this.#waiting > 0) this.#resolvePending()
  }

  /** Adds the document that was read and returns its number. */
  addRead(head: DocumentHead, reader: ByteReader): number {
    this.#begin(head, 0)
    this.#source.keep(this.#kept.length, this.#kept.shape, this.#kept.whole)
    if (head.routing !== undefined) this.#addRouting(head.routing)
    reader.addNumbers(this.#docCount, this.#leaves)
    this.#isLastLong = false
    this.#docCount += 1
    if (++this.#waiting === maxPendingDocs) this.#resolvePending()
    return this.#docCount - 1
  }

  #addRouting(routing: string): void {
    this.#routings.push([this.#docCount, routing])
    this.#memory.bytes += routingBytes + routing.length
  }

  #begin({ id, seqNo, version, primaryTerm }: DocumentHead, nested: number): void {
    this.#ids.text(id)
    this.#idEnds.push(this.#ids.length)
    this.#seqNos.push(seqNo)
    this.#versions.push(version)
    this.#primaryTerms.push(primaryTerm)
    this.#nested.push(nested)
  }

  #field(name: string, spec: FieldWriter['spec']): FieldWriter {
    let writer = this.#fields.get(name)
    if (writer === undefined) {
      writer = new FieldWriter(name, spec, this.#memory, this.#expected.docs, this.#expected.texts.get(name))
      this.#fields.set(name, writer)
    }
    return writer
  }

  #addFields(fields: FieldInputs): void {
    for (const [name, input] of fields) this.#field(name, input.spec).add(this.#docCount, input)
  }

  /** Returns whether documents with these plans fit this builder: fields that share a column must go on sharing it. */
  fits({ plans }: ByteReader): boolean {
    if (plans === this.#plans || this.#docCount === 0) return true
    return plans.every(({ terms, texts = [] }) => {
      const leaves = new Set(texts.map(({ name }) => this.#fields.get(name)?.textSource?.column))
      if (terms !== undefined) leaves.add(this.#fields.get(terms.name)?.termColumn)
      return leaves.size <= 1
    })
  }

  /** Leaves that were bound before stay: a mapping only grows. */
  #bind(plans: readonly LeafPlan[]): void {
    this.#resolvePending()
    this.#plans = plans
    const writer = ({ name, spec }: PlannedField) => this.#field(name, spec)
    this.#leaves = plans.map(({ numbers, terms, maxTermLength, texts = [] }): BoundLeaf => {
      if (numbers !== undefined) return { numbers: writer(numbers), texts: undefined }
      const ofTerms = terms && writer(terms)
      const ofTexts = texts.map((text) => ({ ...text, writer: writer(text) }))
      const leaf =
        ofTerms?.termColumn ??
        ofTexts[0]?.writer.textSource?.column ??
        new TextColumn(
          ofTerms?.dictionary ?? this.#newDictionary(texts[0]!.name),
          this.#memory,
          this.#expected.docs,
        )
      if (ofTerms !== undefined) {
        ofTerms.termColumn = leaf
        ofTerms.maxTermLength = maxTermLength
      }
      for (const { writer: field, positionGap } of ofTexts) {
        field.textSource ??= { column: leaf, positionGap }
      }
      return { texts: leaf, numbers: undefined }
    })
  }

  #newDictionary(field: string): ByteDictionary {
    return new ByteDictionary(this.#memory, this.#expected.texts.get(field))
  }

  // ------------------------------------------------------------------------------------ what was added

  /** Bytes of all sources. */
  get sourceBytes(): number {
    return this.#source.bytes
  }

  /** All memory: sources, columns, dictionaries and their hash tables. */
  get memoryBytes(): number {
    return this.#memory.bytes
  }

  sourceTexts(): ArenaTexts {
    return this.#source.texts()
  }

  id(doc: number): string {
    return this.#ids.textAt(doc === 0 ? 0 : this.#idEnds.at(doc - 1), this.#idEnds.at(doc))
  }

  /** Returns the last root document of a range with this id, or -1. */
  findId(id: string, range: DocRange): number {
    return this.#liveIds.find(id, range, this.#docCount, this.#nestedPaths.length === 0 ? null : this.#nested)
  }

  isRoot(doc: number): boolean {
    return this.#nested.at(doc) === 0
  }

  seqNo(doc: number): number {
    return this.#seqNos.at(doc)
  }

  version(doc: number): number {
    return this.#versions.at(doc)
  }

  primaryTerm(doc: number): number {
    return this.#primaryTerms.at(doc)
  }

  routing(doc: number): string | undefined {
    if (this.#routings.length === 0) return undefined
    const at = partitionPoint(0, this.#routings.length, (index) => this.#routings[index]![0] < doc)
    const found = this.#routings[at]
    return found?.[0] === doc ? found[1] : undefined
  }

  source(doc: number): Uint8Array {
    return this.#source.read(doc)
  }

  /** Returns the names of fields that some document of the range has. */
  fieldNames(range: DocRange): string[] {
    this.#resolveAdded()
    return [...this.#fields.values()].flatMap((field) => (field.hasAny(range) ? [field.name] : []))
  }

  fieldRows(name: string, range: DocRange, leaves: Map<TextColumn, TextColumnRows>): FieldRows {
    this.#resolveAdded()
    return this.#fields.get(name)!.rows(range, (leaf) => {
      let rows = leaves.get(leaf)
      if (rows === undefined) leaves.set(leaf, (rows = leaf.rows(range)))
      return rows
    })
  }

  /** Returns everything but the fields. */
  heads({ from, to }: DocRange): Omit<DocumentRows, 'fields'> {
    const start = from === 0 ? 0 : this.#idEnds.at(from - 1)
    const ends = this.#idEnds.view().slice(from, to)
    if (start > 0) for (let i = 0; i < ends.length; i++) ends[i]! -= start
    return {
      docCount: to - from,
      ids: { bytes: this.#ids.view().subarray(start, to === 0 ? 0 : this.#idEnds.at(to - 1)), ends },
      seqNos: this.#seqNos.cut(from, to),
      versions: this.#versions.cut(from, to),
      primaryTerms: this.#primaryTerms.view().subarray(from, to),
      nestedPaths: this.#nestedPaths.slice(),
      nested: this.#nested.view().subarray(from, to),
      routings: this.#routings
        .filter(([doc]) => doc >= from && doc < to)
        .map(([doc, routing]) => [doc - from, routing]),
    }
  }

  rows(range: DocRange = { from: 0, to: this.#docCount }): DocumentRows {
    const leaves = new Map<TextColumn, TextColumnRows>()
    const fields = this.fieldNames(range).map((name) => this.fieldRows(name, range, leaves))
    return { ...this.heads(range), fields }
  }

  /** Returns all documents as a segment in memory with all sections built. */
  build(name = this.#name): SegmentReader<MemorySections> {
    const rows = this.rows()
    const fields: FieldInfo[] = []
    const sections = new Map<string, Section>(rowSections(rows, fields))
    return new SegmentReader(name, new MemorySections(sections), rowTable(rows, fields), this.#source)
  }
}
