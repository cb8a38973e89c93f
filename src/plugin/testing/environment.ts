/**
 * The surroundings a plugin gets under test: a logger that keeps its lines, metrics that can be read,
 * settings and codecs the test gives, and a bus between pipelines that lives in memory.
 */
import type {
  CodecDefinition,
  EcsCompatibility,
  GiveUp,
  Metric,
  PluginDefinition,
  PluginLogger,
} from '../define.ts'
import { createCodec, type PluginEnvironment, type ValidOptions } from '../instantiate.ts'
import { validateOptions } from '../validate.ts'
import { memoryBus } from './memory-bus.ts'
import { rawOptions, type TestOptions } from './raw-from-js.ts'
import { standInCodec } from './stand-in-codec.ts'

interface LogLine {
  level: 'debug' | 'info' | 'warn' | 'error'
  message: string
  fields: Record<string, unknown> | undefined
}

interface RecordingLogger extends PluginLogger {
  readonly lines: LogLine[]
  /** Messages of one level, or of all. */
  messages(level?: LogLine['level']): string[]
}

export function recordingLogger(): RecordingLogger {
  const lines: LogLine[] = []
  const at = (level: LogLine['level']) => (message: string, fields?: Record<string, unknown>) => {
    lines.push({ level, message, fields })
  }
  return {
    lines,
    messages: (level) =>
      lines.filter((line) => level === undefined || line.level === level).map((line) => line.message),
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
  }
}

export interface TestSettings {
  ecs?: EcsCompatibility
  strict?: boolean | undefined
  id?: string
  pipelineId?: string
  /** Real codecs for inputs and outputs; names that are not among them get a stand-in. */
  codecs?: readonly CodecDefinition[]
  /** Settings of the node, e.g. `{ 'path.data': dir }`. */
  settings?: Readonly<Record<string, unknown>>
  abort?: AbortSignal
  pipelineBus?: PluginEnvironment['pipelineBus']
  /** Takes events that leave the pipeline for good; there is no dead letter queue unless given. */
  giveUp?: GiveUp | undefined
}

export interface TestEnvironment extends PluginEnvironment {
  readonly logger: RecordingLogger
  /** What the plugin counted, by metric name. */
  readonly counts: Map<string, number>
  /** Ends the waits of the plugin, as a pipeline that has to stop now. */
  stop(): void
}

export function testEnvironment(settings: TestSettings = {}): TestEnvironment {
  const controller = new AbortController()
  const recording = recordingLogger()
  const counts = new Map<string, number>()
  const codecs = new Map((settings.codecs ?? []).map((definition) => [definition.name, definition]))
  const environment: TestEnvironment = {
    id: settings.id ?? 'plugin-under-test',
    pipelineId: settings.pipelineId ?? 'main',
    ecs: settings.ecs ?? 'disabled',
    logger: recording,
    abort: settings.abort ?? controller.signal,
    counts,
    stop: () => controller.abort(),
    metric: (name) => countingMetric(counts, name),
    setting: (name) => settings.settings?.[name],
    pipelineBus: settings.pipelineBus ?? memoryBus(),
    giveUp: settings.giveUp,
    codec({ name, options }) {
      const definition = codecs.get(name)
      if (definition === undefined) return standInCodec(name)
      return createCodec(definition, validOptions(definition, options, settings), environment)
    },
  }
  return environment
}

function countingMetric(counts: Map<string, number>, name: string): Metric {
  return {
    increment: (by = 1) => {
      counts.set(name, (counts.get(name) ?? 0) + by)
    },
    set: (value) => {
      counts.set(name, value)
    },
  }
}

/** The validated options, or an error with every problem of them. */
export function validOptions(
  definition: PluginDefinition,
  options: TestOptions,
  settings: TestSettings = {},
): ValidOptions {
  const validation = validateOptions(definition, rawOptions(options), {
    ecs: settings.ecs ?? 'disabled',
    strict: settings.strict,
  })
  if (validation.options === undefined) {
    throw new Error(validation.problems.map((problem) => problem.message).join('\n'))
  }
  return validation.options
}
