/** Shard statistics in the groups of `_stats` and `_nodes/stats`; groups without a counterpart are zero. */

import type { ShardFigures } from '../../../search/index/shards/shard-figures.ts'
import { type IndexUsage, sumUsage } from '../../../search/index/usage.ts'
import type { JsonObject } from '../../../search/request/json-object.ts'
import { simpleMatch } from '../../../search/request/simple-match.ts'

/** Counters that are kept outside of shards. */
interface Extras {
  readonly usage: IndexUsage
  readonly openContexts: number
  readonly withFiles: boolean
  /** Patterns of the search groups to show. */
  readonly groups: readonly string[]
}

type Group = (figures: ShardFigures, extras: Extras) => JsonObject

function timed(name: string, total: number, millis = 0, current = 0): JsonObject {
  return {
    [`${name}_total`]: total,
    [`${name}_time_in_millis`]: Math.floor(millis),
    [`${name}_current`]: current,
  }
}

function groupMember(usage: IndexUsage, patterns: readonly string[]): JsonObject {
  const shown = [...usage.groups].filter(([name]) =>
    patterns.some((one) => one === '_all' || simpleMatch(one, name)),
  )
  if (shown.length === 0) return {}
  return { groups: Object.fromEntries(shown.map(([name, count]) => [name, timed('query', count)])) }
}

/** Groups by their name in answers; requests name some of them differently. */
const groups: Readonly<Record<string, Group>> = {
  docs: ({ docs, deleted }) => ({ count: docs, deleted }),
  store: ({ bytes }) => ({ size_in_bytes: bytes, reserved_in_bytes: 0 }),
  indexing: ({ indexed, removed, indexFailures }, { usage }) => ({
    ...timed('index', indexed, usage.indexMillis),
    index_failed: indexFailures,
    ...timed('delete', removed),
    noop_update_total: usage.noops,
    is_throttled: false,
    throttle_time_in_millis: 0,
  }),
  get: (_, { usage }) => ({
    total: usage.gets,
    time_in_millis: Math.floor(usage.getMillis),
    exists_total: usage.getsFound,
    exists_time_in_millis:
      usage.gets === 0 ? 0 : Math.floor((usage.getMillis * usage.getsFound) / usage.gets),
    missing_total: usage.gets - usage.getsFound,
    missing_time_in_millis: 0,
    current: 0,
  }),
  search: (_, { usage, openContexts, groups }) => ({
    open_contexts: openContexts,
    ...timed('query', usage.queries, usage.queryMillis, usage.running),
    ...timed('fetch', usage.fetches),
    ...timed('scroll', usage.scrolls),
    ...timed('point_in_time', usage.pits),
    ...timed('suggest', usage.suggests),
    ...groupMember(usage, groups),
  }),
  merges: ({ merges, mergeMillis, mergedDocs, mergedBytes }) => ({
    current: 0,
    current_docs: 0,
    current_size_in_bytes: 0,
    total: merges,
    total_time_in_millis: Math.floor(mergeMillis),
    total_docs: mergedDocs,
    total_size_in_bytes: mergedBytes,
  }),
  refresh: ({ refreshes, refreshMillis }) => ({
    total: refreshes,
    total_time_in_millis: Math.floor(refreshMillis),
    external_total: refreshes,
    external_total_time_in_millis: Math.floor(refreshMillis),
    listeners: 0,
  }),
  flush: ({ flushes, flushMillis }) => ({
    total: flushes,
    periodic: 0,
    total_time_in_millis: Math.floor(flushMillis),
  }),
  warmer: () => ({ current: 0, total: 0, total_time_in_millis: 0 }),
  query_cache: () => ({
    memory_size_in_bytes: 0,
    total_count: 0,
    hit_count: 0,
    miss_count: 0,
    cache_size: 0,
    cache_count: 0,
    evictions: 0,
  }),
  fielddata: () => ({ memory_size_in_bytes: 0, evictions: 0 }),
  completion: () => ({ size_in_bytes: 0 }),
  segments: ({ segments, segmentBytes }, { withFiles }) => ({
    count: segments,
    memory_in_bytes: segmentBytes,
    terms_memory_in_bytes: 0,
    stored_fields_memory_in_bytes: 0,
    term_vectors_memory_in_bytes: 0,
    norms_memory_in_bytes: 0,
    points_memory_in_bytes: 0,
    doc_values_memory_in_bytes: 0,
    index_writer_memory_in_bytes: 0,
    version_map_memory_in_bytes: 0,
    fixed_bit_set_memory_in_bytes: 0,
    max_unsafe_auto_id_timestamp: -1,
    file_sizes: withFiles ? { seg: { size_in_bytes: segmentBytes, description: 'Segment' } } : {},
  }),
  translog: ({ logOperations, logBytes }) => ({
    operations: logOperations,
    size_in_bytes: logBytes,
    uncommitted_operations: logOperations,
    uncommitted_size_in_bytes: logBytes,
    earliest_last_modified_age: 0,
  }),
  request_cache: () => ({ memory_size_in_bytes: 0, evictions: 0, hit_count: 0, miss_count: 0 }),
  recovery: () => ({ current_as_source: 0, current_as_target: 0, throttle_time_in_millis: 0 }),
}

/** Names in paths → names in answers. */
const requestNames: ReadonlyMap<string, string> = new Map([
  ...Object.keys(groups).map((name): [string, string] => [name, name]),
  ['merge', 'merges'],
  ['suggest', 'search'],
])

export const statMetrics: readonly string[] = [
  '_all',
  ...[...requestNames.keys()].filter((name) => name !== 'merges'),
]

/** The groups of the metrics in a path; all for none or `_all`. */
export function groupsOf(metrics: readonly string[]): string[] {
  if (metrics.length === 0 || metrics.includes('_all')) return Object.keys(groups)
  return [...new Set(metrics.map((name) => requestNames.get(name)).filter((name) => name !== undefined))]
}

const noFigures: ShardFigures = {
  docs: 0,
  deleted: 0,
  bytes: 0,
  segments: 0,
  segmentBytes: 0,
  maxSeqNo: -1,
  unflushedBytes: 0,
  logOperations: 0,
  logBytes: 0,
  indexed: 0,
  indexFailures: 0,
  removed: 0,
  refreshes: 0,
  flushes: 0,
  merges: 0,
  mergedDocs: 0,
  mergedBytes: 0,
  refreshMillis: 0,
  flushMillis: 0,
  mergeMillis: 0,
}

export function sumFigures(all: readonly ShardFigures[]): ShardFigures {
  const sum: Record<string, number> = { ...noFigures, maxSeqNo: 0 }
  for (const figures of all)
    for (const [name, value] of Object.entries(figures)) sum[name] = (sum[name] ?? 0) + value
  return sum as unknown as ShardFigures
}

export const noExtras: Extras = { usage: sumUsage([]), openContexts: 0, withFiles: false, groups: [] }

export function statsBody(
  figures: ShardFigures,
  names: readonly string[],
  extras: Extras = noExtras,
): JsonObject {
  return Object.fromEntries(names.map((name) => [name, groups[name]!(figures, extras)]))
}
