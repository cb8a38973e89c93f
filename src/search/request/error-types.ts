/**
 * The HTTP status of each error type, as Elasticsearch and OpenSearch answer it. A type that is not here is answered
 * with 400; the few that come with several statuses say theirs where they are thrown.
 */
const statuses: Readonly<Record<string, number>> = {
  aggregation_execution_exception: 500,
  aggregation_initialization_exception: 500,
  aliases_not_found_exception: 404,
  circuit_breaking_exception: 429,
  connect_exception: 500,
  document_missing_exception: 404,
  index_not_found_exception: 404,
  index_template_missing_exception: 404,
  no_shard_available_action_exception: 503,
  rejected_execution_exception: 429,
  resource_not_found_exception: 404,
  search_context_missing_exception: 404,
  security_exception: 403,
  socket_timeout_exception: 500,
  too_many_buckets_exception: 503,
  unavailable_shards_exception: 503,
  version_conflict_engine_exception: 409,
}

const badRequest = 400

export function statusOf(type: string): number {
  return Object.hasOwn(statuses, type) ? statuses[type]! : badRequest
}
