/** `order` of buckets: by count, key or sub-aggregation, or several of them; ties by key. */
import { illegalArgument } from '../request/errors.ts'
import { isObject, scalarText } from '../request/request-values.ts'
import { SearchError } from '../request/search-error.ts'
import { finish, type Steps } from '../scheduling/steps.ts'
import type { AggOptions } from './agg-options.ts'
import type { SubAggregators } from './aggregator.ts'
import type { AggResult, AggResults } from './result.ts'
import { sortSteps } from './sort-steps.ts'

export interface OrderKey {
  /** `_count`, `_key`, or a path. */
  readonly by: string
  readonly isAscending: boolean
}

export const byCount: readonly OrderKey[] = [{ by: '_count', isAscending: false }]
export const byKey: readonly OrderKey[] = [{ by: '_key', isAscending: true }]

export function readOrder(options: AggOptions, otherwise: readonly OrderKey[]): readonly OrderKey[] {
  const given = options.raw('order')
  if (given === undefined) return otherwise
  const list = Array.isArray(given) ? given : [given]
  return list.map((item) => {
    const entries = isObject(item) ? Object.entries(item) : []
    // `agg-shapes.ts` refused what is empty or has another direction; the last of several is meant.
    const [by, direction] = entries.at(-1) ?? ['_key', 'asc']
    const text = (scalarText(direction) ?? '').toLowerCase()
    return { by: by === '_term' || by === '_time' ? '_key' : by, isAscending: text === 'asc' }
  })
}

interface BucketFacts {
  count(bucket: number): number
  /** Compares the keys of two buckets. */
  compareKeys(one: number, other: number): number
}

type CompareBuckets = (one: number, other: number) => number

/** Compares buckets of one aggregation by their ordinals. */
export interface BucketOrder {
  readonly compare: CompareBuckets
  /** Loads the sort values of some buckets in steps. */
  read?(buckets: Uint32Array): Steps<void>
}

/** Throws SearchError when a path is invalid. */
export function bucketOrder(
  order: readonly OrderKey[],
  facts: BucketFacts,
  sub: SubAggregators,
  aggregation: string,
): BucketOrder {
  let first: SubNumbers | undefined
  const compares = decisive(order).map(({ by, isAscending }, at): CompareBuckets => {
    const sign = isAscending ? 1 : -1
    if (by === '_count') return (one, other) => sign * (facts.count(one) - facts.count(other))
    if (by === '_key') return (one, other) => sign * facts.compareKeys(one, other)
    const numbers = new SubNumbers(subNumber(by, sub, aggregation))
    if (at === 0) first = numbers
    return (one, other) => {
      const left = numbers.at(one)
      const right = numbers.at(other)
      // NaN sorts last in both directions.
      if (Number.isNaN(left) || Number.isNaN(right)) {
        return (Number.isNaN(left) ? 1 : 0) - (Number.isNaN(right) ? 1 : 0)
      }
      return sign * (left < right ? -1 : left > right ? 1 : 0)
    }
  })
  if (order.at(-1)?.by !== '_key') compares.push((one, other) => facts.compareKeys(one, other))
  const compare: CompareBuckets = (one, other) => {
    for (const each of compares) {
      const found = each(one, other)
      if (found !== 0) return found
    }
    return 0
  }
  return first === undefined ? { compare } : { compare, read: (buckets) => first!.read(buckets) }
}

/**
 * The keys that can decide: buckets that a key leaves tied are tied by the same key again. Every comparison may
 * run through all of them, so a list of thousands must not stay one.
 */
function decisive(order: readonly OrderKey[]): readonly OrderKey[] {
  const byName = new Map<string, OrderKey>()
  for (const key of order) {
    if (!byName.has(key.by)) byName.set(key.by, key)
  }
  return [...byName.values()]
}

/** The sort values of buckets, each computed once. */
class SubNumbers {
  readonly #read: (bucket: number) => Steps<number>
  // Many small maps, as one large map takes long to grow.
  readonly #known = new Map<number, Map<number, number>>()

  constructor(read: (bucket: number) => Steps<number>) {
    this.#read = read
  }

  #near(bucket: number): Map<number, number> {
    let near = this.#known.get(bucket >>> 12)
    if (near === undefined) this.#known.set(bucket >>> 12, (near = new Map()))
    return near
  }

  at(bucket: number): number {
    const near = this.#near(bucket)
    let value = near.get(bucket)
    if (value === undefined) near.set(bucket, (value = finish(this.#read(bucket))))
    return value
  }

  *read(buckets: Uint32Array): Steps<void> {
    // A single bucket is not compared.
    if (buckets.length < 2) return
    for (const bucket of buckets) {
      const near = this.#near(bucket)
      if (near.has(bucket)) continue
      near.set(bucket, yield* this.#read(bucket))
      yield
    }
  }
}

/** The second sentence is the cause. */
function refused(reason: string): SearchError {
  const cause = illegalArgument(reason.slice(reason.indexOf('. ') + 2))
  return new SearchError('aggregation_execution_exception', reason, { cause })
}

/** Returns a reader of the number of a sub-aggregation that a path names. */
function subNumber(
  path: string,
  sub: SubAggregators,
  aggregation: string,
): (bucket: number) => Steps<number> {
  const { parents, name, property } = parsePath(path, new Set(sub.list.map((each) => each.name)))
  const top = parents[0] ?? name
  const target = sub.list.find((each) => each.name === top)
  if (target === undefined) throw unknownAggregation(path, top)
  return function* (bucket) {
    const { aggregator } = target
    const steps = aggregator.resultSteps?.(bucket)
    const result: AggResult = steps === undefined ? aggregator.result(bucket) : yield* steps
    let results: AggResults = new Map([[top, result]])
    for (const parent of parents) {
      const single = results.get(parent)?.single
      if (single === undefined) {
        throw refused(
          `Invalid aggregation order path [${path}]. Buckets can only be sorted on a sub-aggregator path that is built out of zero or more single-bucket aggregations within the path and a final single-bucket or a metrics aggregation at the path end. Sub-path [${parent}] points to non single-bucket aggregation`,
        )
      }
      results = single.aggs
    }
    const found = results.get(name)
    if (found === undefined) throw unknownAggregation(path, name)
    if (found.single !== undefined) return found.single.docCount
    const value = found.number?.(property)
    if (value === undefined) {
      throw refused(
        `Invalid aggregation order path [${path}]. Unknown value key [${property}] for the metric aggregation [${name}] of [${aggregation}]`,
      )
    }
    return value
  }
}

function unknownAggregation(path: string, name: string): SearchError {
  return refused(
    `Invalid aggregator order path [${path}]. The provided aggregation [${name}] either does not exist, or is a pipeline aggregation and cannot be used to sort the buckets.`,
  )
}

interface OrderPath {
  /** The single-bucket aggregations on the way, outermost first. */
  readonly parents: readonly string[]
  readonly name: string
  readonly property: string
}

/** Parses `a>b.property` and `a>b[property]`. A name at the top may itself contain dots. */
function parsePath(path: string, names: ReadonlySet<string>): OrderPath {
  const parents = path.split('>')
  const last = parents.pop()!
  const bracket = /^(.*)\[(.*)\]$/.exec(last)
  if (bracket !== null) return { parents, name: bracket[1]!, property: bracket[2]! }
  const isTop = parents.length === 0
  if (!last.includes('.') || (isTop && names.has(last))) return { parents, name: last, property: 'value' }
  const dot = isTop ? splitAt(last, names) : last.indexOf('.')
  return { parents, name: last.slice(0, dot), property: last.slice(dot + 1) }
}

/** The index of the first dot that follows a known name. */
function splitAt(path: string, names: ReadonlySet<string>): number {
  for (let dot = path.indexOf('.'); dot !== -1; dot = path.indexOf('.', dot + 1)) {
    if (names.has(path.slice(0, dot))) return dot
  }
  return path.indexOf('.')
}

/** Buckets compared per step. */
const stepBuckets = 4096

/** Selects and sorts the first `size` buckets. */
export function* firstBuckets(
  buckets: Uint32Array<ArrayBuffer>,
  size: number,
  { compare, read }: BucketOrder,
): Steps<Uint32Array<ArrayBuffer>> {
  if (read !== undefined) yield* read(buckets)
  if (buckets.length <= size * 4) return (yield* sortSteps(buckets.slice(), compare)).subarray(0, size)
  // Buffers up to twice `size` and cuts back to the best whenever the buffer is full.
  const kept = new Uint32Array(size * 2 + 16)
  let count = 0
  let worst: number | undefined
  for (let i = 0; i < buckets.length; i++) {
    if (i % stepBuckets === stepBuckets - 1) yield
    const bucket = buckets[i]!
    if (worst !== undefined && compare(bucket, worst) >= 0) continue
    kept[count++] = bucket
    if (count < kept.length) continue
    kept.set((yield* sortSteps(kept.slice(), compare)).subarray(0, size))
    count = size
    worst = kept[size - 1]
  }
  return (yield* sortSteps(kept.slice(0, count), compare)).subarray(0, size)
}
