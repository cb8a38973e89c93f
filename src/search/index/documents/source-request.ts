/** Parses source filtering of requests about documents; `source/source-filter.ts` applies it. */

import { isObject, type JsonObject, own, textList } from '../../request/json-object.ts'
import { SourceFilter as Parts } from '../../source/source-filter.ts'

export interface SourceFilter {
  readonly includes: readonly string[]
  readonly excludes: readonly string[]
}

/** `_source` of a body: true, false, a pattern, patterns, or an object with includes and excludes. */
export function parseSourceFilter(json: unknown): boolean | SourceFilter {
  if (json === undefined || json === null || json === true || json === 'true') return true
  if (json === false || json === 'false') return false
  if (isObject(json))
    return {
      includes: textList(own(json, 'includes') ?? own(json, 'include')),
      excludes: textList(own(json, 'excludes') ?? own(json, 'exclude')),
    }
  return { includes: textList(json), excludes: [] }
}

export function filterSource(source: JsonObject, { includes, excludes }: SourceFilter): JsonObject {
  return new Parts(includes, excludes).apply(source)
}
