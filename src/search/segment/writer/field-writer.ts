/** Buffers one field while documents are indexed, and hands out its rows for any range of documents. */

import type { FieldInput, FieldSpec } from '../document.ts'
import type { BuilderMemory } from '../encoding/builder-memory.ts'
import { GrowingFloat64, GrowingUint32 } from '../encoding/growing-array.ts'
import { hashText, TermScratch } from '../encoding/term-scratch.ts'
import { ByteDictionary, noTexts, type TextCount } from './byte-dictionary.ts'
import { DocIdList, forgetRows } from './doc-id-list.ts'
import { type DocRange, type FieldRows, hasRowsIn, RowCut } from './field-rows.ts'
import { hasShortText, type TextColumn, type TextColumnRows, withoutLongTexts } from './text-column.ts'
import { TokenWriter } from './token-writer.ts'

interface TextSource {
  readonly column: TextColumn
  readonly positionGap: number
}

export class FieldWriter {
  readonly name: string
  readonly spec: FieldSpec
  /** The column with the values of a text field, beside tokens that come preanalysed. */
  textSource: TextSource | undefined
  /** The column with the terms of the field, beside `terms`; its dictionary is the field's. */
  termColumn: TextColumn | undefined
  /** Longer texts of the column are no terms of the field. */
  maxTermLength: number | undefined
  readonly #memory: BuilderMemory
  readonly #expectedTexts: TextCount
  readonly #present: DocIdList
  #tokens: TokenWriter | undefined
  #dictionary: ByteDictionary | undefined
  #scratch: TermScratch | undefined
  readonly #termDocs: DocIdList
  readonly #termIds: GrowingUint32
  readonly #occurrenceDocs: DocIdList
  readonly #occurrenceIds: GrowingUint32
  readonly #numberDocs: DocIdList
  readonly #numbers: GrowingFloat64
  #exact: bigint[] | undefined
  readonly #pointDocs: DocIdList
  readonly #latitudes: GrowingFloat64
  readonly #longitudes: GrowingFloat64
  readonly #rangeDocs: DocIdList
  readonly #rangeFrom: GrowingFloat64
  readonly #rangeTo: GrowingFloat64

  /** `expected` and `expectedTexts` are the numbers of documents and distinct texts to come, as far as known. */
  constructor(name: string, spec: FieldSpec, memory: BuilderMemory, expected = 0, expectedTexts = noTexts) {
    this.name = name
    this.spec = spec
    this.#memory = memory
    this.#expectedTexts = expectedTexts
    this.#present = new DocIdList(memory, expected)
    this.#termDocs = new DocIdList(memory, expected)
    this.#termIds = new GrowingUint32(memory, expected)
    this.#occurrenceDocs = new DocIdList(memory, expected)
    this.#occurrenceIds = new GrowingUint32(memory, expected)
    this.#numberDocs = new DocIdList(memory, expected)
    this.#numbers = new GrowingFloat64(memory, expected)
    this.#pointDocs = new DocIdList(memory, expected)
    this.#rangeDocs = new DocIdList(memory, expected)
    this.#latitudes = new GrowingFloat64(memory)
    this.#longitudes = new GrowingFloat64(memory)
    this.#rangeFrom = new GrowingFloat64(memory)
    this.#rangeTo = new GrowingFloat64(memory)
  }

  get dictionary(): ByteDictionary {
    this.#dictionary ??= new ByteDictionary(this.#memory, this.#expectedTexts)
    return this.#dictionary
  }

  /** The dictionary of the field's distinct values, whoever owns it. */
  get distinct(): ByteDictionary | undefined {
    return this.#dictionary ?? (this.termColumn ?? this.textSource?.column)?.dictionary
  }

  /** Returns whether some document of the range has a value. */
  hasAny(range: DocRange): boolean {
    return (
      hasRowsIn(this.#present, range) ||
      hasRowsIn(this.#numberDocs, range) ||
      this.#hasTermIn(range) ||
      (this.textSource !== undefined && hasRowsIn(this.textSource.column.docs, range))
    )
  }

  add(doc: number, input: FieldInput): void {
    this.#present.push(doc)
    if (input.terms !== undefined) this.#addTerms(doc, input.terms)
    if (input.tokens !== undefined && this.spec.index !== null) {
      this.#tokens ??= new TokenWriter(this.#memory)
      this.#tokens.add(doc, input.tokens)
    }
    if (input.numbers !== undefined) this.#addNumbers(doc, input.numbers, input.exact)
    for (const [latitude, longitude] of input.points ?? []) {
      this.#pointDocs.push(doc)
      this.#latitudes.push(latitude)
      this.#longitudes.push(longitude)
    }
    for (const [from, to] of input.ranges ?? []) {
      this.#rangeDocs.push(doc)
      this.#rangeFrom.push(from)
      this.#rangeTo.push(to)
    }
  }

  /** Removes the last document, unless its values are in a column. */
  forget(doc: number): void {
    forgetRows(doc, this.#present)
    forgetRows(doc, this.#termDocs, this.#termIds)
    forgetRows(doc, this.#occurrenceDocs, this.#occurrenceIds)
    const numbers = this.#numbers.length
    forgetRows(doc, this.#numberDocs, this.#numbers)
    this.#exact?.splice(this.#exact.length - (numbers - this.#numbers.length))
    forgetRows(doc, this.#pointDocs, this.#latitudes, this.#longitudes)
    forgetRows(doc, this.#rangeDocs, this.#rangeFrom, this.#rangeTo)
    this.#tokens?.forget(doc)
  }

  /** Adds the only number of a document; having a number also records that the document has the field. */
  addNumber(doc: number, value: number): void {
    this.#numberDocs.push(doc)
    this.#numbers.push(value)
    this.#exact?.push(BigInt(Math.trunc(value)))
  }

  #addTerms(doc: number, terms: readonly string[]): void {
    this.#scratch ??= new TermScratch()
    const scratch = this.#scratch
    const { index, ordinals } = this.spec
    const seen = ordinals && terms.length > 1 ? new Set<number>() : undefined
    for (const term of terms) {
      const length = scratch.write(term)
      const hash = hashText(scratch.view, 0, length)
      const id = this.dictionary.idOf(scratch.view, 0, length, hash)
      if (index !== null && !(ordinals && index === 'docs')) {
        this.#occurrenceDocs.push(doc)
        this.#occurrenceIds.push(id)
      }
      if (!ordinals || seen?.has(id)) continue
      seen?.add(id)
      this.#termDocs.push(doc)
      this.#termIds.push(id)
    }
  }

  #addNumbers(doc: number, numbers: readonly number[], exact: readonly bigint[] | undefined): void {
    if (exact !== undefined && this.#exact === undefined) {
      this.#exact = Array.from(this.#numbers.view(), (value) => BigInt(Math.trunc(value)))
    }
    const order = numbers.length === 1 ? undefined : numbers.map((_, i) => i)
    order?.sort((a, b) => (exact === undefined ? numbers[a]! - numbers[b]! : Number(exact[a]! - exact[b]!)))
    for (let i = 0; i < numbers.length; i++) {
      const from = order?.[i] ?? i
      this.#numberDocs.push(doc)
      this.#numbers.push(numbers[from]!)
      this.#exact?.push(exact?.[from] ?? BigInt(Math.trunc(numbers[from]!)))
    }
  }

  /** Undefined when doubles represent all numbers exactly. */
  #exactOf(numbers: RowCut): readonly bigint[] | undefined {
    const exact = numbers.ofList(this.#exact)
    if (exact === undefined) return undefined
    const values = numbers.of(this.#numbers)
    return exact.every((value, i) => value === BigInt(Math.trunc(values[i]!))) ? undefined : exact
  }

  /** Returns the rows of a range; `rowsOf` gives those of a column, which several fields may share. */
  rows(range: DocRange, rowsOf: (column: TextColumn) => TextColumnRows): FieldRows {
    const cut = (docs: DocIdList) => new RowCut(docs, range)
    const [terms, occurrences] = [cut(this.#termDocs), cut(this.#occurrenceDocs)]
    const [numbers, points, ranges] = [cut(this.#numberDocs), cut(this.#pointDocs), cut(this.#rangeDocs)]
    const { name, spec, termColumn, textSource } = this
    return {
      name,
      spec,
      present: cut(this.#present).docs,
      termColumn: termColumn && this.#termRows(termColumn, rowsOf(termColumn)),
      text: textSource && {
        column: rowsOf(textSource.column),
        positionGap: textSource.positionGap,
      },
      dictionary: (this.#dictionary ?? termColumn?.dictionary)?.texts(),
      terms: { docs: terms.docs, ids: terms.of(this.#termIds) },
      occurrences: { docs: occurrences.docs, ids: occurrences.of(this.#occurrenceIds) },
      tokens: this.#tokens?.rows(range),
      numbers: {
        docs: numbers.docs,
        values: numbers.of(this.#numbers),
        exact: this.#exactOf(numbers),
      },
      points: { docs: points.docs, first: points.of(this.#latitudes), second: points.of(this.#longitudes) },
      ranges: { docs: ranges.docs, first: ranges.of(this.#rangeFrom), second: ranges.of(this.#rangeTo) },
    }
  }

  #hasTermIn(range: DocRange): boolean {
    const { termColumn, maxTermLength } = this
    if (termColumn === undefined || !hasRowsIn(termColumn.docs, range)) return false
    if (!termColumn.hasLongTexts || maxTermLength === undefined) return true
    return hasShortText(termColumn.rows(range), maxTermLength)
  }

  #termRows({ hasLongTexts }: TextColumn, rows: TextColumnRows): TextColumnRows {
    const { maxTermLength } = this
    return hasLongTexts && maxTermLength !== undefined ? withoutLongTexts(rows, maxTermLength) : rows
  }
}
