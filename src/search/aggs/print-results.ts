/** Results of aggregations as JSON, in the shape and order of the reference. */
import type { AggBucket, AggResult, AggResults } from './result.ts'

type Json = Record<string, unknown>

/** `typedKeys` puts the kind in front of each name: `sterms#name`. */
export function printResults(results: AggResults, typedKeys: boolean): Json {
  const json: Json = {}
  addResults(json, results, typedKeys)
  return json
}

function addResults(json: Json, results: AggResults, typedKeys: boolean): void {
  for (const [name, result] of results) {
    put(json, typedKeys ? `${result.typedName}#${name}` : name, printResult(result, typedKeys))
  }
}

function printResult(result: AggResult, typedKeys: boolean): Json {
  const { meta, buckets, single, isKeyed = false } = result
  const json: Json = {}
  if (meta !== undefined) json['meta'] = meta
  Object.assign(json, result.toJson())
  if (buckets !== undefined) json['buckets'] = printBuckets(buckets, isKeyed, typedKeys)
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
