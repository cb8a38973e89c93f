/**
 * The two shapes of a log line, both Logstash's own:
 *   plain  [2026-11-15T02:24:13,725][INFO ][logstash.agent           ][main][id] message {:key=>"value"}
 *   json   {"level":"INFO","loggerName":…,"timeMillis":…,"thread":…,"pipeline.id":…,"logEvent":{"message":…,…}}
 * Lines are bounded: a huge value ends in `...`. What is known to be secret is not in them.
 */
import { concealed } from './hidden-texts.ts'
import type { RecordLevel } from './levels.ts'
import { inspectFields } from './ruby-inspect.ts'

export interface LogRecord {
  readonly millis: number
  readonly level: RecordLevel
  readonly logger: string
  readonly pipelineId: string | undefined
  readonly pluginId: string | undefined
  readonly message: string
  readonly fields: Readonly<Record<string, unknown>> | undefined
}

const maxFieldsLength = 64 * 1024
const maxMessageLength = 256 * 1024
const maxJsonDepth = 32
const maxJsonItems = 1000

let cachedSecond = Number.NaN
let cachedSecondText = ''

/** Local time as `2026-11-15T02:24:13,725`. */
function logTime(millis: number): string {
  const second = Math.floor(millis / 1000)
  if (second !== cachedSecond) {
    const date = new Date(millis)
    cachedSecond = second
    cachedSecondText = `${localDay(millis)}T${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`
  }
  return `${cachedSecondText},${String(Math.floor(millis - second * 1000)).padStart(3, '0')}`
}

/** Local calendar day as `2026-11-15`. */
export function localDay(millis: number): string {
  const date = new Date(millis)
  return `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

export function plainLine(record: LogRecord): string {
  const pipeline = record.pipelineId ? `[${record.pipelineId}]` : ''
  const plugin = record.pluginId ? `[${record.pluginId}]` : ''
  const fields = hasFields(record.fields) ? ` ${inspectFields(record.fields, maxFieldsLength)}` : ''
  const head = `[${logTime(record.millis)}][${record.level.padEnd(5)}][${record.logger.padEnd(25)}]`
  const text = concealed(`${escaped(bounded(record.message))}${fields}`)
  return `${escaped(`${head}${pipeline}${plugin}`)} ${text}\n`
}

export function jsonLine(record: LogRecord, thread: string, fixDuplicateMessage: boolean): string {
  const parts = [
    `"level":"${record.level}"`,
    `"loggerName":${JSON.stringify(record.logger)}`,
    `"timeMillis":${Math.floor(record.millis)}`,
    `"thread":${JSON.stringify(thread)}`,
  ]
  if (record.pipelineId) parts.push(`"pipeline.id":${JSON.stringify(record.pipelineId)}`)
  if (record.pluginId) parts.push(`"plugin.id":${JSON.stringify(record.pluginId)}`)
  const event = [`"message":${JSON.stringify(concealed(bounded(record.message)))}`]
  for (const [key, value] of Object.entries(record.fields ?? {})) {
    if (value === undefined) continue
    const name = key === 'message' && fixDuplicateMessage ? freeMessageName(record.fields ?? {}) : key
    event.push(`${JSON.stringify(name)}:${concealed(jsonText(value))}`)
  }
  return `{${parts.join(',')},"logEvent":{${event.join(',')}}}\n`
}

function freeMessageName(fields: Readonly<Record<string, unknown>>): string {
  let number = 1
  while (Object.hasOwn(fields, `message_${number}`)) number += 1
  return `message_${number}`
}

function jsonText(value: unknown): string {
  const text = jsonValue(value, [])
  return text.length <= maxFieldsLength ? text : JSON.stringify(`${text.slice(0, maxFieldsLength)}...`)
}

function jsonValue(value: unknown, open: object[]): string {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value.length > maxFieldsLength ? `${value.slice(0, maxFieldsLength)}...` : value)
    case 'number':
      return Number.isFinite(value) ? String(value) : JSON.stringify(String(value))
    case 'bigint':
    case 'boolean':
      return String(value)
    case 'symbol':
      return JSON.stringify(value.description ?? '')
    case 'object':
      return value === null ? 'null' : jsonObject(value, open)
    default:
      return 'null'
  }
}

function jsonObject(value: object, open: object[]): string {
  if (value instanceof Error) {
    return `{"exception":${JSON.stringify(value.name)},"message":${JSON.stringify(value.message)}}`
  }
  if (open.length >= maxJsonDepth || open.includes(value)) return '"..."'
  open.push(value)
  try {
    if (Array.isArray(value) || value instanceof Set) {
      const items = Array.from(value).slice(0, maxJsonItems)
      return `[${items.map((item) => jsonValue(item, open)).join(',')}]`
    }
    const prototype: unknown = Object.getPrototypeOf(value)
    const isPlain = prototype === Object.prototype || prototype === null
    if (isPlain || value instanceof Map) {
      const entries = (value instanceof Map ? [...value] : Object.entries(value)).slice(0, maxJsonItems)
      const parts: string[] = []
      for (const [key, item] of entries) {
        if (item !== undefined) parts.push(`${JSON.stringify(String(key))}:${jsonValue(item, open)}`)
      }
      return `{${parts.join(',')}}`
    }
    return jsonInstance(value)
  } finally {
    open.pop()
  }
}

/** Dates, timestamps, boxed numbers and hidden passwords print what they say of themselves. */
function jsonInstance(value: object): string {
  try {
    const primitive: unknown = value.valueOf()
    if (typeof primitive === 'number' && !(value instanceof Date)) return jsonValue(primitive, [])
    return JSON.stringify(value instanceof Date ? value.toISOString() : String(value))
  } catch {
    return JSON.stringify(`#<${value.constructor?.name ?? 'Object'}>`)
  }
}

/** What a terminal would obey or what would look like another line; tabs and the lines of our own texts may stay. */
const dangerous = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]|\n(?=\[\d{4}-\d\d-)/g

/** Texts of events and requests stand in messages: nobody writes lines of their own into the log. */
function escaped(text: string): string {
  return text.replace(dangerous, (character) => {
    if (character === '\n') return '\\n'
    const code = character.charCodeAt(0)
    return code < 256
      ? `\\x${code.toString(16).toUpperCase().padStart(2, '0')}`
      : `\\u${code.toString(16).toUpperCase().padStart(4, '0')}`
  })
}

function bounded(text: string): string {
  return text.length <= maxMessageLength ? text : `${text.slice(0, maxMessageLength)}...`
}

function hasFields(
  fields: Readonly<Record<string, unknown>> | undefined,
): fields is Readonly<Record<string, unknown>> {
  if (fields === undefined) return false
  for (const key in fields) if (fields[key] !== undefined) return true
  return false
}

function two(value: number): string {
  return value < 10 ? `0${value}` : String(value)
}
