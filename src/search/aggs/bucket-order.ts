/** `order` of buckets: by count, by key, by numbers of sub-aggregations, several in a row; equal ones by key. */
import { isObject, scalarText } from '../collect/request-values.ts'
import { SearchError } from '../search-error.ts'
import { finish, type Steps } from '../steps.ts'
import { type AggOptions, illegalArgument } from './agg-options.ts'
import type { SubAggregators } from './aggregator.ts'
import type { AggResults } from './result.ts'

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
    if (!isObject(item)) throw options.failed('order')
    const entries = Object.entries(item)
    if (entries.length !== 1) {
      throw options.failed(
        'order',
        illegalArgument(
          entries.length === 0
            ? 'Must specify at least one field for [order]'
            : 'Must specify a single field for [order]',
        ),
      )
    }
    const [by, direction] = entries[0]!
    const text = (scalarText(direction) ?? '').toLowerCase()
    if (text !== 'asc' && text !== 'desc') {
      throw options.failed('order', illegalArgument(`Unknown order direction [${scalarText(direction)}]`))
    }
    return { by: by === '_term' || by === '_time' ? '_key' : by, isAscending: text === 'asc' }
  })
}

export interface BucketFacts {
  count(bucket: number): number
  /** Order of the keys of two buckets. */
  compareKeys(one: number, other: number): number
}

export type CompareBuckets = (one: number, other: number) => number

/** Compares buckets of one aggregation by their numbers. */
export function bucketComparator(
  order: readonly OrderKey[],
  facts: BucketFacts,
  sub: SubAggregators,
  aggregation: string,
): CompareBuckets {
  const steps = order.map(({ by, isAscending }): CompareBuckets => {
    const sign = isAscending ? 1 : -1
    if (by === '_count') return (one, other) => sign * (facts.count(one) - facts.count(other))
    if (by === '_key') return (one, other) => sign * facts.compareKeys(one, other)
    const read = subNumber(by, sub, aggregation)
    // Many small maps: a large one takes long when it has to grow.
    const known = new Map<number, Map<number, number>>()
    const number = (bucket: number): number => {
      let near = known.get(bucket >>> 12)
      if (near === undefined) known.set(bucket >>> 12, (near = new Map()))
      let value = near.get(bucket)
      if (value === undefined) {
        value = read(bucket)
        near.set(bucket, value)
      }
      return value
    }
    return (one, other) => {
      const left = number(one)
      const right = number(other)
      // What cannot be computed comes last either way.
      if (Number.isNaN(left) || Number.isNaN(right)) {
        return (Number.isNaN(left) ? 1 : 0) - (Number.isNaN(right) ? 1 : 0)
      }
      return sign * (left < right ? -1 : left > right ? 1 : 0)
    }
  })
  if (order.at(-1)?.by !== '_key') steps.push((one, other) => facts.compareKeys(one, other))
  return (one, other) => {
    for (const step of steps) {
      const found = step(one, other)
      if (found !== 0) return found
    }
    return 0
  }
}

function refused(reason: string): SearchError {
  return new SearchError('aggregation_execution_exception', reason, { status: 500 })
}

/** `a>b.property`: a number out of what stands under a bucket. */
function subNumber(path: string, sub: SubAggregators, aggregation: string): (bucket: number) => number {
  const parts = path.split('>')
  const last = parts.pop()!
  const bracket = /^(.*)\[(.*)\]$/.exec(last)
  let name = bracket?.[1] ?? last
  let property = bracket?.[2] ?? 'value'
  const first = parts[0] ?? name
  const names = new Set(sub.list.map((each) => each.name))
  if (bracket === null && parts.length === 0 && !names.has(name) && name.includes('.')) {
    const dot = splitAt(name, names)
    property = name.slice(dot + 1)
    name = name.slice(0, dot)
  } else if (bracket === null && parts.length > 0 && name.includes('.')) {
    const dot = name.indexOf('.')
    property = name.slice(dot + 1)
    name = name.slice(0, dot)
  }
  const top = parts.length === 0 ? name : first
  const target = sub.list.find((each) => each.name === top)
  if (target === undefined) {
    throw refused(
      `Invalid aggregator order path [${path}]. The provided aggregation [${top}] either does not exist, or is a pipeline aggregation and cannot be used to sort the buckets.`,
    )
  }
  return (bucket) => {
    let results: AggResults = new Map([[top, target.aggregator.result(bucket)]])
    for (const part of parts) {
      const single = results.get(part)?.single
      if (single === undefined) {
        throw refused(
          `Invalid aggregation order path [${path}]. Buckets can only be sorted on a sub-aggregator path that is built out of zero or more single-bucket aggregations within the path and a final single-bucket or a metrics aggregation at the path end. Sub-path [${part}] points to non single-bucket aggregation`,
        )
      }
      results = single.aggs
    }
    const found = results.get(name)
    if (found === undefined) {
      throw refused(
        `Invalid aggregator order path [${path}]. The provided aggregation [${name}] either does not exist, or is a pipeline aggregation and cannot be used to sort the buckets.`,
      )
    }
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

/** The first dot in front of which a known name stands. */
function splitAt(path: string, names: ReadonlySet<string>): number {
  for (let dot = path.indexOf('.'); dot !== -1; dot = path.indexOf('.', dot + 1)) {
    if (names.has(path.slice(0, dot))) return dot
  }
  return path.indexOf('.')
}

/** Buckets compared in one step. */
const stepBuckets = 8192

/** The first `size` of some buckets, in order. */
export function firstBuckets(buckets: Uint32Array, size: number, compare: CompareBuckets): Uint32Array {
  return finish(firstBucketSteps(buckets, size, compare))
}

export function* firstBucketSteps(
  buckets: Uint32Array,
  size: number,
  compare: CompareBuckets,
): Steps<Uint32Array> {
  if (buckets.length <= size * 4) return (yield* inOrder(buckets.slice(), compare)).subarray(0, size)
  // Keeps the best so far and drops the rest whenever twice as many have come together.
  const kept = new Uint32Array(size * 2 + 16)
  let count = 0
  let worst: number | undefined
  for (let i = 0; i < buckets.length; i++) {
    if (i % stepBuckets === stepBuckets - 1) yield
    const bucket = buckets[i]!
    if (worst !== undefined && compare(bucket, worst) >= 0) continue
    kept[count++] = bucket
    if (count < kept.length) continue
    kept.set((yield* inOrder(kept.slice(), compare)).subarray(0, size))
    count = size
    worst = kept[size - 1]
  }
  return (yield* inOrder(kept.slice(0, count), compare)).subarray(0, size)
}

/** Sorts short runs, then joins two at a time; the array given may be used up. */
function* inOrder(buckets: Uint32Array, compare: CompareBuckets): Steps<Uint32Array> {
  const { length } = buckets
  if (length <= stepBuckets) return buckets.sort(compare)
  for (let from = 0; from < length; from += stepBuckets) {
    buckets.subarray(from, from + stepBuckets).sort(compare)
    yield
  }
  let source = buckets
  let target = new Uint32Array(length)
  for (let run = stepBuckets; run < length; run *= 2) {
    for (let from = 0; from < length; from += 2 * run) {
      const middle = Math.min(from + run, length)
      const end = Math.min(middle + run, length)
      let left = from
      let right = middle
      for (let at = from; at < end; at++) {
        if (at % stepBuckets === stepBuckets - 1) yield
        const takesLeft = left < middle && (right === end || compare(source[left]!, source[right]!) <= 0)
        target[at] = takesLeft ? source[left++]! : source[right++]!
      }
    }
    const last: Uint32Array<ArrayBufferLike> = source
    source = target
    target = last as Uint32Array<ArrayBuffer>
  }
  return source
}
