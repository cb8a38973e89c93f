/**
 * The note of filters that put whatever the data contains at the top of the event, where it may clash
 * with names of the Elastic Common Schema.
 */
import type { EcsCompatibility, PluginLogger } from '../../plugin/define.ts'

export function noteMissingTarget(
  ecs: EcsCompatibility,
  target: string | undefined,
  logger: PluginLogger,
): void {
  if (ecs === 'disabled' || target !== undefined) return
  logger.info(
    'Without a `target`, parsed members become fields at the top of the event, ' +
      'where they may clash with fields of the Elastic Common Schema.',
  )
}
