/**
 * Delivers what filters held back and let go of. No queue has these events and no sender waits for them: where the
 * outputs fail, or the end of the pipeline does not wait for them, dead letters and the log are all that is left.
 */
import type { Event } from '../../event/event.ts'
import type { DeadLetterSink } from '../../plugin/dead-letter.ts'
import type { PluginLogger } from '../../plugin/define.ts'

interface FlushSettings {
  readonly abort: AbortSignal
  readonly logger: PluginLogger
  readonly deadLetters: DeadLetterSink | undefined
  /** Resolves when the outputs were given the events, to what they have under way. */
  emit(events: Event[]): Promise<Promise<void>[]>
}

const stopped = 'the pipeline was stopped before the event could be delivered'
const place = { pluginType: 'output', pluginName: 'shutdown', pluginId: 'shutdown' } as const

/** Resolves when every output has the events, or has given its wait up. Rejects as the outputs do. */
export async function deliverFlushed(events: Event[], settings: FlushSettings): Promise<void> {
  if (events.length === 0) return
  const { abort, emit } = settings
  const kept = [...events]
  // Outputs whose waits are ended do not say whether they delivered.
  const giveUp = (): void => keepUndelivered(kept.splice(0), stopped, settings)
  if (abort.aborted) giveUp()
  abort.addEventListener('abort', giveUp)
  try {
    await Promise.all(await emit(events))
  } catch (error) {
    keepUndelivered(kept.splice(0), (error as Error).message, settings)
    throw error
  } finally {
    abort.removeEventListener('abort', giveUp)
  }
}

function keepUndelivered(events: readonly Event[], reason: string, settings: FlushSettings): void {
  if (events.length === 0) return
  const { deadLetters, logger } = settings
  let letters = 0
  for (const event of events) {
    try {
      if (deadLetters?.write({ ...place, event, reason })) letters += 1
    } catch {
      // Counted as lost.
    }
  }
  logger.error('Events that filters held back could not be delivered', {
    reason,
    dead_letters: letters,
    lost: events.length - letters,
  })
}
