/** Collects one field of documents as they come, and hands out the rows of any stretch of them. */

import type { FieldInput, FieldSpec } from '../document.ts'
import type { BuilderMemory } from '../encoding/builder-memory.ts'
import { GrowingFloat64, GrowingUint32 } from '../encoding/growing-array.ts'
import { hashText, TermScratch } from '../encoding/term-scratch.ts'
import { ByteDictionary, noTexts, type TextCount } from './byte-dictionary.ts'
import { type FieldRows, hasRowsIn, RowCut, type Stretch } from './field-rows.ts'
import { forgetRows, RowDocs } from './row-docs.ts'
import type { LeafRows, TextLeaf } from './text-leaf.ts'
import { TokenCollector } from './token-collector.ts'

export interface TextSource {
  readonly leaf: TextLeaf
  readonly positionGap: number
}

export class FieldCollector {
  readonly name: string
  readonly spec: FieldSpec
  /** Where the values of a text come from, besides tokens that come ready. */
  textSource: TextSource | undefined
  /** Where terms come from, besides `terms`; its dictionary is that of the field. */
  termLeaf: TextLeaf | undefined
  readonly #memory: BuilderMemory
  readonly #expectedTexts: TextCount
  readonly #present: RowDocs
  #tokens: TokenCollector | undefined
  #dictionary: ByteDictionary | undefined
  #scratch: TermScratch | undefined
  readonly #termDocs: RowDocs
  readonly #termIds: GrowingUint32
  readonly #occurrenceDocs: RowDocs
  readonly #occurrenceIds: GrowingUint32
  readonly #numberDocs: RowDocs
  readonly #numbers: GrowingFloat64
  #exact: bigint[] | undefined
  readonly #pointDocs: RowDocs
  readonly #latitudes: GrowingFloat64
  readonly #longitudes: GrowingFloat64
  readonly #rangeDocs: RowDocs
  readonly #rangeFrom: GrowingFloat64
  readonly #rangeTo: GrowingFloat64

  /** `expected`: how many documents there will be, and which distinct texts, as far as that is known. */
  constructor(name: string, spec: FieldSpec, memory: BuilderMemory, expected = 0, expectedTexts = noTexts) {
    this.name = name
    this.spec = spec
    this.#memory = memory
    this.#expectedTexts = expectedTexts
    this.#present = new RowDocs(memory, expected)
    this.#termDocs = new RowDocs(memory, expected)
    this.#termIds = new GrowingUint32(memory, expected)
    this.#occurrenceDocs = new RowDocs(memory, expected)
    this.#occurrenceIds = new GrowingUint32(memory, expected)
    this.#numberDocs = new RowDocs(memory, expected)
    this.#numbers = new GrowingFloat64(memory, expected)
    this.#pointDocs = new RowDocs(memory, expected)
    this.#rangeDocs = new RowDocs(memory, expected)
    this.#latitudes = new GrowingFloat64(memory)
    this.#longitudes = new GrowingFloat64(memory)
    this.#rangeFrom = new GrowingFloat64(memory)
    this.#rangeTo = new GrowingFloat64(memory)
  }

  get dictionary(): ByteDictionary {
    this.#dictionary ??= new ByteDictionary(this.#memory, this.#expectedTexts)
    return this.#dictionary
  }

  /** The distinct values of the field, whoever keeps them. */
  get distinct(): ByteDictionary | undefined {
    return this.#dictionary ?? (this.termLeaf ?? this.textSource?.leaf)?.dictionary
  }

  /** Whether some document of the stretch has a value. */
  hasAny(stretch: Stretch): boolean {
    return (
      hasRowsIn(this.#present, stretch) ||
      hasRowsIn(this.#numberDocs, stretch) ||
      (this.termLeaf !== undefined && hasRowsIn(this.termLeaf.docs, stretch)) ||
      (this.textSource !== undefined && hasRowsIn(this.textSource.leaf.docs, stretch))
    )
  }

  add(doc: number, input: FieldInput): void {
    this.#present.push(doc)
    if (input.terms !== undefined) this.#addTerms(doc, input.terms)
    if (input.tokens !== undefined && this.spec.index !== null) {
      this.#tokens ??= new TokenCollector(this.#memory)
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

  /** Takes the last document back, unless its values are in a leaf. */
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

  /** The only number of a document; that it has one is presence enough. */
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

  /** Undefined where doubles say it all. */
  #exactOf(numbers: RowCut): readonly bigint[] | undefined {
    const exact = numbers.ofList(this.#exact)
    if (exact === undefined) return undefined
    const values = numbers.of(this.#numbers)
    return exact.every((value, i) => value === BigInt(Math.trunc(values[i]!))) ? undefined : exact
  }

  /** What was collected of a stretch; `rowsOf` gives those of a leaf, which several fields may share. */
  rows(stretch: Stretch, rowsOf: (leaf: TextLeaf) => LeafRows): FieldRows {
    const cut = (docs: RowDocs) => new RowCut(docs, stretch)
    const [terms, occurrences] = [cut(this.#termDocs), cut(this.#occurrenceDocs)]
    const [numbers, points, ranges] = [cut(this.#numberDocs), cut(this.#pointDocs), cut(this.#rangeDocs)]
    const { name, spec, termLeaf, textSource } = this
    return {
      name,
      spec,
      present: cut(this.#present).docs,
      termLeaf: termLeaf && rowsOf(termLeaf),
      text: textSource && {
        leaf: rowsOf(textSource.leaf),
        positionGap: textSource.positionGap,
      },
      dictionary: (this.#dictionary ?? termLeaf?.dictionary)?.texts(),
      terms: { docs: terms.docs, ids: terms.of(this.#termIds) },
      occurrences: { docs: occurrences.docs, ids: occurrences.of(this.#occurrenceIds) },
      tokens: this.#tokens?.rows(stretch),
      numbers: {
        docs: numbers.docs,
        values: numbers.of(this.#numbers),
        exact: this.#exactOf(numbers),
      },
      points: { docs: points.docs, first: points.of(this.#latitudes), second: points.of(this.#longitudes) },
      ranges: { docs: ranges.docs, first: ranges.of(this.#rangeFrom), second: ranges.of(this.#rangeTo) },
    }
  }
}
