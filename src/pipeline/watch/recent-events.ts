/**
 * The last events of a worker as its inputs made them, for trying a new configuration on them. Costs a bounded amount
 * whatever the rate: a few are copied now and then, never all of them.
 */
import type { Event } from '../../event/event.ts'
import { writeJson } from '../../event/json-write.ts'
import type { PlannedPlugin } from '../plan/plan.ts'
import type { StageObserver } from './stage-observer.ts'

const everyMillis = 50
const maxAtOnce = 50
const maxEventSize = 64 * 1024
const maxBytes = 4 * 1024 * 1024

export class RecentEvents implements StageObserver {
  readonly #limit: number
  #texts: string[] = []
  #bytes = 0
  #takenAt = 0
  #takenThen = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  decoded(_input: PlannedPlugin, events: readonly Event[], from: number): void {
    const now = Date.now()
    if (now - this.#takenAt >= everyMillis) {
      this.#takenAt = now
      this.#takenThen = 0
    }
    for (let i = from; i < events.length && this.#takenThen < maxAtOnce; i++) {
      this.#takenThen += 1
      this.#add(writeJson(events[i]!.toHashWithMetadata()))
    }
  }

  #add(text: string): void {
    if (text.length > maxEventSize) return
    this.#texts.push(text)
    this.#bytes += text.length
    while (this.#texts.length > this.#limit || this.#bytes > maxBytes)
      this.#bytes -= this.#texts.shift()!.length
  }

  /** JSON text of each, oldest first. */
  get texts(): readonly string[] {
    return this.#texts
  }
}
