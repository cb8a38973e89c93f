/**
 * Options of queries that older clients send and a strict node refuses, as current Elasticsearch and OpenSearch do:
 * `type` of `ids`.
 */
import { unknownField } from '../../request/object-shape.ts'
import { isObject } from '../../request/request-values.ts'
import { SearchError } from '../../request/search-error.ts'
import type { SourcePlaces } from '../../request/source-place.ts'

const known = ['values', 'boost', '_name']

/** Refuses them at any depth. The recursion is bounded, because the query was parsed before. */
export function refuseObsolete(query: unknown, places: SourcePlaces): void {
  if (Array.isArray(query)) for (const item of query) refuseObsolete(item, places)
  if (!isObject(query)) return
  for (const [name, value] of Object.entries(query)) {
    if (typeof value !== 'object' || value === null) continue
    if (name === 'ids' && isObject(value) && Object.hasOwn(value, 'values') && Object.hasOwn(value, 'type')) {
      const cause = unknownField('ids', value, 'type', known, places)
      const { line, col } = places.of(value, 'type')
      throw new SearchError('parsing_exception', cause.message, { cause, details: { line, col } })
    }
    refuseObsolete(value, places)
  }
}
