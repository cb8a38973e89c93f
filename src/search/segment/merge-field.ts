/** Merges one field: what is present, columns, then terms with their postings. */
import { BitSet } from './bit-set.ts'
import type { FieldEntry } from './field-entry.ts'
import { mergedExact, mergedNumbers, mergedOrdinals, type NumbersOf } from './merge-columns.ts'
import { dropped, type FieldPart, type MergePart } from './merge-part.ts'
import { mergeWritten } from './merge-postings.ts'
import { type MergedTexts, mergeTexts, type UsedTerms } from './merge-texts.ts'
import { mergeValues } from './merge-values.ts'
import type { WrittenSection } from './segment-file.ts'

type TermFigures = Pick<FieldEntry, 'keeps' | 'postings' | 'sumDocFreq' | 'sumTotalFreq'>

export class FieldMerge {
  readonly #name: string
  readonly #parts: readonly FieldPart[]
  readonly #docCount: number
  #present = 0
  #docs: BitSet | undefined
  #figures: TermFigures = { keeps: null, postings: null, sumDocFreq: 0, sumTotalFreq: 0 }

  constructor(name: string, parts: readonly MergePart[], docCount: number) {
    this.#name = name
    this.#docCount = docCount
    // Fields of their own, so that what is decoded for the merge goes with it.
    this.#parts = parts.flatMap((part) => {
      const field = part.segment.freshField(name)
      return field === undefined ? [] : [{ ...part, field }]
    })
  }

  /** When the sections have been taken. */
  entry(): FieldEntry {
    return { name: this.#name, docCount: this.#present, ...this.#figures }
  }

  *sections(): Iterable<WrittenSection> {
    yield* this.#presence()
    yield* this.#columns()
    const forms = new Set(this.#parts.flatMap(({ field }) => field.entry.postings ?? []))
    const keeps = this.#parts.map(({ field }) => field.keeps).find((found) => found !== null) ?? null
    if (forms.size === 0) return
    if (forms.has('derived')) yield* this.#derived(keeps)
    else if (forms.size === 1 && forms.has('values')) {
      const merged = mergeValues(this.#parts, keeps ?? 'docs', this.#docCount)
      yield* merged.sections()
      this.#figures = { keeps, postings: 'values', ...merged.sums }
    } else yield* this.#written(keeps ?? 'docs')
  }

  /** No document that stays has the field. */
  get isEmpty(): boolean {
    return this.#presentDocs().count === 0
  }

  #presentDocs(): BitSet {
    if (this.#docs !== undefined) return this.#docs
    const present = new BitSet(this.#docCount)
    this.#docs = present
    for (const { field, base, numbers, segment } of this.#parts) {
      const own = field.present
      if (numbers === null && own === null) {
        present.addRange(base, base + segment.docCount)
        continue
      }
      for (let doc = 0; doc < segment.docCount; doc++) {
        if (own !== null && !own.has(doc)) continue
        const to = numbers === null ? base + doc : numbers[doc]!
        if (to !== dropped) present.add(to)
      }
    }
    return present
  }

  *#presence(): Iterable<WrittenSection> {
    const present = this.#presentDocs()
    this.#present = present.count
    if (this.#present < this.#docCount) yield ['present', present.words]
  }

  *#columns(): Iterable<WrittenSection> {
    yield* this.#column('numbers', 'numbers.starts', ({ numbers }) => numbers)
    if (this.#parts.some(({ field }) => (field.numbers?.exact ?? null) !== null)) {
      yield ['exact', mergedExact(this.#parts, this.#docCount)]
    }
    yield* this.#column(
      'latitudes',
      'points.starts',
      ({ points }) => points && { starts: points.starts, values: points.latitudes },
    )
    yield* this.#column(
      'longitudes',
      undefined,
      ({ points }) => points && { starts: points.starts, values: points.longitudes },
    )
    yield* this.#column(
      'ranges.from',
      'ranges.starts',
      ({ ranges }) => ranges && { starts: ranges.starts, values: ranges.from },
    )
    yield* this.#column(
      'ranges.to',
      undefined,
      ({ ranges }) => ranges && { starts: ranges.starts, values: ranges.to },
    )
    if (!this.#parts.some(({ field }) => field.entry.postings !== 'values' && field.norms !== null)) return
    const norms = new Uint8Array(this.#docCount)
    for (const { field, base, numbers } of this.#parts) {
      const own = field.norms
      if (own === null) continue
      for (let doc = 0; doc < own.length; doc++) {
        const to = numbers === null ? base + doc : numbers[doc]!
        if (to !== dropped) norms[to] = own[doc]!
      }
    }
    yield ['norms', norms]
  }

  *#column(name: string, startsName: string | undefined, of: NumbersOf): Iterable<WrittenSection> {
    if (this.#parts.every(({ field }) => of(field) === null)) return
    const { values, starts } = mergedNumbers(this.#parts, this.#docCount, of)
    yield [name, values]
    if (starts !== null && startsName !== undefined) yield [startsName, starts]
  }

  /** Terms by document are all there is; postings follow from them. */
  *#derived(keeps: FieldEntry['keeps']): Iterable<WrittenSection> {
    const merged = mergeTexts(this.#parts, 'text', usedOrdinals(this.#parts))
    const { values, starts } = mergedOrdinals(this.#parts, this.#docCount, merged.ordinals)
    const docFreqs = new Uint32Array(merged.size)
    let sum = 0
    for (let i = 0; i < values.length; i++) {
      if (values[i] === 0) continue
      docFreqs[values[i]! - 1]! += 1
      sum++
    }
    yield ['text', merged.packed]
    yield ['doc.freqs', docFreqs]
    yield ['ordinals', values]
    if (starts !== null) yield ['ordinals.starts', starts]
    this.#figures = { keeps, postings: 'derived', sumDocFreq: sum, sumTotalFreq: sum }
  }

  *#written(keeps: 'docs' | 'freqs' | 'positions'): Iterable<WrittenSection> {
    const merged = mergeWritten(this.#parts, keeps)
    yield* merged.sections()
    this.#figures = { keeps, postings: 'written', ...merged.sums }
    yield* this.#ordinalsOf(merged.texts)
  }

  *#ordinalsOf({ ordinals }: MergedTexts): Iterable<WrittenSection> {
    if (this.#parts.every(({ field }) => field.ordinals === null)) return
    const { values, starts } = mergedOrdinals(this.#parts, this.#docCount, ordinals)
    yield ['ordinals', values]
    if (starts !== null) yield ['ordinals.starts', starts]
  }
}

/** A term whose documents are all deleted goes with them. */
function usedOrdinals(parts: readonly FieldPart[]): UsedTerms {
  return parts.map(({ field, numbers }) => {
    const column = field.ordinals
    if (numbers === null || column === null) return null
    const used = new Uint8Array(field.terms?.size ?? 0)
    const { values, starts } = column
    for (let doc = 0; doc < numbers.length; doc++) {
      if (numbers[doc] === dropped) continue
      const from = starts === null ? doc : starts[doc]!
      const to = starts === null ? doc + 1 : starts[doc + 1]!
      for (let at = from; at < to; at++) if (values[at] !== 0) used[values[at]! - 1] = 1
    }
    return used
  })
}
