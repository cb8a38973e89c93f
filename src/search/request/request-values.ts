/**
 * Reads values of request bodies and parameters: numbers may be texts, booleans may be words. Errors are worded as
 * in Elasticsearch's parsers.
 */
import { illegalArgument, numberFormat, parsingError } from './errors.ts'
import { JsonNumber } from './json-literals.ts'
import { SearchError } from './search-error.ts'

export { isObject, type JsonObject } from './json-object.ts'

/** Names a JSON token kind as error texts do. */
export function tokenKind(value: unknown): string {
  if (value === null) return 'VALUE_NULL'
  if (typeof value === 'string') return 'VALUE_STRING'
  if (typeof value === 'boolean') return 'VALUE_BOOLEAN'
  if (typeof value === 'number' || value instanceof JsonNumber) return 'VALUE_NUMBER'
  return Array.isArray(value) ? 'START_ARRAY' : 'START_OBJECT'
}

/** Converts a number, a text or a boolean to text. */
export function scalarText(value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined
  if (value instanceof JsonNumber) return value.text
  return typeof value === 'object' ? undefined : String(value)
}

/** Reads a text of a body. A structure is refused: as text it would name something that nobody meant. */
export function bodyText(parser: string, name: string, value: unknown): string {
  const text = scalarText(value)
  if (text !== undefined) return text
  const reason = `[${parser}] ${name} doesn't support values of type: ${tokenKind(value)}`
  throw new SearchError('x_content_parse_exception', reason)
}

const maxInt = 2_147_483_647

/** Reads an `int` of a body: texts are parsed, fractions cut off. */
export function bodyInt(value: unknown): number {
  if (typeof value === 'boolean' || scalarText(value) === undefined) {
    throw parsingError(`Current token (${tokenKind(value)}) not numeric, can not use numeric value accessors`)
  }
  const text = scalarText(value)!
  const number = typeof value === 'string' && text.trim() === '' ? Number.NaN : Number(text)
  if (Number.isNaN(number)) throw numberFormat(text)
  if (Math.abs(number) > maxInt + (number < 0 ? 1 : 0)) {
    const reason = `Numeric value (${text}) out of range of int (-2147483648 - 2147483647)`
    throw new SearchError('input_coercion_exception', reason)
  }
  return Math.trunc(number) + 0
}

const outOfLong = 2 ** 63

/** Reads a `long` of a body: texts are parsed, fractions cut off. Beyond 2^53 it is the nearest double. */
export function bodyLong(value: unknown): number {
  const text = scalarText(value)
  if (typeof value === 'boolean' || text === undefined) {
    throw parsingError(`Current token (${tokenKind(value)}) not numeric, can not use numeric value accessors`)
  }
  const isText = typeof value === 'string'
  if (isText && !/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text))
    throw illegalArgument(`For input string: "${text}"`)
  const number = Math.trunc(Number(text)) + 0
  if (Math.abs(number) < outOfLong) return number
  if (isText) throw illegalArgument(`Value [${text}] is out of range for a long`)
  const reason = `Numeric value (${text}) out of range of long (-9223372036854775808 - 9223372036854775807)`
  throw new SearchError('input_coercion_exception', reason)
}

export function bodyFloat(value: unknown): number {
  const text = scalarText(value)
  const number = text === undefined || text.trim() === '' ? Number.NaN : Number(text)
  if (Number.isNaN(number)) throw numberFormat(text ?? tokenKind(value))
  return number
}

export function bodyFlag(value: unknown): boolean {
  if (value === true || value === 'true') return true
  if (value === false || value === 'false') return false
  throw illegalArgument(
    `Failed to parse value [${scalarText(value) ?? tokenKind(value)}] as only [true] or [false] are allowed.`,
  )
}

/** Reads an `int` of the query string. */
export function parameterInt(name: string, text: string): number {
  const number = /^[+-]?\d+$/.test(text) ? Number(text) : Number.NaN
  if (!(Math.abs(number) <= maxInt)) {
    throw illegalArgument(`Failed to parse int parameter [${name}] with value [${text}]`, numberFormat(text))
  }
  return number
}

/** Reads a boolean of the query string; the bare name means true. */
export function parameterFlag(text: string): boolean {
  if (text === '' || text === 'true') return true
  if (text === 'false') return false
  throw illegalArgument(`Failed to parse value [${text}] as only [true] or [false] are allowed.`)
}

/** Returns a scalar or each of a list of scalars as text; anything else is an empty text. */
export function scalarTexts(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value]).map((item) => scalarText(item) ?? '')
}

/** Splits a parameter at its commas; empty parts are left out. */
export function commaSeparated(text: string): string[] {
  return text.split(',').filter((part) => part !== '')
}
