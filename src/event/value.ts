/**
 * The values a field can hold. Integers, floats and big integers stay distinct all the way
 * from JSON text to JSON text, because `1.0` and `1` map to different types downstream:
 *   integer  -> JS number with an integral value, |n| <= 2^53-1
 *   bignum   -> bigint (beyond 2^53-1)
 *   float    -> JS number with a fraction, or a boxed LsFloat when the value is integral, NaN, infinite, or
 *               so large or small that Java writes it with an exponent
 */
import { javaDouble } from '../text/java-double.ts'
import type { Timestamp } from './timestamp.ts'

/** A map of fields. A value of `undefined` is a removed field: readers treat it as absent. */
export interface Fields {
  [name: string]: Value | undefined
}

export type Value = string | number | bigint | boolean | null | LsFloat | Timestamp | Value[] | Fields

/**
 * How the JSON writer and `LsFloat.toJSON` work together: the writer sets a mark, floats write themselves as texts
 * that begin with it, and `seen` says that there are some. Without a mark they are plain numbers.
 */
export const boxed = { seen: false, mark: '' }

/** A float whose value JavaScript would print otherwise than Java: `1.0`, `1.2345678E7`, NaN, Infinity. */
export class LsFloat {
  readonly value: number

  constructor(value: number) {
    this.value = value
  }

  toJSON(): number | string {
    if (boxed.mark === '') return this.value
    if (!Number.isFinite(this.value)) return javaDouble(this.value)
    boxed.seen = true
    return boxed.mark + javaDouble(this.value)
  }

  valueOf(): number {
    return this.value
  }

  toString(): string {
    return javaDouble(this.value)
  }
}

/** The representation of a floating point result: plain when JavaScript prints it as Java does. */
export function float(value: number): number | LsFloat {
  return isPlainFloat(value) ? value : new LsFloat(value)
}

/** True for floats with a fraction that Java writes without an exponent. */
export function isPlainFloat(value: number): boolean {
  const magnitude = Math.abs(value)
  return magnitude >= 1e-3 && magnitude < 1e7 && !Number.isInteger(value)
}

/** The representation of an integer given as bigint: a plain number where it is exact. */
export function integer(value: bigint): number | bigint {
  return value >= -9007199254740991n && value <= 9007199254740991n ? Number(value) : value
}

export function isFields(value: unknown): value is Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const prototype = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** Names that plain objects inherit: reading or writing them needs `Object.hasOwn` / `defineProperty`. */
export const inheritedNames: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Object.prototype))

/** Writes one field of a map; safe for `__proto__` and friends. */
export function putField(fields: Fields, name: string, value: Value | undefined): void {
  if (name === '__proto__') {
    Object.defineProperty(fields, name, { value, writable: true, enumerable: true, configurable: true })
  } else {
    fields[name] = value
  }
}

/** Reads one field of a map; safe for inherited names. */
export function readField(fields: Fields, name: string): Value | undefined {
  if (inheritedNames.has(name) && !Object.hasOwn(fields, name)) return undefined
  return fields[name]
}

/** Names of the fields that are present. */
export function fieldNames(fields: Fields): string[] {
  const names = Object.keys(fields)
  for (const name of names)
    if (fields[name] === undefined) return names.filter((n) => fields[n] !== undefined)
  return names
}
