/**
 * Offsets on their way to the broker: of each partition the last record before which every one is safe. One commit is
 * under way at a time; what becomes safe meanwhile goes with the next one. A commit that fails is not repeated: after a
 * rebalance the partition may belong to another consumer, whose offsets must not be set back; at worst records are read
 * twice.
 */
import { Deliveries } from '../file/deliveries.ts'

interface Committable {
  readonly topic: string
  readonly partition: number
  commit(): void | Promise<void>
}

/** Partitions that are read here, by topic. */
export interface Assignment {
  readonly topic: string
  readonly partitions: readonly number[]
}

export class OffsetCommits {
  readonly #failed: (error: Error) => void
  readonly #safe: () => void
  readonly #partitions = new Map<string, Deliveries<Committable>>()
  /** The record of each partition up to which all are safe. */
  readonly #pending = new Map<string, Committable>()
  #underway: Promise<void> | undefined

  /** `safe` is called when there is something more to commit. */
  constructor(failed: (error: Error) => void, safe: () => void = () => {}) {
    this.#failed = failed
    this.#safe = safe
  }

  /** The record was handed over; call the result when it is safe. */
  track(record: Committable): () => void {
    const partition = `${record.topic}/${record.partition}`
    let deliveries = this.#partitions.get(partition)
    if (deliveries === undefined) {
      const created: Deliveries<Committable> = new Deliveries((last) => {
        if (this.#partitions.get(partition) !== created) return
        this.#pending.set(partition, last)
        this.#safe()
      })
      deliveries = created
      this.#partitions.set(partition, deliveries)
    }
    return deliveries.track(record)
  }

  /** Partitions were divided anew: those that are read elsewhere now are no longer ours to commit. */
  keep(assignments: readonly Assignment[]): void {
    const ours = new Set(
      assignments.flatMap(({ topic, partitions }) => partitions.map((number) => `${topic}/${number}`)),
    )
    for (const partition of [...this.#partitions.keys()]) {
      if (ours.has(partition)) continue
      this.#partitions.delete(partition)
      this.#pending.delete(partition)
    }
  }

  /** Begins to commit what is safe, unless a commit is under way. */
  commit(): void {
    if (this.#underway !== undefined || this.#pending.size === 0) return
    const records = [...this.#pending.values()]
    this.#pending.clear()
    this.#underway = Promise.all(records.map(async (record) => record.commit()))
      .then(
        () => undefined,
        (error: Error) => this.#failed(error),
      )
      .finally(() => {
        this.#underway = undefined
      })
  }

  /** Resolves when everything that was handed over is safe. */
  async settled(): Promise<void> {
    await Promise.all([...this.#partitions.values()].map((deliveries) => deliveries.settled()))
  }

  /** Resolves when everything that is safe is committed, or failed to be. */
  async finish(): Promise<void> {
    await this.#underway
    this.commit()
    await this.#underway
  }
}
