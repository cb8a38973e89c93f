/**
 * Opens a configuration that is not running, to try events on it: its plan, its filters with nothing behind them, and
 * how an input of it would read lines.
 */
import { Event } from '../../event/event.ts'
import { parseJson } from '../../event/json-parse.ts'
import { writeJson } from '../../event/json-write.ts'
import { parseTimestamp } from '../../event/parse-timestamp.ts'
import { Timestamp } from '../../event/timestamp.ts'
import { type Fields, isFields, putField } from '../../event/value.ts'
import { type CheckEnvironment, idleFactory } from '../../pipeline/plan/check.ts'
import { buildPlan, type Plan, type PlannedPlugin, type PlanOptions } from '../../pipeline/plan/plan.ts'
import type { SourcePart } from '../../pipeline/plan/source.ts'
import { Simulation } from '../../pipeline/watch/simulation.ts'
import type { PluginLogger } from '../../plugin/define.ts'
import { noStore } from '../../plugin/no-store.ts'
import { Settings, type SettingsData } from '../../settings/settings.ts'
import { closedBus } from '../bus/bus-client.ts'
import { variablesFor } from '../process-setup.ts'
import { planOptions, registryFor, workerEnvironment } from './compose.ts'
import { concealing } from './concealing.ts'
import { explain } from './configuration-failure.ts'

export interface Configuration {
  readonly settings: SettingsData
  readonly parts: readonly SourcePart[]
}

/** A configuration that cannot be simulated. */
export class InvalidConfiguration extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'InvalidConfiguration'
  }
}

/** How the lines of an input become events. */
interface LineDecoding {
  decode(line: string, emit: (event: Event) => void): void
  /** What the codec still holds back. */
  flush(emit: (event: Event) => void): void
  /** Common options of the input. */
  readonly decorate: ((event: Event) => void) | undefined
}

export interface OpenConfiguration {
  readonly plan: Plan
  readonly simulation: Simulation
  readonly logs: LogLines
  /** The codec of the input with that id; without one, of a plain input with the codec, written as in a configuration. */
  decodingOf(input: string | undefined, codec: string): Promise<LineDecoding>
}

/** Rejects with `InvalidConfiguration`. */
export async function openConfiguration({
  settings: data,
  parts,
}: Configuration): Promise<OpenConfiguration> {
  const { options, environment, logs } = await toolsFor(data)
  const { plan, diagnostics } = await buildPlan(parts, options)
  if (plan === undefined) {
    const errors = diagnostics.filter(({ severity }) => severity === 'error')
    const text = errors.map((diagnostic) => explain(diagnostic, parts)).join('\n\n')
    throw new InvalidConfiguration(concealing(parts)(text))
  }
  const simulation = await Simulation.open(plan, environment).catch((error: Error) => {
    throw new InvalidConfiguration(concealing(parts)(error.message))
  })
  return {
    plan,
    simulation,
    logs,
    async decodingOf(input, codec) {
      const text = `input { stdin { codec => ${codec} } }`
      const given = input === undefined ? await plannedOf(text, options) : plan
      const plugin = input === undefined ? given.inputs[0] : given.inputs.find(({ id }) => id === input)
      if (plugin === undefined) throw new InvalidConfiguration(`there is no input with the id ${input}`)
      return lineDecoding(given, plugin, environment)
    },
  }
}

async function plannedOf(text: string, options: PlanOptions): Promise<Plan> {
  const parts = [{ protocol: 'string', id: 'codec', text }]
  const { plan, diagnostics } = await buildPlan(parts, options)
  if (plan === undefined) throw new InvalidConfiguration(explain(diagnostics[0]!, parts))
  return plan
}

function lineDecoding(plan: Plan, plugin: PlannedPlugin, environment: CheckEnvironment): LineDecoding {
  const { codec, decorate } = idleFactory(plan, environment).decoding(plugin)
  const stream = codec.decoder?.()
  return {
    decorate,
    decode(line, emit) {
      const time = Timestamp.now()
      const bytes = Buffer.from(line)
      if (stream !== undefined) {
        if (stream.decodeBytes !== undefined) stream.decodeBytes(bytes, emit, time)
        else stream.decode?.(line, emit, time)
      } else if (codec.decodeBytes !== undefined) codec.decodeBytes(bytes, emit, time)
      else codec.decode?.(line, emit, time)
    },
    flush: (emit) => stream?.flush(emit, Timestamp.now()),
  }
}

export async function toolsFor(data: SettingsData) {
  const settings = Settings.fromData(data)
  const variables = await variablesFor(settings)
  const logs = new LogLines()
  return {
    options: planOptions(settings, registryFor(settings), variables),
    environment: { ...workerEnvironment(settings, variables, closedBus, noStore), logger: () => logs },
    logs,
  }
}

const maxLines = 100
const maxLineLength = 2000

/** What plugins say while they are tried. */
class LogLines implements PluginLogger {
  readonly lines: string[] = []

  debug(): void {}

  info(): void {}

  warn(message: string): void {
    if (this.lines.length < maxLines) this.lines.push(message.slice(0, maxLineLength))
  }

  error(message: string): void {
    this.warn(message)
  }
}

/** Objects are the fields of an event, `@metadata` among them; anything else is its message. */
export function eventsOf(text: string): Event[] {
  const parsed = parseJson(text)
  const list = isFields(parsed) ? parsed['events'] : parsed
  if (!Array.isArray(list)) throw new TypeError('not a list of events')
  return list.map((item) => {
    if (!isFields(item)) return Event.from({ message: typeof item === 'string' ? item : writeJson(item) })
    const { '@metadata': meta, ...data } = item
    const event = Event.from(withTimestamp(data))
    if (isFields(meta)) event.meta = meta
    return event
  })
}

function withTimestamp(data: Fields): Fields {
  const time = data['@timestamp']
  if (typeof time === 'string') {
    try {
      putField(data, '@timestamp', parseTimestamp(time))
    } catch {
      // Said of the event in the usual way.
    }
  }
  return data
}
