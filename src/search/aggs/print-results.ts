/** Results of aggregations as JSON, in the shape and order of the reference. */
import type { Steps } from '../steps.ts'
import type { AggBucket, AggResult, AggResults } from './result.ts'

type Json = Record<string, unknown>

/** Buckets printed in one step. */
const stepBuckets = 512

/** `typedKeys` puts the kind in front of each name: `sterms#name`. */
export function* printSteps(results: AggResults, typedKeys: boolean): Steps<Json> {
  const json: Json = {}
  for (const [name, result] of results) {
    const { buckets = [], isKeyed = false } = result
    const printed: unknown[] = []
    if (!isKeyed) {
      for (const bucket of buckets) {
        printed.push(printBucket(bucket, typedKeys))
        if (printed.length % stepBuckets === 0) yield
      }
    }
    const key = typedKeys ? `${result.typedName}#${name}` : name
    put(json, key, printResult(result, typedKeys, isKeyed ? undefined : printed))
  }
  return json
}

function addResults(json: Json, results: AggResults, typedKeys: boolean): void {
  for (const [name, result] of results) {
    put(json, typedKeys ? `${result.typedName}#${name}` : name, printResult(result, typedKeys))
  }
}

/** `printed`: its buckets, where that has been done. */
function printResult(result: AggResult, typedKeys: boolean, printed?: readonly unknown[]): Json {
  const { meta, buckets, single, isKeyed = false } = result
  const json: Json = {}
  if (meta !== undefined) json['meta'] = meta
  Object.assign(json, result.toJson())
  if (buckets !== undefined) json['buckets'] = printed ?? printBuckets(buckets, isKeyed, typedKeys)
  if (single !== undefined) {
    Object.assign(json, single.toJson())
    addResults(json, single.aggs, typedKeys)
  }
  return json
}

function printBuckets(buckets: readonly AggBucket[], isKeyed: boolean, typedKeys: boolean): unknown {
  if (!isKeyed) return buckets.map((bucket) => printBucket(bucket, typedKeys))
  const json: Json = {}
  for (const bucket of buckets) put(json, bucket.keyText, printBucket(bucket, typedKeys))
  return json
}

function printBucket(bucket: AggBucket, typedKeys: boolean): Json {
  const json = bucket.toJson()
  addResults(json, bucket.aggs, typedKeys)
  return json
}

/** Names are the user's: `__proto__` is one like any other. */
function put(json: Json, name: string, value: unknown): void {
  if (name !== '__proto__') json[name] = value
  else Object.defineProperty(json, name, { value, writable: true, enumerable: true, configurable: true })
}
