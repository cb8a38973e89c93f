/**
 * The text several fields are fingerprinted as: `|name|value|name|value|`. Maps are sorted by key at every
 * depth, so that the same data gives the same text; items of a list are joined by `|`.
 */

import { checkNesting } from '../../../event/nesting.ts'
import { Timestamp } from '../../../event/timestamp.ts'
import { type Fields, fieldNames, isFields, putField, readField, type Value } from '../../../event/value.ts'
import { rubyText } from '../ruby-values/text.ts'

export function pairText(name: string, value: Value | undefined): string {
  return `|${name}|${value === undefined ? '' : valueText(value)}`
}

export function allFieldsText(fields: Fields): string {
  const names = fieldNames(fields).sort(byCodeUnits)
  return names.map((name) => pairText(name, readField(fields, name))).join('')
}

function valueText(value: Value): string {
  if (Array.isArray(value)) return value.map(valueText).join('|')
  if (value instanceof Timestamp) return milliseconds(value).toString()
  return rubyText(sorted(value, 0))
}

/** Fingerprints made before times had nanoseconds stay valid. */
function milliseconds(time: Timestamp): Timestamp {
  return time.nanos === 0 ? time : new Timestamp(time.millis)
}

function sorted(value: Value, depth: number): Value {
  checkNesting(depth)
  if (Array.isArray(value)) return value.map((item) => sorted(item, depth + 1))
  if (typeof value !== 'object' || value === null || !isFields(value)) return value
  const result: Fields = {}
  for (const name of fieldNames(value).sort(byCodeUnits)) {
    putField(result, name, sorted(readField(value, name)!, depth + 1))
  }
  return result
}

function byCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
