/**
 * Offsets on their way to the broker: of each partition the one up to which every record is safe. One commit is under
 * way at a time; what becomes safe meanwhile goes with the next one, and so does what could not be committed. Partitions
 * that were given to another consumer are forgotten: its offsets must not be set back.
 */
import { Deliveries } from '../file/deliveries.ts'

interface PartitionRecord {
  readonly topic: string
  readonly partition: number
  readonly offset: bigint
}

/** What is committed is the offset of the record to begin with. */
export interface CommittedOffset {
  readonly topic: string
  readonly partition: number
  readonly offset: bigint
}

/** Partitions that are read here, by topic. */
export interface Assignment {
  readonly topic: string
  readonly partitions: readonly number[]
}

interface Progress {
  readonly deliveries: Deliveries<bigint>
  /** Offset of the first record that was not handed over yet. */
  next: bigint
}

interface CommitSettings {
  /** Resolves true when the broker has them, false when they cannot be committed now. */
  send(offsets: CommittedOffset[]): Promise<boolean>
  failed(error: Error): void
  /** There is something more to commit. */
  safe?(): void
}

export class OffsetCommits {
  readonly #settings: CommitSettings
  readonly #partitions = new Map<string, Progress>()
  readonly #pending = new Map<string, CommittedOffset>()
  #underway: Promise<void> | undefined

  constructor(settings: CommitSettings) {
    this.#settings = settings
  }

  /**
   * Reading begins there. That is committed too: a partition without a committed offset is otherwise read from its end by
   * whoever has it next, and what came meanwhile by nobody.
   */
  begin({ topic, partition, offset }: PartitionRecord): void {
    const key = `${topic}/${partition}`
    if (this.#partitions.has(key)) return
    this.#progressOf(key, topic, partition)
    this.#pending.set(key, { topic, partition, offset })
    this.#settings.safe?.()
  }

  /**
   * The record is handed over; call the result when it is safe. Undefined: it was handed over before, and is read again
   * because the stream began anew at the committed offset.
   */
  track({ topic, partition, offset }: PartitionRecord): (() => void) | undefined {
    const progress = this.#progressOf(`${topic}/${partition}`, topic, partition)
    if (offset < progress.next) return undefined
    progress.next = offset + 1n
    return progress.deliveries.track(offset + 1n)
  }

  #progressOf(key: string, topic: string, partition: number): Progress {
    const known = this.#partitions.get(key)
    if (known !== undefined) return known
    const created: Progress = {
      deliveries: new Deliveries((end) => {
        if (this.#partitions.get(key) !== created) return
        this.#pending.set(key, { topic, partition, offset: end })
        this.#settings.safe?.()
      }),
      next: 0n,
    }
    this.#partitions.set(key, created)
    return created
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
    const sent = [...this.#pending].map(([key, offset]) => ({
      key,
      offset,
      progress: this.#partitions.get(key),
    }))
    this.#pending.clear()
    this.#underway = this.#settings
      .send(sent.map(({ offset }) => offset))
      .catch((error: Error) => {
        this.#settings.failed(error)
        return false
      })
      .then((isCommitted) => {
        this.#underway = undefined
        if (isCommitted) return
        for (const { key, offset, progress } of sent) {
          if (progress !== undefined && this.#partitions.get(key) === progress && !this.#pending.has(key))
            this.#pending.set(key, offset)
        }
      })
  }

  /** Resolves when everything that was handed over is safe. */
  async settled(): Promise<void> {
    await Promise.all([...this.#partitions.values()].map(({ deliveries }) => deliveries.settled()))
  }

  /** Resolves when everything that is safe is committed, or failed to be. */
  async finish(): Promise<void> {
    await this.#underway
    this.commit()
    await this.#underway
  }
}
