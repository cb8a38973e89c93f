/**
 * Pipelines inside the test's own process: the real plan, plugins and generated code, but no threads. Events
 * are put in as they are through the input `given`, and the output `record` keeps what arrives.
 */
import { hostname } from 'node:os'
import { Event } from '../../src/event/event.ts'
import { parseJson } from '../../src/event/json-parse.ts'
import type { Fields } from '../../src/event/value.ts'
import type { Diagnostic } from '../../src/lang/diagnostic.ts'
import { Board } from '../../src/metrics/board.ts'
import { type Frame, frameOfEvents } from '../../src/pipeline/frames/frame.ts'
import { keysOf } from '../../src/pipeline/plan/board-keys.ts'
import { checkPlan } from '../../src/pipeline/plan/check.ts'
import { buildPlan } from '../../src/pipeline/plan/plan.ts'
import type { SourcePart } from '../../src/pipeline/plan/source.ts'
import { Execution } from '../../src/pipeline/run/execution.ts'
import type { ExecutionEnvironment } from '../../src/pipeline/run/plugin-factory.ts'
import { defineInput, defineOutput, type PluginLogger } from '../../src/plugin/define.ts'
import { noStore } from '../../src/plugin/no-store.ts'
import { Registry } from '../../src/plugin/registry.ts'
import { catalogue } from '../../src/plugins/catalogue.ts'
import type { SettingName } from '../../src/settings/definitions.ts'
import { Settings } from '../../src/settings/settings.ts'
import { environmentLookup } from '../../src/settings/substitution.ts'
import type { AnyValue } from '../../src/settings/values.ts'
import { closedBus } from '../../src/threads/bus/bus-client.ts'
import { planOptions, workerEnvironment } from '../../src/threads/configuration/compose.ts'

export type GivenSettings = Partial<Record<SettingName, AnyValue>>

let received: Event[] = []

const given = defineInput({
  name: 'given',
  summary: 'Stands for the events a test puts in.',
  options: {},
  create: () => ({ run: () => Promise.resolve(), stop() {} }),
})

const record = defineOutput({
  name: 'record',
  summary: 'Keeps the events for the test.',
  options: {},
  concurrency: 'shared',
  create: () => ({
    receive(events) {
      received.push(...events)
    },
  }),
})

/** Batches that the output `joining` was given; each is delivered when the test says so. */
export const underWay: { events: readonly Event[]; arrive(): void; fail(error: Error): void }[] = []

const joining = defineOutput({
  name: 'joining',
  summary: 'Takes batches while earlier ones are on their way.',
  options: {},
  concurrency: 'shared',
  create: () => ({
    overlaps: true,
    receive: (events) =>
      new Promise((arrive, fail) => {
        underWay.push({ events, arrive, fail })
      }),
  }),
})

/** The built-in plugins and those above; one for all tests of a file, plugins are loaded once. */
export const registry = new Registry({
  names: (type) => catalogue.names(type),
  load: async (type, name) => {
    if (type === 'input' && name === 'given') return given
    if (type === 'output' && name === 'record') return record
    if (type === 'output' && name === 'joining') return joining
    return catalogue.load(type, name)
  },
})

function settingsOf(values: GivenSettings): Settings {
  const place = { home: '.', hostname: hostname(), cores: 1, pathSettings: '.' }
  const all: GivenSettings = { 'pipeline.ecs_compatibility': 'disabled', ...values }
  const chosen = Object.entries(all) as [SettingName, AnyValue][]
  return new Settings(
    place,
    new Map(chosen.map(([name, value]) => [name, { value, source: 'file' as const }])),
  )
}

function partOf(text: string): SourcePart {
  return { protocol: 'string', id: 'config_string', text }
}

const variables = environmentLookup({})

/** What `-t` would find. */
export function check(text: string, values: GivenSettings = {}): Promise<Diagnostic[]> {
  const settings = settingsOf(values)
  const environment = { ...workerEnvironment(settings, variables, closedBus, noStore), logger: () => silent }
  return checkPlan([partOf(text)], planOptions(settings, registry, variables), environment)
}

const silent: PluginLogger = { debug() {}, info() {}, warn() {}, error() {} }

export interface OpenPipeline {
  readonly execution: Execution
  /** Messages logged as warnings so far. */
  readonly warnings: string[]
  /** Runs the events as one batch; what the outputs got, in their order. */
  run(events: Event[]): Promise<Event[]>
}

/** A pipeline of the given filters between `given` and `record`; throws when it cannot be built. */
export async function openPipeline(filters: string, values: GivenSettings = {}): Promise<OpenPipeline> {
  return openConfig(`input { given { } }\nfilter {\n${filters}\n}\noutput { record { } }`, values)
}

/** What an execution of the configuration needs; throws when there is an error in it. */
export async function environmentOf(
  text: string,
  values: GivenSettings = {},
  logger: PluginLogger = silent,
): Promise<ExecutionEnvironment> {
  const settings = settingsOf(values)
  const { plan, diagnostics } = await buildPlan([partOf(text)], planOptions(settings, registry, variables))
  if (plan === undefined) throw new Error(diagnostics.map(({ message }) => message).join('\n'))
  return {
    ...workerEnvironment(settings, variables, closedBus, noStore),
    logger: () => logger,
    plan,
    board: Board.create(keysOf(plan), 1),
    row: 0,
    ordered: false,
    abort: new AbortController().signal,
    write: () => undefined,
  }
}

export async function openConfig(text: string, values: GivenSettings = {}): Promise<OpenPipeline> {
  const warnings: string[] = []
  const logger: PluginLogger = { ...silent, warn: (message) => void warnings.push(message) }
  const execution = new Execution(await environmentOf(text, values, logger))
  return {
    execution,
    warnings,
    async run(events) {
      received = []
      await execution.run([frameOf(events)])
      return received
    },
  }
}

export function frameOf(events: Event[]): Frame {
  return frameOfEvents(0, events, 0)
}

/** An event of JSON text, as a codec would make it. */
export function eventOf(json: string): Event {
  return Event.from(parseJson(json) as Fields)
}
