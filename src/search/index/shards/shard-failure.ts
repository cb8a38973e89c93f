/** Why a shard refuses reads or writes, and the errors that clients get. */
import { SearchError } from '../../request/search-error.ts'

/**
 * `damaged`: files fail their checksums; only a repair helps. `unknown-format`: written by another version of the
 * program, and left alone. `unreadable`: the disk returns errors, for now. `full`: no room for the log. `read-only`:
 * a write or an fsync failed; acknowledged documents are there and are served.
 */
export type ShardFailureKind = 'damaged' | 'unknown-format' | 'unreadable' | 'full' | 'read-only'

export interface ShardFailure {
  readonly kind: ShardFailureKind
  readonly message: string
}

export function isDiskFull(error: unknown): boolean {
  const { code, type } = (error ?? {}) as { code?: unknown; type?: unknown }
  return spaceErrors.has(String(code)) || type === floodStageType
}

const spaceErrors = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])
const floodStageType = 'cluster_block_exception'

export const repairHint =
  'stop the node and run `millrace store check` to see what is affected and `millrace store repair` to keep what can be read'

/** The error for a read of the shard. */
export function shardUnreadable(index: string, shard: number, { kind, message }: ShardFailure): SearchError {
  const cause = causeOf(kind, message)
  return new SearchError('no_shard_available_action_exception', `[${index}][${shard}] ${cause.message}`, {
    cause,
    details: { index, shard: String(shard) },
  })
}

function causeOf(kind: ShardFailureKind, message: string): SearchError {
  const status = 503
  if (kind === 'damaged')
    return new SearchError('corrupt_index_exception', `${message}; ${repairHint}`, { status })
  const type = kind === 'unknown-format' ? 'index_format_too_new_exception' : 'i_o_exception'
  return new SearchError(type, message, { status })
}

/** The error for a write to the shard; pipelines and clients retry it. */
export function shardUnwritable(index: string, shard: number, failure: ShardFailure): SearchError {
  if (failure.kind === 'full') return floodStage(index)
  return new SearchError(
    'unavailable_shards_exception',
    `[${index}][${shard}] primary shard is not active: ${failure.message}`,
    { details: { index, shard: String(shard) } },
  )
}

export function floodStage(index: string): SearchError {
  return new SearchError(
    floodStageType,
    `index [${index}] blocked by: [TOO_MANY_REQUESTS/12/disk usage exceeded flood-stage watermark, index has read-only-allow-delete block];`,
    { status: 429, details: { index_uuid: '_na_', index } },
  )
}
