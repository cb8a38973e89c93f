/**
 * Paths to values in a tree of results: `histogram>filter>stats.avg`, `terms['key']>sum`, `percentiles[99.9]`,
 * and at the end `_count`, `_key` or `_bucket_count`.
 */
import { illegalArgument } from '../../request/errors.ts'
import { SearchError } from '../../request/search-error.ts'
import type { AggBucket, AggResult, AggResults } from '../result.ts'
import { fillGap, type GapPolicy } from './gap-policy.ts'

export interface PathElement {
  readonly name: string
  /** The part after a dot or in brackets; a bucket key keeps its quotes. */
  readonly key: string | undefined
}

export function parsePath(path: string): readonly PathElement[] {
  const elements = path
    .split('>')
    .map((element) => element.trim())
    .filter((element) => element !== '')
  return elements.map((element, at) => parseElement(element, at === elements.length - 1, path))
}

function parseElement(element: string, isLast: boolean, path: string): PathElement {
  const invalid = () => executionError(`Invalid path element [${element}] in path [${path}]`)
  const bracket = element.lastIndexOf('[')
  if (bracket >= 0) {
    if (bracket === 0 || bracket > element.length - 3 || !element.endsWith(']')) throw invalid()
    return { name: element.slice(0, bracket), key: element.slice(bracket + 1, -1) }
  }
  const point = element.lastIndexOf('.')
  if (!isLast || point < 0) return { name: element, key: undefined }
  if (point === 0 || point > element.length - 2) throw invalid()
  return { name: element.slice(0, point), key: element.slice(point + 1) }
}

/** Names and keys in sequence: the steps from bucket to value. */
function stepsOf(elements: readonly PathElement[]): readonly string[] {
  return elements.flatMap(({ name, key }) => (key === undefined ? [name] : [name, key]))
}

export function pathSteps(path: string): readonly string[] {
  return stepsOf(parsePath(path))
}

export function executionError(reason: string): SearchError {
  return new SearchError('aggregation_execution_exception', reason)
}

/**
 * The value of a bucket at the end of the path, after the gap policy. NaN: skipped by the gap policy.
 * Undefined: the path does not exist in this bucket.
 */
export function bucketValue(
  owner: string,
  bucket: AggBucket,
  steps: readonly string[],
  policy: GapPolicy,
): number | undefined {
  const found = fromBucket(bucket, steps, 0, owner)
  if (found === undefined) return undefined
  const value = typeof found === 'number' ? found : soleNumber(found, steps, owner)
  const isCount = steps.length === 1 && steps[0] === '_count'
  if (Number.isFinite(value) && (bucket.docCount !== 0 || isCount)) return value
  return fillGap(policy, value)
}

/** A number, a result of which no property was named, or the class name of something else. */
type Found = number | AggResult | { readonly className: string }

const mustReference =
  'buckets_path must reference either a number value or a single value numeric metric aggregation'

function soleNumber(found: Exclude<Found, number>, steps: readonly string[], owner: string): number {
  const at = steps[0] ?? owner
  if ('className' in found)
    throw executionError(`${mustReference}, got: [${found.className}] at aggregation [${at}]`)
  const value = found.number?.('value')
  if (value !== undefined) return value
  if (found.number !== undefined && found.buckets === undefined && found.single === undefined) {
    throw executionError(
      `${mustReference}, but [${at}] contains multiple values. Please specify which to use.`,
    )
  }
  throw executionError(`${mustReference}, got: [${classOf(found)}] at aggregation [${at}]`)
}

function fromBucket(
  bucket: AggBucket,
  steps: readonly string[],
  at: number,
  owner: string,
): Found | undefined {
  const step = steps[at]
  if (step === undefined) return { className: 'Bucket' }
  const isLast = at === steps.length - 1
  if (step === '_count') return isLast ? bucket.docCount : undefined
  if (step === '_key') {
    if (!isLast) return undefined
    return Number.isNaN(bucket.keyNumber) ? { className: 'String' } : bucket.keyNumber
  }
  const result = bucket.aggs.get(step)
  return result === undefined ? undefined : fromResult(step, result, steps, at + 1, owner)
}

function fromResult(
  name: string,
  result: AggResult,
  steps: readonly string[],
  at: number,
  owner: string,
): Found | undefined {
  const step = steps[at]
  if (step === undefined) return result
  const { buckets, single } = result
  if (buckets !== undefined) return fromBuckets(name, buckets, steps, at, owner)
  if (single !== undefined) {
    if (step !== '_count' && !single.aggs.has(step)) {
      const reason = `Cannot find an aggregation named [${step}] in [${name}]`
      throw illegalArgument(reason)
    }
    return fromBucket(single, steps, at, name)
  }
  const value = at === steps.length - 1 ? result.number?.(unquoted(step)) : undefined
  if (value !== undefined) return value
  const rest = steps.slice(at).join(', ')
  throw illegalArgument(`path not supported for [${name}]: [${rest}]`)
}

function fromBuckets(
  name: string,
  buckets: readonly AggBucket[],
  steps: readonly string[],
  at: number,
  owner: string,
): Found | undefined {
  const step = steps[at]!
  if (step === '_bucket_count') return buckets.length
  if (isQuoted(step)) {
    const key = unquoted(step)
    const bucket = buckets.find(({ keyText }) => keyText === key)
    return bucket === undefined ? undefined : fromBucket(bucket, steps, at + 1, name)
  }
  for (const bucket of buckets) if (fromBucket(bucket, steps, at, owner) === undefined) return undefined
  return { className: 'Object[]' }
}

function isQuoted(step: string): boolean {
  return step.length > 1 && step.startsWith("'") && step.endsWith("'")
}

function unquoted(step: string): string {
  return isQuoted(step) ? step.slice(1, -1) : step
}

/** The aggregation whose buckets are iterated, and the remaining steps inside each of them. */
interface BucketsAt {
  readonly name: string
  readonly buckets: readonly AggBucket[]
  readonly steps: readonly string[]
}

/**
 * Follows a sibling path through single buckets and keyed buckets to the first aggregation all of whose
 * buckets are meant.
 */
export function findBuckets(siblings: AggResults, path: readonly PathElement[]): BucketsAt | undefined {
  let results = siblings
  for (let at = 0; at < path.length; at++) {
    const { name, key } = path[at]!
    const result = results.get(name)
    if (result === undefined) return undefined
    if (result.buckets !== undefined) {
      if (key === undefined || at === path.length - 1) {
        const rest = stepsOf(path.slice(at + 1))
        return { name, buckets: result.buckets, steps: key === undefined ? rest : [key, ...rest] }
      }
      const bucket = result.buckets.find(({ keyText }) => keyText === unquoted(key))
      if (bucket === undefined) return undefined
      results = bucket.aggs
    } else if (result.single !== undefined) results = result.single.aggs
    else return undefined
  }
  return undefined
}

/** Elasticsearch's class names, which appear in errors. */
const classNames: Readonly<Record<string, string>> = {
  sterms: 'StringTerms',
  lterms: 'LongTerms',
  dterms: 'DoubleTerms',
  ulterms: 'UnsignedLongTerms',
  umterms: 'UnmappedTerms',
  srareterms: 'StringRareTerms',
  lrareterms: 'LongRareTerms',
  range: 'InternalRange',
  ip_range: 'InternalBinaryRange',
}

function classOf({ typedName }: AggResult): string {
  if (Object.hasOwn(classNames, typedName)) return classNames[typedName]!
  return `Internal${typedName.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())}`
}
