/** The types that scripts may name: casts and `instanceof`. */
import { ScriptDate } from './script-dates.ts'
import { type ScriptValue, toDouble, toInteger, truth, typeName } from './values.ts'

export type Cast = (value: ScriptValue) => ScriptValue

const casts: ReadonlyMap<string, Cast> = new Map<string, Cast>([
  ['int', (value) => toInteger(value, 32)],
  ['long', (value) => toInteger(value, 64)],
  ['short', (value) => toInteger(value, 16)],
  ['byte', (value) => toInteger(value, 8)],
  ['double', (value) => toDouble(value, 'cast')],
  ['float', (value) => Math.fround(toDouble(value, 'cast'))],
  ['def', (value) => value],
  ['boolean', truth],
])

/** The classes that `instanceof` knows. */
const classes: ReadonlyMap<string, (value: ScriptValue) => boolean> = new Map<
  string,
  (value: ScriptValue) => boolean
>([
  ['String', (value) => typeof value === 'string'],
  ['Boolean', (value) => typeof value === 'boolean'],
  ['Number', (value) => typeof value === 'number' || typeof value === 'bigint'],
  ['Integer', (value) => typeName(value) === 'java.lang.Integer'],
  ['Long', (value) => typeName(value) === 'java.lang.Long'],
  ['Double', (value) => typeof value === 'number'],
  ['Float', () => false],
  ['List', (value) => Array.isArray(value)],
  ['ArrayList', (value) => Array.isArray(value)],
  ['Collection', (value) => Array.isArray(value) || value instanceof Set],
  ['Map', (value) => value instanceof Map],
  ['HashMap', (value) => value instanceof Map],
  ['Set', (value) => value instanceof Set],
  ['HashSet', (value) => value instanceof Set],
  ['Object', (value) => value !== null],
  ['ZonedDateTime', (value) => value instanceof ScriptDate],
  ['Instant', (value) => value instanceof ScriptDate],
])

export function castTo(type: string): Cast | undefined {
  return casts.get(type)
}

export function isType(name: string): boolean {
  return casts.has(name) || classes.has(name)
}

export function classTest(name: string): ((value: ScriptValue) => boolean) | undefined {
  return classes.get(name)
}
