/**
 * Chooses one of several hosts: one without a recent failure first, then the one with the fewest requests under way, then
 * the one that was used longest ago.
 */
const coolOffMilliseconds = 60_000

interface HostState {
  readonly url: string
  failedAt: number
  underWay: number
  usedAt: number
}

export class LoadBalancer {
  readonly #hosts: HostState[]
  readonly #now: () => number
  #uses = 0

  constructor(urls: readonly string[], now = () => performance.now()) {
    this.#now = now
    this.#hosts = urls.map((url) => ({ url, failedAt: Number.NEGATIVE_INFINITY, underWay: 0, usedAt: 0 }))
  }

  get size(): number {
    return this.#hosts.length
  }

  /** Runs something with the chosen host; a rejection makes it the last choice for a minute. */
  async use<T>(run: (url: string) => Promise<T>): Promise<T> {
    const host = this.#choose()
    host.underWay += 1
    this.#uses += 1
    host.usedAt = this.#uses
    try {
      return await run(host.url)
    } catch (error) {
      host.failedAt = this.#now()
      throw error
    } finally {
      host.underWay -= 1
    }
  }

  #choose(): HostState {
    const threshold = this.#now() - coolOffMilliseconds
    const rank = ({ failedAt }: HostState) => Math.max(failedAt, threshold)
    return this.#hosts.reduce((best, host) => {
      const order = rank(host) - rank(best) || host.underWay - best.underWay || host.usedAt - best.usedAt
      return order < 0 ? host : best
    })
  }
}
