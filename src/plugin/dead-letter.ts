/**
 * What becomes of events that cannot go on: one way for filters and outputs to give an event up, with its reason.
 * A dead letter queue is a sink for them; where there is none, the log and a counter are all that is left.
 */
import type { Event } from '../event/event.ts'

export interface DeadLetter {
  readonly event: Event
  readonly pluginType: 'input' | 'filter' | 'output' | 'if-statement'
  readonly pluginName: string
  readonly pluginId: string
  readonly reason: string
}

export interface DeadLetterSink {
  /** False when it does not take the event, because it is full or closed. */
  write(letter: DeadLetter): boolean
  /** Resolves when what was written so far is safe; the end of a batch waits for it. Undefined when nothing was. */
  settled?(): Promise<void> | undefined
}

/** True when a dead letter queue has the event; otherwise whoever gives it up says so in the log. */
export type GiveUp = (event: Event, reason: string) => boolean

/** What `write` of a `single` output rejects with when blocks for some targets will never be delivered. */
export class Undelivered extends Error {
  override readonly name = 'Undelivered'
  readonly targets: readonly string[]

  constructor(message: string, targets: readonly string[]) {
    super(message)
    this.targets = targets
  }
}

/** What an output rejects with when no event at all can be delivered: the pipeline cannot go on. */
export class OutputUnusable extends Error {
  override readonly name = 'OutputUnusable'
}
