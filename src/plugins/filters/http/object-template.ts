/** `%{…}` in the keys and values of whatever an option holds, compiled once. */
import type { Event } from '../../../event/event.ts'
import { type Fields, isFields, putField, readField, type Value } from '../../../event/value.ts'
import type { Compile } from '../../../plugin/compile.ts'
import type { HashValue } from '../../../plugin/define.ts'

type ObjectTemplate = (event: Event) => Value

export function compileObject(value: Value, compile: Compile): ObjectTemplate {
  if (typeof value === 'string') return compile.template(value)
  if (Array.isArray(value)) {
    const items = value.map((item) => compileObject(item, compile))
    return (event) => items.map((item) => item(event))
  }
  if (!isFields(value)) return () => value
  const members = Object.keys(value).map(
    (name) => [compile.template(name), compileObject(readField(value, name) ?? null, compile)] as const,
  )
  return (event) => {
    const fields: Fields = {}
    for (const [name, member] of members) putField(fields, name(event), member(event))
    return fields
  }
}

export function fieldsOfHash(hash: HashValue): Fields {
  const fields: Fields = {}
  for (const [name, value] of hash) putField(fields, name, value)
  return fields
}
