/**
 * From what a user wrote (a YAML value, the text of a flag) to the value of a setting. Sentences are
 * Logstash's where it has one; each message names the setting, what was given and what would be right.
 */
import { inspect } from '../log/ruby-inspect.ts'
import { definitionOf, type SettingName } from './definitions.ts'
import type { AnyValue, PortRange } from './values.ts'

const byteUnits: Readonly<Record<string, number>> = {
  '': 1,
  b: 1,
  k: 2 ** 10,
  m: 2 ** 20,
  g: 2 ** 30,
  t: 2 ** 40,
  p: 2 ** 50,
}
const millisPerUnit: Readonly<Record<string, number>> = {
  d: 86_400_000,
  h: 3_600_000,
  m: 60_000,
  s: 1000,
  ms: 1,
  micros: 1e-3,
  nanos: 1e-6,
}

/** Throws an Error whose message is the reason; the caller says where the value came from. */
export function coerceSetting(name: SettingName, given: unknown): AnyValue {
  const { kind, options } = definitionOf[name]
  switch (kind) {
    case 'string':
    case 'path':
      return coerceText(name, given)
    case 'nullable_string':
    case 'nullable_path':
      return given === null || given === undefined ? null : coerceText(name, given)
    case 'password':
      if (typeof given === 'object' && given !== null) throw new Error(`Setting "${name}" must be a String.`)
      return given === null || given === undefined ? null : coerceText(name, given)
    case 'integer':
      return coerceInteger(name, given, 'an integer')
    case 'enum':
      return coerceEnum(name, given, options ?? [])
    case 'string_list':
      return coerceStringList(name, given, options)
    default:
      return coercions[kind](name, given)
  }
}

/** The kinds that are read the same way whatever else a setting says about its values. */
const coercions = {
  positive_integer: coercePositiveInteger,
  number: coerceNumber,
  boolean: coerceBoolean,
  bytes: coerceBytes,
  time: coerceTime,
  port_range: coercePortRange,
}

/** True when the value was a bare integer for a time, which old configurations mean as nanoseconds. */
export function isUnitlessTime(name: SettingName, given: unknown): boolean {
  return (
    definitionOf[name].kind === 'time' &&
    (typeof given === 'number' || typeof given === 'bigint') &&
    given !== -1
  )
}

function coerceText(name: string, given: unknown): string {
  if (typeof given === 'string') return given
  if (typeof given === 'number' || typeof given === 'boolean' || typeof given === 'bigint')
    return String(given)
  throw wrong(name, 'must be a String', given)
}

function coerceInteger(name: string, given: unknown, expected: string): number {
  if (typeof given === 'number' && Number.isSafeInteger(given)) return given
  if (typeof given === 'string' && /^\s*[+-]?\d{1,15}\s*$/.test(given)) return Number(given)
  throw wrong(name, `must be ${expected}`, given)
}

function coercePositiveInteger(name: string, given: unknown): number {
  const value = coerceInteger(name, given, 'a positive integer')
  if (value <= 0) throw new Error(`Setting "${name}": Number must be bigger than 0. Received: ${value}`)
  return value
}

function coerceNumber(name: string, given: unknown): number {
  if (typeof given === 'number' && Number.isFinite(given)) return given
  if (typeof given === 'string' && /^\s*[+-]?\d{1,15}(?:\.\d{1,15})?\s*$/.test(given)) return Number(given)
  throw wrong(name, 'must be a number', given)
}

function coerceBoolean(name: string, given: unknown): boolean {
  if (typeof given === 'boolean') return given
  if (given === 'true') return true
  if (given === 'false') return false
  throw new Error(`Cannot coerce \`${shown(given)}\` to boolean (${name}). Expected true or false.`)
}

function coerceBytes(name: string, given: unknown): number {
  if (typeof given === 'number' && Number.isFinite(given)) {
    if (given < 0) throw new Error(`Setting "${name}": Invalid byte value "${given}".`)
    return Math.floor(given)
  }
  const parts =
    typeof given === 'string' ? /^\s*(\d{1,15}(?:\.\d{1,15})?)\s*([kmgtp]?b?)\s*$/i.exec(given) : null
  const unit = (parts?.[2] ?? '').toLowerCase()
  const factor = byteUnits[unit.length > 1 ? unit.slice(0, 1) : unit]
  const value = Math.floor(Number(parts?.[1]) * (factor ?? 0))
  if (parts === null || factor === undefined || !Number.isSafeInteger(value)) {
    const expected = 'Expected a size such as 512kb, 64mb or 1gb.'
    throw new Error(`Setting "${name}": Could not coerce '${shown(given)}' into a bytes value. ${expected}`)
  }
  return value
}

function coerceTime(name: string, given: unknown): number {
  if (typeof given === 'number') return timeFromNumber(name, given)
  if (typeof given !== 'string') {
    throw wrong(name, 'must be a time such as 3s or 500ms', given)
  }
  const text = given.toLowerCase().trim()
  if (/^-0*1$/.test(text)) return -1
  const unit = /(?:nanos|micros|ms|s|m|h|d)$/.exec(text)?.[0]
  if (unit === undefined) {
    throw new Error(
      `Setting "${name}": invalid time unit: "${given}". Expected a time such as 3s, 500ms or 2m.`,
    )
  }
  const number = text.slice(0, -unit.length).trim()
  if (!/^[+-]?\d{1,10}$/.test(number)) {
    throw new Error(
      `Setting "${name}": invalid value for Integer(): "${number}". Expected a time such as 3s, 500ms or 2m.`,
    )
  }
  return Number(number) * (millisPerUnit[unit] ?? 1)
}

function timeFromNumber(name: string, given: number): number {
  const units = '`d`, `h`, `m`, `s`, `ms`, `micros`, or `nanos`'
  if (!Number.isInteger(given)) {
    throw new Error(
      `Non-integer numeric value for \`${name}\` is not supported without a time unit. Please specify a time unit suffix such as ${units}.`,
    )
  }
  if (given > 2147483647) {
    throw new Error(
      `Numeric value for \`${name}\` exceeds the maximum int (2147483647) supported value for nanoseconds.`,
    )
  }
  return given === -1 ? -1 : given / 1e6
}

function coercePortRange(name: string, given: unknown): PortRange {
  const text = typeof given === 'number' ? String(given) : given
  const parts = typeof text === 'string' ? /^\s*(\d{1,9})(?:\s*-\s*(\d{1,9}))?\s*$/.exec(text) : null
  if (parts === null) {
    throw new Error(
      `Setting "${name}": Could not coerce [${shown(given)}] into a port range. Expected 9600 or 9600-9700.`,
    )
  }
  const first = Number(parts[1])
  const last = Number(parts[2] ?? parts[1])
  if (first < 1 || last > 65535 || first > last) {
    throw new Error(
      `Invalid value "${name}: ${first}..${last}", valid options are within the range of 1-65535`,
    )
  }
  return { first, last }
}

function coerceEnum(name: string, given: unknown, options: readonly string[]): string {
  const text = given === null || typeof given === 'object' ? shown(given) : String(given)
  if (!options.includes(text)) {
    throw new Error(`Invalid value "${name}: ${text}" . Options are: [${options.join(', ')}]`)
  }
  return text
}

function coerceStringList(
  name: string,
  given: unknown,
  options: readonly string[] | undefined,
): readonly string[] {
  const list = Array.isArray(given) ? given : given === null || given === undefined ? [] : [given]
  const texts = list.map((item) => coerceText(name, item))
  const unknown = options === undefined ? [] : texts.filter((text) => !options.includes(text))
  if (unknown.length > 0) {
    throw new Error(
      `Failed to validate the setting "${name}" value(s): ${inspect(unknown)}. Valid options are: ${inspect(options)}`,
    )
  }
  return texts
}

function wrong(name: string, rule: string, given: unknown): Error {
  return new Error(`Setting "${name}" ${rule}. Received: ${shown(given)} (${rubyClass(given)})`)
}

function shown(given: unknown): string {
  return typeof given === 'string' ? given.slice(0, 1000) : inspect(given, 1000)
}

/** Name of the Ruby class that a YAML value would have. */
export function rubyClass(value: unknown): string {
  if (value === null || value === undefined) return 'NilClass'
  if (Array.isArray(value)) return 'Array'
  switch (typeof value) {
    case 'string':
      return 'String'
    case 'boolean':
      return value ? 'TrueClass' : 'FalseClass'
    case 'number':
      return Number.isInteger(value) ? 'Integer' : 'Float'
    case 'bigint':
      return 'Integer'
    default:
      return 'Hash'
  }
}
