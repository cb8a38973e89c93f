/** The flat answer shape, with `hits` as a plain list; only on request. */
import { insideOf, RawJson } from '../../../search/answer/json-text.ts'
import { isObject, type JsonObject } from '../../../search/request/json-object.ts'

export function flatShape(body: JsonObject): JsonObject {
  const hits = body['hits'] instanceof RawJson ? insideOf(body['hits']) : body['hits']
  if (!isObject(hits)) return body
  const { hits: list, ...rest } = hits
  const entries = Object.entries(body).flatMap(([name, value]): [string, unknown][] =>
    name === 'hits' ? [['hits', list], ...Object.entries(rest)] : [[name, value]],
  )
  return Object.fromEntries(entries)
}
