/**
 * Shard failures. If some shards fail, the answer contains the failures beside the other shards' results; if
 * all fail, or one does while partial results are not allowed, the search fails.
 */
import { isForeign, rootCauseOf } from '../request/root-cause.ts'
import { SearchError } from '../request/search-error.ts'

export interface ShardFailure {
  readonly shard: number
  readonly index: string
  readonly node: string
  readonly error: SearchError
}

/** True for errors of the whole request, which are not reported per shard. */
export function isOfRequest(error: SearchError): boolean {
  const { type } = error
  return (
    type === 'search_phase_execution_exception' ||
    type === 'task_cancelled_exception' ||
    type === 'circuit_breaking_exception'
  )
}

const ofShards = new WeakSet<Error>()

/** Marks an error that is found by the shards, though it is of the request. */
export function foundByShards(error: SearchError): SearchError {
  ofShards.add(error)
  return error
}

export function isFoundByShards(error: unknown): error is SearchError {
  return error instanceof SearchError && ofShards.has(error)
}

/** An error in the form that answers contain. */
function errorObject(error: Error): Record<string, unknown> {
  if (!(error instanceof SearchError)) return { type: 'exception', reason: error.message }
  const cause = error.causedBy
  return {
    type: error.type,
    reason: error.reason,
    ...error.details,
    ...(cause === undefined ? {} : { caused_by: errorObject(cause) }),
  }
}

/** One entry per index and reason. */
export function groupedFailures(failures: readonly ShardFailure[]): Record<string, unknown>[] {
  const groups = new Map<string, Record<string, unknown>>()
  for (const { shard, index, node, error } of failures) {
    const key = JSON.stringify([index, error.type, error.reason])
    if (!groups.has(key)) groups.set(key, { shard, index, node, reason: errorObject(error) })
  }
  return [...groups.values()]
}

export function searchFailed(
  failures: readonly ShardFailure[],
  phase = 'query',
  reason = 'all shards failed',
): SearchError {
  const groups = groupedFailures(failures)
  const roots = new Map<string, Record<string, unknown>>()
  for (const { error } of failures) {
    const { caused_by: _, ...root } = errorObject(rootCauseOf(error))
    roots.set(JSON.stringify(root), root)
  }
  const first = failures[0]?.error
  const root = first && rootCauseOf(first)
  // Elasticsearch wraps exceptions that are not its own types, which shows as the same cause twice.
  const cause =
    root === undefined || !isForeign(root.type)
      ? root
      : new SearchError(root.type, root.message, { cause: root })
  const status = failures.find(({ error }) => error.status >= 500)?.error.status ?? first?.status ?? 503
  return new SearchError('search_phase_execution_exception', reason, {
    status,
    cause,
    details: { root_cause: [...roots.values()], phase, grouped: true, failed_shards: groups },
  })
}
