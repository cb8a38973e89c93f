/** Processors that parse a text: json, kv, csv, grok, user_agent. */

import { jsonSyntaxError } from '../../request/body/json-syntax-error.ts'
import { illegalArgument } from '../../request/errors.ts'
import { shortestFloat } from '../../request/float-text.ts'
import { javaDouble } from '../../request/java-text.ts'
import { JsonNumber, parseExactJson } from '../../request/json-literals.ts'
import { put } from '../../request/json-object.ts'
import { rethrowFault } from '../../request/refusal.ts'
import { type Fields, type IngestDocument, isMap, valueText } from '../ingest-document.ts'
import { compileTemplate } from '../ingest-template.ts'
import { compilePattern, splitText } from '../java-pattern.ts'
import type { Decimal, ProcessorFactory, UserAgentFacts } from '../processor.ts'
import { parseCsv } from './csv-line.ts'

/** The first value of a text; what follows it is ignored, as a streaming parser does. */
function parseFirst(value: unknown): unknown {
  const text = value === null ? 'null' : valueText(value)
  if (text.trim() === '') return null
  try {
    JSON.parse(text)
  } catch {
    const error = jsonSyntaxError(text, 'jackson3')
    // OpenSearch ignores a second value behind the first one.
    if (error.type !== 'parsing_exception') {
      const words = firstValueEnds(text) ? undefined : error
      if (words !== undefined)
        throw illegalArgument(`org.opensearch.tools.jackson.core.JsonParseException: ${words.message}`, words)
    }
  }
  return parseExactJson(text)
}

/** True when the text begins with a whole object, list or text. */
function firstValueEnds(text: string): boolean {
  let depth = 0
  let isText = false
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]!
    if (isText) {
      if (sign === '\\') at++
      else if (sign === '"') isText = false
    } else if (sign === '"') isText = true
    else if (sign === '{' || sign === '[') depth++
    else if (sign === '}' || sign === ']') depth--
    if (depth === 0 && !isText && /[\]}"]/.test(sign)) {
      try {
        JSON.parse(text.slice(0, at + 1))
        return true
      } catch {
        return false
      }
    }
    if (depth === 0 && !isText && !/\s/.test(sign)) return false
  }
  return false
}

const json: ProcessorFactory = (config) => {
  const field = config.text('field')
  const target = config.optionalText('target_field')
  const addToRoot = config.flag('add_to_root')
  if (addToRoot && target !== undefined)
    throw config.error('target_field', 'Cannot set a target field while also setting `add_to_root` to true')
  return (document) => {
    if (!addToRoot) {
      document.set(target ?? field, parseFirst(document.get(field, 'any')))
      return true
    }
    const parsed = parseFirst(document.root[field] ?? null)
    if (!isMap(parsed)) throw illegalArgument('cannot add non-map fields to root of document')
    for (const [name, value] of Object.entries(parsed)) put(document.root, name, value)
    return true
  }
}

/** Takes the given characters off both ends. */
function trimmer(characters: string | undefined): (text: string) => string {
  if (characters === undefined) return (text) => text
  const set = new Set(characters.replaceAll('\\', ''))
  return (text) => {
    let start = 0
    let end = text.length
    while (start < end && set.has(text[start]!)) start++
    while (end > start && set.has(text[end - 1]!)) end--
    return text.slice(start, end)
  }
}

const kv: ProcessorFactory = (config, { tools }) => {
  const field = compileTemplate(config.text('field'))
  const targetText = config.optionalText('target_field') ?? ''
  const target = targetText === '' ? undefined : compileTemplate(targetText)
  const fieldSplit = compilePattern(tools, config.text('field_split'))
  const valueSplitText = config.text('value_split')
  const valueSplit = compilePattern(tools, valueSplitText)
  const trimKey = trimmer(config.optionalText('trim_key'))
  const trimValue = trimmer(config.optionalText('trim_value'))
  const prefix = config.optionalText('prefix') ?? ''
  const stripBrackets = config.flag('strip_brackets')
  const included = config.optionalList('include_keys')?.map(valueText)
  const excluded = config.optionalList('exclude_keys')?.map(valueText) ?? []
  const ignoreMissing = config.flag('ignore_missing')
  return (document) => {
    const path = field(document)
    if (path === '' || !document.has(path, true)) {
      if (ignoreMissing) return true
      throw illegalArgument(
        path === '' ? 'field path cannot be null nor empty' : `field [${path}] doesn't exist`,
      )
    }
    const text = document.get(path, 'text', ignoreMissing)
    if (text === null) {
      if (ignoreMissing) return true
      throw illegalArgument(`field [${path}] is null, cannot extract key-value pairs. `)
    }
    const parent = target?.(document) ?? ''
    for (const part of splitText(text, fieldSplit, 0)) {
      const [name, value, ...more] = splitText(part, valueSplit, 2)
      if (name === undefined || value === undefined || more.length > 0)
        throw illegalArgument(`field [${path}] does not contain value_split [${valueSplitText}]`)
      const key = trimKey(name)
      if ((included !== undefined && !included.includes(key)) || excluded.includes(key)) continue
      const bare = stripBrackets ? value.replace(/^[([<"']|[\])>"']$/g, '') : value
      add(document, `${parent === '' ? '' : `${parent}.`}${prefix}${key}`, trimValue(bare))
    }
    return true
  }
}

function add(document: IngestDocument, path: string, value: string): void {
  if (document.has(path)) document.append(path, value)
  else document.set(path, value)
}

const csv: ProcessorFactory = (config) => {
  const field = config.text('field')
  const targets = config.list('target_fields').map(valueText)
  const quote = config.text('quote', '"')
  const separator = config.text('separator', ',')
  if (quote.length !== 1) throw config.error('quote', 'quote has to be single character like " or \'')
  if (separator.length !== 1)
    throw config.error('separator', 'separator has to be single character like , or ;')
  const trim = config.flag('trim')
  const emptyValue = config.take('empty_value') ?? null
  const ignoreMissing = config.flag('ignore_missing')
  if (targets.length === 0) throw config.error('target_fields', "target fields list can't be empty")
  return (document) => {
    const line = document.get(field, 'text', ignoreMissing)
    if (line === null) {
      if (ignoreMissing) return true
      throw illegalArgument(`field [${field}] is null, cannot process it.`)
    }
    parseCsv(line, { quote, separator, trim }, targets.length, (number, value) => {
      if (value !== '') document.set(targets[number]!, value)
      else if (emptyValue !== null) document.set(targets[number]!, emptyValue)
    })
    return true
  }
}

/** Decimal numbers keep their point. */
function captured(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(captured)
  if (!isMap(value)) return value
  const { decimal } = value as unknown as Decimal
  return new JsonNumber(javaDouble(shortestFloat(decimal)))
}

const matchNumber = '_ingest._grok_match_index'

const grok: ProcessorFactory = (config, { tools }) => {
  const field = config.text('field')
  const patterns = config.list('patterns').map(valueText)
  const traceMatch = config.flag('trace_match')
  const ignoreMissing = config.flag('ignore_missing')
  const allMatches = config.flag('capture_all_matches')
  if (patterns.length === 0) throw config.error('patterns', 'List of patterns must not be empty')
  const definitions = Object.fromEntries(
    Object.entries(config.optionalMap('pattern_definitions') ?? {}).map(([name, text]) => [
      name,
      valueText(text),
    ]),
  )
  let match: ReturnType<typeof tools.compileGrok>
  try {
    match = tools.compileGrok(patterns, definitions)
  } catch (error) {
    rethrowFault(error)
    const reason = `Invalid regex pattern found in: [${patterns.join(', ')}]. ${error.message}`
    throw config.error('patterns', reason)
  }
  return (document) => {
    const text = document.get(field, 'text', ignoreMissing)
    if (text === null) {
      if (ignoreMissing) return true
      throw illegalArgument(`field [${field}] is null, cannot process it.`)
    }
    const found = match(text, allMatches)
    if (found === undefined)
      throw illegalArgument(`Provided Grok expressions do not match field value: [${text}]`)
    for (const [name, value] of found.captures) document.set(name, captured(value))
    if (traceMatch) document.set(matchNumber, String(found.number))
    return true
  }
}

type Property = (facts: UserAgentFacts, text: string, details: Fields) => void

function versionText(version: readonly string[]): string | undefined {
  return version.length === 0 ? undefined : version.join('.')
}

const properties: ReadonlyMap<string, Property> = new Map<string, Property>([
  ['NAME', ({ agent }, _, details) => put(details, 'name', agent.name ?? 'Other')],
  ['MAJOR', () => {}],
  ['MINOR', () => {}],
  ['PATCH', () => {}],
  [
    'OS',
    ({ system: { name, version } }, _, details) => {
      if (name === undefined) return
      const text = versionText(version)
      put(details, 'os', { name, ...(text !== undefined && { version: text, full: `${name} ${text}` }) })
    },
  ],
  ['OS_NAME', () => {}],
  ['OS_MAJOR', () => {}],
  ['OS_MINOR', () => {}],
  ['DEVICE', ({ device }, _, details) => put(details, 'device', { name: device ?? 'Other' })],
  ['BUILD', () => {}],
  ['ORIGINAL', (_, text, details) => put(details, 'original', text)],
  [
    'VERSION',
    ({ agent }, _, details) => {
      const text = versionText(agent.version)
      if (text !== undefined) put(details, 'version', text)
    },
  ],
])

const userAgent: ProcessorFactory = (config, { tools }) => {
  const field = config.text('field')
  const target = config.text('target_field', 'user_agent')
  const file = config.text('regex_file', '_default_')
  const names = config.optionalList('properties')?.map(valueText)
  const ignoreMissing = config.flag('ignore_missing')
  config.flag('ecs', true)
  if (file !== '_default_')
    throw config.error('regex_file', `regex file [${file}] doesn't exist (has to exist at node startup)`)
  const chosen = (names ?? [...properties.keys()]).map((name) => {
    const property = properties.get(name.toUpperCase())
    if (property !== undefined) return property
    const all = [...properties.keys()].join(', ')
    throw config.error('properties', `illegal property value [${name}]. valid values are [${all}]`)
  })
  return (document) => {
    const text = document.get(field, 'text', ignoreMissing)
    if (text === null) {
      if (ignoreMissing) return true
      throw illegalArgument(`field [${field}] is null, cannot parse user-agent.`)
    }
    const facts = tools.userAgent(text)
    const details: Fields = {}
    for (const property of chosen) property(facts, text, details)
    document.set(target, details)
    return true
  }
}

export const parsingProcessors: Readonly<Record<string, ProcessorFactory>> = {
  json,
  kv,
  csv,
  grok,
  user_agent: userAgent,
}
