/**
 * Points in InfluxDB's line protocol:
 *
 *   measurement,tag=value field="text",other=5i 1700000000000
 */
import { LsFloat, type Value } from '../../../event/value.ts'
import { rubyText } from '../../ruby-values/text.ts'

interface Point {
  readonly measurement: string
  readonly tags: readonly (readonly [name: string, value: Value])[]
  readonly fields: readonly (readonly [name: string, value: Value])[]
  readonly time: string
}

/** Undefined for a point without fields, which the database refuses. */
export function lineOf({ measurement, tags, fields, time }: Point): string | undefined {
  const head = [
    escaped(measurement, /[, ]/g),
    ...tags
      .filter(([, value]) => !isEmpty(value))
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, value]) => `${escaped(name, /[,= ]/g)}=${escaped(rubyText(value), /[,= ]/g)}`),
  ].join(',')
  const values = fields
    .filter(([, value]) => !isEmpty(value))
    .map(([name, value]) => `${escaped(name, /[,= ]/g)}=${fieldText(value)}`)
  return values.length === 0 ? undefined : `${head} ${values.join(',')} ${time}`
}

function isEmpty(value: Value): boolean {
  return value === null || value === ''
}

/** A line break would begin another point; a backslash at the end would escape what follows. */
function escaped(text: string, special: RegExp): string {
  return text
    .replaceAll(/[\r\n]+/g, ' ')
    .replaceAll(special, '\\$&')
    .replace(/\\$/, '\\ ')
}

function fieldText(value: Value): string {
  if (typeof value === 'bigint') return `${value}i`
  if (typeof value === 'number') return Number.isInteger(value) ? `${value}i` : String(value)
  if (value instanceof LsFloat) return Number.isFinite(value.value) ? String(value.value) : '"NaN"'
  if (typeof value === 'boolean') return String(value)
  return `"${rubyText(value).replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}
