/**
 * Values between events and Ruby in WebAssembly: exact JSON. What JSON cannot say is a hash of one name that begins
 * with NUL, `{"\0t":"2024-05-06T07:08:09.123456789Z"}` a time, `{"\0f":"NaN"}` a float; names of events that begin
 * with NUL get one more.
 */
import { parseJsonExactly } from '../../../../event/json-parse.ts'
import { writeJson } from '../../../../event/json-write.ts'
import { parseTimestamp } from '../../../../event/parse-timestamp.ts'
import { Timestamp } from '../../../../event/timestamp.ts'
import {
  type Fields,
  fieldNames,
  float,
  isFields,
  LsFloat,
  putField,
  type Value,
} from '../../../../event/value.ts'

const mark = '\0'

export function toWire(value: Value | undefined): string {
  return writeJson(plain(value ?? null))
}

export function fromWire(text: string): Value {
  const value = parseJsonExactly(text)
  return text.includes('\\u0000') ? rich(value) : value
}

function plain(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Timestamp) return { [`${mark}t`]: isoNanos(value) }
  if (value instanceof LsFloat)
    return Number.isFinite(value.value) ? value : { [`${mark}f`]: String(value.value) }
  if (Array.isArray(value)) return value.map(plain)
  if (!isFields(value)) return value
  const fields: Fields = {}
  for (const name of fieldNames(value)) {
    putField(fields, name.startsWith(mark) ? mark + name : name, plain(value[name] ?? null))
  }
  return fields
}

function isoNanos(time: Timestamp): string {
  const [seconds, millis] = new Date(time.millis).toISOString().slice(0, -1).split('.')
  return `${seconds}.${millis}${String(time.nanos).padStart(6, '0')}Z`
}

function rich(value: Value): Value {
  if (Array.isArray(value)) return value.map(rich)
  if (!isFields(value)) return value
  const names = fieldNames(value)
  const [name] = names
  if (names.length === 1 && name !== undefined) {
    const item = value[name]
    if (name === `${mark}t` && typeof item === 'string') return parseTimestamp(item) ?? item
    if (name === `${mark}f` && typeof item === 'string') return float(Number(item))
  }
  const fields: Fields = {}
  for (const one of names)
    putField(fields, one.startsWith(mark) ? one.slice(1) : one, rich(value[one] ?? null))
  return fields
}
