/**
 * Range and terms queries over numeric doc values: numbers, dates and booleans between two bounds or among
 * given values. Both bounds are inclusive; the caller moves an exclusive bound to its neighbour first. Where
 * a column holds integers beyond 2^53, the exact 64-bit values decide.
 * Lucene answers these from a BKD tree; we scan the column and skip blocks by their zone map.
 */

import { inRanges, StepSize } from '../../../scheduling/step-size.ts'
import { finish, type Steps } from '../../../scheduling/steps.ts'
import {
  averageLength,
  bm25,
  inverseDocumentFrequency,
  inverseNorms,
  noNorm,
  termWeight,
} from '../../../scoring/bm25.ts'
import { BitSet } from '../../../segment/encoding/bit-set.ts'
import type { LeafReader, NumberColumn } from '../../../segment/segment.ts'
import { type ZoneMap, zoneDocs } from '../../../segment/zone-map.ts'
import { MatchNoneQuery } from '../compound/simple-queries.ts'
import { DocSet } from '../doc-set.ts'
import { shortKey } from '../filter-key.ts'
import { ConstantWeight, Query, type SearchScope, type Weight } from '../query.ts'
import { type NumberTexts, numberTexts } from './number-text.ts'

/** The predicate over one value of the column. */
export interface NumberTest {
  /** No value below `from` or above `to` matches. */
  readonly from: number
  readonly to: number
  /** True when every value between `from` and `to` matches, so a block inside the bounds needs no test. */
  readonly whole: boolean
  test(value: number): boolean
  /** Set when a value can lie beyond the integers a double holds exactly. */
  readonly testExact?: (value: bigint) => boolean
}

export function numbersBetween(from: number, to: number, exact?: readonly [bigint, bigint]): NumberTest {
  return {
    from,
    to,
    whole: exact === undefined,
    test: (value) => value >= from && value <= to,
    ...(exact === undefined ? {} : { testExact: (value: bigint) => value >= exact[0] && value <= exact[1] }),
  }
}

export function numbersAmong(values: readonly number[], exact?: ReadonlySet<bigint>): NumberTest {
  const sorted = distinct(Float64Array.from(values).sort())
  const from = sorted[0] ?? Number.POSITIVE_INFINITY
  const to = sorted[sorted.length - 1] ?? Number.NEGATIVE_INFINITY
  const whole = sorted.length === 1 && exact === undefined
  const testExact = exact === undefined ? {} : { testExact: (value: bigint) => exact.has(value) }
  if (sorted.every(Number.isSafeInteger) && to - from < 65_536) {
    const table = new Uint8Array(sorted.length === 0 ? 0 : to - from + 1)
    for (const value of sorted) table[value - from] = 1
    return { from, to, whole, test: (value) => table[value - from] === 1, ...testExact }
  }
  return {
    from,
    to,
    whole,
    test: (value) => {
      let low = 0
      let high = sorted.length
      while (low < high) {
        const middle = (low + high) >>> 1
        if (sorted[middle]! < value) low = middle + 1
        else high = middle
      }
      return low < sorted.length && sorted[low] === value
    },
    ...testExact,
  }
}

function distinct(sorted: Float64Array): Float64Array {
  let count = 0
  for (let i = 0; i < sorted.length; i++)
    if (i === 0 || sorted[i] !== sorted[i - 1]) sorted[count++] = sorted[i]!
  return sorted.subarray(0, count)
}

interface NumberQueryOptions {
  readonly type?: string
  readonly isSet?: boolean
  readonly isRange?: boolean
  readonly isRelated?: boolean
  readonly isWhole?: boolean
}

export class NumberQuery extends Query {
  readonly field: string
  readonly test: NumberTest
  readonly #text: string | (() => string)
  #key: string | undefined
  /** True for booleans, which Elasticsearch scores like a term. */
  readonly #asTerm: boolean
  /** The number of matching documents per shard, computed once. */
  readonly #docFreqs = new WeakMap<SearchScope, number>()

  /** The type of the field, where texts of the query depend on it. */
  readonly type: string | undefined
  readonly isSet: boolean
  /** A range of dates that is compared with all dates of a shard before it becomes a query. */
  readonly isRelated: boolean
  /** All values of the shard are inside of the range. */
  readonly #isWhole: boolean
  /** A range, also where both its ends are one value. */
  readonly #isRange: boolean

  /** `text` is what Lucene prints after the colon. */
  constructor(
    field: string,
    test: NumberTest,
    text: string | (() => string),
    asTerm = false,
    { type, isSet = false, isRange = false, isRelated = false, isWhole = false }: NumberQueryOptions = {},
  ) {
    super()
    this.#isRange = isRange
    this.isRelated = isRelated
    this.#isWhole = isWhole
    this.type = type
    this.isSet = isSet
    this.field = field
    this.test = test
    this.#text = text
    this.#asTerm = asTerm
  }

  override *expandTerms(scope: SearchScope): Steps<void> {
    if (!this.#asTerm || this.#docFreqs.has(scope)) return
    let docFreq = 0
    const plain = new NumberWeight(scope, this, 1)
    for (const leaf of scope.statistics.leaves) {
      yield* plain.prepare(leaf)
      docFreq += plain.matches(leaf).count
    }
    this.#docFreqs.set(scope, docFreq)
  }

  weight(scope: SearchScope, boost: number): Weight {
    if (!this.#asTerm || boost === 0) return new NumberWeight(scope, this, boost)
    finish(this.expandTerms(scope))
    return new NumberWeight(scope, this, termScore(scope, this.field, this.#docFreqs.get(scope)!, boost))
  }

  get #printed(): string {
    return typeof this.#text === 'string' ? this.#text : this.#text()
  }

  toString(): string {
    return `${this.field}:${this.#printed}`
  }

  get #texts(): NumberTexts {
    return numberTexts(this.field, this.#printed, this.type, this.isSet, this.#isWhole, this.#isRange)
  }

  /** How the range relates to all values of a shard. */
  relation({ statistics }: SearchScope): 'contains' | 'disjoint' | 'intersects' {
    const { from, to } = this.test
    let min = Number.POSITIVE_INFINITY
    let max = Number.NEGATIVE_INFINITY
    for (const { segment } of statistics.leaves) {
      const zones = segment.fields.get(this.field)?.zones ?? null
      if (zones === null) continue
      min = Math.min(min, zones.min)
      max = Math.max(max, zones.max)
    }
    if (from > to || min > max || max < from || min > to) return 'disjoint'
    return min >= from && max <= to ? 'contains' : 'intersects'
  }

  /** Lucene compares a range with the values of a shard first. */
  override rewritten(scope: SearchScope): Query {
    if (this.type === undefined || this.isSet || this.#asTerm || this.#isWhole) return this
    const relation = this.relation(scope)
    if (relation === 'disjoint') return new MatchNoneQuery('')
    if (relation === 'intersects') return this
    return new NumberQuery(this.field, this.test, this.#text, false, {
      type: this.type,
      isWhole: true,
      isRange: this.#isRange,
    })
  }

  override get lucene(): string {
    return this.#texts.both
  }

  override get described(): string {
    return this.#texts.values
  }

  /** A range that is not part of another query. */
  get approximation(): string | undefined {
    return this.#texts.approximation
  }

  override get key(): string {
    this.#key ??= JSON.stringify(['number', this.field, shortKey(this.#printed)])
    return this.#key
  }
}

/** BM25 of a value that occurs at most once per document, without norms: one constant for all matches. */
function termScore(scope: SearchScope, field: string, docFreq: number, boost: number): number {
  let docCount = 0
  let values = 0
  for (const leaf of scope.statistics.leaves) {
    const found = leaf.segment.fields.get(field)
    if (found === undefined) continue
    docCount += found.docCount
    const starts = found.numbers?.starts
    values += starts === undefined || starts === null ? found.docCount : starts[starts.length - 1]!
  }
  if (docCount === 0) return boost
  const idf = inverseDocumentFrequency(docFreq, docCount)
  const inverse = inverseNorms(averageLength(values, docCount))[noNorm]!
  return bm25(termWeight(idf, boost, scope.scoreFactor), 1, inverse)
}

/** What the zone map tells of a block of documents. */
type BlockRelation = 'outside' | 'inside' | 'crosses'

class NumberWeight extends ConstantWeight {
  readonly #field: string
  readonly #test: NumberTest

  constructor(scope: SearchScope, query: NumberQuery, boost: number) {
    super(scope, query, boost)
    this.#field = query.field
    this.#test = query.test
  }

  #relation({ minima, maxima, counts }: ZoneMap, block: number): BlockRelation {
    const { from, to, whole } = this.#test
    if (counts[block] === 0 || maxima[block]! < from || minima[block]! > to) return 'outside'
    return whole && minima[block]! >= from && maxima[block]! <= to ? 'inside' : 'crosses'
  }

  cost(leaf: LeafReader): number {
    const zones = leaf.segment.fields.get(this.#field)?.zones ?? null
    if (zones === null) return 0
    const { counts } = zones
    let cost = 0
    for (let block = 0; block < counts.length; block++)
      if (this.#relation(zones, block) !== 'outside') cost += counts[block]!
    return cost
  }

  override *prepareFor(leaf: LeafReader, count: number): Steps<void> {
    if (!this.shouldTestEach(leaf, count)) yield* this.prepare(leaf)
  }

  protected *find(leaf: LeafReader): Steps<DocSet> {
    const field = leaf.segment.fields.get(this.#field)
    const zones = field?.zones ?? null
    const size = leaf.segment.docCount
    if (field === undefined || zones === null) return DocSet.none(size)
    const relations = Array.from(zones.counts, (_, block) => this.#relation(zones, block))
    if (relations.every((relation) => relation === 'outside')) return DocSet.none(size)
    // A block that is outside or inside of the range is decided without its values.
    const numbers = relations.includes('crosses') ? field.numbers : null
    const bits = new BitSet(size)
    const scan = (fromBlock: number, toBlock: number) => {
      this.scope.check()
      for (let block = fromBlock; block < toBlock; block++) {
        const from = block * zoneDocs
        const to = Math.min(size, from + zoneDocs)
        if (relations[block] === 'inside') bits.addRange(from, to)
        else if (relations[block] === 'crosses') this.#scan(numbers!, field.present, from, to, bits)
      }
    }
    yield* inRanges(relations.length, scan, new StepSize(4, 1, 64))
    // Where a document has at most one value, the column holds arbitrary ones for documents without the field.
    if (field.present !== null) bits.and(field.present)
    return DocSet.ofBits(bits)
  }

  #scan(numbers: NumberColumn, present: BitSet | null, start: number, end: number, bits: BitSet): void {
    const { from, to, whole, test, testExact } = this.#test
    const { values, exact, starts } = numbers
    const { words } = bits
    if (starts !== null) {
      for (let doc = start; doc < end; doc++)
        if (this.#anyOf(numbers, starts[doc]!, starts[doc + 1]!)) bits.add(doc)
    } else if (exact !== null && testExact !== undefined) {
      for (let doc = start; doc < end; doc++) {
        if ((present === null || present.has(doc)) && testExact(exact[doc]!)) bits.add(doc)
      }
    } else if (whole) {
      for (let doc = start; doc < end; doc++) {
        const value = values[doc]!
        if (value >= from && value <= to) words[doc >>> 5]! |= 1 << (doc & 31)
      }
    } else {
      for (let doc = start; doc < end; doc++) if (test(values[doc]!)) words[doc >>> 5]! |= 1 << (doc & 31)
    }
  }

  #anyOf({ values, exact }: NumberColumn, from: number, to: number): boolean {
    const { test, testExact } = this.#test
    for (let at = from; at < to; at++) {
      if (exact === null || testExact === undefined ? test(values[at]!) : testExact(exact[at]!)) return true
    }
    return false
  }

  override restrict(leaf: LeafReader, docs: Uint32Array): Uint32Array {
    const field = leaf.segment.fields.get(this.#field)
    const zones = field?.zones ?? null
    if (field === undefined || zones === null) return new Uint32Array(0)
    const { present } = field
    let numbers: NumberColumn | undefined
    const kept = new Uint32Array(docs.length)
    let count = 0
    for (let i = 0; i < docs.length; i++) {
      const doc = docs[i]!
      if (present !== null && !present.has(doc)) continue
      const relation = this.#relation(zones, Math.floor(doc / zoneDocs))
      if (relation === 'outside') continue
      if (relation === 'crosses') {
        numbers ??= field.numbers!
        const { starts } = numbers
        const matches =
          starts === null
            ? this.#anyOf(numbers, doc, doc + 1)
            : this.#anyOf(numbers, starts[doc]!, starts[doc + 1]!)
        if (!matches) continue
      }
      kept[count++] = doc
    }
    return kept.subarray(0, count)
  }
}
