/** What the http output sends: the event or a mapping of it as JSON or as a form, or a formatted message. */
import type { Event } from '../../event/event.ts'
import { writeJson } from '../../event/json-write.ts'
import { valueText } from '../../event/sprintf.ts'
import { type Fields, isFields, putField, type Value } from '../../event/value.ts'
import { inspect } from '../../log/ruby-inspect.ts'
import type { Compile } from '../../plugin/compile.ts'
import type { HashValue } from '../../plugin/define.ts'

type Mapping = (event: Event) => Value

/** Every text inside the mapping is a template, at any depth; its names are taken as they are. */
export function compileMapping(mapping: HashValue, compile: Compile): Mapping {
  return compileFields([...mapping], compile)
}

function compileFields(entries: readonly (readonly [string, Value])[], compile: Compile): Mapping {
  const members = entries.map(([name, value]) => [name, compileValue(value, compile)] as const)
  return (event) => {
    const fields: Fields = {}
    for (const [name, make] of members) putField(fields, name, make(event))
    return fields
  }
}

function compileValue(value: Value, compile: Compile): Mapping {
  if (Array.isArray(value)) {
    const items = value.map((item) => compileValue(item, compile))
    return (event) => items.map((make) => make(event))
  }
  if (isFields(value)) return compileFields(Object.entries(value) as [string, Value][], compile)
  return compile.template(valueText(value))
}

export function jsonBody(event: Event, mapping: Mapping | undefined): string {
  return mapping === undefined ? event.toJson() : writeJson(mapping(event))
}

export function jsonBatchBody(events: readonly Event[], mapping: Mapping | undefined): string {
  let text = ''
  for (const event of events) text += text === '' ? jsonBody(event, mapping) : `,${jsonBody(event, mapping)}`
  return `[${text}]`
}

export function formBody(event: Event, mapping: Mapping | undefined): string {
  const fields = mapping === undefined ? event.data : (mapping(event) as Fields)
  const pairs: string[] = []
  for (const name of Object.keys(fields)) {
    const value = fields[name]
    if (value !== undefined) pairs.push(`${formText(name)}=${formText(rubyText(value))}`)
  }
  return pairs.join('&')
}

/** Ruby's `to_s`: lists and maps as they are inspected. */
function rubyText(value: Value): string {
  if (typeof value === 'string') return value
  return value === null ? '' : inspect(value)
}

/** Form encoding that leaves letters, digits and `_ . - ~` alone; halves of characters become U+FFFD. */
function formText(text: string): string {
  return encodeURIComponent(Buffer.from(text).toString())
    .replace(/%20/g, '+')
    .replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
}
