/** Errors of query texts, with the chain of causes that Elasticsearch reports. */
import { SearchError } from '../request/search-error.ts'

/**
 * An error of the rewrite phase, before queries are built: shards report it as it is, not as a failure to create
 * the query.
 */
export class RewriteError extends SearchError {}

/** A syntax error; `inner` names the half of the grammar that raised it. */
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

/** A text that parses but whose leaves are refused. */
export function uncreatable(error: SearchError): SearchError {
  return new SearchError('query_shard_exception', `failed to create query: ${error.message}`, {
    cause: error,
  })
}
