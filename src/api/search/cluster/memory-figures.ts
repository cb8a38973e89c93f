/** Circuit breakers and thread pools for `_nodes/stats` and `_cat/thread_pool`. */
import { type BreakerStats, shortBytes } from '../../../memory/circuit-breakers.ts'
import type { Cluster } from '../../../search/index/cluster.ts'
import type { JsonObject } from '../../../search/request/json-object.ts'

/** Elasticsearch renamed the breaker in version 8. */
function shownName(name: string, { compat }: Cluster): string {
  return name === 'inflight_requests' && compat.flavor !== 'elasticsearch8' ? 'in_flight_requests' : name
}

function figures({ limit, estimated, overhead, tripped }: BreakerStats): JsonObject {
  const used = Math.round(estimated)
  return {
    limit_size_in_bytes: limit,
    limit_size: shortBytes(limit),
    estimated_size_in_bytes: used,
    estimated_size: shortBytes(used),
    overhead,
    tripped,
  }
}

export function breakerFigures(cluster: Cluster): JsonObject {
  const { breakers } = cluster.memory
  const children = [breakers.request, ...breakers.others, breakers.inFlight]
  return {
    ...Object.fromEntries(children.map(({ name, stats }) => [shownName(name, cluster), figures(stats)])),
    parent: figures(breakers.parentStats),
  }
}

interface PoolFigures {
  readonly name: 'search' | 'write'
  readonly active: number
  readonly queue: number
  readonly rejected: number
  readonly largest: number
}

/** A single thread does all the work: `active` are started requests, `queue` those waiting for memory. */
export function threadPools({ memory: { searches, bodies } }: Cluster): readonly PoolFigures[] {
  const of = (name: PoolFigures['name'], queue: typeof searches): PoolFigures => ({
    name,
    active: queue.active,
    queue: queue.waiting,
    rejected: queue.rejected,
    largest: queue.largest,
  })
  return [of('search', searches), of('write', bodies)]
}
