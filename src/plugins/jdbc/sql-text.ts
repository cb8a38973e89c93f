/**
 * Statements with named parameters. `:name` becomes the value as a literal, as Logstash does it, but not inside
 * quotes, comments or after another colon (`::` is a cast in PostgreSQL); `?` likewise, by position.
 */
import { Timestamp } from '../../event/timestamp.ts'
import { LsFloat, type Value } from '../../event/value.ts'
import type { DatabaseKind } from './connection-string.ts'

type Parameters = ReadonlyMap<string, Value>

/** What is never looked into, then a parameter by name, then one by position. */
const token =
  /'(?:[^'\\]|''|\\[\s\S])*'|"(?:[^"]|"")*"|`[^`]*`|--[^\n]*|\/\*[\s\S]*?\*\/|::|:([A-Za-z_]\w*)|(\?)/g

export function fillNamed(statement: string, parameters: Parameters, kind: DatabaseKind): string {
  return statement.replace(token, (whole, name: string | undefined) => {
    if (name === undefined || !parameters.has(name)) return whole
    return literalOf(parameters.get(name)!, kind)
  })
}

export function fillPositions(statement: string, values: readonly Value[], kind: DatabaseKind): string {
  let next = 0
  const filled = statement.replace(token, (whole, _name, mark: string | undefined) => {
    if (mark === undefined) return whole
    const value = values[next++]
    return value === undefined ? whole : literalOf(value, kind)
  })
  if (next !== values.length) {
    throw new Error(`The statement has ${next} placeholders and ${values.length} values for them`)
  }
  return filled
}

/** How many values a statement with `?` wants. */
export function placeholdersIn(statement: string): number {
  return [...statement.matchAll(token)].filter(([, , mark]) => mark !== undefined).length
}

export function literalOf(value: Value, kind: DatabaseKind): string {
  if (value === null) return 'NULL'
  if (typeof value === 'number' || typeof value === 'bigint') return String(value)
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE'
  if (value instanceof LsFloat) return Number.isFinite(value.value) ? value.value.toFixed(1) : 'NULL'
  if (value instanceof Timestamp) return timeLiteral(value, kind)
  if (Array.isArray(value)) return `(${value.map((item) => literalOf(item, kind)).join(', ')})`
  return textLiteral(typeof value === 'string' ? value : JSON.stringify(value), kind)
}

function textLiteral(text: string, kind: DatabaseKind): string {
  if (text.includes('\0')) throw new Error('A parameter holds a NUL character')
  if (kind === 'sqlite') return `'${text.replaceAll("'", "''")}'`
  if (kind === 'mysql') return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
  const quoted = text.replaceAll("'", "''")
  return text.includes('\\') ? `E'${quoted.replaceAll('\\', '\\\\')}'` : `'${quoted}'`
}

/** PostgreSQL takes the zone along; MySQL compares with times in UTC, to which the connection is set. */
function timeLiteral(time: Timestamp, kind: DatabaseKind): string {
  const seconds = new Date(time.millis).toISOString().slice(0, 19).replace('T', ' ')
  const micros = String(
    (time.millis - Math.floor(time.millis / 1000) * 1000) * 1000 + Math.floor(time.nanos / 1000),
  )
  const text = `${seconds}.${micros.padStart(6, '0')}`
  return kind === 'postgresql' ? `'${text}+0000'` : `'${text}'`
}

/** One page of a statement's rows. */
export function pageOf(statement: string, size: number, offset: number): string {
  const inner = statement.trim().replace(/;\s*$/, '')
  return `SELECT * FROM (${inner}\n) AS t1 LIMIT ${size} OFFSET ${offset}`
}
