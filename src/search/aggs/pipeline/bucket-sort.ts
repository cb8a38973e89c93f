/** `bucket_sort`: sorts and truncates the parent's buckets. */

import { illegalArgument } from '../../request/errors.ts'
import { isObject } from '../../request/request-values.ts'
import type { Steps } from '../../scheduling/steps.ts'
import { firstBuckets } from '../bucket-order.ts'
import type { AggBucket } from '../result.ts'
import { bucketValue, pathSteps } from './buckets-path.ts'
import { checkHasParent } from './checks.ts'
import type { GapPolicy } from './gap-policy.ts'
import { PipelineOptions } from './options.ts'
import { type ParsePipeline, replaceBuckets, stepBuckets } from './pipeline.ts'

interface Sort {
  readonly path: string
  readonly descending: boolean
}

type SortValue = number | string | undefined

export const parseBucketSort: ParsePipeline = (name, json, context) => {
  const known = ['from', 'size', 'sort', 'gap_policy']
  const options = new PipelineOptions('bucket_sort', name, json, context, known, 'newer')
  const from = options.integer('from') ?? 0
  const size = options.integer('size')
  if (from < 0) throw illegalArgument(`[from] must be a non-negative integer: [${from}]`)
  if (size !== undefined && size <= 0) throw illegalArgument(`[size] must be a positive integer: [${size}]`)
  const sorts = readSorts(options)
  // Buckets that a path leaves tied are tied by the same path again; each takes a column of values.
  const seen = new Set<string>()
  const decisive = sorts.filter(({ path }) => !seen.has(path) && seen.add(path))
  const policy = options.gapPolicy()
  return {
    name,
    kind: 'bucket_sort',
    bucketsPaths: sorts.map(({ path }) => path),
    check(place) {
      checkHasParent('bucket_sort', name, place)
      if (sorts.length === 0 && size === undefined && from === 0) {
        place.problem(
          `[${name}] is configured to perform nothing. Please set either of [sort, size, from] to use bucket_sort`,
        )
      }
    },
    *onBuckets(buckets, owner) {
      const end = Math.min(from + (size ?? buckets.length), buckets.length)
      const first = sorts.length === 0 ? buckets : yield* firstInOrder(buckets, owner, decisive, policy, end)
      replaceBuckets(buckets, first.slice(from, end))
    },
  }
}

/** Returns at most `max` buckets. Buckets without any sort value are dropped; the sort is stable. */
function* firstInOrder(
  buckets: readonly AggBucket[],
  owner: string,
  sorts: readonly Sort[],
  policy: GapPolicy,
  max: number,
): Steps<AggBucket[]> {
  const steps = sorts.map(({ path }) => pathSteps(path))
  const columns = sorts.map((): SortValue[] => [])
  const places = new Uint32Array(buckets.length)
  let count = 0
  for (let place = 0; place < buckets.length; place++) {
    let hasValue = false
    for (let at = 0; at < sorts.length; at++) {
      const value = sortValue(buckets[place]!, owner, sorts[at]!.path, steps[at]!, policy)
      columns[at]!.push(value)
      if (value !== undefined) hasValue = true
    }
    if (hasValue) places[count++] = place
    if (place % stepBuckets === stepBuckets - 1) yield
  }
  const byValues = (one: number, other: number): number => {
    for (let at = 0; at < sorts.length; at++) {
      const order = compare(columns[at]![one], columns[at]![other], sorts[at]!.descending)
      if (order !== 0) return order
    }
    return one - other
  }
  const order = yield* firstBuckets(places.subarray(0, count), max, { compare: byValues })
  const first: AggBucket[] = []
  for (let at = 0; at < order.length; at++) first.push(buckets[order[at]!]!)
  return first
}

function sortValue(
  bucket: AggBucket,
  owner: string,
  path: string,
  steps: readonly string[],
  policy: GapPolicy,
): SortValue {
  if (path === '_key') return Number.isNaN(bucket.keyNumber) ? bucket.keyText : bucket.keyNumber
  const value = bucketValue(owner, bucket, steps, policy)
  return value === undefined || Number.isNaN(value) ? undefined : value
}

/** Missing values sort last in both directions. */
function compare(one: SortValue, other: SortValue, descending: boolean): number {
  if (one === other) return 0
  if (one === undefined) return 1
  if (other === undefined) return -1
  return one < other === descending ? 1 : -1
}

function readSorts(options: PipelineOptions): readonly Sort[] {
  const json = options.get('sort')
  if (json === undefined) return []
  return (Array.isArray(json) ? json : [json]).flatMap((item: unknown): Sort[] => {
    if (typeof item === 'string') return [{ path: item, descending: false }]
    if (!isObject(item))
      throw illegalArgument('malformed sort format, either start with array, object, or an actual string')
    return Object.entries(item).map(([path, how]) => ({ path, descending: readOrder(how) === 'desc' }))
  })
}

function readOrder(how: unknown): string {
  const order = isObject(how) ? (Object.hasOwn(how, 'order') ? how['order'] : 'asc') : how
  const text = String(order).toLowerCase()
  if (text === 'asc' || text === 'desc') return text
  throw illegalArgument(`Unknown SortOrder [${String(order)}]`)
}
