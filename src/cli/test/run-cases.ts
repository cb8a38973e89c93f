/** Runs the cases of a file on a configuration, without inputs and outputs, and compares what comes out. */
import { Event } from '../../event/event.ts'
import { writeJson } from '../../event/json-write.ts'
import { parseTimestamp } from '../../event/parse-timestamp.ts'
import { removePath } from '../../event/path-access.ts'
import { type Fields, isFields, putField, type Value } from '../../event/value.ts'
import type { SimulatedEvent } from '../../pipeline/watch/simulation.ts'
import {
  type Configuration,
  type OpenConfiguration,
  openConfiguration,
} from '../../threads/configuration/open-configuration.ts'
import { type CaseFile, fieldsOf, pathOf, type TestCase } from './case-files.ts'

export interface CaseResult {
  readonly name: string
  readonly millis: number
  /** Lines that say what differs; none when the case holds. */
  readonly differences: readonly string[]
}

const maxLines = 40

export async function runCases(file: CaseFile, configuration: Configuration): Promise<CaseResult[]> {
  const open = await openConfiguration(configuration)
  const decode = await decoderOf(file, open)
  const results: CaseResult[] = []
  try {
    for (const one of file.cases) {
      const started = performance.now()
      const events: Event[] = []
      for (const [index, input] of one.input.entries())
        events.push(...decode(input, one.fields, index === one.input.length - 1))
      const actual: Fields[] = []
      for (const event of events) actual.push(...emitted(await open.simulation.run(event), file))
      const flushed = one === file.cases.at(-1) ? await open.simulation.flush() : undefined
      if (flushed !== undefined) actual.push(...emitted(flushed, file))
      results.push({
        name: one.name,
        millis: performance.now() - started,
        differences: compare(one, actual, file).slice(0, maxLines),
      })
    }
  } finally {
    await open.simulation.close()
  }
  return results
}

/** `isLast`: what the codec holds back comes out. */
type Decode = (input: Value, fields: Fields, isLast: boolean) => Event[]

/** With `input_plugin` the codec and the common options of that input count, otherwise the codec of the file. */
async function decoderOf(file: CaseFile, { decodingOf }: OpenConfiguration): Promise<Decode> {
  const { decode, flush, decorate } = await decodingOf(file.inputPlugin, file.codec)
  return (input, fields, isLast) => {
    const events: Event[] = []
    if (isFields(input)) events.push(Event.from(timed(fieldsOf(input))))
    else decode(typeof input === 'string' ? input : writeJson(input), (event) => events.push(event))
    if (isLast) flush((event) => events.push(event))
    return events.map((event) => {
      const { '@metadata': meta, ...rest } = fields
      for (const [name, value] of Object.entries(rest))
        if (value !== undefined) putField(event.data, name, value)
      event.raw = null
      if (isFields(meta)) event.meta = { ...event.meta, ...meta }
      // Names of a JSON line may be field references too.
      for (const name of Object.keys(event.data))
        if (name.startsWith('[')) {
          const value = event.data[name]
          removePath(event.data, [name])
          if (value !== undefined) event.set(name, value)
        }
      decorate?.(event)
      return event
    })
  }
}

function timed(data: Fields): Fields {
  const time = data['@timestamp']
  if (typeof time === 'string') putField(data, '@timestamp', parseTimestamp(time))
  return data
}

/** Where outputs are part of the test, an event counts once for each output it goes to. */
function emitted({ output, outputs }: SimulatedEvent, file: CaseFile): Fields[] {
  if (file.inputPlugin === undefined && !file.exportsOutputs) return [...output]
  return output.flatMap((event, index) =>
    outputs[index]!.map((id) => (file.exportsOutputs ? { ...event, _lfv_out_passed: id } : event)),
  )
}

// ---------------------------------------------------------------------------------------------- compare

function compare(one: TestCase, actual: readonly Fields[], file: CaseFile): string[] {
  const lines: string[] = []
  if (one.expected.length !== actual.length)
    lines.push(`expected ${one.expected.length} events, got ${actual.length}`)
  for (let i = 0; i < Math.max(one.expected.length, actual.length); i++) {
    const expected = plain(one.expected[i], file, false)
    const got = plain(actual[i], file, true)
    const found: string[] = []
    differencesOf(expected, got, '', one.isPartial, found)
    if (found.length > 0) lines.push(`event ${i + 1}:`, ...found)
  }
  return lines
}

type Plain = Record<string, unknown>

/** As JSON has it: times are texts, `1.0` is `1`. Fields that nobody can predict are taken out. */
function plain(event: Fields | undefined, file: CaseFile, isActual: boolean): Plain | undefined {
  if (event === undefined) return undefined
  const fields = { ...event }
  if (isActual) delete fields['@version']
  if (isActual && !file.exportsMetadata) delete fields['@metadata']
  const copy = JSON.parse(writeJson(fields)) as Fields
  for (const name of file.ignore) removePath(copy, pathOf(name))
  return copy as Plain
}

function differencesOf(
  expected: unknown,
  actual: unknown,
  name: string,
  partial: boolean,
  lines: string[],
): void {
  if (isPlain(expected) && isPlain(actual)) {
    const names = partial
      ? Object.keys(expected)
      : new Set([...Object.keys(expected), ...Object.keys(actual)])
    for (const member of [...names].sort())
      differencesOf(own(expected, member), own(actual, member), `${name}[${member}]`, partial, lines)
    return
  }
  if (Array.isArray(expected) && Array.isArray(actual) && expected.length === actual.length) {
    expected.forEach((item, index) => {
      differencesOf(item, actual[index], `${name}[${index}]`, partial, lines)
    })
    return
  }
  if (expected === actual) return
  if (expected !== undefined) lines.push(`  - ${name} ${shown(expected)}`)
  if (actual !== undefined) lines.push(`  + ${name} ${shown(actual)}`)
}

function isPlain(value: unknown): value is Plain {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function own(value: Plain, name: string): unknown {
  return Object.hasOwn(value, name) ? value[name] : undefined
}

function shown(value: unknown): string {
  const text = JSON.stringify(value)
  return text.length > 500 ? `${text.slice(0, 500)}…` : text
}
