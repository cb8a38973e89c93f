/**
 * `%{…}` templates, compiled once per text: field values, Joda dates (`%{+YYYY}`), java.time dates
 * (`%{{yyyy}}`) and epoch seconds (`%{+%s}`). Evaluated left to right, never recursively.
 */
import { javaDouble } from '../text/java-double.ts'
import { hashMapOrder } from '../text/java-hash.ts'
import { compileGet } from './accessors.ts'
import type { Event } from './event.ts'
import { compileJavaTimeFormat } from './java-time-format.ts'
import { compileJodaFormat } from './joda-format.ts'
import { writeJson } from './json-write.ts'
import { checkNesting } from './nesting.ts'
import { Timestamp } from './timestamp.ts'
import { type Fields, fieldNames, isFields, LsFloat, putField, readField, type Value } from './value.ts'

export type Template = (event: Event) => string

const cacheLimit = 10_000
const cache = new Map<string, Template>()

export function compileTemplate(text: string): Template {
  const known = cache.get(text)
  if (known !== undefined) return known
  const template = build(text)
  if (cache.size < cacheLimit) cache.set(text, template)
  return template
}

/** True when the text has no placeholder, so that its value never depends on the event. */
export function isConstantTemplate(text: string): boolean {
  const open = text.indexOf('%{')
  return open < 0 || text.indexOf('}', open + 2) < 0
}

function build(text: string): Template {
  const parts = split(text)
  if (parts.length === 0) return () => ''
  if (parts.length === 1) {
    const only = parts[0]!
    return typeof only === 'string' ? () => only : only
  }
  return (event) => {
    let result = ''
    for (const part of parts) result += typeof part === 'string' ? part : part(event)
    return result
  }
}

function split(text: string): (string | Template)[] {
  const parts: (string | Template)[] = []
  let position = 0
  for (;;) {
    const open = text.indexOf('%{', position)
    const close = open < 0 ? -1 : text.indexOf('}', open + 2)
    if (close < 0) break
    if (open > position) parts.push(text.slice(position, open))
    const inner = text.slice(open + 2, close)
    position = close + 1
    if ('+%s'.startsWith(inner)) parts.push(epochSeconds)
    else if (inner.startsWith('{') && (close + 1 === text.length || text[close + 1] === '}')) {
      parts.push(javaTime(inner.slice(1), close + 1 === text.length ? text : undefined))
      position = close + 2
    } else if (inner.startsWith('+')) parts.push(date(inner.slice(1), compileJodaFormat))
    else parts.push(field(inner, text.slice(open, close + 1)))
  }
  if (position < text.length) parts.push(text.slice(position))
  return parts
}

const epochSeconds: Template = (event) => {
  const time = event.timestamp
  return time === undefined ? '' : String(Math.floor(time.millis / 1000))
}

function javaTime(pattern: string, truncated: string | undefined): Template {
  if (truncated !== undefined) {
    return () => {
      throw new RangeError(`String index out of range: ${truncated.length}`)
    }
  }
  if (pattern === 'TIME_NOW') return () => Timestamp.now().toString()
  return date(pattern, compileJavaTimeFormat)
}

/** A bad pattern is reported when an event is formatted, as Logstash does, not when it is compiled. */
function date(pattern: string, compile: (pattern: string) => (time: Timestamp) => string): Template {
  let format: ((time: Timestamp) => string) | undefined
  return (event) => {
    const time = event.timestamp
    if (time === undefined) return ''
    format ??= compile(pattern)
    return format(time)
  }
}

function field(reference: string, placeholder: string): Template {
  let get: ((event: Event) => Value | undefined) | undefined
  return (event) => {
    get ??= compileGet(reference)
    const value = get(event)
    if (typeof value === 'string') return value
    return value === undefined || value === null ? placeholder : valueText(value)
  }
}

/** A value as text inside a template: maps as JSON, but inside lists as Java's HashMap writes itself. */
export function valueText(value: Value): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number') return Number.isInteger(value) ? String(value) : javaDouble(value)
  if (value === null) return ''
  if (Array.isArray(value)) return value.map(itemText).join(',')
  if (typeof value === 'object' && isFields(value)) return writeJson(hashMapOrdered(value))
  return value instanceof LsFloat || value instanceof Timestamp ? value.toString() : String(value)
}

function itemText(value: Value): string {
  return typeof value === 'object' && isFields(value) ? javaText(value) : valueText(value)
}

/** `toString` of Java: `{a=1, b=[x, null]}`. */
function javaText(value: Value | undefined, depth = 0): string {
  if (value === undefined || value === null) return 'null'
  if (typeof value !== 'object') return valueText(value)
  checkNesting(depth)
  if (Array.isArray(value)) return `[${value.map((item) => javaText(item, depth + 1)).join(', ')}]`
  if (!isFields(value)) return valueText(value)
  return `{${hashMapNames(value)
    .map((name) => `${name}=${javaText(readField(value, name), depth + 1)}`)
    .join(', ')}}`
}

/** Logstash makes a HashMap of just the size of the map. */
function hashMapNames(fields: Fields): string[] {
  const names = fieldNames(fields)
  return names.length < 2 ? names : hashMapOrder(names, names.length, names.length)
}

function hashMapOrdered(value: Value, depth = 0): Value {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    checkNesting(depth)
    return value.map((item) => hashMapOrdered(item, depth + 1))
  }
  if (!isFields(value)) return value
  checkNesting(depth)
  const ordered: Fields = {}
  for (const name of hashMapNames(value))
    putField(ordered, name, hashMapOrdered(readField(value, name)!, depth + 1))
  return ordered
}
