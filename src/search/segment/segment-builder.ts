/** Builds a segment out of documents, in the order in which they are added. */
import { BitSet } from './bit-set.ts'
import { ByteWriter } from './byte-writer.ts'
import type { FieldInputs, IndexedDocument } from './document.ts'
import { FieldCollector } from './field-collector.ts'
import { GrowingFloat64, GrowingUint32 } from './growing-array.ts'
import { packNumbers, packOrdinals } from './packed-numbers.ts'
import { bytesOf, MemorySections } from './sections.ts'
import type { Segment } from './segment.ts'
import { SourceWriter } from './source-blocks.ts'
import { type SegmentTable, StoredSegment } from './stored-segment.ts'

export class SegmentBuilder {
  readonly #name: string
  #docCount = 0
  #fields = new Map<string, FieldCollector>()
  #source = new SourceWriter()
  #ids = new ByteWriter()
  #idEnds = new GrowingUint32()
  #seqNos = new GrowingFloat64()
  #versions = new GrowingFloat64()
  #primaryTerms = new GrowingUint32()
  #routings = new Map<number, string>()
  #nestedPaths: string[] = []
  /** By document: 0 for one proper, otherwise the place of its path in the list, plus one. */
  #nested = new GrowingUint32()

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
      this.#begin(document, number + 1, empty)
      this.#addFields(fields)
      this.#docCount += 1
    }
    this.#begin(document, 0, document.source)
    if (document.routing !== undefined) this.#routings.set(this.#docCount, document.routing)
    this.#addFields(document.fields)
    return this.#docCount++
  }

  #begin({ id, seqNo, version, primaryTerm }: IndexedDocument, nested: number, source: Uint8Array): void {
    this.#source.add(source)
    this.#ids.text(id)
    this.#idEnds.push(this.#ids.length)
    this.#seqNos.push(seqNo)
    this.#versions.push(version)
    this.#primaryTerms.push(primaryTerm)
    this.#nested.push(nested)
  }

  #addFields(fields: FieldInputs): void {
    for (const [name, input] of fields) {
      let collector = this.#fields.get(name)
      if (collector === undefined) {
        collector = new FieldCollector(name, input.spec)
        this.#fields.set(name, collector)
      }
      collector.add(this.#docCount, input)
    }
  }

  build(): Segment & { readonly sections: MemorySections } {
    const sections = new Map<string, Uint8Array>()
    const fields = [...this.#fields.values()].map((field, i) =>
      field.finish(this.#docCount, `f${i}`, sections),
    )
    this.#source.finish(sections)
    sections.set('ids', this.#ids.finish())
    sections.set('ids.ends', bytesOf(this.#idEnds.view().slice()))
    sections.set('seq.nos', packNumbers(this.#seqNos.view()))
    sections.set('versions', packNumbers(this.#versions.view()))
    sections.set('primary.terms', packOrdinals(this.#primaryTerms.view()))
    if (this.#nestedPaths.length > 0) {
      const nested = this.#nested.view()
      const roots = new BitSet(this.#docCount)
      for (let i = 0; i < nested.length; i++) if (nested[i] === 0) roots.add(i)
      sections.set('roots', bytesOf(roots.words))
      sections.set('nested', packOrdinals(nested))
    }
    const table: SegmentTable = {
      docCount: this.#docCount,
      fields,
      nestedPaths: this.#nestedPaths,
      routings: [...this.#routings],
    }
    sections.set('table', new TextEncoder().encode(JSON.stringify(table)))
    return new StoredSegment(this.#name, new MemorySections(sections))
  }
}

const empty = new Uint8Array(0)
