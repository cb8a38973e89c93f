/**
 * Takes documents in, in the order in which they come, and hands out any stretch of them: as a segment that can be
 * searched while more are added, or as the rows a file is written of.
 */

import type { FieldInputs, IndexedDocument } from '../document.ts'
import { BuilderMemory } from '../encoding/builder-memory.ts'
import { ByteWriter, firstSize } from '../encoding/byte-writer.ts'
import { GrowingUint32 } from '../encoding/growing-array.ts'
import { readableTexts } from '../encoding/readable-text.ts'
import { MemorySections, type Section } from '../encoding/sections.ts'
import type { FieldEntry } from '../field-entry.ts'
import { StoredSegment } from '../stored-segment.ts'
import { ArithmeticSequence } from './arithmetic-sequence.ts'
import { ByteDictionary, type TextCount } from './byte-dictionary.ts'
import { type DocumentRows, rowSections, rowTable } from './document-rows.ts'
import { FieldCollector } from './field-collector.ts'
import type { FieldRows, Stretch } from './field-rows.ts'
import type { BoundLeaf, ByteReader, LeafPlan, PlannedField } from './leaf-plan.ts'
import { LiveIds } from './live-ids.ts'
import { type ArenaTexts, type Chunk, SourceArena } from './source-arena.ts'
import type { SourceShape, SourceValues } from './source-shape.ts'
import { type LeafRows, TextLeaf } from './text-leaf.ts'

/** Texts of as many documents are looked up together; what these take is still near when they are. */
const settledTogether = 64
/** What a routing takes on the heap besides its characters. */
const routingBytes = 96

/** A document without what its JSON says. */
export type DocumentHead = Omit<IndexedDocument, 'fields' | 'nested' | 'source'>

/** What a builder will collect, as far as that is known. */
interface Expected {
  readonly docs: number
  /** Distinct ones, by field. */
  readonly texts: ReadonlyMap<string, TextCount>
}

/** What is kept of the document that was read. */
interface Kept {
  readonly whole: number
  readonly length: number
  /** Its number; 0 when the document is kept whole. */
  readonly shape: number
  readonly values: SourceValues | undefined
}

function whole({ length }: Uint8Array): Kept {
  return { whole: length, length, shape: 0, values: undefined }
}

const nothing = new Uint8Array(0)

export class SegmentBuilder {
  readonly #name: string
  #docCount = 0
  readonly #fields = new Map<string, FieldCollector>()
  readonly #expected: Expected
  readonly #memory = new BuilderMemory()
  readonly #source: SourceArena
  readonly #ids = new ByteWriter(firstSize, this.#memory)
  readonly #idEnds: GrowingUint32
  readonly #seqNos: ArithmeticSequence
  readonly #versions: ArithmeticSequence
  readonly #primaryTerms: GrowingUint32
  readonly #routings: [doc: number, routing: string][] = []
  readonly #liveIds: LiveIds
  readonly #nestedPaths: string[] = []
  /** By document: 0 for one proper, otherwise the place of its path in the list, plus one. */
  readonly #nested: GrowingUint32
  /** The last document was not read from its bytes, but could be by a reader that knows its fields. */
  #isLastLong = false
  #plans: readonly LeafPlan[] | undefined
  #leaves: readonly BoundLeaf[] = []
  /** Where the texts are that wait in the leaves, and of how many documents they are. */
  #chunk: Chunk | undefined
  #waiting = 0
  #kept = whole(nothing)

  /** `before`: the one whose place it takes; the documents to come are likely as many, and like those. */
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
    this.#liveIds = new LiveIds(this.#ids, this.#idEnds, this.#memory)
  }

  /** With an eighth more, as no two are the same. */
  #collected(): Expected {
    this.#settle()
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

  /** Returns the number of the document. */
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
   * A document that brought new fields could not be read from its bytes; a reader that knows them now can do so. Then
   * its texts are values like all others, where its tokens alone would make the index of the whole field larger.
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
    this.#settle()
  }

  /** Whether the reader can read the document; then `addRead` must come next. */
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
    const text = readableTexts.at(source)
    if (text === undefined) return false
    const from = readableTexts.start
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

  /** The same for the values of a document, which are kept as they are; `shape` is one that the reader gave. */
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

  /** Of the document that was read, if it is kept as these. */
  get readValues(): SourceValues | undefined {
    return this.#kept.values
  }

  /** Takes back what was read and will not be added. */
  dropRead(reader: ByteReader): void {
    reader.drop(this.#docCount, this.#leaves)
  }

  #readIn(chunk: Chunk): void {
    if (chunk === this.#chunk) return
    this.#settle()
    this.#chunk = chunk
  }

  /** Puts all texts that wait into the rows. */
  #settle(): void {
    if (this.#chunk === undefined) return
    for (const { texts } of this.#leaves) texts?.settle(this.#chunk.view)
    this.#waiting = 0
  }

  /** Adds the document that was read; returns its number. */
  addRead(head: DocumentHead, reader: ByteReader): number {
    this.#begin(head, 0)
    this.#source.keep(this.#kept.length, this.#kept.shape, this.#kept.whole)
    if (head.routing !== undefined) this.#addRouting(head.routing)
    reader.addNumbers(this.#docCount, this.#leaves)
    this.#isLastLong = false
    this.#docCount += 1
    if (++this.#waiting === settledTogether) this.#settle()
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

  #field(name: string, spec: FieldCollector['spec']): FieldCollector {
    let collector = this.#fields.get(name)
    if (collector === undefined) {
      collector = new FieldCollector(
        name,
        spec,
        this.#memory,
        this.#expected.docs,
        this.#expected.texts.get(name),
      )
      this.#fields.set(name, collector)
    }
    return collector
  }

  #addFields(fields: FieldInputs): void {
    for (const [name, input] of fields) this.#field(name, input.spec).add(this.#docCount, input)
  }

  /**
   * Whether documents along these plans can go here: a field that shared its values with others, or had its own, has to
   * go on doing so.
   */
  fits({ plans }: ByteReader): boolean {
    if (plans === this.#plans || this.#docCount === 0) return true
    return plans.every(({ terms, texts = [] }) => {
      const leaves = new Set(texts.map(({ name }) => this.#fields.get(name)?.textSource?.leaf))
      if (terms !== undefined) leaves.add(this.#fields.get(terms.name)?.termLeaf)
      return leaves.size <= 1
    })
  }

  /** Leaves that were bound before stay: a mapping only ever grows. */
  #bind(plans: readonly LeafPlan[]): void {
    this.#settle()
    this.#plans = plans
    const collector = ({ name, spec }: PlannedField) => this.#field(name, spec)
    this.#leaves = plans.map(({ numbers, terms, texts = [] }): BoundLeaf => {
      if (numbers !== undefined) return { numbers: collector(numbers), texts: undefined }
      const ofTerms = terms && collector(terms)
      const ofTexts = texts.map((text) => ({ ...text, collector: collector(text) }))
      const leaf =
        ofTerms?.termLeaf ??
        ofTexts[0]?.collector.textSource?.leaf ??
        new TextLeaf(
          ofTerms?.dictionary ?? this.#newDictionary(texts[0]!.name),
          this.#memory,
          this.#expected.docs,
        )
      if (ofTerms !== undefined) ofTerms.termLeaf = leaf
      for (const { collector: field, positionGap } of ofTexts) {
        field.textSource ??= { leaf, positionGap }
      }
      return { texts: leaf, numbers: undefined }
    })
  }

  #newDictionary(field: string): ByteDictionary {
    return new ByteDictionary(this.#memory, this.#expected.texts.get(field))
  }

  // ------------------------------------------------------------------------------------ what was added

  /** Of the texts of documents. */
  get sourceBytes(): number {
    return this.#source.bytes
  }

  /** All memory it has: texts, columns, dictionaries and their tables. */
  get memoryBytes(): number {
    return this.#memory.bytes
  }

  sourceTexts(): ArenaTexts {
    return this.#source.texts()
  }

  id(doc: number): string {
    return this.#ids.textAt(doc === 0 ? 0 : this.#idEnds.at(doc - 1), this.#idEnds.at(doc))
  }

  /** The last document proper of a stretch with this id, or -1. */
  findId(id: string, stretch: Stretch): number {
    return this.#liveIds.find(
      id,
      stretch,
      this.#docCount,
      this.#nestedPaths.length === 0 ? null : this.#nested,
    )
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
    let low = 0
    let high = this.#routings.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#routings[middle]![0] < doc) low = middle + 1
      else high = middle
    }
    const found = this.#routings[low]
    return found?.[0] === doc ? found[1] : undefined
  }

  source(doc: number): Uint8Array {
    return this.#source.read(doc)
  }

  /** Names of the fields that some document of a stretch has. */
  fieldNames(stretch: Stretch): string[] {
    this.#settle()
    return [...this.#fields.values()].flatMap((field) => (field.hasAny(stretch) ? [field.name] : []))
  }

  fieldRows(name: string, stretch: Stretch, leaves: Map<TextLeaf, LeafRows>): FieldRows {
    this.#settle()
    return this.#fields.get(name)!.rows(stretch, (leaf) => {
      let rows = leaves.get(leaf)
      if (rows === undefined) leaves.set(leaf, (rows = leaf.rows(stretch)))
      return rows
    })
  }

  /** All that is not a field. */
  heads({ from, to }: Stretch): Omit<DocumentRows, 'fields'> {
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

  rows(stretch: Stretch = { from: 0, to: this.#docCount }): DocumentRows {
    const leaves = new Map<TextLeaf, LeafRows>()
    const fields = this.fieldNames(stretch).map((name) => this.fieldRows(name, stretch, leaves))
    return { ...this.heads(stretch), fields }
  }

  /** All documents as a segment with everything in it made. */
  build(name = this.#name): StoredSegment<MemorySections> {
    const rows = this.rows()
    const fields: FieldEntry[] = []
    const sections = new Map<string, Section>(rowSections(rows, fields))
    return new StoredSegment(name, new MemorySections(sections), rowTable(rows, fields), this.#source)
  }
}
