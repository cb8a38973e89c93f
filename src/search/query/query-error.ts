/** Refusals of query texts, with the chain of causes Elasticsearch reports: types and reasons from the outside in. */
import { SearchError } from '../request/search-error.ts'

/** Text the grammar does not take; `inner` says which of its two halves complained. */
export function unparsable(
  query: string,
  text: string,
  inner: 'parse_exception' | 'token_mgr_error',
  reason: string,
): SearchError {
  const cause = new SearchError('parse_exception', `Cannot parse '${text}': ${reason}`, {
    cause: new SearchError(inner, reason),
  })
  return new SearchError('query_shard_exception', `Failed to parse query [${query}]`, { cause })
}

/** Text the grammar takes and the leaves of the query refuse. */
export function uncreatable(error: SearchError): SearchError {
  return new SearchError('query_shard_exception', `failed to create query: ${error.message}`, {
    cause: error,
  })
}
