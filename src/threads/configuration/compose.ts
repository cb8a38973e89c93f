/**
 * Puts a pipeline together from settings: the registry, the options of the plan, loggers, limits.
 * The config check and every thread of a pipeline use the same functions, so they agree.
 */
import { useEscapeStyle } from '../../event/field-reference.ts'
import { secretValues } from '../../lang/secret-values.ts'
import { concealed, hideText } from '../../log/hidden-texts.ts'
import { Logger } from '../../log/logger.ts'
import { type Plan, type PlannedPlugin, type PlanOptions, pluginsOf } from '../../pipeline/plan/plan.ts'
import type { SourcePart } from '../../pipeline/plan/source.ts'
import type { GenerationLimits } from '../../pipeline/run/generation.ts'
import type { ExecutionEnvironment } from '../../pipeline/run/plugin-factory.ts'
import type { PipelineBus, PluginLogger, StoreLink } from '../../plugin/define.ts'
import { sharesState } from '../../plugin/instantiate.ts'
import { Registry } from '../../plugin/registry.ts'
import { catalogue } from '../../plugins/catalogue.ts'
import type { SettingName } from '../../settings/definitions.ts'
import type { Settings } from '../../settings/settings.ts'
import {
  substituteConditionString,
  substituteId,
  substituteOptionValue,
  type VariableLookup,
} from '../../settings/substitution.ts'

/** Share of `memory.limit` for the events that wait in the memory of one pipeline. */
const maxQueueShare = 0.1

export function registryFor(settings: Settings): Registry {
  return new Registry(catalogue, { folders: settings.get('path.plugins') })
}

/** Also sets how this thread reads field references, which plan and plugins share. */
export function planOptions(settings: Settings, registry: Registry, variables: VariableLookup): PlanOptions {
  useEscapeStyle(settings.get('config.field_reference.escape_style'))
  return {
    registry,
    ecs: settings.get('pipeline.ecs_compatibility'),
    conditions: settings.get('compat.conditions'),
    escapeAware: settings.get('config.escape_aware_strings'),
    strict: settings.get('compat.strict'),
    supportEscapes: settings.get('config.support_escapes'),
    hashOrder: settings.get('compat.hash_order'),
    substitute: (text) => substituteOptionValue(text, variables) as string | string[],
    substituteId: (text) => substituteId(text, variables),
  }
}

export type WorkerEnvironment = Omit<
  ExecutionEnvironment,
  'plan' | 'board' | 'row' | 'write' | 'abort' | 'ordered'
>

export function workerEnvironment(
  settings: Settings,
  variables: VariableLookup,
  bus: PipelineBus,
  store: StoreLink,
): WorkerEnvironment {
  const pipelineId = settings.get('pipeline.id')
  return {
    pipelineId,
    ecs: settings.get('pipeline.ecs_compatibility'),
    batchSize: settings.get('pipeline.batch.size'),
    isolated: settings.get('output.isolation'),
    growthLimit: settings.get('pipeline.batch.output_chunking.growth_threshold_factor'),
    conditionError: settings.get('pipeline.condition_error'),
    conditions: {
      mode: settings.get('compat.conditions'),
      supportEscapes: settings.get('config.support_escapes'),
      substitute: (text) => substituteConditionString(text, variables),
    },
    bus,
    store,
    logger: loggers(pipelineId),
    conceal: concealed,
    setting: (name) => settings.get(name as SettingName),
  }
}

function loggers(pipelineId: string): (plugin: PlannedPlugin | undefined) => PluginLogger {
  const own = new Logger('logstash.javapipeline', { pipelineId })
  return (plugin) =>
    plugin === undefined
      ? own
      : new Logger(`logstash.${plugin.type}s.${plugin.name}`, { pipelineId, pluginId: plugin.id })
}

export interface WorkerCount {
  workers: number
  warning: string | undefined
}

/** `pipeline.workers`, lowered to one when a filter keeps state across events and nobody asked for more. */
export function workerCount(plan: Plan, settings: Settings): WorkerCount {
  const workers = settings.get('pipeline.workers')
  const stateful = pluginsOf(plan.filters)
    .filter(({ definition, options }) => definition.type === 'filter' && sharesState(definition, options))
    .map(({ name }) => name)
  if (stateful.length === 0 || workers === 1) return { workers, warning: undefined }
  const filters = stateful.join(', ')
  if (settings.isSet('pipeline.workers')) {
    return {
      workers: 1,
      warning: `Warning: Manual override - there are filters that might not work with multiple worker threads: ${filters}; they run in one worker`,
    }
  }
  return {
    workers: 1,
    warning: `Defaulting pipeline worker threads to 1 because there are some filters that might not work with multiple worker threads: ${filters}`,
  }
}

export function isOrdered(settings: Settings): boolean {
  const mode = settings.get('pipeline.ordered')
  const workers = settings.get('pipeline.workers')
  if (mode === 'true' && workers > 1) {
    throw new Error("enabling the 'pipeline.ordered' setting requires the use of a single pipeline worker")
  }
  return mode === 'true' || (mode === 'auto' && workers === 1 && settings.isSet('pipeline.workers'))
}

export function limitsFor(settings: Settings, workers: number): GenerationLimits {
  return {
    workers,
    batchSize: settings.get('pipeline.batch.size'),
    inflight: settings.get('pipeline.output.inflight'),
    queueBytes: Math.min(
      // One event fits into any queue.
      Math.max(1, settings.get('queue.memory.max_bytes')),
      settings.get('memory.limit') * maxQueueShare,
    ),
  }
}

/** Messages may quote a configuration; what looks like a secret there is not to be seen in them. */
export function hideSecretsOf(parts: readonly SourcePart[]): void {
  for (const { text } of parts) for (const secret of secretValues(text)) hideText(secret)
}
