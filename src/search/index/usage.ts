/**
 * Usage statistics of an index: how many requests by whom, and how long they took; `_stats` shows them besides shard
 * statistics.
 */
export interface IndexUsage {
  queries: number
  queryMillis: number
  /** Searches in progress. */
  running: number
  /** Searches by the groups named under `stats`. */
  readonly groups: Map<string, number>
  /** Searches that fetched documents of the index. */
  fetches: number
  scrolls: number
  pits: number
  suggests: number
  gets: number
  getsFound: number
  getMillis: number
  indexMillis: number
  noops: number
}

type Counter = Exclude<keyof IndexUsage, 'groups'>

function noUsage(): IndexUsage {
  return {
    queries: 0,
    queryMillis: 0,
    running: 0,
    groups: new Map(),
    fetches: 0,
    scrolls: 0,
    pits: 0,
    suggests: 0,
    gets: 0,
    getsFound: 0,
    getMillis: 0,
    indexMillis: 0,
    noops: 0,
  }
}

/** Group names come from requests, so their number is bounded. */
const maxGroups = 1000

export class Usage {
  readonly #indices = new Map<string, IndexUsage>()
  /** Totals over all indices, including deleted ones. */
  readonly totals = { searches: 0, writes: 0 }

  /** Returns the usage of an index by uuid. */
  of(uuid: string): IndexUsage {
    let usage = this.#indices.get(uuid)
    if (usage === undefined) {
      usage = noUsage()
      this.#indices.set(uuid, usage)
    }
    return usage
  }

  forget(uuid: string): void {
    this.#indices.delete(uuid)
  }

  searched(uuid: string, shards: number, groups: readonly string[]): void {
    const usage = this.of(uuid)
    usage.queries += shards
    for (const group of groups) {
      if (usage.groups.size < maxGroups || usage.groups.has(group))
        usage.groups.set(group, (usage.groups.get(group) ?? 0) + shards)
    }
  }
}

export function sumUsage(all: readonly IndexUsage[]): IndexUsage {
  const sum = noUsage()
  for (const usage of all) {
    for (const name of Object.keys(sum) as (keyof IndexUsage)[])
      if (name !== 'groups') sum[name satisfies Counter] += usage[name]
    for (const [group, count] of usage.groups) sum.groups.set(group, (sum.groups.get(group) ?? 0) + count)
  }
  return sum
}
