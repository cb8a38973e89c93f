/**
 * What every plugin has to keep to, checked on its declaration: readable docs, names in Logstash's style,
 * defaults that their own validator accepts, examples that do what they say. Returns the complaints.
 */
import { deepEqual } from '../event/equal.ts'
import { type Fields, LsFloat, putField, type Value } from '../event/value.ts'
import type {
  CodecDefinition,
  CodecExample,
  FilterDefinition,
  FilterExample,
  PluginDefinition,
} from './define.ts'
import { type Option, Password } from './option.ts'
import { show } from './raw-text.ts'
import { RawPlugin, type RawValue } from './raw-value.ts'
import { codecFor, decodeWith, encodeWith, runFilter, type TestSettings } from './testing.ts'
import { checkValue } from './validators.ts'

export interface CheckTools {
  /** Reads one plugin block of a configuration: `mutate { lowercase => ["a"] }`. */
  readBlock(config: string): { name: string; options: ReadonlyMap<string, RawValue> }
  settings?: TestSettings
}

export async function checkDefinition(definition: PluginDefinition, tools?: CheckTools): Promise<string[]> {
  const complaints = [...checkNames(definition), ...checkSentences(definition)]
  for (const [name, declared] of Object.entries(definition.options)) {
    complaints.push(...checkOption(name, declared, definition))
  }
  if (tools !== undefined) complaints.push(...(await checkExamples(definition, tools)))
  return complaints.map((complaint) => `${definition.name} ${definition.type}: ${complaint}`)
}

const snakeCase = /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/
const metricName = /^[a-z][a-z0-9_.]*$/

function* checkNames(definition: PluginDefinition): Generator<string> {
  if (!snakeCase.test(definition.name)) yield 'the name is not in snake_case'
  for (const name of Object.keys(definition.options)) {
    if (!snakeCase.test(name)) yield `the option ${name} is not in snake_case`
  }
  for (const name of Object.keys(definition.metrics ?? {})) {
    if (!metricName.test(name)) yield `the metric ${name} is not in snake_case`
  }
}

function* checkSentences(definition: PluginDefinition): Generator<string> {
  if (!isSentence(definition.summary)) yield 'the summary is not a sentence with a full stop'
  for (const [name, { doc }] of Object.entries(definition.options)) {
    if (!isSentence(doc)) yield `the doc of the option ${name} is not a sentence with a full stop`
  }
  for (const [name, meaning] of Object.entries(definition.metrics ?? {})) {
    if (!isSentence(meaning)) yield `the doc of the metric ${name} is not a sentence with a full stop`
  }
}

function isSentence(text: string): boolean {
  return /^\S[\s\S]*[^\s.]\.$/.test(text)
}

function* checkOption(
  name: string,
  declared: Option<unknown>,
  { options }: PluginDefinition,
): Generator<string> {
  if (declared.required && declared.default !== undefined)
    yield `the option ${name} is required and has a default`
  if (declared.kind === 'one_of' && (declared.values ?? []).length === 0)
    yield `the option ${name} allows no value`
  if (declared.accepted !== undefined && declared.obsolete === undefined)
    yield `the option ${name} is accepted without being obsolete`
  if (declared.removed !== undefined && (declared.obsolete ?? declared.deprecated) !== undefined)
    yield `the option ${name} is both removed and still known`
  for (const alias of declared.aliases) {
    const other = Object.hasOwn(options, alias) ? options[alias] : undefined
    if (other !== undefined && (other.obsolete ?? other.deprecated ?? other.removed) === undefined) {
      yield `the alias ${alias} of the option ${name} is an option of its own`
    }
  }
  // A default path need not exist on the machine that runs the check.
  if (declared.default === undefined || declared.kind === 'path') return
  const checked = checkValue(rawOfDefault(declared.default), declared)
  if (!checked.ok) yield `the default of the option ${name} is refused: ${checked.note}`
  else if (!sameDefault(checked.value, declared.default)) {
    yield `the default of the option ${name} is not what its validator makes of it: ${show(checked.value)}`
  }
}

function rawOfDefault(value: unknown): RawValue {
  if (typeof value === 'boolean') return String(value)
  if (value instanceof Password) return value.value
  if (Array.isArray(value)) return value.map(rawOfDefault)
  if (value instanceof Map) return new Map([...value].map(([name, item]) => [name, rawOfDefault(item)]))
  if (typeof value !== 'object' || value === null || value instanceof LsFloat || value instanceof RawPlugin) {
    return value as RawValue
  }
  return new Map(Object.entries(value).map(([name, item]) => [name, rawOfDefault(item)]))
}

function sameDefault(validated: unknown, declared: unknown): boolean {
  if (validated instanceof Password && declared instanceof Password) return validated.value === declared.value
  if (validated instanceof Map && declared instanceof Map) {
    return validated.size === declared.size && deepEqual(fieldsOf(validated), fieldsOf(declared))
  }
  return deepEqual(validated as Value, declared as Value)
}

function fieldsOf(map: ReadonlyMap<string, Value>): Fields {
  const fields: Fields = {}
  for (const [name, value] of map) putField(fields, name, value)
  return fields
}

// ---------------------------------------------------------------------------------------------- examples

async function checkExamples(definition: PluginDefinition, tools: CheckTools): Promise<string[]> {
  if (definition.type === 'filter') {
    return collect(definition.examples ?? [], (example) => checkFilterExample(definition, example, tools))
  }
  if (definition.type === 'codec') {
    return collect(definition.examples ?? [], (example) => checkCodecExample(definition, example, tools))
  }
  return []
}

async function collect<E extends { title: string }>(
  examples: readonly E[],
  check: (example: E) => Promise<string | undefined>,
): Promise<string[]> {
  const complaints: string[] = []
  for (const example of examples) {
    let complaint: string | undefined
    try {
      complaint = await check(example)
    } catch (error) {
      complaint = (error as Error).message
    }
    if (complaint !== undefined) complaints.push(`the example «${example.title}» fails: ${complaint}`)
  }
  return complaints
}

function optionsOf(
  definition: PluginDefinition,
  config: string,
  tools: CheckTools,
): ReadonlyMap<string, RawValue> {
  const { name, options } = tools.readBlock(config)
  if (name !== definition.name) throw new Error(`it configures the plugin ${name}`)
  return options
}

async function checkFilterExample(
  definition: FilterDefinition,
  example: FilterExample,
  tools: CheckTools,
): Promise<string | undefined> {
  const options = optionsOf(definition, example.config, tools)
  const result = await runFilter(definition, options, [example.in].flat(), tools.settings)
  const expected = [example.out].flat().filter((fields) => fields !== null)
  return difference(result, expected)
}

async function checkCodecExample(
  definition: CodecDefinition,
  { config, decode, encode }: CodecExample,
  tools: CheckTools,
): Promise<string | undefined> {
  const options = optionsOf(definition, config, tools)
  if (decode !== undefined) {
    const complaint = difference(
      decodeWith(codecFor(definition, options, tools.settings), decode.text),
      decode.out,
    )
    if (complaint !== undefined) return complaint
  }
  if (encode === undefined) return undefined
  const [text] = encodeWith(codecFor(definition, options, tools.settings), [encode.in])
  return text === encode.text ? undefined : `got ${show(text)}, expected ${show(encode.text)}`
}

/** `@timestamp` and `@version` count only where the example gives them. */
function difference(result: readonly Fields[], expected: readonly Fields[]): string | undefined {
  const shown = result.map((fields, i) => ignoring(fields, expected[i] ?? {}))
  return deepEqual(shown, [...expected]) ? undefined : `got ${show(shown)}, expected ${show(expected)}`
}

function ignoring(fields: Fields, expected: Fields): Fields {
  const copy = { ...fields }
  for (const name of ['@timestamp', '@version']) if (expected[name] === undefined) delete copy[name]
  return copy
}
