/**
 * An event as a GELF message, as Logstash and its library write it: short and full message, host, level, time, and the
 * other fields with an underscore in front.
 */
import type { Event } from '../../../event/event.ts'
import { valueText } from '../../../event/sprintf.ts'
import { type Fields, float, isFields, putField, type Value } from '../../../event/value.ts'
import type { HashValue } from '../../../plugin/define.ts'
import { textOf } from '../../../plugin/raw-text.ts'

interface GelfOptions {
  readonly short_message: string
  readonly full_message: string
  readonly sender: string
  readonly level: readonly Value[]
  readonly ship_metadata: boolean
  readonly ship_tags: boolean
  readonly ignore_metadata: readonly Value[]
  readonly custom_fields: HashValue
}

interface Compile {
  get(reference: string): (event: Event) => Value | undefined
  template(text: string): (event: Event) => string
}

/** Syslog's levels by their names; `e` is an emergency, as in Logstash. */
const levels: ReadonlyMap<string, number> = new Map([
  ...['debug', 'd'].map((name) => [name, 7] as const),
  ...['info', 'i', 'informational'].map((name) => [name, 6] as const),
  ...['notice', 'n'].map((name) => [name, 5] as const),
  ...['warn', 'w', 'warning'].map((name) => [name, 4] as const),
  ['error', 3],
  ...['critical', 'c'].map((name) => [name, 2] as const),
  ...['alert', 'a'].map((name) => [name, 1] as const),
  ...['emergency', 'e'].map((name) => [name, 0] as const),
])

/** Throws for an event that has no message. */
export function compileMessage(options: GelfOptions, compile: Compile): (event: Event) => Fields {
  const message = compile.get('message')
  const tags = compile.get('tags')
  const short = compile.get(options.short_message)
  const full = compile.template(options.full_message)
  const host = compile.template(options.sender)
  const level = compileLevel(options.level, compile)
  const ignored = new Set(options.ignore_metadata.map(textOf))

  return (event) => {
    const given = short(event)
    const text = given === undefined || given === null ? '' : rubyText(given)
    const plain = message(event)
    const shortText: Value | undefined = text === '' ? plain : text
    if (shortText === undefined || shortText === null)
      throw new Error('short_message is missing. Options version, short_message and host must be set.')
    const fields: Fields = {
      version: '1.0',
      host: host(event),
      facility: 'gelf-rb',
      short_message: shortText,
      full_message: full(event),
    }
    if (options.ship_metadata) addFields(fields, event, ignored)
    const shipped = options.ship_tags ? tags(event) : undefined
    if (shipped !== undefined && shipped !== null) fields['_tags'] = joined(shipped)
    for (const [name, value] of options.custom_fields) if (name !== 'id') putField(fields, `_${name}`, value)
    fields['level'] = level(event)
    const time = event.timestamp
    if (time !== undefined) fields['timestamp'] = float((time.millis + time.nanos / 1e6) / 1000)
    return fields
  }
}

function addFields(fields: Fields, event: Event, ignored: ReadonlySet<string>): void {
  const hash = event.toHash()
  for (const key of Object.keys(hash)) {
    const value = hash[key]
    if (value === undefined || value === null || key === 'message') continue
    let name = key.startsWith('_') ? key.slice(1) : key
    // `_id` is reserved in GELF.
    if (name === 'id') name = '_id'
    if (ignored.has(name)) continue
    if (Array.isArray(value)) putField(fields, `_${name}`, joined(value))
    else if (isFields(value)) {
      for (const inner of Object.keys(value)) {
        const item = value[inner]
        if (item !== undefined) putField(fields, `_${name}_${inner}`, item)
      }
    } else putField(fields, `_${name}`, value)
  }
}

function joined(value: Value): string {
  return Array.isArray(value)
    ? value
        .flat(10)
        .map((item) => (item === null ? '' : valueText(item)))
        .join(', ')
    : valueText(value)
}

/** A list of one is what it holds. */
function rubyText(value: Value): string {
  const only = Array.isArray(value) && value.length === 1 ? value[0] : value
  return only === undefined || only === null ? '' : textOf(only)
}

/** The first of the values whose fields exist; a name, or a number in its text, else 0. */
function compileLevel(given: readonly Value[], compile: Compile): (event: Event) => number {
  const candidates = given.map((value) => {
    const text = textOf(value)
    return { text, fill: compile.template(text), isTemplate: text.includes('%{') }
  })
  return (event) => {
    for (const { text, fill, isTemplate } of candidates) {
      const filled = fill(event)
      if (isTemplate && filled === text) continue
      return levels.get(filled.toLowerCase()) ?? (Number.parseInt(filled, 10) || 0)
    }
    return 0
  }
}
