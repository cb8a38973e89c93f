/** Builds a segment out of documents, in the order in which they are added. */
import { BitSet } from './bit-set.ts'
import { ByteWriter } from './byte-writer.ts'
import type { FieldInputs, IndexedDocument } from './document.ts'
import { FieldCollector } from './field-collector.ts'
import { GrowingFloat64, GrowingUint32 } from './growing-array.ts'
import type { BoundLeaf, ByteReader, LeafPlan, PlannedField } from './leaf-plan.ts'
import { MemorySections, type Section } from './sections.ts'
import { SourceArena } from './source-arena.ts'
import { type SegmentTable, StoredSegment } from './stored-segment.ts'
import { TextLeaf } from './text-leaf.ts'

/** A document without what its JSON says. */
export type DocumentHead = Omit<IndexedDocument, 'fields' | 'nested' | 'source'>

export class SegmentBuilder {
  readonly #name: string
  #docCount = 0
  readonly #fields = new Map<string, FieldCollector>()
  readonly #source = new SourceArena()
  readonly #ids = new ByteWriter()
  readonly #idEnds = new GrowingUint32()
  readonly #seqNos = new GrowingFloat64()
  readonly #versions = new GrowingFloat64()
  readonly #primaryTerms = new GrowingUint32()
  readonly #routings = new Map<number, string>()
  readonly #nestedPaths: string[] = []
  /** By document: 0 for one proper, otherwise the place of its path in the list, plus one. */
  readonly #nested = new GrowingUint32()
  #plans: readonly LeafPlan[] | undefined
  #leaves: readonly BoundLeaf[] = []

  constructor(name: string) {
    this.#name = name
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
    if (document.routing !== undefined) this.#routings.set(this.#docCount, document.routing)
    this.#addFields(document.fields)
    return this.#docCount++
  }

  /** Whether the reader can read the document; then `addRead` must come next. */
  read(source: Uint8Array, reader: ByteReader): boolean {
    if (this.#plans !== reader.plans) this.#bind(reader.plans)
    const chunk = this.#source.place(source)
    const { start } = this.#source
    return reader.read(chunk, start, start + source.length, this.#leaves)
  }

  /** Adds the document that was read; returns its number. */
  addRead(head: DocumentHead, length: number, reader: ByteReader): number {
    this.#begin(head, 0)
    this.#source.keep(length)
    if (head.routing !== undefined) this.#routings.set(this.#docCount, head.routing)
    reader.addTo(this.#docCount, this.#leaves)
    return this.#docCount++
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
      collector = new FieldCollector(name, spec)
      this.#fields.set(name, collector)
    }
    return collector
  }

  #addFields(fields: FieldInputs): void {
    for (const [name, input] of fields) this.#field(name, input.spec).add(this.#docCount, input)
  }

  /** Leaves that were bound before stay: a mapping only ever grows. */
  #bind(plans: readonly LeafPlan[]): void {
    this.#plans = plans
    const collector = ({ name, spec }: PlannedField) => this.#field(name, spec)
    this.#leaves = plans.map(({ numbers, terms, texts = [] }): BoundLeaf => {
      if (numbers !== undefined) return { numbers: collector(numbers), texts: undefined }
      const ofTerms = terms && collector(terms)
      const ofTexts = texts.map((text) => ({ ...text, collector: collector(text) }))
      const leaf =
        ofTerms?.termLeaf ?? ofTexts[0]?.collector.textSource?.leaf ?? new TextLeaf(ofTerms?.dictionary)
      if (ofTerms !== undefined) ofTerms.termLeaf = leaf
      for (const { collector: field, analyzer, positionGap } of ofTexts) {
        field.textSource ??= { leaf, analyzer, positionGap }
      }
      return { texts: leaf, numbers: undefined }
    })
  }

  // --------------------------------------------------------------- documents that are not in a segment yet

  id(doc: number): string {
    const { ids, ends } = { ids: this.#ids, ends: this.#idEnds }
    return ids.textAt(doc === 0 ? 0 : ends.at(doc - 1), ends.at(doc))
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
    return this.#routings.get(doc)
  }

  source(doc: number): Uint8Array {
    return this.#source.read(doc)
  }

  /** Adding anything afterwards is not allowed. */
  build(name = this.#name): StoredSegment<MemorySections> {
    const sections = new Map<string, Section>()
    const fields = [...this.#fields.values()]
      .filter((field) => !field.isEmpty)
      .map((field, i) =>
        field.finish(this.#docCount, (part, section) => sections.set(`f${i}.${part}`, section)),
      )
    sections.set('ids', { bytes: this.#ids.finish(), ends: this.#idEnds.view().slice() })
    sections.set('seq.nos', this.#seqNos.view().slice())
    sections.set('versions', this.#versions.view().slice())
    sections.set('primary.terms', this.#primaryTerms.view().slice())
    if (this.#nestedPaths.length > 0) {
      const nested = this.#nested.view().slice()
      const roots = new BitSet(this.#docCount)
      for (let i = 0; i < nested.length; i++) if (nested[i] === 0) roots.add(i)
      sections.set('roots', roots.words)
      sections.set('nested', nested)
    }
    const table: SegmentTable = {
      docCount: this.#docCount,
      fields,
      nestedPaths: this.#nestedPaths,
      routings: [...this.#routings],
    }
    return new StoredSegment(name, new MemorySections(sections), table, this.#source)
  }
}
