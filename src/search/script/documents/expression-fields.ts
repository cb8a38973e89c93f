/** `doc['field']` of Lucene expressions: numbers only, zero for documents without a value. */

import { ScriptDate } from '../script-dates.ts'
import { ScriptFailure, ScriptObject, type ScriptValue, typeName } from '../values.ts'
import type { DocFields, FieldValues } from './doc-fields.ts'

export class ExpressionDoc extends ScriptObject {
  readonly javaName = 'doc'
  readonly #doc: DocFields

  constructor(doc: DocFields) {
    super()
    this.#doc = doc
  }

  override at(key: ScriptValue): ScriptValue {
    return new ExpressionField(this.#doc.at(key) as FieldValues)
  }
}

const folds = new Map<string, (values: readonly number[]) => number>([
  ['value', ([first = 0]) => first],
  ['min', (values) => (values.length === 0 ? 0 : Math.min(...values))],
  ['max', (values) => (values.length === 0 ? 0 : Math.max(...values))],
  ['sum', sum],
  ['avg', (values) => (values.length === 0 ? 0 : sum(values) / values.length)],
  ['median', median],
  ['length', (values) => values.length],
  ['count', (values) => values.length],
  ['empty', (values) => (values.length === 0 ? 1 : 0)],
])

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

function median(values: readonly number[]): number {
  if (values.length === 0) return 0
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >>> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

class ExpressionField extends ScriptObject {
  readonly javaName = 'field'
  readonly #values: FieldValues

  constructor(values: FieldValues) {
    super()
    this.#values = values
  }

  override member(name: string): ScriptValue | undefined {
    if (name === 'lat' || name === 'lon') return this.#values.member(name)
    return folds.get(name)?.(this.#values.items().map(asNumber))
  }

  /** Methods are written as members or as date parts. */
  override call(name: string): ScriptValue | undefined {
    // A missing value is zero, and a missing date is the epoch.
    const first = this.#values.items()[0] ?? new ScriptDate(0)
    const part =
      first instanceof ScriptDate ? first.call(name === 'getHourOfDay' ? 'getHour' : name, []) : undefined
    return part === undefined ? this.member(name) : asNumber(part)
  }
}

function asNumber(value: ScriptValue): number {
  if (typeof value === 'number') return value
  if (typeof value === 'bigint' || typeof value === 'boolean') return Number(value)
  if (value instanceof ScriptDate) return value.millis
  const number = value instanceof ScriptObject ? value.call('getValue', []) : undefined
  if (typeof number === 'bigint') return Number(number)
  throw new ScriptFailure('illegal_argument_exception', `[${typeName(value)}] is not a number`)
}
