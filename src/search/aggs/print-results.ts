/** Prints aggregation results as JSON with Elasticsearch's members and order. */
import type { Steps } from '../scheduling/steps.ts'
import type { AggBucket, AggResult, AggResults } from './result.ts'

type Json = Record<string, unknown>

/** Buckets without sub-aggregations printed per step. */
const stepBuckets = 256

/** `typedKeys` prefixes each name with its type: `sterms#name`. */
export function* printSteps(results: AggResults, typedKeys: boolean): Steps<Json> {
  const json: Json = {}
  yield* addResults(json, results, typedKeys)
  return json
}

function* addResults(json: Json, results: AggResults, typedKeys: boolean): Steps<void> {
  for (const [name, result] of results) {
    const printed = printPlain(result)
    if (result.buckets !== undefined || result.single !== undefined)
      yield* addBuckets(printed, result, typedKeys)
    put(json, typedKeys ? `${result.typedName}#${name}` : name, printed)
  }
}

function printPlain(result: AggResult): Json {
  const { meta } = result
  return meta === undefined ? result.toJson() : { meta, ...result.toJson() }
}

function* addBuckets(json: Json, result: AggResult, typedKeys: boolean): Steps<void> {
  const { buckets, single, isKeyed = false } = result
  if (buckets !== undefined) json['buckets'] = yield* printBuckets(buckets, isKeyed, typedKeys)
  if (single === undefined) return
  Object.assign(json, single.toJson())
  yield* addResults(json, single.aggs, typedKeys)
}

function* printBuckets(buckets: readonly AggBucket[], isKeyed: boolean, typedKeys: boolean): Steps<unknown> {
  const list: Json[] = []
  const byKey: Json = {}
  for (let at = 0; at < buckets.length; at++) {
    const bucket = buckets[at]!
    const json = bucket.toJson()
    const hasAggs = bucket.hasAggs ?? bucket.aggs.size > 0
    if (hasAggs) yield* addResults(json, bucket.aggs, typedKeys)
    if (isKeyed) put(byKey, bucket.keyText, json)
    else list.push(json)
    if (hasAggs || at % stepBuckets === stepBuckets - 1) yield
  }
  return isKeyed ? byKey : list
}

/** Names are the user's, so `__proto__` must be an ordinary member. */
function put(json: Json, name: string, value: unknown): void {
  if (name !== '__proto__') json[name] = value
  else Object.defineProperty(json, name, { value, writable: true, enumerable: true, configurable: true })
}
