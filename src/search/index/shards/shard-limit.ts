/**
 * `cluster.max_shards_per_node`: how many shards may be open. Copies that are not assigned count and closed indices do
 * not, as in Elasticsearch. Only what adds shards is refused: a node that has more of them keeps them and starts.
 */
import { SearchError } from '../../request/search-error.ts'
import type { Cluster } from '../cluster.ts'
import { type IndexMetadata, replicaCount, shardCount } from '../index-metadata.ts'

export const shardLimitSetting = 'cluster.max_shards_per_node'
const defaultLimit = 1000

/** Throws when an operation that adds so many shards, copies included, would exceed the limit. */
export function checkShardLimit(cluster: Cluster, added: number): void {
  if (added <= 0) return
  const limit = Number(cluster.setting(shardLimitSetting) ?? defaultLimit)
  const open = Object.values(cluster.state.indices)
    .filter(({ isOpen }) => isOpen)
    .reduce((sum, index) => sum + copyCount(index), 0)
  if (open + added <= limit) return
  const { flavor } = cluster.compat
  const shards = flavor === 'elasticsearch8' ? 'shards' : 'total shards'
  const group = flavor === 'opensearch' ? '' : 'normal '
  throw new SearchError(
    'validation_exception',
    `Validation Failed: 1: this action would add [${added}] ${shards}, but this cluster currently has [${open}]/[${limit}] maximum ${group}shards open;`,
  )
}

/** The shards of an index with their copies. */
export function copyCount(index: IndexMetadata): number {
  return shardCount(index) * (1 + replicaCount(index))
}
