/**
 * Log lines about events, of which there may be very many: one line of a kind in an interval, which says how many
 * others were left out since the last one. Counters tell the whole number.
 */
import type { PluginLogger } from './define.ts'

const defaultIntervalMilliseconds = 10_000
/** Kinds that are told apart; beyond, all of them are forgotten and begin anew. */
const maxKinds = 100

interface Kind {
  spokenAt: number
  leftOut: number
}

export class LimitedLog {
  readonly #logger: PluginLogger
  readonly #interval: number
  readonly #now: () => number
  readonly #kinds = new Map<string, Kind>()

  constructor(
    logger: PluginLogger,
    intervalMilliseconds = defaultIntervalMilliseconds,
    now = () => performance.now(),
  ) {
    this.#logger = logger
    this.#interval = intervalMilliseconds
    this.#now = now
  }

  /** The message is the kind; `fields` is called for a line that is written. */
  say(level: 'warn' | 'error', message: string, fields: () => Record<string, unknown>): void {
    const now = this.#now()
    let kind = this.#kinds.get(message)
    if (kind === undefined) {
      if (this.#kinds.size >= maxKinds) this.#kinds.clear()
      kind = { spokenAt: Number.NEGATIVE_INFINITY, leftOut: 0 }
      this.#kinds.set(message, kind)
    }
    if (now - kind.spokenAt < this.#interval) {
      kind.leftOut += 1
      return
    }
    const { leftOut } = kind
    kind.spokenAt = now
    kind.leftOut = 0
    this.#logger[level](message, { ...fields(), ...(leftOut > 0 && { lines_left_out: leftOut }) })
  }
}
