/**
 * What a worker is given to run a plan, and the plugin instances it makes from it: each with its logger,
 * its metrics on the worker's row of the board, and its codecs.
 */
import type { Board } from '../../metrics/board.ts'
import { metricKey } from '../../metrics/pipeline-keys.ts'
import type { Decoration } from '../../plugin/decorate.ts'
import type {
  Block,
  CodecDefinition,
  CodecInstance,
  DeadLetterSink,
  FilterDefinition,
  InputDefinition,
  OutputDefinition,
  OutputInstance,
  PayloadReader,
  PipelineBus,
  PluginLogger,
  StoreLink,
} from '../../plugin/define.ts'
import {
  type CreatedFilter,
  type CreatedInput,
  createCodec,
  createFilter,
  createInput,
  createInputDecoding,
  createOutput,
  createReader,
  type InputDecoding,
  type PluginEnvironment,
} from '../../plugin/instantiate.ts'
import type { CodecChoice } from '../../plugin/option.ts'
import { type StandIn, validateOptions } from '../../plugin/validate.ts'
import type { ConditionOptions } from '../plan/condition-compile.ts'
import type { Plan, PlannedPlugin } from '../plan/plan.ts'
import { inputFailureTag, PluginFailures } from './plugin-failures.ts'

export interface ExecutionEnvironment {
  readonly pipelineId: string
  readonly plan: Plan
  readonly board: Board
  /** The row of the board this worker writes. */
  readonly row: number
  readonly ecs: PluginEnvironment['ecs']
  readonly ordered: boolean
  readonly conditions: ConditionOptions
  readonly batchSize: number
  /** How many times its size a batch may grow in the filters before outputs get it in slices. */
  readonly growthLimit: number
  readonly conditionError: 'drop' | 'false' | 'tag'
  readonly abort: AbortSignal
  readonly bus: PipelineBus
  readonly store?: StoreLink | undefined
  /** Where events go that are given up; absent when there is no dead letter queue. */
  readonly deadLetters?: DeadLetterSink | undefined
  /** As the plan was made with. */
  readonly standIn?: StandIn | undefined
  logger(plugin: PlannedPlugin | undefined): PluginLogger
  /** Takes secrets out of a text. */
  conceal?(text: string): string
  setting(name: string): unknown
  /** Takes the blocks of a `single` output to the one place that writes them. */
  write(plugin: PlannedPlugin, blocks: Block[]): void | Promise<void>
  /** Each output has a queue of its own: `write` takes batches of events in wire form there. */
  readonly isolated?: boolean
  /** Then: writes blocks of a `single` output. */
  writeThrough?(plugin: PlannedPlugin, blocks: Block[]): void | Promise<void>
}

/** Creates plugin instances of a plan; the host uses it for inputs, every worker for the rest. */
export class PluginFactory {
  #env: ExecutionEnvironment
  #row: Float64Array
  #failures = new Map<PlannedPlugin, PluginFailures>()

  constructor(env: ExecutionEnvironment) {
    this.#env = env
    this.#row = env.board.row(env.row)
  }

  /** `metric`: where the input's own metrics go, when that may change while it runs. */
  input(plugin: PlannedPlugin, metric?: PluginEnvironment['metric']): CreatedInput {
    const env = this.#environment(plugin)
    return createInput(
      plugin.definition as InputDefinition,
      plugin.options,
      metric === undefined ? env : { ...env, metric },
    )
  }

  decoding(plugin: PlannedPlugin): InputDecoding & { reader: PayloadReader | undefined } {
    const definition = plugin.definition as InputDefinition
    const env = this.#environment(plugin)
    const decoding = createInputDecoding(definition, plugin.options, env)
    const decorate = decoding.decorate && guarded(decoding.decorate, this.failures(plugin))
    const reader = createReader(definition, plugin.options, env, { ...decoding, decorate })
    return { ...decoding, decorate, reader }
  }

  /** One for all that is made of the plugin here. */
  failures(plugin: PlannedPlugin): PluginFailures {
    let failures = this.#failures.get(plugin)
    if (failures === undefined) {
      const { board, row, deadLetters } = this.#env
      failures = new PluginFailures({ plugin, board, row, logger: this.#env.logger(plugin), deadLetters })
      this.#failures.set(plugin, failures)
    }
    return failures
  }

  filter(plugin: PlannedPlugin): CreatedFilter {
    return createFilter(plugin.definition as FilterDefinition, plugin.options, this.#environment(plugin))
  }

  output(plugin: PlannedPlugin): OutputInstance {
    return createOutput(plugin.definition as OutputDefinition, plugin.options, this.#environment(plugin))
      .instance
  }

  #environment(plugin: PlannedPlugin): PluginEnvironment {
    const { pipelineId, ecs, abort, board } = this.#env
    const failures = this.failures(plugin)
    const env: PluginEnvironment = {
      id: plugin.id,
      pipelineId,
      ecs,
      abort,
      logger: this.#env.logger(plugin),
      pipelineBus: this.#env.bus,
      store: this.#env.store,
      giveUp: failures.giveUp,
      failed: (event, error) => failures.filterFailed(event, error),
      metric: (name) => {
        const column = board.column(metricKey(plugin.id, name))
        const row = this.#row
        return {
          increment: (by = 1) => {
            row[column]! += by
          },
          set: (value) => {
            row[column] = value
          },
        }
      },
      setting: (name) => this.#env.setting(name),
      codec: (choice) => this.#codec(choice, plugin, env),
    }
    return env
  }

  #codec(choice: CodecChoice, plugin: PlannedPlugin, env: PluginEnvironment): CodecInstance {
    const definition = plugin.codecs.get(choice.name) as CodecDefinition
    const { options, problems } = validateOptions(definition, choice.options, {
      ecs: codecEcs(plugin, env),
      standIn: this.#env.standIn,
    })
    if (options === undefined)
      throw new Error(problems[0]?.message ?? `codec ${choice.name} cannot be created`)
    return createCodec(definition, options, { ...env, metric: () => ({ increment() {}, set() {} }) })
  }
}

/** Common options of an input that cannot be applied to an event leave it as it is, with a tag. */
function guarded(decorate: Decoration, failures: PluginFailures): Decoration {
  return (event) => {
    try {
      decorate(event)
    } catch (error) {
      failures.tagged(event, inputFailureTag, error, 'Common options of the input could not be applied')
    }
  }
}

/** A codec without its own setting follows the plugin it belongs to. */
function codecEcs(plugin: PlannedPlugin, env: PluginEnvironment): PluginEnvironment['ecs'] {
  return (plugin.options['ecs_compatibility'] as PluginEnvironment['ecs'] | undefined) ?? env.ecs
}
