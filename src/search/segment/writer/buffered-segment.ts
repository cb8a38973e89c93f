/**
 * A searchable segment over a range of buffered documents (what near-real-time search in Lucene flushes a segment
 * for). Nothing is copied or sorted until a search reads a field, and then only that field, so that a refresh is
 * nearly free.
 */

import { utf8Text } from '../../../text/utf8-text.ts'
import type { BitSet } from '../encoding/bit-set.ts'
import type { FieldReader } from '../field-reader.ts'
import type { Segment } from '../segment.ts'
import { BufferedFields } from './buffered-fields.ts'
import { rootsOf } from './document-rows.ts'
import type { DocRange } from './field-rows.ts'
import type { SegmentBuilder } from './segment-builder.ts'
import type { SharedDocuments } from './shared-segment.ts'
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
    if (this.#fields === undefined) {
      const { builder, range } = this
      const columns = new Map<TextColumn, TextColumnRows>()
      const rowsOf = (name: string) => builder.fieldRows(name, range, columns)
      this.#fields = new BufferedFields(builder.fieldNames(range), rowsOf, this.docCount)
    }
    return this.#fields
  }

  /** Returns the documents as plain data for a search in another thread; the memory stays shared. */
  shared(): SharedDocuments {
    const { builder, range } = this
    return { rows: builder.rows(range), sources: builder.sourceTexts(), from: range.from }
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

  sourceText(doc: number): string {
    return utf8Text(this.source(doc))
  }

  /** Nothing is compressed here. */
  get readsAhead(): boolean {
    return false
  }

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
