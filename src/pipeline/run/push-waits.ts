/**
 * Pushes of inputs that wait for room in the queue. Their time counts while they wait, not only when they are through:
 * with an output that is dead nothing else tells that the inputs stand still.
 */
import { clock } from './stage-meter.ts'

interface Wait {
  readonly input: number
  /** Up to where its time has been counted. */
  since: number
  readonly refuse: (error: Error) => void
}

export class PushWaits {
  readonly #count: (input: number, nanos: number) => void
  readonly #waits = new Set<Wait>()

  /** `count` takes the time that the pushes of an input have waited since it was last called. */
  constructor(count: (input: number, nanos: number) => void) {
    this.#count = count
  }

  /** Resolves or rejects with the push, or rejects when all of them are refused. */
  async over(input: number, pushed: Promise<void>): Promise<void> {
    let refuse: (error: Error) => void = () => {}
    const refused = new Promise<never>((_, reject) => {
      refuse = reject
    })
    const wait: Wait = { input, since: clock(), refuse }
    this.#waits.add(wait)
    try {
      await Promise.race([pushed, refused])
    } finally {
      this.#waits.delete(wait)
      this.#countWait(wait, clock())
    }
  }

  /** Counts what has passed of those that still wait. */
  count(): void {
    const now = clock()
    for (const wait of this.#waits) this.#countWait(wait, now)
  }

  /** There will be no room for them. */
  refuseAll(error: Error): void {
    for (const { refuse } of this.#waits) refuse(error)
  }

  #countWait(wait: Wait, now: number): void {
    this.#count(wait.input, now - wait.since)
    wait.since = now
  }
}
