/**
 * Converts documents and parameters to script values and back. Objects become maps, so that any name is data;
 * integers stay integers; an unchanged number keeps its spelling.
 */
import { javaDouble } from '../request/java-text.ts'
import { JsonNumber } from '../request/json-literals.ts'
import { ScriptFailure, type ScriptMap, ScriptObject, type ScriptValue, textOf } from './values.ts'

export function fromJson(json: unknown): ScriptValue {
  if (json === undefined || json === null) return null
  if (typeof json === 'number') return Number.isInteger(json) ? BigInt(json) : json
  if (typeof json === 'string' || typeof json === 'boolean' || json instanceof JsonNumber) return json
  if (Array.isArray(json)) return json.map(fromJson)
  return mapFrom(json as object)
}

export function mapFrom(json: object): ScriptMap {
  return new Map(Object.entries(json).map(([name, value]) => [name, fromJson(value)]))
}

/** The maximum depth of a document. */
const maxDepth = 1000

export function toJson(value: ScriptValue, depth = 0): unknown {
  if (depth > maxDepth)
    throw new ScriptFailure('illegal_argument_exception', 'Iterable object is self-referencing itself')
  if (typeof value === 'bigint') {
    const number = Number(value)
    return Number.isSafeInteger(number) ? number : new JsonNumber(String(value))
  }
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) return String(value)
    return Number.isInteger(value) ? new JsonNumber(javaDouble(value)) : value
  }
  if (Array.isArray(value)) return value.map((item) => toJson(item, depth + 1))
  if (value instanceof Set) return [...value].map((item) => toJson(item, depth + 1))
  if (value instanceof Map) return objectFrom(value, depth)
  if (value instanceof ScriptObject) {
    const items = value.items()
    const shown = value.json()
    if (shown !== undefined) return shown
    return items === undefined ? textOf(value) : items.map((item) => toJson(item, depth + 1))
  }
  return value
}

function objectFrom(map: ScriptMap, depth: number): Record<string, unknown> {
  const object: Record<string, unknown> = {}
  for (const [key, value] of map) {
    Object.defineProperty(object, textOf(key), {
      value: toJson(value, depth + 1),
      writable: true,
      enumerable: true,
      configurable: true,
    })
  }
  return object
}
