/** How often an index was asked and by whom: what `_stats` shows besides the figures of shards. */
export interface IndexUsage {
  queries: number
  /** Searches by the groups they named under `stats`. */
  readonly groups: Map<string, number>
  gets: number
  getsFound: number
  noops: number
}

/** Groups come from requests, so their number is bounded. */
const mostGroups = 1000

export class Usage {
  readonly #indices = new Map<string, IndexUsage>()

  /** By the uuid of an index. */
  of(uuid: string): IndexUsage {
    let usage = this.#indices.get(uuid)
    if (usage === undefined) {
      usage = { queries: 0, groups: new Map(), gets: 0, getsFound: 0, noops: 0 }
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
      if (usage.groups.size < mostGroups || usage.groups.has(group))
        usage.groups.set(group, (usage.groups.get(group) ?? 0) + shards)
    }
  }
}

export function sumUsage(all: readonly IndexUsage[]): IndexUsage {
  const sum: IndexUsage = { queries: 0, groups: new Map(), gets: 0, getsFound: 0, noops: 0 }
  for (const usage of all) {
    sum.queries += usage.queries
    sum.gets += usage.gets
    sum.getsFound += usage.getsFound
    sum.noops += usage.noops
    for (const [group, count] of usage.groups) sum.groups.set(group, (sum.groups.get(group) ?? 0) + count)
  }
  return sum
}
