/** JSON objects with names from users: own members only, and `__proto__` is a name like any other. */
import { JsonNumber } from './json-literals.ts'
import { plainText } from './plain-text.ts'

export type JsonObject = Readonly<Record<string, unknown>>

/** Numbers that keep their text are values, not objects. */
export function isObject(value: unknown): value is JsonObject {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof JsonNumber)
  )
}

export function own(object: JsonObject, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined
}

export function put(object: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true })
}

/** Merges objects member by member; everything else is replaced. */
export function deepMerge(base: JsonObject, over: JsonObject): JsonObject {
  const merged: Record<string, unknown> = Object.fromEntries(Object.entries(base))
  for (const [name, value] of Object.entries(over)) {
    const before = own(merged, name)
    put(merged, name, isObject(before) && isObject(value) ? deepMerge(before, value) : value)
  }
  return merged
}

export function objectOr(value: unknown, fallback: JsonObject = {}): JsonObject {
  return isObject(value) ? value : fallback
}

/** Returns a text or each of a list of texts; numbers and booleans as they are spelled. */
export function textList(value: unknown): string[] {
  if (value === undefined || value === null) return []
  return (Array.isArray(value) ? value : [value]).map(plainText)
}
