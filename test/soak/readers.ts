/**
 * Those who read while events come in: light and heavy searches, and what a dashboard asks both APIs every few seconds.
 * Each has one request under way at most; how long each took is kept by kind.
 */
const requestLimit = 30_000

const lightSearch = {
  size: 10,
  query: { bool: { filter: [{ term: { via: 'http' } }, { range: { '@timestamp': { gte: 'now-1m' } } }] } },
  sort: [{ '@timestamp': 'desc' }],
}

const heavySearches = [
  {
    size: 0,
    aggs: {
      minutes: {
        date_histogram: { field: '@timestamp', fixed_interval: '1m' },
        aggs: { via: { terms: { field: 'via.keyword' } } },
      },
      addresses: { terms: { field: 'source.address.keyword', size: 50 } },
    },
  },
  {
    size: 100,
    from: 1000,
    query: { match: { message: 'checkout firefox' } },
    highlight: { fields: { message: {} } },
  },
  { size: 20, query: { wildcard: { 'url.original.keyword': '*page=7*' } }, sort: [{ seq: 'asc' }] },
]

export interface Endpoints {
  readonly api: string
  readonly search: string
}

export class Readers {
  /** Milliseconds of each answer, by kind. */
  readonly times = new Map<string, number[]>()
  /** Answers other than 200, by kind and status; `none` when there was no answer in time. */
  readonly failures = new Map<string, number>()
  readonly #timers: NodeJS.Timeout[] = []
  readonly #underWay = new Set<string>()
  #isOver = false

  constructor({ api, search }: Endpoints, lightPerSecond: number) {
    const ask = (body: unknown) => ({ url: `${search}/soak-*/_search?ignore_unavailable=true`, body })
    this.#every('light search', 1000 / lightPerSecond, () => ask(lightSearch))
    this.#every('heavy search', 4000, (n) => ask(heavySearches[n % heavySearches.length]))
    this.#every('node stats', 1000, () => ({ url: `${api}/_node/stats` }))
    this.#every('health report', 5000, () => ({ url: `${api}/_health_report` }))
    this.#every('cat indices', 5000, () => ({ url: `${search}/_cat/indices?format=json` }))
    this.#every('nodes stats', 5000, () => ({ url: `${search}/_nodes/stats` }))
  }

  #every(kind: string, milliseconds: number, next: (n: number) => { url: string; body?: unknown }): void {
    let n = 0
    this.times.set(kind, [])
    const turn = () => {
      if (this.#underWay.has(kind)) return
      this.#underWay.add(kind)
      void this.#ask(kind, next(n++)).finally(() => this.#underWay.delete(kind))
    }
    this.#timers.push(setInterval(turn, milliseconds))
  }

  async #ask(kind: string, { url, body }: { url: string; body?: unknown }): Promise<void> {
    const began = performance.now()
    let status = 'none'
    try {
      const response = await fetch(url, {
        signal: AbortSignal.timeout(requestLimit),
        ...(body !== undefined && {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
      })
      await response.arrayBuffer()
      status = String(response.status)
    } catch {
      // No answer.
    }
    if (this.#isOver) return
    this.times.get(kind)!.push(performance.now() - began)
    if (status === '200') return
    const key = `${kind}: ${status}`
    this.failures.set(key, (this.failures.get(key) ?? 0) + 1)
  }

  /** Forgets what was measured so far, such as the time before the store was warm. */
  reset(): void {
    for (const times of this.times.values()) times.length = 0
    this.failures.clear()
  }

  stop(): void {
    this.#isOver = true
    for (const timer of this.#timers) clearInterval(timer)
  }
}
