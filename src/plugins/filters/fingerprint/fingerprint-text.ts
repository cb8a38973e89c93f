/**
 * The text a value is fingerprinted as. Maps are written in the order of their keys, and everything inside
 * maps and lists is joined by `|`: `{"k": 1, "a": [2, null]}` is `a|2||k|1`. Several fields make
 * `|name|value|name|value|`.
 */

import { checkNesting } from '../../../event/nesting.ts'
import { type Fields, fieldNames, isFields, readField, type Value } from '../../../event/value.ts'
import { rubyText } from '../../ruby-values/text.ts'

export function pairText(name: string, value: Value | undefined): string {
  return `|${name}|${value === undefined ? '' : serialized(value)}`
}

export function allFieldsText(fields: Fields): string {
  const names = fieldNames(fields).sort(byCodeUnits)
  return names.map((name) => pairText(name, readField(fields, name))).join('')
}

/** The text of a value; for scalars that of Ruby. */
export function serialized(value: Value, depth = 0): string {
  if (typeof value !== 'object' || value === null) return rubyText(value)
  checkNesting(depth)
  if (Array.isArray(value)) return value.map((item) => serialized(item, depth + 1)).join('|')
  if (!isFields(value)) return rubyText(value)
  const names = fieldNames(value).sort(byCodeUnits)
  return names.map((name) => `${name}|${serialized(readField(value, name)!, depth + 1)}`).join('|')
}

function byCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
