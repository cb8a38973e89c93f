/**
 * Offsets of records the queue has taken, on their way to the broker. One commit is under way at a time; what is
 * taken meanwhile goes with the next one. A commit that fails is not repeated: after a rebalance the partition may
 * belong to another consumer, whose offsets must not be set back; at worst records are read twice.
 */
export interface Committable {
  readonly topic: string
  readonly partition: number
  commit(): void | Promise<void>
}

export class OffsetCommits {
  readonly #failed: (error: Error) => void
  /** The newest record of each partition. */
  readonly #pending = new Map<string, Committable>()
  #underway: Promise<void> | undefined

  constructor(failed: (error: Error) => void) {
    this.#failed = failed
  }

  taken(record: Committable): void {
    this.#pending.set(`${record.topic}/${record.partition}`, record)
  }

  /** Begins to commit what is taken, unless a commit is under way. */
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

  /** Resolves when everything that was taken is committed, or failed to be. */
  async finish(): Promise<void> {
    await this.#underway
    this.commit()
    await this.#underway
  }
}
