/**
 * Every setting there is, once: kind, default, one sentence, flag, old names. The settings reader, the command
 * line, `--help`, the reference page and the types of `settings.get(name)` all come from this table.
 */
import { apiDefinitions } from './api-definitions.ts'
import { clusterDefinitions } from './cluster-definitions.ts'
import type { Definition } from './definition.ts'
import { inspectionDefinitions } from './inspection-definitions.ts'
import { pipelineDefinitions } from './pipeline-definitions.ts'
import { processDefinitions } from './process-definitions.ts'
import { searchDefinitions } from './search-definitions.ts'
import { securityDefinitions } from './security-definitions.ts'

export type { Definition, Flag, Kind, Surroundings } from './definition.ts'

export const definitions = {
  ...processDefinitions,
  ...pipelineDefinitions,
  ...apiDefinitions,
  ...inspectionDefinitions,
  ...searchDefinitions,
  ...clusterDefinitions,
  ...securityDefinitions,
}

export type SettingName = keyof typeof definitions

/** The table with its wide type, for code that walks all of it. */
export const definitionOf: Readonly<Record<SettingName, Definition>> = definitions

export const settingNames = Object.keys(definitions) as SettingName[]

export function isSettingName(name: string): name is SettingName {
  return Object.hasOwn(definitions, name)
}

/** Old name -> name of today. */
export const aliasOf: ReadonlyMap<string, SettingName> = new Map(
  settingNames.flatMap((name) =>
    (definitionOf[name].aliases ?? []).map((alias): [string, SettingName] => [alias, name]),
  ),
)

/** What pipelines.yml may contain, in the order in which the error message lists it. */
export const pipelineSettingNames = [
  'config.debug',
  'config.support_escapes',
  'config.string',
  'dead_letter_queue.enable',
  'dead_letter_queue.flush_interval',
  'dead_letter_queue.flush_check_interval',
  'dead_letter_queue.max_bytes',
  'dead_letter_queue.storage_policy',
  'dead_letter_queue.retain.age',
  'metric.collect',
  'pipeline.plugin_classloaders',
  'path.config',
  'path.dead_letter_queue',
  'path.queue',
  'pipeline.batch.delay',
  'pipeline.batch.metrics.sampling_mode',
  'pipeline.batch.output_chunking.growth_threshold_factor',
  'pipeline.batch.size',
  'pipeline.id',
  'pipeline.recoverable',
  'pipeline.reloadable',
  'pipeline.system',
  'pipeline.workers',
  'pipeline.ordered',
  'pipeline.ecs_compatibility',
  'queue.checkpoint.acks',
  'queue.checkpoint.interval',
  'queue.checkpoint.writes',
  'queue.checkpoint.retry',
  'queue.compression',
  'queue.drain',
  'queue.max_bytes',
  'queue.max_events',
  'queue.page_capacity',
  'queue.type',
  'compat.conditions',
  'compat.hash_order',
  'config.escape_aware_strings',
  'output.isolation',
  'pipeline.condition_error',
  'pipeline.output.inflight',
  'queue.durability',
  'queue.memory.max_bytes',
] as const satisfies readonly SettingName[]

/** Process settings that older versions allowed per pipeline: dropped there with a deprecation. */
export const deprecatedPipelineSettings: ReadonlySet<string> = new Set([
  'config.reload.automatic',
  'config.reload.interval',
])

/** Settings of earlier versions that no longer mean anything. */
export const obsoleteSettings: ReadonlySet<string> = new Set([
  'pipeline.java_execution',
  'pipeline.output.workers',
  'event_api.tags.illegal',
  'config.field_reference.parser',
  'enable-local-plugin-development',
])

/** Settings of features that exist only in Logstash: accepted and ignored with one warning each. */
export function isForeignSetting(name: string): boolean {
  return /^(?:xpack\.|modules(?:$|[._])|cloud\.(?:id|auth)$|monitoring\.|arcsight\.|var\.)/.test(name)
}
