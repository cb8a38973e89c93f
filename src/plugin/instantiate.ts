/**
 * From a definition and its validated options to a running instance: builds the context that `create`
 * gets, and hands back beside the instance what the pipeline needs to know about it.
 */
import type { Event } from '../event/event.ts'
import type { CommonFilterOptions, CommonInputOptions } from './common-options.ts'
import { compile } from './compile.ts'
import type { GiveUp } from './dead-letter.ts'
import { compileFilterDecoration, compileInputDecoration, type Decoration } from './decorate.ts'
import type {
  CodecDefinition,
  CodecInstance,
  Concern,
  EcsCompatibility,
  FilterDefinition,
  FilterInstance,
  InputDefinition,
  InputInstance,
  Metric,
  MetricTable,
  OutputDefinition,
  OutputInstance,
  PayloadReader,
  PipelineBus,
  PluginContext,
  PluginDefinition,
  PluginFacts,
  PluginLogger,
  StoreLink,
} from './define.ts'
import { noStore } from './no-store.ts'
import type { CodecChoice, OptionTable, OptionValues } from './option.ts'
import type { RawValue } from './raw-value.ts'

interface CodecEnvironment {
  readonly id: string
  readonly pipelineId: string
  readonly ecs: EcsCompatibility
  readonly logger: PluginLogger
  readonly abort: AbortSignal
  /** The metric a plugin declared under this name. */
  metric(name: string): Metric
  setting(name: string): unknown
}

export interface PluginEnvironment extends CodecEnvironment {
  readonly pipelineBus: PipelineBus
  /** Absent under test: nobody takes the events. */
  readonly giveUp?: GiveUp | undefined
  /** Absent under test: events are tagged, nothing is said. */
  failed?(event: Event, error: unknown): void
  /** Only outputs reach it. */
  readonly store?: StoreLink | undefined
  /** Validates and creates a codec; its definition is loaded already. */
  codec(choice: CodecChoice): CodecInstance
}

/** Options as `validateOptions` returned them. */
export type ValidOptions = Readonly<Record<string, unknown>>

export interface CreatedFilter {
  instance: FilterInstance
  /** Runs on events for which `filter` returned true; absent when no common option asks for anything. */
  decorate: Decoration | undefined
  periodicFlush: boolean
}

export interface InputDecoding {
  codec: CodecInstance
  codecName: string
  additionalCodecs: CodecInstance[]
  decorate: Decoration | undefined
}

export interface CreatedInput extends InputDecoding {
  instance: InputInstance
}

export interface CreatedOutput {
  instance: OutputInstance
  codec: CodecInstance
  codecName: string
}

const nothing = () => {}
const untaken: GiveUp = () => false
const silent: Metric = { increment: nothing, set: nothing }

export function createFilter(
  definition: FilterDefinition,
  options: ValidOptions,
  env: PluginEnvironment,
): CreatedFilter {
  const common = options as unknown as CommonFilterOptions
  const decorate = compileFilterDecoration(common)
  const matched: (event: Event) => void = decorate ?? nothing
  const { giveUp = untaken } = env
  const failed = env.failed ?? ((event: Event) => event.tag(`_${definition.name}failure`))
  const instance = definition.create({ ...context(definition, options, env), matched, failed, giveUp })
  return { instance, decorate, periodicFlush: common.periodic_flush }
}

export function createInput(
  definition: InputDefinition,
  options: ValidOptions,
  env: PluginEnvironment,
): CreatedInput {
  const decoding = createInputDecoding(definition, options, env)
  const chosen = chosenCodec(options).name
  if (chosen !== decoding.codecName) {
    env.logger.info(`Automatically switching from ${chosen} to ${decoding.codecName} codec`, {
      plugin: definition.name,
    })
  }
  const { codec, codecName } = decoding
  const { pipelineBus } = env
  const instance = definition.create({ ...context(definition, options, env), codec, codecName, pipelineBus })
  return { ...decoding, instance }
}

/** What a worker needs of an input it does not run: its codecs and decorations. */
export function createInputDecoding(
  definition: InputDefinition,
  options: ValidOptions,
  env: PluginEnvironment,
): InputDecoding {
  const choice = definition.streaming ? streamingCodec(chosenCodec(options)) : chosenCodec(options)
  const names = definition.additionalCodecs?.(options as OptionValues<OptionTable>) ?? []
  return {
    codec: env.codec(choice),
    codecName: choice.name,
    additionalCodecs: names.map((name) => env.codec({ name, options: new Map() })),
    decorate: compileInputDecoration(options as unknown as CommonInputOptions),
  }
}

/** The input's own way to make events of payloads, where it has one. */
export function createReader(
  definition: InputDefinition,
  options: ValidOptions,
  env: PluginEnvironment,
  { codec, codecName, decorate = nothing }: InputDecoding,
): PayloadReader | undefined {
  return definition.reader?.({ ...context(definition, options, env), codec, codecName, decorate })
}

export function createOutput(
  definition: OutputDefinition,
  options: ValidOptions,
  env: PluginEnvironment,
): CreatedOutput {
  const choice = chosenCodec(options)
  const codec = env.codec(choice)
  const { pipelineBus, store = noStore, giveUp = untaken } = env
  const instance = definition.create({
    ...context(definition, options, env),
    codec,
    codecName: choice.name,
    pipelineBus,
    store,
    giveUp,
  })
  return { instance, codec, codecName: choice.name }
}

export function createCodec(
  definition: CodecDefinition,
  options: ValidOptions,
  env: CodecEnvironment,
): CodecInstance {
  return definition.create(context(definition, options, env))
}

/** The metrics of a plugin with these options, in the order they are shown. */
export function metricNames(definition: PluginDefinition, options: ValidOptions): string[] {
  const further = definition.metricsOf?.(options as OptionValues<OptionTable>) ?? {}
  return [...Object.keys(definition.metrics ?? {}), ...Object.keys(further)]
}

export function factsOf(definition: PluginDefinition, options: ValidOptions): PluginFacts {
  return definition.factsOf?.(options as OptionValues<OptionTable>) ?? {}
}

/** Whether a filter with these options keeps something across events that all of them have to see. */
export function sharesState({ concurrency }: FilterDefinition, options: ValidOptions): boolean {
  const kind =
    typeof concurrency === 'function' ? concurrency(options as OptionValues<OptionTable>) : concurrency
  return kind === 'shared-state'
}

/** Whether a filter with these options never adds events nor remembers any. */
export function isOneToOne({ oneToOne }: FilterDefinition, options: ValidOptions): boolean {
  return typeof oneToOne === 'function' ? oneToOne(options as OptionValues<OptionTable>) : oneToOne === true
}

/** Options that cannot be judged have none: creating the plugin says what is wrong with them. */
export function concernsOf(
  definition: PluginDefinition,
  options: ValidOptions,
  ecs: EcsCompatibility,
): Concern[] {
  try {
    return definition.concerns?.(options as OptionValues<OptionTable>, ecs) ?? []
  } catch {
    return []
  }
}

/** The codecs an input or output needs, so that their definitions can be loaded before it is created. */
export function codecNames(definition: InputDefinition | OutputDefinition, options: ValidOptions): string[] {
  const { name } = chosenCodec(options)
  if (definition.type === 'output') return [name]
  const own = definition.streaming ? (streamingNames.get(name) ?? name) : name
  return [own, ...(definition.additionalCodecs?.(options as OptionValues<OptionTable>) ?? [])]
}

const streamingNames: ReadonlyMap<string, string> = new Map([
  ['plain', 'line'],
  ['json', 'json_lines'],
])

/** Inputs that read a stream need records cut out of it: plain becomes line, json json_lines; only the charset stays. */
function streamingCodec(choice: CodecChoice): CodecChoice {
  const name = streamingNames.get(choice.name)
  if (name === undefined) return choice
  const charset = choice.options.get('charset')
  return { name, options: new Map<string, RawValue>(charset === undefined ? [] : [['charset', charset]]) }
}

function chosenCodec(options: ValidOptions): CodecChoice {
  return (options['codec'] as CodecChoice | undefined) ?? { name: 'plain', options: new Map() }
}

function context(
  definition: PluginDefinition,
  options: ValidOptions,
  env: CodecEnvironment,
): PluginContext<OptionTable, MetricTable> {
  const enabled = options['enable_metric'] !== false
  const metric = (name: string): Metric => (enabled ? env.metric(name) : silent)
  return {
    options: options as OptionValues<OptionTable>,
    metrics: Object.fromEntries(Object.keys(definition.metrics ?? {}).map((name) => [name, metric(name)])),
    metric,
    logger: env.logger,
    id: env.id,
    pipelineId: env.pipelineId,
    ecs: (options['ecs_compatibility'] as EcsCompatibility | undefined) ?? env.ecs,
    compile,
    abort: env.abort,
    setting: (name) => env.setting(name),
  }
}
