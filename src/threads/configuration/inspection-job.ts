/**
 * Work on configurations that are not running: checking texts, trying events on them, comparing two of them on the same
 * events. Done in a thread of its own, which may be ended when it takes too long. Bounded in events, time and bytes of
 * the answer; answers show no secrets.
 */
import { writeJson } from '../../event/json-write.ts'
import type { Fields, Value } from '../../event/value.ts'
import type { Diagnostic } from '../../lang/diagnostic.ts'
import { checkPlan } from '../../pipeline/plan/check.ts'
import type { SourcePart } from '../../pipeline/plan/source.ts'
import { changesBetween } from '../../pipeline/watch/event-changes.ts'
import { stepValue } from '../../pipeline/watch/journey.ts'
import { type SimulatedEvent, simulatedPlugins } from '../../pipeline/watch/simulation.ts'
import type { PluginType } from '../../plugin/define.ts'
import { pluginFacts } from '../../plugin/reference/reference-facts.ts'
import { Settings } from '../../settings/settings.ts'
import { registryFor } from './compose.ts'
import { concealing } from './concealing.ts'
import { explain } from './configuration-failure.ts'
import { type Configuration, eventsOf, openConfiguration, toolsFor } from './open-configuration.ts'

export type { Configuration } from './open-configuration.ts'

export type InspectionJob =
  | ({ readonly kind: 'check' } & Configuration)
  /** `events`: JSON text of a list of objects or lines, or of an object that has one. */
  | ({ readonly kind: 'simulate'; readonly events: string } & InspectionLimits & Configuration)
  | ({
      readonly kind: 'compare'
      readonly events: string
      readonly before: Configuration
      readonly after: Configuration
    } & InspectionLimits)
  | {
      readonly kind: 'plugin'
      readonly settings: Configuration['settings']
      readonly type: PluginType
      readonly name: string
    }

export interface InspectionLimits {
  readonly maxMillis: number
  readonly maxBytes: number
}

/** The answer as JSON text. */
export async function inspect(job: InspectionJob): Promise<string> {
  switch (job.kind) {
    case 'check':
      return check(job)
    case 'simulate':
      return simulate(job)
    case 'compare':
      return compare(job)
    case 'plugin':
      return describe(job)
  }
}

/** What a plugin declares; `null` when there is none. In this thread, because those of other people run their code. */
async function describe({
  settings,
  type,
  name,
}: Extract<InspectionJob, { kind: 'plugin' }>): Promise<string> {
  const definition = await registryFor(Settings.fromData(settings)).load(type, name)
  return definition === undefined ? 'null' : JSON.stringify({ plugin: pluginFacts(definition) })
}

// ------------------------------------------------------------------------------------------------ check

async function check({ settings: data, parts }: Configuration): Promise<string> {
  const { options, environment, logs } = await toolsFor(data)
  const diagnostics = await checkPlan(parts, options, environment)
  const hide = concealing(parts)
  const problems = diagnostics.map((diagnostic) => problemOf(diagnostic, parts))
  const valid = diagnostics.every(({ severity }) => severity !== 'error')
  return hide(JSON.stringify({ valid, problems, logs: logs.lines }))
}

function problemOf(diagnostic: Diagnostic, parts: readonly SourcePart[]) {
  const { severity, code, message, brief, file, line, column, start, end, hint } = diagnostic
  return {
    severity,
    code,
    message,
    brief,
    file,
    line,
    column,
    start,
    end,
    hint,
    frame: explain(diagnostic, parts),
  }
}

// --------------------------------------------------------------------------------------------- simulate

async function simulate(job: Extract<InspectionJob, { kind: 'simulate' }>): Promise<string> {
  const { plan, simulation, logs } = await openConfiguration(job)
  // Loading plugins is not the fault of the events.
  const started = performance.now()
  const pieces: string[] = []
  let size = 0
  let cut: 'time' | 'bytes' | undefined
  const add = (result: SimulatedEvent, isFlush = false) => {
    const text = writeJson(simulatedValue(result, isFlush))
    if (size + text.length > job.maxBytes) cut = 'bytes'
    else {
      pieces.push(text)
      size += text.length
    }
  }
  try {
    for (const event of eventsOf(job.events)) {
      if (performance.now() - started > job.maxMillis) cut = 'time'
      if (cut !== undefined) break
      add(await simulation.run(event))
    }
    const flushed = cut === undefined ? await simulation.flush() : undefined
    if (flushed !== undefined) add(flushed, true)
  } finally {
    await simulation.close()
  }
  const rest = {
    ...(cut !== undefined && { truncated: cut }),
    plugins: simulatedPlugins(plan),
    logs: logs.lines,
    took_in_millis: Math.round(performance.now() - started),
  }
  return concealing(job.parts)(`{"results":[${pieces.join(',')}],${JSON.stringify(rest).slice(1)}`)
}

function simulatedValue({ input, output, outputs, steps }: SimulatedEvent, isFlush: boolean): Value {
  return {
    ...(isFlush ? { flushed: true } : { input }),
    dropped: output.length === 0,
    output: [...output],
    outputs: outputs.map((ids) => [...ids]),
    steps: steps.map(stepValue),
  }
}

// ---------------------------------------------------------------------------------------------- compare

/** The figures of a comparison of two configurations. */
export interface ComparisonCounts {
  readonly events: number
  readonly same: number
  readonly changed: number
  readonly dropped: number
  readonly failures_before: number
  readonly failures_after: number
}

/** How two configurations treat the same events: how many come out alike, and those that do not. */
async function compare(job: Extract<InspectionJob, { kind: 'compare' }>): Promise<string> {
  const before = await openConfiguration(job.before)
  const after = await openConfiguration(job.after)
  const started = performance.now()
  const counts = { events: 0, same: 0, changed: 0, dropped: 0, failures_before: 0, failures_after: 0 }
  const pieces: string[] = []
  let size = 0
  let isCut = false
  const note = (old: SimulatedEvent | undefined, now: SimulatedEvent | undefined) => {
    counts.events += 1
    if (old !== undefined && hasFailed(old)) counts.failures_before += 1
    if (now !== undefined && hasFailed(now)) counts.failures_after += 1
    const changes = differences(old?.output ?? [], now?.output ?? [])
    if (changes.length === 0) return void (counts.same += 1)
    if ((now?.output.length ?? 0) === 0) counts.dropped += 1
    else counts.changed += 1
    const text = writeJson({
      input: now?.input ?? old?.input ?? {},
      before: [...(old?.output ?? [])],
      after: [...(now?.output ?? [])],
      changes,
    })
    if (size + text.length > job.maxBytes) isCut = true
    else {
      pieces.push(text)
      size += text.length
    }
  }
  try {
    for (const event of eventsOf(job.events)) {
      if (performance.now() - started > job.maxMillis) {
        isCut = true
        break
      }
      note(await before.simulation.run(event.clone()), await after.simulation.run(event))
    }
    const [old, now] = [await before.simulation.flush(), await after.simulation.flush()]
    if (old !== undefined || now !== undefined) note(old, now)
  } finally {
    await before.simulation.close()
    await after.simulation.close()
  }
  const rest = { ...counts, truncated: isCut, took_in_millis: Math.round(performance.now() - started) }
  const text = `{"differences":[${pieces.join(',')}],${JSON.stringify(rest).slice(1)}`
  return concealing([...job.before.parts, ...job.after.parts])(text)
}

function differences(before: readonly Fields[], after: readonly Fields[]): Fields[] {
  const found: Fields[] = []
  for (let i = 0; i < Math.max(before.length, after.length); i++)
    for (const change of changesBetween(before[i] ?? {}, after[i] ?? {})) found.push({ event: i, ...change })
  return found
}

/** Tags that filters give when they fail begin with an underscore and say so. */
const failureTag = /^_.*(?:failure|error|timeout|exception)/i

function hasFailed({ steps }: SimulatedEvent): boolean {
  return steps.some(({ tags = [] }) => tags.some((tag) => failureTag.test(tag)))
}
