/**
 * The hosts of a cluster and which of them can be reached. A host that failed is dead until a look at it
 * succeeds; the next request goes to the living host with the fewest requests under way.
 */
export interface Host {
  readonly url: string
  dead: boolean
  underWay: number
  /** When it was last chosen, so that equally busy hosts take turns. */
  turn: number
}

export class HostPool {
  readonly hosts: readonly Host[]
  #turn = 0
  readonly #waiting = new Set<() => void>()

  constructor(urls: readonly string[]) {
    this.hosts = urls.map((url) => ({ url, dead: false, underWay: 0, turn: 0 }))
  }

  /** Undefined when every host is dead. */
  choose(): Host | undefined {
    let best: Host | undefined
    for (const host of this.hosts) {
      if (host.dead) continue
      if (best === undefined || host.underWay < best.underWay) best = host
      else if (host.underWay === best.underWay && host.turn < best.turn) best = host
    }
    if (best !== undefined) best.turn = this.#turn += 1
    return best
  }

  get anyAlive(): boolean {
    return this.hosts.some(({ dead }) => !dead)
  }

  get dead(): Host[] {
    return this.hosts.filter(({ dead }) => dead)
  }

  revive(host: Host): void {
    host.dead = false
    for (const wake of [...this.#waiting]) wake()
  }

  /** Calls back when a host comes back to life; the result takes the wish back. */
  onRevival(wake: () => void): () => void {
    this.#waiting.add(wake)
    return () => this.#waiting.delete(wake)
  }
}
