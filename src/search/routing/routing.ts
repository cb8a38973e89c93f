/**
 * Assigns documents to shards (Elasticsearch's OperationRouting). The hash falls into one of `routingShards` slots,
 * a multiple of the number of shards that leaves room for splitting an index; each shard owns equally many slots.
 */
import { murmur3Text } from '../../text/murmur3.ts'

function floorMod(value: number, divisor: number): number {
  return ((value % divisor) + divisor) % divisor
}

/** The default of `index.number_of_routing_shards`: up to ten splits in two, at least one. */
export function defaultRoutingShards(shards: number): number {
  const log = shards < 2 ? 0 : 32 - Math.clz32(shards - 1)
  return shards * 2 ** Math.max(1, 10 - log)
}

/** Returns the shard of a routing value, which is the document's id unless one was given. */
export function shardOf(
  routing: string,
  shards: number,
  routingShards = defaultRoutingShards(shards),
): number {
  return Math.floor(floorMod(murmur3Text(routing), routingShards) / (routingShards / shards))
}

/**
 * Returns the shard under `index.routing_partition_size`, which spreads one routing value over several shards by id.
 */
export function partitionedShardOf(
  routing: string,
  id: string,
  partition: number,
  shards: number,
  routingShards = defaultRoutingShards(shards),
): number {
  const hash = (murmur3Text(routing) + floorMod(murmur3Text(id), partition)) | 0
  return Math.floor(floorMod(hash, routingShards) / (routingShards / shards))
}
