/** Base classes of buckets and of bucket aggregators. */
import type { SearchLeaf } from '../../collect/sort/sort-key.ts'
import { finish, type Steps } from '../../scheduling/steps.ts'
import type { Aggregator, SubAggregators } from '../aggregator.ts'
import { type Batch, BucketCounts } from '../batch.ts'
import type { AggBucket, AggResult, AggResults } from '../result.ts'

interface BucketParts {
  /** A function when rendering the text is costly and rarely needed. */
  readonly keyText: string | (() => string)
  readonly keyNumber?: number
  readonly docCount: number
  /** Undefined when there are none. */
  readonly aggs: AggResults | undefined
  /** The members before `doc_count`. */
  readonly head?: Readonly<Record<string, unknown>>
  /** The members after it. */
  readonly tail?: Readonly<Record<string, unknown>>
}

/** The base of all buckets; kept small, as an answer may have very many. */
export abstract class BaseBucket implements AggBucket {
  #aggs: AggResults | undefined

  constructor(aggs: AggResults | undefined) {
    this.#aggs = aggs
  }

  abstract get keyText(): string
  abstract get keyNumber(): number
  abstract get docCount(): number
  abstract toJson(): Record<string, unknown>

  get aggs(): AggResults {
    this.#aggs ??= new Map()
    return this.#aggs
  }

  get hasAggs(): boolean {
    return this.#aggs !== undefined && this.#aggs.size > 0
  }
}

class Bucket extends BaseBucket {
  readonly #parts: BucketParts

  constructor(parts: BucketParts) {
    super(parts.aggs)
    this.#parts = parts
  }

  get keyText(): string {
    const { keyText } = this.#parts
    return typeof keyText === 'string' ? keyText : keyText()
  }

  get keyNumber(): number {
    return this.#parts.keyNumber ?? Number.NaN
  }

  get docCount(): number {
    return this.#parts.docCount
  }

  toJson(): Record<string, unknown> {
    const { head, docCount, tail } = this.#parts
    return { ...head, doc_count: docCount, ...tail }
  }
}

export function bucketOf(parts: BucketParts): AggBucket {
  return new Bucket(parts)
}

/** The base of aggregators with sub-aggregations, which always work in steps. */
export abstract class BucketAggregator implements Aggregator {
  readonly sub: SubAggregators

  constructor(sub: SubAggregators) {
    this.sub = sub
  }

  prepare(leaf: SearchLeaf): Steps<void> {
    return this.sub.prepare(leaf)
  }

  abstract collect(batch: Batch): void

  finish(): Steps<void> {
    return this.sub.finish()
  }

  abstract resultSteps(owner: number): Steps<AggResult>

  result(owner: number): AggResult {
    return finish(this.resultSteps(owner))
  }
}

/** Buckets without sub-aggregations that are built per step. */
const stepBuckets = 256

/** Builds the buckets of an answer in the order given. */
export function* bucketSteps(
  numbers: Uint32Array,
  sub: SubAggregators,
  make: (bucket: number, aggs: AggResults | undefined, at: number) => AggBucket,
  results: (bucket: number) => Steps<AggResults> = (bucket) => sub.resultSteps(bucket),
): Steps<AggBucket[]> {
  const made: AggBucket[] = []
  const { isEmpty } = sub
  for (let at = 0; at < numbers.length; at++) {
    const bucket = numbers[at]!
    const aggs = isEmpty ? undefined : yield* results(bucket)
    made.push(make(bucket, aggs, at))
    if (!isEmpty || at % stepBuckets === stepBuckets - 1) yield
  }
  return made
}

/** The base of single-bucket aggregators, whose bucket ordinal is that of the parent bucket. */
export abstract class SingleBuckets extends BucketAggregator {
  readonly counts = new BucketCounts()
  readonly #typedName: string

  constructor(typedName: string, sub: SubAggregators) {
    super(sub)
    this.#typedName = typedName
  }

  *resultSteps(owner: number): Steps<AggResult> {
    const docCount = this.counts.at(owner)
    const single = bucketOf({ keyText: '', docCount, aggs: yield* this.sub.resultSteps(owner) })
    return {
      typedName: this.#typedName,
      single,
      number: (property) => (property === '_count' || property === 'value' ? docCount : undefined),
      toJson: () => ({}),
    }
  }
}
