/**
 * A searchable segment over a range of buffered documents (what near-real-time search in Lucene flushes a segment
 * for). Nothing is copied or sorted until a search reads a field, and then only that field, so that a refresh is
 * nearly free.
 */

import { backgroundWork } from '../../scheduling/background-work.ts'
import type { BitSet } from '../encoding/bit-set.ts'
import { MemorySections } from '../encoding/sections.ts'
import { FieldReader } from '../field-reader.ts'
import type { Segment } from '../segment.ts'
import { rootsOf } from './document-rows.ts'
import type { DocRange, FieldRows } from './field-rows.ts'
import { type FieldParts, fieldParts, partPrefix } from './field-sections.ts'
import type { SegmentBuilder } from './segment-builder.ts'
import type { TextColumn, TextColumnRows } from './text-column.ts'

export class BufferedSegment implements Segment {
  readonly name: string
  readonly builder: SegmentBuilder
  readonly range: DocRange
  readonly docCount: number
  #fields: BufferedFields | undefined
  #heads: ReturnType<SegmentBuilder['heads']> | undefined
  #roots: BitSet | null | undefined

  constructor(name: string, builder: SegmentBuilder, range: DocRange) {
    this.name = name
    this.builder = builder
    this.range = range
    this.docCount = range.to - range.from
  }

  get fields(): ReadonlyMap<string, FieldReader> {
    this.#fields ??= new BufferedFields(this.builder, this.range)
    return this.#fields
  }

  /** The range's share of the sources; what searches decode is counted elsewhere. */
  get bytes(): number {
    const { builder } = this
    return builder.docCount === 0 ? 0 : Math.round((builder.sourceBytes * this.docCount) / builder.docCount)
  }

  #head(): ReturnType<SegmentBuilder['heads']> {
    this.#heads ??= this.builder.heads(this.range)
    return this.#heads
  }

  get roots(): BitSet | null {
    if (this.#roots === undefined) this.#roots = rootsOf(this.#head())
    return this.#roots
  }

  nestedPath(doc: number): string | undefined {
    const { nestedPaths, nested } = this.#head()
    return nestedPaths[nested[doc]! - 1]
  }

  source(doc: number): Uint8Array {
    return this.builder.source(this.range.from + doc)
  }

  /** Nothing is compressed here. */
  readAhead(): void {}

  id(doc: number): string {
    return this.builder.id(this.range.from + doc)
  }

  findId(id: string): number {
    const doc = this.builder.findId(id, this.range)
    return doc < 0 ? -1 : doc - this.range.from
  }

  routing(doc: number): string | undefined {
    return this.builder.routing(this.range.from + doc)
  }

  get seqNos(): Float64Array {
    return this.#head().seqNos
  }

  get versions(): Float64Array {
    return this.#head().versions
  }

  get primaryTerms(): Uint32Array {
    return this.#head().primaryTerms
  }
}

/** Estimated milliseconds per thousand documents; texts have to be analysed first. */
const textMillis = 8
const otherMillis = 1.5

function expectedMillis({ text, tokens }: FieldRows, docCount: number): number {
  const isText = text !== undefined || tokens !== undefined
  return (docCount / 1000) * (isText ? textMillis : otherMillis)
}

/** The fields of the range, each built when it is first read. */
class BufferedFields implements ReadonlyMap<string, FieldReader> {
  readonly #builder: SegmentBuilder
  readonly #range: DocRange
  readonly #names: ReadonlySet<string>
  readonly #made = new Map<string, FieldReader>()
  readonly #leaves = new Map<TextColumn, TextColumnRows>()

  constructor(builder: SegmentBuilder, range: DocRange) {
    this.#builder = builder
    this.#range = range
    this.#names = new Set(builder.fieldNames(range))
  }

  get(name: string): FieldReader | undefined {
    const known = this.#made.get(name)
    if (known !== undefined || !this.#names.has(name)) return known
    const { from, to } = this.#range
    const docCount = to - from
    const rows = this.#builder.fieldRows(name, this.#range, this.#leaves)
    const keep = (parts: FieldParts): FieldReader => {
      const field = new FieldReader(parts.entry, partPrefix, new MemorySections(parts.sections), docCount)
      this.#made.set(name, field)
      return field
    }
    backgroundWork.give<FieldParts>({
      owner: this,
      key: name,
      job: () => ({ kind: 'field', rows, docCount }),
      keep,
      millis: expectedMillis(rows, docCount),
    })
    return keep(fieldParts(rows, docCount))
  }

  get size(): number {
    return this.#names.size
  }

  has(name: string): boolean {
    return this.#names.has(name)
  }

  keys(): MapIterator<string> {
    return this.#names.keys() as MapIterator<string>
  }

  *entries(): MapIterator<[string, FieldReader]> {
    for (const name of this.#names) yield [name, this.get(name)!]
  }

  *values(): MapIterator<FieldReader> {
    for (const name of this.#names) yield this.get(name)!
  }

  [Symbol.iterator](): MapIterator<[string, FieldReader]> {
    return this.entries()
  }

  forEach(visit: (value: FieldReader, key: string, map: ReadonlyMap<string, FieldReader>) => void): void {
    for (const [name, field] of this) visit(field, name, this)
  }
}
