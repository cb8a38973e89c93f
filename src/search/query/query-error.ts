/**
 * What is wrong with the text of a query, in the words and with the chain of causes Elasticsearch reports:
 * `type` and `reason` of each link are those of the error body, from the outside in.
 */
export interface ErrorCause {
  readonly type: string
  readonly reason: string
  readonly causedBy?: ErrorCause
}

export class QueryTextError extends Error {
  override readonly name = 'QueryTextError'
  readonly type: string
  readonly causedBy: ErrorCause | undefined

  constructor(type: string, reason: string, causedBy?: ErrorCause) {
    super(reason)
    this.type = type
    this.causedBy = causedBy
  }
}

/** A setting or a part of the text that no query can be made of. */
export function illegalArgument(reason: string): QueryTextError {
  return new QueryTextError('illegal_argument_exception', reason)
}

/** Text the grammar does not take; `inner` says which of its two halves complained. */
export function unparsable(
  query: string,
  text: string,
  inner: 'parse_exception' | 'token_mgr_error',
  reason: string,
): QueryTextError {
  return new QueryTextError('query_shard_exception', `Failed to parse query [${query}]`, {
    type: 'parse_exception',
    reason: `Cannot parse '${text}': ${reason}`,
    causedBy: { type: inner, reason },
  })
}

/** Text the grammar takes and the leaves of the query refuse. */
export function uncreatable(error: QueryTextError): QueryTextError {
  return new QueryTextError('query_shard_exception', `failed to create query: ${error.message}`, {
    type: error.type,
    reason: error.message,
    ...(error.causedBy === undefined ? {} : { causedBy: error.causedBy }),
  })
}
