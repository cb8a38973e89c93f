/**
 * A deep copy of a value. Maps and lists are copied; texts, numbers and timestamps never change and are
 * shared. Removed fields are left out.
 */
import { checkNesting } from './nesting.ts'
import { Timestamp } from './timestamp.ts'
import { type Fields, LsFloat, putField, type Value } from './value.ts'

export function cloneValue<T extends Value | undefined>(value: T): T {
  return copy(value, 0) as T
}

function copy(value: Value | undefined, depth: number): Value | undefined {
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Timestamp || value instanceof LsFloat) return value
  checkNesting(depth)
  if (Array.isArray(value)) return value.map((item) => copy(item, depth + 1) as Value)
  return copyFields(value, depth)
}

/** Spreading keeps the shape of the map and takes `__proto__` as a plain name. */
function copyFields(fields: Fields, depth: number): Fields {
  const result: Fields = { ...fields }
  for (const name of Object.keys(result)) {
    const value = result[name]
    if (value === undefined) return copyPresentFields(fields, depth)
    if (typeof value === 'object' && value !== null) putField(result, name, copy(value, depth + 1))
  }
  return result
}

function copyPresentFields(fields: Fields, depth: number): Fields {
  const result: Fields = {}
  for (const name of Object.keys(fields)) {
    const value = fields[name]
    if (value !== undefined) putField(result, name, copy(value, depth + 1))
  }
  return result
}
