/**
 * A stretch of the documents that are being collected, as a segment: nothing is copied or sorted until somebody looks
 * at it, and then only the fields that are looked at. That makes documents visible at no cost, however often.
 */

import { backgroundWork } from '../../scheduling/background-work.ts'
import type { BitSet } from '../encoding/bit-set.ts'
import { MemorySections } from '../encoding/sections.ts'
import type { Segment } from '../segment.ts'
import { StoredField } from '../stored-field.ts'
import { rootsOf } from './document-rows.ts'
import type { FieldRows, Stretch } from './field-rows.ts'
import { type FieldParts, fieldParts, partPrefix } from './field-sections.ts'
import type { SegmentBuilder } from './segment-builder.ts'
import type { LeafRows, TextLeaf } from './text-leaf.ts'

export class LiveSegment implements Segment {
  readonly name: string
  readonly builder: SegmentBuilder
  readonly stretch: Stretch
  readonly docCount: number
  #fields: LiveFields | undefined
  #heads: ReturnType<SegmentBuilder['heads']> | undefined
  #roots: BitSet | null | undefined

  constructor(name: string, builder: SegmentBuilder, stretch: Stretch) {
    this.name = name
    this.builder = builder
    this.stretch = stretch
    this.docCount = stretch.to - stretch.from
  }

  get fields(): ReadonlyMap<string, StoredField> {
    this.#fields ??= new LiveFields(this.builder, this.stretch)
    return this.#fields
  }

  /** Its share of the texts; what is made for searches goes with it. */
  get bytes(): number {
    const { builder } = this
    return builder.docCount === 0 ? 0 : Math.round((builder.sourceBytes * this.docCount) / builder.docCount)
  }

  #head(): ReturnType<SegmentBuilder['heads']> {
    this.#heads ??= this.builder.heads(this.stretch)
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
    return this.builder.source(this.stretch.from + doc)
  }

  id(doc: number): string {
    return this.builder.id(this.stretch.from + doc)
  }

  findId(id: string): number {
    const doc = this.builder.findId(id, this.stretch)
    return doc < 0 ? -1 : doc - this.stretch.from
  }

  routing(doc: number): string | undefined {
    return this.builder.routing(this.stretch.from + doc)
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

/** Milliseconds a thousand documents take: texts have to be cut into words first. */
const textMillis = 8
const otherMillis = 1.5

function expectedMillis({ text, tokens }: FieldRows, docCount: number): number {
  const isText = text !== undefined || tokens !== undefined
  return (docCount / 1000) * (isText ? textMillis : otherMillis)
}

/** The fields of a stretch, each made when it is first asked for. */
class LiveFields implements ReadonlyMap<string, StoredField> {
  readonly #builder: SegmentBuilder
  readonly #stretch: Stretch
  readonly #names: ReadonlySet<string>
  readonly #made = new Map<string, StoredField>()
  readonly #leaves = new Map<TextLeaf, LeafRows>()

  constructor(builder: SegmentBuilder, stretch: Stretch) {
    this.#builder = builder
    this.#stretch = stretch
    this.#names = new Set(builder.fieldNames(stretch))
  }

  get(name: string): StoredField | undefined {
    const known = this.#made.get(name)
    if (known !== undefined || !this.#names.has(name)) return known
    const { from, to } = this.#stretch
    const docCount = to - from
    const rows = this.#builder.fieldRows(name, this.#stretch, this.#leaves)
    const keep = (parts: FieldParts): StoredField => {
      const field = new StoredField(parts.entry, partPrefix, new MemorySections(parts.sections), docCount)
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

  *entries(): MapIterator<[string, StoredField]> {
    for (const name of this.#names) yield [name, this.get(name)!]
  }

  *values(): MapIterator<StoredField> {
    for (const name of this.#names) yield this.get(name)!
  }

  [Symbol.iterator](): MapIterator<[string, StoredField]> {
    return this.entries()
  }

  forEach(visit: (value: StoredField, key: string, map: ReadonlyMap<string, StoredField>) => void): void {
    for (const [name, field] of this) visit(field, name, this)
  }
}
