/** Errors of the reduce phase, which no shard has failed with. */

import { isOfRequest } from '../collect/shard-failures.ts'
import { SearchError } from '../request/search-error.ts'
import type { Steps } from '../scheduling/steps.ts'

export class ReduceError extends SearchError {}

/** An error after all shards are collected: no shard failure is reported. */
export function afterShards(error: SearchError): SearchError {
  return new ReduceError('search_phase_execution_exception', '', {
    status: error.status,
    cause: error,
    details: { root_cause: [], phase: 'fetch', grouped: true, failed_shards: [] },
  })
}

/** Runs steps of the reduce phase. */
export function* reducing<Result>(steps: Steps<Result>): Steps<Result> {
  try {
    return yield* steps
  } catch (error) {
    throw error instanceof SearchError && !isOfRequest(error) ? afterShards(error) : error
  }
}
