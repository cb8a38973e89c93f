/**
 * Which shard a document belongs to. The hash falls into one of `routingShards` slots, a multiple of the
 * number of shards that leaves room for splitting an index; a shard owns equally many slots.
 */
import { murmur3Text } from '../../text/murmur3.ts'

function floorMod(value: number, divisor: number): number {
  return ((value % divisor) + divisor) % divisor
}

/** `index.number_of_routing_shards` when not set: up to ten splits in two, at least one. */
export function defaultRoutingShards(shards: number): number {
  const log = shards < 2 ? 0 : 32 - Math.clz32(shards - 1)
  return shards * 2 ** Math.max(1, 10 - log)
}

/** The shard of a routing value, which is the document's id unless one was given. */
export function shardOf(
  routing: string,
  shards: number,
  routingShards = defaultRoutingShards(shards),
): number {
  return Math.floor(floorMod(murmur3Text(routing), routingShards) / (routingShards / shards))
}

/** The same under `index.routing_partition_size`: one routing value is spread over several shards by id. */
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
