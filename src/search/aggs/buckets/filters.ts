/** `filter`, `filters` and `adjacency_matrix`: buckets of the documents that match queries. */

import type { SearchLeaf } from '../../collect/sort/sort-key.ts'
import type { Clause } from '../../query/dsl/clause.ts'
import { parseQuery } from '../../query/dsl/parse-query.ts'
import { illegalArgument } from '../../request/errors.ts'
import { isObject, type JsonObject, scalarText } from '../../request/request-values.ts'
import { finish, type Steps } from '../../scheduling/steps.ts'
import type { AggKind } from '../agg-kind.ts'
import type { AggOptions } from '../agg-options.ts'
import { type AggContext, multipliedOwners, type SubAggregators } from '../aggregator.ts'
import { type Batch, BucketCounts, GrowingBatch, ownersOf } from '../batch.ts'
import { BucketOrdinals } from '../bucket-ordinals.ts'
import type { AggResult } from '../result.ts'
import { weightsOf } from '../values/doc-weights.ts'
import { FilterSet } from '../values/filter-set.ts'
import { BucketAggregator, bucketOf, bucketSteps, SingleBuckets } from './bucket.ts'
import { FixedBuckets } from './fixed-buckets.ts'

class FilterAggregator extends SingleBuckets {
  readonly #filter: FilterSet
  readonly #out = new GrowingBatch()

  constructor(filter: FilterSet, sub: SubAggregators) {
    super('filter', sub)
    this.#filter = filter
  }

  override *prepare(leaf: SearchLeaf): Steps<void> {
    const matching = yield* this.#filter.matchingSteps(leaf)
    if (!matching.isEmpty) yield* this.sub.prepare(leaf)
  }

  collect(batch: Batch): void {
    const { leaf, docs, owners, length } = batch
    const matching = this.#filter.matching(leaf)
    if (matching.isEmpty) return
    const counts = this.counts.reserve(ownersOf(batch))
    const out = this.#out
    out.start(leaf)
    const { words } = matching.bits()
    const weights = weightsOf(leaf)
    for (let i = 0; i < length; i++) {
      const doc = docs[i]!
      if ((words[doc >>> 5]! & (1 << (doc & 31))) === 0) continue
      counts[owners[i]!]! += weights === null ? 1 : weights[doc]!
      out.push(doc, owners[i]!)
    }
    this.sub.collect(out)
  }
}

export const filterKind: AggKind = {
  name: 'filter',
  bucketing: 'one',
  parse(options) {
    const clause = parseQuery(options.json, options.places.source)
    return (context, createSub) =>
      new FilterAggregator(new FilterSet(clause, context, options.json), createSub(context))
  },
}

interface NamedClause {
  readonly name: string
  readonly clause: Clause
  readonly json: unknown
}

interface FiltersOptions {
  readonly name: string
  readonly filters: readonly NamedClause[]
  /** Named filters are rendered as an object, unless `keyed: false` asks for a list. */
  readonly isNamed: boolean
  readonly isKeyed: boolean
  readonly other: string | undefined
}

function readNamed(options: AggOptions, json: JsonObject): NamedClause[] {
  return Object.entries(json)
    .map(([name, query]) => {
      if (!isObject(query)) {
        throw options.places.error(
          `Expected [START_OBJECT] but got a [${scalarText(query) ?? 'START_ARRAY'}] in [${options.aggregation}]`,
          json,
          name,
        )
      }
      return { name, clause: parseQuery(query, options.places.source), json: query }
    })
    .sort((one, other) => (one.name < other.name ? -1 : one.name > other.name ? 1 : 0))
}

export const filtersKind: AggKind = {
  name: 'filters',
  parse(options) {
    const given = options.raw('filters')
    const isNamed = isObject(given)
    const filters = isObject(given)
      ? readNamed(options, given)
      : (options.list('filters') ?? []).map((query, at) => ({
          name: String(at),
          clause: parseQuery(query, options.places.source),
          json: query,
        }))
    const otherKey = options.text('other_bucket_key')
    const hasOther = options.flag('other_bucket') ?? otherKey !== undefined
    const isKeyed = options.flag('keyed') ?? true
    options.done()
    if (filters.length === 0) throw illegalArgument('[filters] cannot be empty.')
    const read: FiltersOptions = {
      name: options.aggregation,
      filters,
      isNamed,
      isKeyed: isNamed && isKeyed,
      other: hasOther ? (otherKey ?? '_other_') : undefined,
    }
    return (context, createSub) => {
      const owners = multipliedOwners(context.owners, filters.length + (hasOther ? 1 : 0))
      return new FiltersAggregator(read, context, createSub({ ...context, owners }))
    }
  },
}

class FiltersAggregator extends BucketAggregator {
  readonly #options: FiltersOptions
  readonly #context: AggContext
  readonly #sets: FilterWords
  readonly #width: number
  readonly #buckets: FixedBuckets
  /** The filters that match any document of the current word of 32. */
  readonly #near: Uint32Array
  readonly #out = new GrowingBatch()

  constructor(options: FiltersOptions, context: AggContext, sub: SubAggregators) {
    super(sub)
    this.#options = options
    this.#context = context
    this.#sets = new FilterWords(options.filters, context)
    this.#width = options.filters.length + (options.other === undefined ? 0 : 1)
    this.#buckets = new FixedBuckets(this.#width)
    this.#near = new Uint32Array(options.filters.length)
  }

  override *prepare(leaf: SearchLeaf): Steps<void> {
    yield* this.#sets.prepare(leaf)
    yield* this.sub.prepare(leaf)
  }

  collect(batch: Batch): void {
    const { leaf, docs, owners, length } = batch
    const buckets = this.#buckets
    const hasOther = this.#options.other !== undefined
    const words = this.#sets.of(leaf)
    const { filled } = this.#sets
    const near = this.#near
    let count = 0
    let word = -1
    const out = this.#out
    out.start(leaf)
    const weights = weightsOf(leaf)
    for (let i = 0; i < length; i++) {
      const doc = docs[i]!
      if (doc >>> 5 !== word) {
        // Of thousands of filters few match any of 32 neighbouring documents, so the others are excluded once
        // per 32.
        word = doc >>> 5
        count = 0
        for (const at of filled) if (words[at]![word] !== 0) near[count++] = at
      }
      const weight = weights === null ? 1 : weights[doc]!
      const owner = owners[i]!
      let isMatched = false
      for (let n = 0; n < count; n++) {
        const at = near[n]!
        if ((words[at]![word]! & (1 << (doc & 31))) === 0) continue
        isMatched = true
        out.push(doc, buckets.add(owner, at, weight))
      }
      if (!isMatched && hasOther) out.push(doc, buckets.add(owner, words.length, weight))
    }
    this.sub.collect(out)
  }

  *resultSteps(owner: number): Steps<AggResult> {
    const { filters, isKeyed, isNamed, other } = this.#options
    this.#context.budget.add(this.#width)
    const buckets = yield* bucketSteps(this.#buckets.of(owner), this.sub, (bucket, aggs, at) => {
      const name = filters[at]?.name ?? other!
      return bucketOf({
        keyText: name,
        docCount: this.#buckets.count(bucket),
        aggs,
        ...(isNamed && !isKeyed && { head: { key: name } }),
      })
    })
    return { typedName: 'filters', isKeyed, buckets, toJson: () => ({}) }
  }
}

const noWords = new Uint32Array(0)

/** The matches of several filters in a segment as bits; empty for filters without a match. */
class FilterWords {
  readonly #sets: readonly FilterSet[]
  #leaf: SearchLeaf | undefined
  #words: readonly Uint32Array[] = []
  /** The indexes of the filters with a match in the segment. */
  filled: readonly number[] = []

  constructor(filters: readonly NamedClause[], context: AggContext) {
    this.#sets = filters.map(({ clause, json }) => new FilterSet(clause, context, json))
  }

  *prepare(leaf: SearchLeaf): Steps<void> {
    if (this.#leaf === leaf) return
    const words: Uint32Array[] = []
    const filled: number[] = []
    for (const set of this.#sets) {
      const matching = yield* set.matchingSteps(leaf)
      if (!matching.isEmpty) filled.push(words.length)
      words.push(matching.isEmpty ? noWords : matching.bits().words)
      yield
    }
    this.#words = words
    this.filled = filled
    this.#leaf = leaf
  }

  of(leaf: SearchLeaf): readonly Uint32Array[] {
    if (this.#leaf !== leaf) finish(this.prepare(leaf))
    return this.#words
  }
}

const maxFilters = 100

export const adjacencyMatrixKind: AggKind = {
  name: 'adjacency_matrix',
  parse(options) {
    const filters = readNamed(options, options.object('filters') ?? {})
    const separator = options.text('separator') ?? '&'
    options.done()
    if (filters.length > maxFilters) {
      throw illegalArgument(
        `Number of filters is too large, must be less than or equal to: [${maxFilters}] but was [${filters.length}]. You can increase this limit by scaling up your java heap or number of CPUs`,
      )
    }
    return (context, createSub) => new AdjacencyMatrix(filters, separator, context, createSub(context))
  },
}

/** Keys encode pairs as `first * filters + second`; a filter alone is paired with itself. */
class AdjacencyMatrix extends BucketAggregator {
  readonly #names: readonly string[]
  readonly #sets: FilterWords
  readonly #separator: string
  readonly #context: AggContext
  readonly #ids = new BucketOrdinals()
  readonly #counts = new BucketCounts()
  readonly #out = new GrowingBatch()

  constructor(filters: readonly NamedClause[], separator: string, context: AggContext, sub: SubAggregators) {
    super(sub)
    this.#names = filters.map(({ name }) => name)
    this.#sets = new FilterWords(filters, context)
    this.#separator = separator
    this.#context = context
  }

  override *prepare(leaf: SearchLeaf): Steps<void> {
    yield* this.#sets.prepare(leaf)
    yield* this.sub.prepare(leaf)
  }

  collect(batch: Batch): void {
    const { leaf, docs, owners, length } = batch
    const words = this.#sets.of(leaf)
    const weights = weightsOf(leaf)
    const out = this.#out
    out.start(leaf)
    for (let i = 0; i < length; i++) {
      const doc = docs[i]!
      for (let one = 0; one < words.length; one++) {
        if ((words[one]![doc >>> 5]! & (1 << (doc & 31))) === 0) continue
        for (let other = one; other < words.length; other++) {
          if ((words[other]![doc >>> 5]! & (1 << (doc & 31))) === 0) continue
          const bucket = this.#ids.id(owners[i]!, one * words.length + other)
          this.#counts.add(bucket, weights === null ? 1 : weights[doc]!)
          out.push(doc, bucket)
        }
      }
    }
    this.sub.collect(out)
  }

  #nameOf(key: number): string {
    const one = this.#names[Math.floor(key / this.#names.length)]!
    const other = this.#names[key % this.#names.length]!
    return one === other ? one : `${one}${this.#separator}${other}`
  }

  *resultSteps(owner: number): Steps<AggResult> {
    const buckets = yield* bucketSteps(yield* this.#ids.ofSteps(owner), this.sub, (bucket, aggs) => {
      const key = this.#nameOf(this.#ids.key(bucket))
      return bucketOf({ keyText: key, docCount: this.#counts.at(bucket), aggs, head: { key } })
    })
    this.#context.budget.add(buckets.length)
    // There are at most as many buckets as pairs of filters.
    buckets.sort((one, other) => (one.keyText < other.keyText ? -1 : 1))
    return { typedName: 'adjacency_matrix', buckets, toJson: () => ({}) }
  }
}
