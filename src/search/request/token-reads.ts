/**
 * Checks that a value can be read as OpenSearch's parsers read it, and throws what they and Jackson throw when it
 * cannot: a number may be a text, a flag may be a word, a list is never a text.
 */

import { redacted } from './body/json-syntax-error.ts'
import { illegalArgument, numberFormat } from './errors.ts'
import { JsonNumber } from './json-literals.ts'
import { tokenKind } from './request-values.ts'
import { SearchError } from './search-error.ts'
import type { SourcePlaces } from './source-place.ts'
import { stoppedAt } from './stop-place.ts'

/** `scalar` is what is kept as it was sent. */
export type Reading = 'text' | 'text or null' | 'scalar' | 'number' | 'integer' | 'flag'

/** The holder of a value and its key or index there. */
export interface ValuePlace {
  readonly places: SourcePlaces
  readonly node: unknown
  readonly key: string | number
}

/** Throws SearchError. */
export function checkReading(reading: Reading, value: unknown, at: ValuePlace): void {
  switch (reading) {
    case 'text':
      if (value === null || isNested(value)) throw noText(value, at)
      return
    case 'text or null':
      if (isNested(value)) throw noText(value, at)
      return
    case 'scalar':
      return
    case 'flag':
      return checkFlag(value, at)
    case 'number':
    case 'integer':
      return checkNumber(reading, value, at)
  }
}

/** The error of a text that is asked of another token. */
export function noText(value: unknown, { places, node, key }: ValuePlace): SearchError {
  const place = places.of(node, key)
  const reason = `Can't get text on a ${tokenKind(value)} at ${place.line}:${place.col}`
  return stoppedAt(new SearchError('illegal_state_exception', reason, { status: 500 }), place)
}

function isNested(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !(value instanceof JsonNumber)
}

function checkFlag(value: unknown, at: ValuePlace): void {
  if (typeof value === 'boolean') return
  if (typeof value !== 'string')
    throw coercion(`Current token (${jacksonToken(value)}) not of boolean type`, at)
  if (value === 'true' || value === 'false' || value === '') return
  const reason = `Failed to parse value [${value}] as only [true] or [false] are allowed.`
  throw stoppedAt(illegalArgument(reason), at.places.of(at.node, at.key))
}

function checkNumber(reading: 'number' | 'integer', value: unknown, at: ValuePlace): void {
  if (value === null || typeof value === 'boolean' || isNested(value)) {
    const reason = `Current token (${jacksonToken(value)}) not numeric, cannot use numeric value accessors`
    throw coercion(reason, at)
  }
  const text = value instanceof JsonNumber ? value.text : String(value)
  const number = typeof value === 'string' && text.trim() === '' ? Number.NaN : Number(text)
  if (Number.isNaN(number)) throw stoppedAt(numberFormat(text), at.places.of(at.node, at.key))
  if (
    reading === 'integer' &&
    (number > 2_147_483_647 || number < -2_147_483_648) &&
    typeof value !== 'string'
  )
    throw coercion(
      `Numeric value (${at.places.spelling(at.node, at.key)}) out of range of \`int\` (-2147483648 - 2147483647)`,
      at,
    )
}

/** Jackson's error, which OpenSearch wraps in one of the same text. */
function coercion(reason: string, { places, node, key }: ValuePlace): SearchError {
  const text = `${reason}\n at [${redacted}; byte offset: #${places.bytesThrough(node, key)}]`
  const cause = new SearchError('input_coercion_exception', text)
  return stoppedAt(new SearchError('input_coercion_exception', text, { cause }), places.of(node, key))
}

/** The names of tokens in Jackson's own errors. */
function jacksonToken(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'VALUE_TRUE' : 'VALUE_FALSE'
  const text =
    value instanceof JsonNumber ? value.text : typeof value === 'number' ? String(value) : undefined
  if (text === undefined) return tokenKind(value)
  return /[.eE]/.test(text) ? 'VALUE_NUMBER_FLOAT' : 'VALUE_NUMBER_INT'
}
