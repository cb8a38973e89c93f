/**
 * Tries a new configuration on the last real events before it is loaded, and says what would change. With a limit on
 * failures, a configuration whose filters fail on more events than the one that runs is refused.
 */
import { Logger } from '../log/logger.ts'
import type { ComparisonCounts } from '../threads/configuration/inspection-job.ts'
import { Inspections } from '../threads/configuration/inspections.ts'
import type { PipelineConfig } from './pipeline-state.ts'
import type { Watches } from './watches.ts'

export interface ShadowReport extends ComparisonCounts {
  readonly truncated: boolean
  /** The first events that come out otherwise: what went in, what comes out now and then. */
  readonly differences: readonly unknown[]
}

const maxMillis = 5000
const endMillis = 20_000
const maxBytes = 256 * 1024
const maxDifferences = 20

export class ShadowReload {
  readonly #watches: Watches
  readonly #inspections = new Inspections()
  readonly #logger = new Logger('logstash.agent')

  constructor(watches: Watches) {
    this.#watches = watches
  }

  /** Undefined when there is nothing to try it on, or it cannot be tried: the reload itself says why then. */
  async try(running: PipelineConfig, next: PipelineConfig): Promise<ShadowReport | undefined> {
    if (next.settings.get('shadow_reload.events') === 0) return undefined
    const events = await this.#watches.recentEvents(next.id)
    if (events.length === 0) return undefined
    try {
      const text = await this.#inspections.run(
        {
          kind: 'compare',
          events: `[${events.join(',')}]`,
          before: { settings: running.settings.toData(), parts: running.parts },
          after: { settings: next.settings.toData(), parts: next.parts },
          maxMillis,
          maxBytes,
        },
        endMillis,
      )
      const report = JSON.parse(text) as ShadowReport
      return this.#told(next.id, { ...report, differences: report.differences.slice(0, maxDifferences) })
    } catch (error) {
      const { message } = error as Error
      this.#logger.warn('Shadow reload: the new configuration could not be tried', {
        'pipeline.id': next.id,
        message,
      })
      return undefined
    }
  }

  #told(pipelineId: string, report: ShadowReport): ShadowReport {
    const { differences, ...counts } = report
    this.#logger.info('Shadow reload: what the new configuration does to the last events', {
      'pipeline.id': pipelineId,
      ...counts,
    })
    for (const difference of differences.slice(0, 3))
      this.#logger.info('Shadow reload: an event that comes out otherwise', {
        'pipeline.id': pipelineId,
        changes: JSON.stringify((difference as { changes?: unknown }).changes).slice(0, 1000),
      })
    return report
  }

  close(): Promise<void> {
    return this.#inspections.close()
  }
}

/** Why the configuration is not loaded; undefined when it may be. */
export function shadowRefusal(report: ShadowReport | undefined, next: PipelineConfig): string | undefined {
  const limit = next.settings.get('shadow_reload.max_failures')
  if (report === undefined || limit < 0) return undefined
  const more = report.failures_after - report.failures_before
  if (more <= limit) return undefined
  return (
    `Shadow reload: ${more} more of the last ${report.events} events fail with the new configuration, ` +
    `and shadow_reload.max_failures is ${limit}`
  )
}
