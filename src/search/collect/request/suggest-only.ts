/** Searches that ask for suggestions and nothing else. */
import type { SearchRequest } from './search-request.ts'

/** They return no hits. */
export function suggestOnly(request: SearchRequest): SearchRequest {
  const asksMore =
    request.suggest === undefined || request.query !== undefined || request.aggregations !== undefined
  return asksMore ? request : { ...request, query: { match_none: {} }, size: 0, rescore: [] }
}
