/**
 * What a value of the configuration looks like elsewhere: as a field value, as text, and as Ruby's
 * `inspect` prints it in Logstash's messages.
 */
import { valueText } from '../event/sprintf.ts'
import { type Fields, LsFloat, putField, type Value } from '../event/value.ts'
import { inspect, RubyLiteral } from '../log/ruby-inspect.ts'
import { RawPlugin, type RawValue } from './raw-value.ts'

/** Longest rendering of a value inside a message. */
const maxTextLength = 10_000
const maxDepth = 500

/** The value a field gets; a nested plugin has no such value and becomes its name. */
export function toValue(raw: RawValue, depth = 0): Value {
  if (typeof raw !== 'object' || raw === null || raw instanceof LsFloat) return raw
  if (raw instanceof RawPlugin) return raw.name
  if (depth > maxDepth) throw new RangeError(`value is nested deeper than ${maxDepth} levels`)
  if (Array.isArray(raw)) return raw.map((item) => toValue(item, depth + 1))
  const fields: Fields = {}
  for (const [name, item] of raw as ReadonlyMap<string, RawValue>)
    putField(fields, name, toValue(item, depth + 1))
  return fields
}

export function isScalar(raw: RawValue | undefined): raw is string | number | bigint | LsFloat {
  return (
    typeof raw === 'string' || typeof raw === 'number' || typeof raw === 'bigint' || raw instanceof LsFloat
  )
}

export function isHash(raw: RawValue | undefined): raw is ReadonlyMap<string, RawValue> {
  return raw instanceof Map
}

/** Ruby's `to_s`: lists and maps print as `inspect` does. */
export function textOf(value: Value | RawValue): string {
  if (value === null) return ''
  if (typeof value !== 'object' || value instanceof LsFloat) return valueText(value)
  return show(value)
}

/** `"yes"`, `["c"]`, `{"a"=>1}`, `nil`. */
export function show(value: unknown): string {
  return inspect(printable(value, 0), maxTextLength)
}

function printable(value: unknown, depth: number): unknown {
  if (depth > maxDepth) return new RubyLiteral('...')
  if (value instanceof RawPlugin) return new RubyLiteral(value.name)
  if (Array.isArray(value)) return value.map((item) => printable(item, depth + 1))
  if (value instanceof Map) return new Map([...value].map(([key, item]) => [key, printable(item, depth + 1)]))
  return value
}
