/** Prints aggregation results as JSON with Elasticsearch's members and order. */
import type { Steps } from '../scheduling/steps.ts'
import type { AggBucket, AggResult, AggResults } from './result.ts'
import { ResultBytes } from './result-bytes.ts'

type Json = Record<string, unknown>

/** Buckets without sub-aggregations printed per step. */
const stepBuckets = 256

/** `typedKeys` prefixes each name with its type: `sterms#name`. */
export function* printSteps(
  results: AggResults,
  typedKeys: boolean,
  bytes = new ResultBytes(undefined),
): Steps<Json> {
  const json: Json = {}
  yield* addResults(json, results, { typedKeys, bytes })
  return json
}

interface Printing {
  readonly typedKeys: boolean
  readonly bytes: ResultBytes
}

function* addResults(json: Json, results: AggResults, printing: Printing): Steps<void> {
  for (const [name, result] of results) {
    const printed = printPlain(result)
    printing.bytes.addJson(printed)
    if (result.buckets !== undefined || result.single !== undefined)
      yield* addBuckets(printed, result, printing)
    put(json, printing.typedKeys ? `${result.typedName}#${name}` : name, printed)
  }
}

function printPlain(result: AggResult): Json {
  const { meta } = result
  return meta === undefined ? result.toJson() : { meta, ...result.toJson() }
}

function* addBuckets(json: Json, result: AggResult, printing: Printing): Steps<void> {
  const { buckets, single, isKeyed = false } = result
  if (buckets !== undefined) json['buckets'] = yield* printBuckets(buckets, isKeyed, printing)
  if (single === undefined) return
  Object.assign(json, single.toJson())
  yield* addResults(json, single.aggs, printing)
}

function* printBuckets(buckets: readonly AggBucket[], isKeyed: boolean, printing: Printing): Steps<unknown> {
  const list: Json[] = []
  const byKey: Json = {}
  for (let at = 0; at < buckets.length; at++) {
    const bucket = buckets[at]!
    const json = bucket.toJson()
    printing.bytes.addJson(json)
    const hasAggs = bucket.hasAggs ?? bucket.aggs.size > 0
    if (hasAggs) yield* addResults(json, bucket.aggs, printing)
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
