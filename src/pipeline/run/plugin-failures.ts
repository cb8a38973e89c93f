/**
 * Faults of a plugin that concern one event: it is tagged and goes on, or is given up when there is nothing to go on
 * with. Each fault is counted on the worker's row of the board; the log says so now and then.
 */
import { Event } from '../../event/event.ts'
import type { Board } from '../../metrics/board.ts'
import { pluginKey } from '../../metrics/pipeline-keys.ts'
import type { DeadLetterSink } from '../../plugin/dead-letter.ts'
import type { PluginLogger } from '../../plugin/define.ts'
import { LimitedLog } from '../../plugin/limited-log.ts'
import type { PlannedPlugin } from '../plan/plan.ts'

/** Events whose record could not be decoded, or that could not be given the fields of their input. */
export const inputFailureTag = '_inputfailure'
/** Events of records that were cut at the limit of their codec. */
export const truncatedTag = '_truncated'

/** Characters of a foreign text that a log line shows. */
const maxShown = 1000

interface FailureSettings {
  readonly plugin: Pick<PlannedPlugin, 'id' | 'name' | 'definition'>
  readonly board: Board
  readonly row: number
  readonly logger: PluginLogger
  readonly deadLetters?: DeadLetterSink | undefined
}

export class PluginFailures {
  readonly #filterTag: string
  readonly #settings: FailureSettings
  readonly #row: Float64Array
  readonly #log: LimitedLog
  readonly #columns: { failures: number; givenUp: number; truncated: number }

  constructor(settings: FailureSettings) {
    const { plugin, board, row, logger } = settings
    const { id, name, definition } = plugin
    this.#settings = settings
    this.#row = board.row(row)
    this.#log = new LimitedLog(logger)
    this.#filterTag = `_${name}failure`
    this.#columns = {
      failures: board.column(pluginKey(id, 'failures')),
      givenUp: board.column(pluginKey(id, 'given_up')),
      truncated: definition.type === 'input' ? board.column(pluginKey(id, 'truncated')) : -1,
    }
  }

  /** A filter threw: its event goes on, tagged with the filter's name. */
  filterFailed(event: Event, error: unknown): void {
    this.tagged(event, this.#filterTag, error, 'Exception in a filter, the event goes on with a tag')
  }

  /** The event goes on, tagged. */
  tagged(event: Event, tag: string, error: unknown, message: string): void {
    event.tag(tag)
    this.failed(tag, error, message)
  }

  failed(tag: string | undefined, error: unknown, message: string): void {
    this.#row[this.#columns.failures]! += 1
    this.#log.say('warn', message, () => ({ ...(tag !== undefined && { tag }), ...described(error) }))
  }

  /** The record was cut; its events are tagged by whoever makes them. */
  truncated(bytes: number): void {
    this.#row[this.#columns.truncated]! += 1
    const message = 'A record is too long and was cut, reading goes on with the next one'
    this.#log.say('warn', message, () => ({ kept_bytes: bytes, tag: truncatedTag }))
  }

  /** A text that is no UTF-8, as it is shown now; the pipeline goes on with that. */
  foreignText(text: string): void {
    const message = 'Received an event that has a different character encoding than you configured.'
    const shown = text.length > maxShown ? `${text.slice(0, maxShown)}…` : text
    this.#log.say('warn', message, () => ({ text: shown, expected_charset: 'UTF-8' }))
  }

  /** The event leaves the pipeline; true when the dead letter queue took it. */
  readonly giveUp = (event: Event, reason: string): boolean => {
    this.#row[this.#columns.givenUp]! += 1
    const { deadLetters, plugin } = this.#settings
    const { id, name, definition } = plugin
    const pluginType = definition.type
    if (deadLetters === undefined || pluginType === 'codec') return false
    try {
      return deadLetters.write({ event, pluginType, pluginName: name, pluginId: id, reason })
    } catch (error) {
      this.#log.say('error', 'An event could not be written to the dead letter queue', () => described(error))
      return false
    }
  }

  /** Events nobody can deliver: the dead letters, or an ERROR line. */
  undelivered(events: readonly Event[], error: unknown, message: string): void {
    const { message: reason } = described(error)
    let dropped = 0
    for (const event of events) if (!this.giveUp(event, reason)) dropped += 1
    if (dropped > 0) this.#log.say('error', message, () => ({ events: dropped, ...described(error) }))
  }

  /** Events of an input that the queue cannot hold: the dead letters have those that can be written there. */
  refused(events: readonly Event[], count: number, error: unknown): void {
    const { message: reason } = described(error)
    let kept = 0
    for (const event of events)
      if (this.giveUp(event, `the queue cannot hold the event: ${reason}`)) kept += 1
    this.#row[this.#columns.givenUp]! += count - events.length
    const message = 'Events that the queue cannot hold were given up'
    this.#log.say('error', message, () => ({ events: count, dead_letters: kept, ...described(error) }))
  }

  /** Bytes that became no event; the dead letters have them as one, where there are any. */
  lost(count: number, error: unknown, message: string, bytes: Uint8Array | null): void {
    this.#row[this.#columns.givenUp]! += count
    const { deadLetters, plugin } = this.#settings
    const reason = described(error).message
    let isKept = false
    try {
      isKept =
        bytes !== null &&
        deadLetters?.write({
          event: Event.from({ message: Buffer.from(bytes).toString('utf8') }),
          pluginType: 'input',
          pluginName: plugin.name,
          pluginId: plugin.id,
          reason,
        }) === true
    } catch {
      // Said below.
    }
    this.#log.say('error', message, () => ({ events: count, dead_letter: isKept, ...described(error) }))
  }
}

function described(error: unknown): { exception: string; message: string } {
  if (error instanceof Error) return { exception: error.name, message: error.message }
  return { exception: typeof error, message: String(error) }
}
