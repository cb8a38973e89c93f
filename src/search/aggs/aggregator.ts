/**
 * An aggregation at work: it takes in batches segment by segment and, once all are in, answers for each bucket of
 * the level above. Segments, shards and indices all go into the same buckets, so there is nothing to reduce.
 */
import type { AnswerBytes } from '../answer/answer-memory.ts'
import { TimeOut } from '../collect/guard.ts'
import type { PreparedSearch } from '../collect/prepared-search.ts'
import type { SearchIndex } from '../collect/search-index.ts'
import type { SearchLeaf } from '../collect/sort/sort-key.ts'
import { SearchError } from '../request/search-error.ts'
import type { Steps } from '../scheduling/steps.ts'
import type { Batch } from './batch.ts'
import type { Manner } from './numbers/distribution.ts'
import type { AggResult, AggResults } from './result.ts'

export interface Aggregator {
  /** Reads or finds out what it needs of a segment, before the first batch of that. May be begun again. */
  prepare?(leaf: SearchLeaf): Steps<void>
  collect(batch: Batch): void
  /** All batches are in; those who held documents back hand them on now. */
  finish(): Steps<void> | void
  /** What it comes to in one bucket of the level above; 0 is the only one above the first level. */
  result(owner: number): AggResult
  /** The same in steps, of those that may have much to put together. */
  resultSteps?(owner: number): Steps<AggResult>
  /** What `profile` shows of it; `type` in place of the usual name. */
  profile?(): Record<string, unknown>
}

/** What an aggregation is bound to. */
export interface AggContext {
  readonly search: PreparedSearch
  readonly indices: readonly SearchIndex[]
  readonly node: string
  readonly budget: BucketBudget
  /** One reading of the clock for the request. */
  readonly now: number
  readonly totalAsNumber: boolean
  /** How percentiles lie between values. */
  readonly manner: Manner
  /** Documents of every batch; when undefined, as many as do not take long. */
  readonly batchSize: number | undefined
  /** Counts what hits take. */
  readonly answer: AnswerBytes | undefined
  /** Path of the nested objects that documents are at this level; undefined for documents proper. */
  readonly nestedPath: string | undefined
  /** Names of the kinds above, the nearest last. */
  readonly parents: readonly string[]
}

/** True when the search ran out of time; throws when it was cancelled. */
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
  /** Documents it got. */
  collected: number
}

/** The aggregations under one bucket. */
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
}

/** Counts the buckets of an answer against `search.max_buckets`. */
export class BucketBudget {
  readonly #most: number
  #count = 0

  constructor(most: number) {
    this.#most = most
  }

  /** Throws when there are too many. */
  add(buckets: number): void {
    this.#count += buckets
    if (this.#count <= this.#most) return
    throw new SearchError(
      'too_many_buckets_exception',
      `Trying to create too many buckets. Must be less than or equal to: [${this.#most}] but was [${this.#count}]. This limit can be set by changing the [search.max_buckets] cluster level setting.`,
      { details: { max_buckets: this.#most } },
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
