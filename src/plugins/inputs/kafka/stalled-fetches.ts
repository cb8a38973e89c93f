/**
 * Notices that a broker does not answer a fetch: one is under way for longer than it should be, and not a byte came from
 * that broker meanwhile. A long answer over a slow line is no stall.
 */
import type { KafkaConsumer, KafkaStream } from './client.ts'

interface Fetch {
  since: number
  bytes: number
}

export class StalledFetches {
  readonly #limit: number
  readonly #now: () => number
  readonly #underway = new Map<number, Fetch>()
  #stream: KafkaStream | undefined
  #consumer: KafkaConsumer | undefined
  #openedAt = 0
  #hasBegun = false

  constructor(milliseconds: number, now = () => performance.now()) {
    this.#limit = milliseconds
    this.#now = now
  }

  /** From now on the fetches are those of this stream. */
  watch(stream: KafkaStream, consumer: KafkaConsumer): void {
    this.#stream = stream
    this.#consumer = consumer
    this.#underway.clear()
    this.#openedAt = this.#now()
    this.#hasBegun = false
  }

  begin(node: number): void {
    this.#hasBegun = true
    this.#underway.set(node, { since: this.#now(), bytes: this.#bytesFrom(node) })
  }

  end(node: number): void {
    this.#underway.delete(node)
  }

  areStalled(): boolean {
    // Before the first one, offsets are looked up, which waits for brokers as well.
    const hasPartitions =
      this.#consumer?.assignments?.some(({ partitions }) => partitions.length > 0) === true
    let isStalled = hasPartitions && !this.#hasBegun && this.#now() - this.#openedAt > this.#limit
    for (const [node, fetch] of this.#underway) {
      const bytes = this.#bytesFrom(node)
      if (bytes !== fetch.bytes) Object.assign(fetch, { since: this.#now(), bytes })
      else if (this.#now() - fetch.since > this.#limit) isStalled = true
    }
    return isStalled
  }

  #bytesFrom(node: number): number {
    const broker = this.#consumer?.currentMetadata?.brokers.get(node)
    if (broker === undefined) return 0
    for (const [address, { socket }] of this.#stream?.connections ?? []) {
      if (address === `${broker.host}:${broker.port}`) return socket?.bytesRead ?? 0
    }
    return 0
  }
}
