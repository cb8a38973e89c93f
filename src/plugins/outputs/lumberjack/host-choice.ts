/** Which of several addresses is next: any of those without a recent failure, or the one whose failure is longest ago. */
const coolOffMilliseconds = 60_000

export class HostChoice {
  readonly #now: () => number
  readonly #random: () => number
  readonly #failedAt = new Map<string, number>()

  constructor(now = () => performance.now(), random = Math.random) {
    this.#now = now
    this.#random = random
  }

  /** Chooses one of the hosts, of which there is at least one. */
  next(hosts: readonly string[]): string {
    const threshold = this.#now() - coolOffMilliseconds
    const failedAt = (host: string) => this.#failedAt.get(host) ?? Number.NEGATIVE_INFINITY
    const good = hosts.filter((host) => failedAt(host) < threshold)
    if (good.length > 0) return good[Math.floor(this.#random() * good.length)]!
    return hosts.reduce((best, host) => (failedAt(host) < failedAt(best) ? host : best))
  }

  failed(host: string): void {
    this.#failedAt.set(host, this.#now())
  }
}
