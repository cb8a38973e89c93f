/**
 * What a worker hands its dead letters to: they become bytes at once, in the worker, and go to the queue's owner
 * together when the batch ends, wherever that is. `settled` is what the end of a batch waits for: only then are they on
 * the disk.
 */

import type { Event } from '../../event/event.ts'
import { Timestamp } from '../../event/timestamp.ts'
import { encodeEntry, isFromDeadLetters } from './entry.ts'
import type { DeadLetterLogger } from './queue.ts'

/** An event that a plugin gave up. */
interface GivenUp {
  readonly event: Event
  readonly pluginName: string
  readonly pluginId: string
  readonly reason: string
}

/** Bytes that are not waited for are bounded: a batch that gives up much is written in parts. */
const maxBufferedBytes = 4 * 1024 * 1024

export class LetterBuffer {
  readonly #append: (entries: Uint8Array[]) => Promise<void>
  readonly #logger: DeadLetterLogger
  #entries: Uint8Array[] = []
  #bytes = 0
  /** What was sent and is not answered yet, whoever sent it: batches overlap, and each waits for its own letters. */
  readonly #pending = new Set<Promise<void>>()
  #hasWarned = false

  constructor(append: (entries: Uint8Array[]) => Promise<void>, logger: DeadLetterLogger) {
    this.#append = append
    this.#logger = logger
  }

  /** False when the event does not go into the queue, because it came out of one. */
  write({ event, pluginName, pluginId, reason }: GivenUp): boolean {
    if (isFromDeadLetters(event)) {
      if (!this.#hasWarned) this.#logger.warn('Event previously submitted to dead letter queue. Skipping...')
      this.#hasWarned = true
      return false
    }
    const bytes = encodeEntry({ event, pluginType: pluginName, pluginId, reason }, Timestamp.now())
    this.#entries.push(bytes)
    this.#bytes += bytes.length
    if (this.#bytes >= maxBufferedBytes) this.#send()
    return true
  }

  /** Resolves when everything written so far is on the disk, or dropped and counted; undefined when there is nothing. */
  settled(): Promise<void> | undefined {
    this.#send()
    this.#hasWarned = false
    if (this.#pending.size === 0) return undefined
    return Promise.all(this.#pending).then(() => undefined)
  }

  #send(): void {
    if (this.#entries.length === 0) return
    const entries = this.#entries
    this.#entries = []
    this.#bytes = 0
    const sent = this.#append(entries)
    this.#pending.add(sent)
    const answered = () => this.#pending.delete(sent)
    sent.then(answered, answered)
  }
}
