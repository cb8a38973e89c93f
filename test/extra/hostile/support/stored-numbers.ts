/** Documents numbered from 0, written one request after the other: which were acknowledged, which are found. */
import type { Victim } from './victim.ts'

const minWrites = 50
const maxWriteMilliseconds = 15_000

export class StoredNumbers {
  readonly acknowledged: number[] = []
  readonly refused = new Map<string, number>()
  readonly #victim: Victim
  readonly #index: string
  #next = 0

  constructor(victim: Victim, index = 'numbers') {
    this.#victim = victim
    this.#index = index
  }

  /** Writes until the time is over, on a slow machine until there are enough; `size` characters of text each. */
  async write(milliseconds: number, size = 1000): Promise<void> {
    const end = performance.now() + milliseconds
    const limit = performance.now() + maxWriteMilliseconds
    const enough = this.#next + minWrites
    const isOver = () => performance.now() > limit || (performance.now() > end && this.#next >= enough)
    while (this.#victim.isAlive && !isOver()) await this.one(size)
  }

  /** The status of one document's answer. */
  async one(size = 1000): Promise<number> {
    const n = this.#next++
    const body = JSON.stringify({ n, text: `${n} `.repeat(size / (String(n).length + 1)) })
    const { status, text } = await this.#victim.ask('PUT', `/${this.#index}/_doc/${n}`, body, 20_000)
    if (status === 200 || status === 201) this.acknowledged.push(n)
    else {
      const kind = `${status} ${/"type":"(\w+)"/.exec(text)?.[1] ?? ''}`.trim()
      this.refused.set(kind, (this.refused.get(kind) ?? 0) + 1)
    }
    return status
  }

  get refusals(): string {
    return [...this.refused].map(([kind, count]) => `${count}x ${kind}`).join(', ') || 'none'
  }

  /** Refused documents that a search shows; none when the search is refused, too. */
  async shownThoughRefused(): Promise<number> {
    const { status } = await this.#victim.ask('POST', `/${this.#index}/_search`, '{"size":0}')
    return status === 503 ? 0 : (await this.compare(this.#victim)).unacknowledged
  }

  /** What a program that was given the same data finds. */
  async compare(
    victim: Victim,
  ): Promise<{ found: number; lost: number; unacknowledged: number; wrong: number }> {
    await victim.ask('POST', `/${this.#index}/_refresh`)
    const query = JSON.stringify({ size: 10_000, sort: [{ n: 'asc' }], _source: ['n', 'text'] })
    const { status, text } = await victim.ask('POST', `/${this.#index}/_search`, query)
    if (status !== 200)
      throw new Error(`the search for all documents was answered ${status} ${text.slice(0, 120)}`)
    const { hits } = JSON.parse(text) as {
      hits?: { hits: { _id: string; _source: { n: number; text: string } }[] }
    }
    const found = new Set<number>()
    let wrong = 0
    for (const { _id, _source } of hits?.hits ?? []) {
      if (String(_source.n) !== _id || !_source.text.startsWith(`${_id} `)) wrong += 1
      found.add(_source.n)
    }
    const acknowledged = new Set(this.acknowledged)
    return {
      found: found.size,
      lost: this.acknowledged.filter((n) => !found.has(n)).length,
      unacknowledged: [...found].filter((n) => !acknowledged.has(n)).length,
      wrong,
    }
  }
}
