/**
 * Deep equality of field values by the rule of Logstash: the same type and the same value. An integer never
 * equals a float (`1` and `1.0`), a missing field equals only a missing field, removed fields do not count,
 * and the order of fields in a map does not matter.
 */
import { checkNesting } from './nesting.ts'
import { Timestamp } from './timestamp.ts'
import { type Fields, fieldNames, LsFloat, readField, type Value } from './value.ts'

export function deepEqual(a: Value | undefined, b: Value | undefined): boolean {
  return equal(a, b, 0)
}

function equal(a: Value | undefined, b: Value | undefined, depth: number): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || a === null || typeof b !== 'object' || b === null) return equalFloats(a, b)
  if (Array.isArray(a)) return Array.isArray(b) && equalLists(a, b, depth + 1)
  if (Array.isArray(b)) return false
  if (a instanceof Timestamp) return b instanceof Timestamp && a.equals(b)
  if (a instanceof LsFloat) return equalFloats(a, b)
  if (b instanceof Timestamp || b instanceof LsFloat) return false
  return equalFields(a, b, depth + 1)
}

function equalFloats(a: Value | undefined, b: Value | undefined): boolean {
  const x = floatValue(a)
  const y = floatValue(b)
  if (x === undefined || y === undefined) return false
  return x === y || (Number.isNaN(x) && Number.isNaN(y))
}

function floatValue(value: Value | undefined): number | undefined {
  if (value instanceof LsFloat) return value.value
  return typeof value === 'number' && !Number.isInteger(value) ? value : undefined
}

function equalLists(a: Value[], b: Value[], depth: number): boolean {
  checkNesting(depth)
  if (a.length !== b.length) return false
  for (let index = 0; index < a.length; index++) if (!equal(a[index], b[index], depth)) return false
  return true
}

function equalFields(a: Fields, b: Fields, depth: number): boolean {
  checkNesting(depth)
  const names = fieldNames(a)
  if (names.length !== fieldNames(b).length) return false
  // A field that b lacks reads as undefined, which equals no present value.
  for (const name of names) if (!equal(a[name], readField(b, name), depth)) return false
  return true
}
