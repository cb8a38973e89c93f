/**
 * What conditions mean at run time, value by value, with Logstash's rules: integers and floats differ,
 * strings compare by UTF-8 bytes, null and booleans compare as equal to anything, and a comparison that
 * makes no sense is an evaluation error of that one event.
 */
import { deepEqual } from '../../event/equal.ts'
import { describe } from '../../event/path-access.ts'
import { valueText } from '../../event/sprintf.ts'
import { Timestamp } from '../../event/timestamp.ts'
import { isFields, LsFloat, type Value } from '../../event/value.ts'
import { compareUtf8 } from '../../text/utf8-order.ts'

export class ConditionError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ConditionError'
  }
}

type Operand = Value | undefined

export function truthy(value: Operand): boolean {
  return value !== undefined && value !== null && value !== false && value !== '' && value !== 'false'
}

/** Equality of two fields: both missing are equal, missing and null are not. */
export function equal(left: Operand, right: Operand): boolean {
  if (left === undefined || right === undefined) return left === right
  return deepEqual(left, right)
}

/** Sign of left - right. Throws a ConditionError for operands that have no order. */
export function compare(left: Operand, right: Operand): number {
  if (left === undefined || Array.isArray(left) || (left !== null && isFields(left)))
    throw combination(left, right)
  if (left === null || typeof left === 'boolean' || left instanceof Timestamp) return 0
  if (right === undefined || Array.isArray(right) || (right !== null && isFields(right))) {
    throw combination(left, right)
  }
  if (typeof left === 'string') {
    if (typeof right !== 'string') throw mismatch()
    return compareUtf8(left, right)
  }
  const a = numeric(left)
  const b = numeric(right)
  if (a === undefined || b === undefined) throw mismatch()
  return a < b ? -1 : a > b ? 1 : a === b || Number(a) === Number(b) ? 0 : Number.NaN
}

function numeric(value: Value): number | bigint | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return value
  return value instanceof LsFloat ? value.value : undefined
}

/** `[a] in [b]` */
export function fieldInField(left: Operand, right: Operand): boolean {
  if (left === undefined || right === undefined) return false
  if (Array.isArray(left) || (left !== null && isFields(left))) return false
  if (Array.isArray(right)) return right.some((item) => deepEqual(left, item))
  if (typeof left === 'string' && typeof right === 'string') return right.includes(left)
  return deepEqual(left, right)
}

/** `"text" in [a]` */
export function textInField(text: string, field: Operand): boolean {
  if (typeof field === 'string') return field.includes(text)
  return Array.isArray(field) && field.includes(text)
}

/** `5 in [a]` */
export function numberInField(wanted: Value, field: Operand): boolean {
  return Array.isArray(field) && field.some((item) => deepEqual(wanted, item))
}

/** `[a] in "text"` */
export function fieldInText(field: Operand, text: string): boolean {
  return typeof field === 'string' && text.includes(field)
}

/** `[a] in ["x", 5]`: the texts of both sides are compared. */
export function fieldInTexts(field: Operand, texts: ReadonlySet<string>): boolean {
  if (typeof field === 'string') return texts.has(field)
  if (field === undefined || field === null || Array.isArray(field) || isFields(field)) return false
  return texts.has(valueText(field))
}

function mismatch(): ConditionError {
  return new ConditionError('(TypeError) no implicit conversion of nil into Integer')
}

function combination(left: Operand, right: Operand): ConditionError {
  return new ConditionError(
    `Unexpected conditional input combination of '${operand(left)}' (left) and '${operand(right)}' (right)`,
  )
}

function operand(value: Operand): string {
  if (value === undefined) return '<no-class>:<null-value>'
  if (value === null) return 'class org.jruby.RubyNil:'
  if (typeof value === 'string') return `class org.jruby.RubyString:${value}`
  if (typeof value === 'boolean') return `class org.jruby.RubyBoolean:${value}`
  if (typeof value === 'bigint') return `class org.jruby.RubyBignum:${value}`
  if (typeof value === 'number' && Number.isInteger(value)) return `class org.jruby.RubyFixnum:${value}`
  if (typeof value === 'number' || value instanceof LsFloat)
    return `class org.jruby.RubyFloat:${valueText(value)}`
  if (value instanceof Timestamp)
    return `class org.logstash.ext.JrubyTimestampExtLibrary$RubyTimestamp:${value}`
  if (Array.isArray(value))
    return `class org.logstash.ConvertedList:ConvertedList{delegate=${describe(value)}}`
  return `class org.logstash.ConvertedMap:${describe(value)}`
}
