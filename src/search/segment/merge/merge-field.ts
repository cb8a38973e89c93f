/** Merges one field: docs with field, doc values, then terms with their postings. */
import { BitSet } from '../encoding/bit-set.ts'
import type { FieldInfo, TermFigures } from '../field-info.ts'
import { nonZero } from '../postings/inverter.ts'
import { SectionAlias, type WrittenSection } from '../segment-file.ts'
import { mergedDoubles, mergedExact, mergedNumbers, mergedOrdinals, type NumbersOf } from './merge-columns.ts'
import { mergeList, mergeOrdinalColumn } from './merge-ordinals.ts'
import { dropped, type FieldPart, type MergedField, type MergePart } from './merge-part.ts'
import { WrittenPostings } from './merge-postings.ts'
import { type MergedTexts, mergeTexts, own, revisitTexts, type UsedTerms, UsedTexts } from './merge-texts.ts'
import { mergeValues } from './merge-values.ts'
import { listKey } from './merged-section-cache.ts'
import { valueParts } from './value-index-parts.ts'

export class FieldMerge {
  readonly #name: string
  /** Names and sizes in the merged segment. */
  readonly #merged: MergedField
  readonly #parts: readonly FieldPart[]
  #present = 0
  #termDocs: number | undefined
  #docs: BitSet | undefined
  #figures: TermFigures = { keeps: null, postings: null, sumDocFreq: 0, sumTotalFreq: 0 }

  constructor(name: string, parts: readonly MergePart[], merged: MergedField) {
    this.#name = name
    this.#merged = merged
    // These readers belong to the merge, so that what they decode is freed with it.
    this.#parts = parts.flatMap((part) => {
      const field = part.segment.freshField(name)
      return field === undefined ? [] : [{ ...part, field }]
    })
  }

  /** Returns the field's table entry; valid after all sections were taken. */
  entry(): FieldInfo {
    return { name: this.#name, docCount: this.#present, ...this.#figures }
  }

  *sections(): Iterable<WrittenSection> {
    for (const [part, section] of this.#sections()) yield [`${this.#merged.prefix}.${part}`, section]
  }

  *#sections(): Iterable<WrittenSection> {
    yield* this.#presence()
    yield* this.#columns()
    const forms = new Set(this.#parts.flatMap(({ field }) => field.entry.postings ?? []))
    const keeps = this.#parts.map(({ field }) => field.keeps).find((found) => found !== null) ?? null
    if (forms.size === 0) return
    if (forms.has('derived')) {
      yield* this.#derived(keeps)
      return
    }
    const values = valueParts(this.#parts)
    if (values === undefined) yield* this.#written(keeps ?? 'docs')
    else {
      const sums = yield* mergeValues(values, this.#merged, keeps ?? 'docs')
      this.#figures = { keeps, postings: 'values', ...sums }
    }
  }

  /** True when no surviving document has the field. */
  get isEmpty(): boolean {
    return this.#presentDocs().count === 0
  }

  #presentDocs(): BitSet {
    if (this.#docs !== undefined) return this.#docs
    const present = new BitSet(this.#merged.docCount)
    this.#docs = present
    for (const { field, base, docMap, segment } of this.#parts) {
      const own = field.present
      if (docMap === null && own === null) {
        present.addRange(base, base + segment.docCount)
        continue
      }
      for (let doc = 0; doc < segment.docCount; doc++) {
        if (own !== null && !own.has(doc)) continue
        const to = docMap === null ? base + doc : docMap[doc]!
        if (to !== dropped) present.add(to)
      }
    }
    return present
  }

  *#presence(): Iterable<WrittenSection> {
    const present = this.#presentDocs()
    this.#present = present.count
    if (this.#present < this.#merged.docCount) yield ['present', present.words]
  }

  *#columns(): Iterable<WrittenSection> {
    yield* this.#column('numbers', 'numbers.starts', ({ numbers }) => numbers)
    if (this.#has('exact')) yield ['exact', mergedExact(this.#parts, this.#merged.docCount)]
    for (const part of ['latitudes', 'longitudes'] as const) {
      const of: NumbersOf = ({ points }) => points && { starts: points.starts, values: points[part] }
      yield* this.#column(part, 'points.starts', of)
    }
    for (const part of ['from', 'to'] as const) {
      const of: NumbersOf = ({ ranges }) => ranges && { starts: ranges.starts, values: ranges[part] }
      yield* this.#column(`ranges.${part}`, 'ranges.starts', of)
    }
  }

  #has(section: string): boolean {
    return this.#parts.some(({ field }) => field.sections.has(`${field.prefix}.${section}`))
  }

  *#column(name: string, startsName: string, of: NumbersOf): Iterable<WrittenSection> {
    if (!this.#has(name)) return
    if (!this.#has(startsName)) {
      yield* mergedDoubles(name, this.#parts, own(name), this.#merged.docCount)
      return
    }
    const { values, starts } = mergedNumbers(this.#parts, this.#merged.docCount, of)
    yield [name, values]
    // Columns that share their starts store them once.
    if (starts !== null && name !== 'longitudes' && name !== 'ranges.to') yield [startsName, starts]
  }

  /** Merges a field whose postings are derived from its doc values: only the doc values are written. */
  *#derived(keeps: FieldInfo['keeps']): Iterable<WrittenSection> {
    const list = { sectionOf: own('text'), name: 'text' }
    const column = { sectionOf: own('ordinals'), name: 'ordinals' }
    const used = () => new UsedTexts(usedOrdinals(this.#parts))
    const texts = yield* mergeList(this.#parts, this.#merged, list, column, used)
    const counts = yield* this.#ordinals(texts)
    yield ['doc.freqs', counts]
    const sum = counts.reduce((total, count) => total + count, 0)
    this.#figures = { keeps, postings: 'derived', sumDocFreq: sum, sumTotalFreq: sum }
  }

  /** Writes the ordinals and returns the document frequency of each term. */
  *#ordinals(texts: MergedTexts): Generator<WrittenSection, Uint32Array> {
    if (this.#has('ordinals.starts')) {
      const { values, starts } = mergedOrdinals(this.#parts, this.#merged.docCount, texts.ordinals)
      const counts = new Uint32Array(texts.size)
      for (let i = 0; i < values.length; i++) if (values[i] !== 0) counts[values[i]! - 1]! += 1
      yield ['ordinals', values]
      if (starts !== null) yield ['ordinals.starts', starts]
      return counts
    }
    const list = { sectionOf: own('text'), name: 'text' }
    const column = { sectionOf: own('ordinals'), name: 'ordinals' }
    return yield* mergeOrdinalColumn(this.#parts, this.#merged, list, column, texts)
  }

  *#written(keeps: 'docs' | 'freqs' | 'positions'): Iterable<WrittenSection> {
    yield* this.#norms()
    const key = listKey(this.#parts, own('text'))
    const known = this.#merged.lists.list(key)
    const postings = new WrittenPostings(this.#parts, keeps)
    let texts: MergedTexts
    if (known === undefined) {
      texts = yield* mergeTexts(this.#parts, own('text'), 'text', postings)
      this.#merged.lists.addList({ key, section: `${this.#merged.prefix}.text`, texts })
    } else {
      texts = known.texts
      yield ['text', new SectionAlias(known.section)]
      yield* revisitTexts(texts, postings)
    }
    yield* postings.writer.take(true)
    const { sumDocFreq, sumTotalFreq } = postings.writer
    const termDocs = this.#termDocs ?? this.#termDocsOfParts()
    this.#figures = { keeps, postings: 'written', termDocs, sumDocFreq, sumTotalFreq }
    if (this.#has('ordinals')) yield* this.#ordinals(texts)
  }

  /** Without norms nobody knows which documents have no terms, so the old counts are added up. */
  #termDocsOfParts(): number {
    const without = this.#parts.reduce((sum, { field }) => sum + field.docCount - field.termDocs, 0)
    return Math.max(this.#present - without, 0)
  }

  *#norms(): Iterable<WrittenSection> {
    if (this.#parts.every(({ field }) => field.norms === null)) return
    const norms = new Uint8Array(this.#merged.docCount)
    for (const { field, base, docMap } of this.#parts) {
      const own = field.norms
      if (own === null) continue
      for (let doc = 0; doc < own.length; doc++) {
        const to = docMap === null ? base + doc : docMap[doc]!
        if (to !== dropped) norms[to] = own[doc]!
      }
    }
    this.#termDocs = nonZero(norms)
    yield ['norms', norms]
  }
}

/** A term whose documents are all deleted is dropped. */
function usedOrdinals(parts: readonly FieldPart[]): UsedTerms {
  return parts.map(({ field, docMap }) => {
    if (docMap === null || field.ordinals === null) return null
    const column = field.ordinals
    const used = new Uint8Array(field.sections.countOf(`${field.prefix}.text`))
    const { values, starts } = column
    for (let doc = 0; doc < docMap.length; doc++) {
      if (docMap[doc] === dropped) continue
      const from = starts === null ? doc : starts[doc]!
      const to = starts === null ? doc + 1 : starts[doc + 1]!
      for (let at = from; at < to; at++) if (values[at] !== 0) used[values[at]! - 1] = 1
    }
    return used
  })
}
