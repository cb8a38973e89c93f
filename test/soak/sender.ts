/**
 * One way events come in. A sender is told how many events are due; it sends as many as the other side takes and never
 * piles up more than a second of them. What was acknowledged is remembered by number.
 */
import { SequenceSet } from './sequence-set.ts'

export abstract class Sender {
  abstract readonly via: string
  readonly acknowledged = new SequenceSet()
  /** Events given to the other side, and so the next sequence number. */
  sent = 0
  /** Batches given again because their acknowledgement never came: they may be stored twice. */
  resent = 0
  /** Answers such as 429 and 503: the sender waited and tried again. */
  refused = 0
  /** Connections that ended before they should. */
  broken = 0
  #due = 0

  /** More events to send; what is due for longer than a second is let go, or a pause would be followed by a flood. */
  demand(events: number, perSecond: number): void {
    this.#due = Math.min(this.#due + events, Math.max(perSecond, 1))
    this.work()
  }

  /** At most as many events as are due, from the next sequence number. */
  protected take(most: number): { first: number; count: number } {
    const count = Math.min(Math.floor(this.#due), most)
    const first = this.sent
    this.#due -= count
    this.sent += count
    return { first, count }
  }

  get isBehind(): boolean {
    return this.#due > 50
  }

  abstract open(): Promise<void>
  /** Sends what is due when the other side has room. */
  protected abstract work(): void
  /** Waits for acknowledgements of all that was sent, for `limit` milliseconds at most, and closes. */
  abstract finish(limit: number): Promise<void>
}

/** Resolves with true when the condition holds, false when the time is over. */
export async function eventually(holds: () => boolean | Promise<boolean>, limit: number): Promise<boolean> {
  const end = performance.now() + limit
  for (;;) {
    if (await holds()) return true
    if (performance.now() > end) return false
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
