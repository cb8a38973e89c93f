/**
 * The interface of an aggregator: it collects batches segment by segment and then returns a result for each
 * parent bucket. All segments, shards and indices share one set of buckets, so there is no reduce phase.
 */
import type { AnswerBytes } from '../answer/answer-memory.ts'
import { TimeOut } from '../collect/guard.ts'
import type { PreparedSearch } from '../collect/prepared-search.ts'
import type { SearchIndex } from '../collect/search-index.ts'
import type { SearchLeaf } from '../collect/sort/sort-key.ts'
import { SearchError } from '../request/search-error.ts'
import type { Steps } from '../scheduling/steps.ts'
import type { Batch } from './batch.ts'
import type { QuantileMethod } from './numbers/distribution.ts'
import type { AggResult, AggResults } from './result.ts'

export interface Aggregator {
  /** Loads what it needs of a segment before its first batch. May be called again for the same segment. */
  prepare?(leaf: SearchLeaf): Steps<void>
  collect(batch: Batch): void
  /** Called after the last batch; deferring aggregators replay their documents now. */
  finish(): Steps<void> | void
  /** The result for one parent bucket; a top-level aggregation has the single parent 0. */
  result(owner: number): AggResult
  /** Does what `result` does in steps. */
  resultSteps?(owner: number): Steps<AggResult>
  /** Details for `profile`; `type` replaces the default name. */
  profile?(): Record<string, unknown>
}

/** The context that an aggregation is bound to. */
export interface AggContext {
  readonly search: PreparedSearch
  readonly indices: readonly SearchIndex[]
  readonly node: string
  readonly budget: BucketBudget
  /** The time of the request, read once. */
  readonly now: number
  readonly totalAsNumber: boolean
  /** How percentiles are interpolated. */
  readonly quantileMethod: QuantileMethod
  /** A fixed batch size; adaptive when undefined. */
  readonly batchSize: number | undefined
  /** Accounts for the memory of the answer. */
  readonly answer: AnswerBytes | undefined
  /** The path of the nested objects collected at this level; undefined for root documents. */
  readonly nestedPath: string | undefined
  /** The kinds of the enclosing aggregations, the nearest last. */
  readonly parents: readonly string[]
  /** The name of the nearest enclosing aggregation. */
  readonly parentName?: string | undefined
  /** Records that OpenSearch rewrites this aggregation before it runs; its result then has an empty `meta`. */
  noteRewrite(): void
  /** How many buckets of the enclosing aggregations there may be: none if their field is not mapped. */
  readonly owners: Owners
  /** Whether results are asked for of a bucket that only fills a gap, and whether an aggregation can tell. */
  readonly gaps: { isInside: boolean; isSeen: boolean }
  /** What OpenSearch refuses only after all aggregations found their fields; the first is thrown. */
  readonly refused: SearchError[]
}

/** Returns whether faults of OpenSearch are copied (`compat.strict`). */
export function isStrict({ indices }: AggContext): boolean {
  return indices.some(({ queries }) => queries.isOpenSearch === true && queries.isStrict === true)
}

/** How many owners an aggregation has at most (OpenSearch's CardinalityUpperBound). */
type Owners = 'none' | 'one' | 'many'

/** The owners of a sub-aggregation when each bucket becomes `parts` of them (CardinalityUpperBound.multiply). */
export function multipliedOwners(owners: Owners, parts: number): Owners {
  if (parts === 1) return owners
  return parts === 0 ? 'none' : owners === 'one' ? 'many' : owners
}

/** Returns true when the search timed out; throws when it was cancelled. */
export function isOutOfTime({ search }: AggContext): boolean {
  try {
    search.guard.check()
    return false
  } catch (error) {
    if (error instanceof TimeOut) return true
    throw error
  }
}

export interface NamedAggregator {
  readonly name: string
  readonly meta: Readonly<Record<string, unknown>> | undefined
  readonly kind: string
  readonly aggregator: Aggregator
  readonly sub: SubAggregators | undefined
  /** The number of documents collected. */
  collected: number
}

/** The aggregations of one level. */
export class SubAggregators {
  readonly list: readonly NamedAggregator[]

  constructor(list: readonly NamedAggregator[]) {
    this.list = list
  }

  get isEmpty(): boolean {
    return this.list.length === 0
  }

  collect(batch: Batch): void {
    if (batch.length === 0) return
    for (const each of this.list) {
      each.collected += batch.length
      each.aggregator.collect(batch)
    }
  }

  *prepare(leaf: SearchLeaf): Steps<void> {
    for (const { aggregator } of this.list) {
      const steps = aggregator.prepare?.(leaf)
      if (steps !== undefined) yield* steps
    }
  }

  *finish(): Steps<void> {
    for (const { aggregator } of this.list) {
      const steps = aggregator.finish()
      if (steps !== undefined) yield* steps
    }
  }

  *resultSteps(bucket: number): Steps<AggResults> {
    const results: AggResults = new Map()
    for (const { name, meta, aggregator } of this.list) {
      const steps = aggregator.resultSteps?.(bucket)
      const result = steps === undefined ? aggregator.result(bucket) : yield* steps
      results.set(name, meta === undefined ? result : new WithMeta(result, meta))
    }
    return results
  }

  /** The results of a bucket that fills a gap: no shard has sent it. */
  *gapSteps({ gaps }: AggContext, bucket: number): Steps<AggResults> {
    const before = gaps.isInside
    gaps.isInside = true
    try {
      return yield* this.resultSteps(bucket)
    } finally {
      gaps.isInside = before
    }
  }

  /** OpenSearch reduces an empty bucket also where no gap has to be filled; only a script can tell. */
  *checkGap(context: AggContext, unusedBucket: number): Steps<void> {
    if (context.gaps.isSeen) yield* this.gapSteps(context, unusedBucket)
  }
}

/** Counts the buckets of an answer against `search.max_buckets`. */
export class BucketBudget {
  readonly #max: number
  #count = 0

  constructor(max: number) {
    this.#max = max
  }

  /** Throws when there are too many. */
  add(buckets: number): void {
    this.#count += buckets
    if (this.#count <= this.#max) return
    throw new SearchError(
      'too_many_buckets_exception',
      `Trying to create too many buckets. Must be less than or equal to: [${this.#max}] but was [${this.#count}]. This limit can be set by changing the [search.max_buckets] cluster level setting.`,
      { details: { max_buckets: this.#max } },
    )
  }
}

class WithMeta implements AggResult {
  readonly meta: Readonly<Record<string, unknown>>
  readonly #inner: AggResult

  constructor(inner: AggResult, meta: Readonly<Record<string, unknown>>) {
    this.#inner = inner
    this.meta = meta
  }

  get typedName() {
    return this.#inner.typedName
  }

  get buckets() {
    return this.#inner.buckets!
  }

  get isKeyed() {
    return this.#inner.isKeyed ?? false
  }

  get single() {
    return this.#inner.single!
  }

  get distinct() {
    return this.#inner.distinct!
  }

  get hits() {
    return this.#inner.hits!
  }

  number(property: string): number | undefined {
    return this.#inner.number?.(property)
  }

  toJson(): Record<string, unknown> {
    return this.#inner.toJson()
  }
}
