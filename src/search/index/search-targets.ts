/** Resolves the targets of a search: indices, their shards after routing, and alias filters. */

import { numberFormat } from '../request/errors.ts'
import type { JsonObject } from '../request/json-object.ts'
import { checkBlocks } from './admin/index-admin.ts'
import type { Cluster } from './cluster.ts'
import { shardNumber } from './documents/document-writes.ts'
import type { IndicesOptions, ResolvedIndex } from './index-expressions.ts'
import { type IndexMetadata, shardCount } from './index-metadata.ts'
import type { SearchTarget } from './search-calls.ts'

export function searchTargets(
  cluster: Cluster,
  expressions: readonly string[],
  options: IndicesOptions,
  routing: string | undefined,
  preference?: string,
): SearchTarget[] {
  return cluster.resolve(expressions, options).map((found) => {
    checkBlocks(found.index, ['index.blocks.read'])
    const shards = shardsOf(found, routing)
    return {
      metadata: found.index,
      store: cluster.store(found.index),
      shards: preferred(shards, preference),
      filters: filtersOf(found),
    }
  })
}

function shardsOf({ index, isDirect, aliases }: ResolvedIndex, routing: string | undefined): number[] {
  const own =
    isDirect || aliases.some(([, alias]) => alias.search_routing === undefined)
      ? undefined
      : aliases.map(([, alias]) => alias.search_routing).join(',')
  const asked = routing?.split(',')
  const ofAlias = own?.split(',')
  const values =
    asked === undefined
      ? ofAlias
      : ofAlias === undefined
        ? asked
        : asked.filter((one) => ofAlias.includes(one))
  if (values === undefined) return allShards(index)
  return [...new Set(values.map((value) => shardNumber(index, value, value)))].sort((a, b) => a - b)
}

function allShards(index: IndexMetadata): number[] {
  return Array.from({ length: shardCount(index) }, (_, shard) => shard)
}

/** `preference=_shards:0,2` */
function preferred(shards: readonly number[], preference: string | undefined): readonly number[] {
  const [, list] = /^_shards:([^|]*)/.exec(preference ?? '') ?? []
  if (list === undefined) return shards
  const wanted = new Set(list.split(',').map(shardOf))
  return shards.filter((shard) => wanted.has(shard))
}

function shardOf(text: string): number {
  if (!/^[+-]?\d+$/.test(text)) throw numberFormat(text)
  return Number(text)
}

function filtersOf({ isDirect, aliases }: ResolvedIndex): JsonObject[] | undefined {
  if (isDirect || aliases.length === 0) return undefined
  const filters: JsonObject[] = []
  for (const [, { filter }] of aliases) {
    if (filter === undefined) return undefined
    filters.push(filter)
  }
  return filters
}
