/**
 * Script values and operators. Java integers are bigints here and doubles are numbers, so that `1 / 2` is 0
 * and `1 / 2.0` is 0.5. Lists are arrays, maps are Maps, sets are Sets.
 */

import { javaDouble } from '../request/java-text.ts'
import { JsonNumber } from '../request/json-literals.ts'

export type ScriptMap = Map<ScriptValue, ScriptValue>
export type ScriptValue =
  | number
  | bigint
  | boolean
  | string
  | null
  | ScriptValue[]
  | ScriptMap
  | Set<ScriptValue>
  | ScriptObject
  | JsonNumber

/** The base of all other objects that a script can access. */
export abstract class ScriptObject {
  abstract readonly javaName: string
  /** Undefined when there is no such member. */
  member(_name: string): ScriptValue | undefined {
    return undefined
  }
  call(_name: string, _values: readonly ScriptValue[]): ScriptValue | undefined {
    return undefined
  }
  /** The value of `object[key]`. */
  at(_key: ScriptValue): ScriptValue | undefined {
    return undefined
  }
  /** The items that a loop visits. */
  items(): readonly ScriptValue[] | undefined {
    return undefined
  }
  equals(other: ScriptValue): boolean {
    return other === this
  }
  /** Its JSON form; undefined when that is its text. */
  json(): unknown {
    return undefined
  }
}

/** `a -> a + 1` */
export class Lambda extends ScriptObject {
  readonly javaName = 'lambda'
  readonly run: (values: readonly ScriptValue[]) => ScriptValue

  constructor(run: (values: readonly ScriptValue[]) => ScriptValue) {
    super()
    this.run = run
  }
}

/** A runtime failure; the caller adds the position. */
export class ScriptFailure extends Error {
  readonly type: string
  /** Java's frames above the script, which `script_stack` begins with. */
  readonly frames: readonly string[]

  constructor(type: string, reason: string, frames: readonly string[] = []) {
    super(reason)
    this.type = type
    this.frames = frames
  }
}

/** The maximum length of strings and lists that a script creates. */
const maxElements = 1_000_000

export function checkSize(size: number): void {
  if (size > maxElements)
    throw new ScriptFailure(
      'illegal_argument_exception',
      `a script may not make more than [${maxElements}] things`,
    )
}

export function typeName(value: ScriptValue): string {
  const plain = unwrapped(value)
  if (plain === null) return 'null'
  if (typeof plain === 'bigint')
    return BigInt.asIntN(32, plain) === plain ? 'java.lang.Integer' : 'java.lang.Long'
  if (typeof plain === 'number') return 'java.lang.Double'
  if (typeof plain === 'boolean') return 'java.lang.Boolean'
  if (typeof plain === 'string') return 'java.lang.String'
  if (Array.isArray(plain)) return 'java.util.ArrayList'
  if (plain instanceof Map) return 'java.util.HashMap'
  return plain instanceof Set ? 'java.util.HashSet' : plain.javaName
}

/** A number of a document keeps its spelling until it is used. */
export function unwrapped(value: ScriptValue): Exclude<ScriptValue, JsonNumber> {
  if (!(value instanceof JsonNumber)) return value
  return value.isInteger ? BigInt(value.text) : value.value
}

/** `side` is that of an operand. */
export function numeric(value: ScriptValue, operation: string, side?: 'left' | 'right'): number | bigint {
  const plain = unwrapped(value)
  if (typeof plain === 'number' || typeof plain === 'bigint') return plain
  if (plain === null) {
    const reason =
      side === undefined
        ? `cannot apply [${operation}] to null`
        : `Cannot invoke "Object.getClass()" because "${side}" is null`
    throw new ScriptFailure('null_pointer_exception', reason)
  }
  throw new ScriptFailure(
    'class_cast_exception',
    `Cannot apply [${operation}] operation to type [${typeName(plain)}].`,
  )
}

export function toDouble(value: ScriptValue, operation: string): number {
  return Number(numeric(value, operation))
}

/** Narrows as Java does: towards zero, NaN to 0. */
export function toInteger(value: ScriptValue, bits: number): bigint {
  const given = numeric(value, 'cast')
  if (typeof given === 'bigint') return BigInt.asIntN(bits, given)
  if (Number.isNaN(given)) return 0n
  const max = (1n << BigInt(bits - 1)) - 1n
  if (given >= Number(max)) return max
  return given <= -Number(max) - 1 ? -max - 1n : BigInt(Math.trunc(given))
}

export function truth(value: ScriptValue): boolean {
  if (typeof value === 'boolean') return value
  if (value === null) throw new ScriptFailure('null_pointer_exception', 'cannot use null as a condition')
  throw new ScriptFailure('class_cast_exception', `Cannot cast from [${typeName(value)}] to [boolean].`)
}

const maxTextDepth = 100

/** Prints as `String.valueOf` does. */
export function textOf(value: ScriptValue, depth = 0): string {
  if (depth > maxTextDepth) throw new ScriptFailure('stack_overflow_error', 'nested too deeply')
  const inner = (item: ScriptValue) => textOf(item, depth + 1)
  const plain = unwrapped(value)
  if (typeof plain === 'number') return javaDouble(plain)
  if (Array.isArray(plain)) return `[${plain.map(inner).join(', ')}]`
  if (plain instanceof Set) return `[${[...plain].map(inner).join(', ')}]`
  if (plain instanceof Map)
    return `{${[...plain].map(([key, item]) => `${inner(key)}=${inner(item)}`).join(', ')}}`
  if (plain instanceof ScriptObject) return textOf(plain.call('toString', []) ?? plain.javaName)
  return String(plain)
}

type Operation = (left: ScriptValue, right: ScriptValue) => ScriptValue

function arithmetic(
  sign: string,
  onDoubles: (left: number, right: number) => number,
  onIntegers: (left: bigint, right: bigint) => bigint,
): Operation {
  return (left, right) => {
    const one = numeric(left, sign, 'left')
    const other = numeric(right, sign, 'right')
    if (typeof one === 'bigint' && typeof other === 'bigint') return BigInt.asIntN(64, onIntegers(one, other))
    return onDoubles(Number(one), Number(other))
  }
}

/** Operators on integers only. */
function onBits(sign: string, compute: (left: bigint, right: bigint) => bigint): Operation {
  return (left, right) => {
    if (typeof left === 'boolean' && typeof right === 'boolean')
      return compute(left ? 1n : 0n, right ? 1n : 0n) !== 0n
    const one = numeric(left, sign, 'left')
    const other = numeric(right, sign, 'right')
    if (typeof one === 'bigint' && typeof other === 'bigint') return BigInt.asIntN(64, compute(one, other))
    throw new ScriptFailure(
      'class_cast_exception',
      `Cannot apply [${sign}] operation to type [java.lang.Double].`,
    )
  }
}

function divisor(value: bigint): bigint {
  if (value === 0n) throw new ScriptFailure('arithmetic_exception', '/ by zero')
  return value
}

function comparison(
  sign: string,
  holds: (left: number | bigint, right: number | bigint) => boolean,
): Operation {
  return (left, right) => holds(numeric(left, sign, 'left'), numeric(right, sign, 'right'))
}

const added = arithmetic(
  '+',
  (a, b) => a + b,
  (a, b) => a + b,
)

/** Concatenates when either operand is a string. */
function plus(left: ScriptValue, right: ScriptValue): ScriptValue {
  if (typeof left !== 'string' && typeof right !== 'string') return added(left, right)
  const joined = textOf(left) + textOf(right)
  checkSize(joined.length)
  return joined
}

/** Numbers of different types are equal by value, lists and maps by their members. */
export function areEqual(left: ScriptValue, right: ScriptValue, depth = 0): boolean {
  const one = unwrapped(left)
  const other = unwrapped(right)
  const isNumber = (value: ScriptValue) => typeof value === 'number' || typeof value === 'bigint'
  if (isNumber(one) && isNumber(other)) return Number(one) === Number(other)
  if (one === other) return true
  if (depth > maxTextDepth) return false
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((item, i) => areEqual(item, other[i]!, depth + 1))
  if (one instanceof Map && other instanceof Map)
    return (
      one.size === other.size &&
      [...one].every(([key, item]) => other.has(key) && areEqual(item, other.get(key)!, depth + 1))
    )
  if (one instanceof Set && other instanceof Set)
    return one.size === other.size && [...one].every((item) => other.has(item))
  return one instanceof ScriptObject && one.equals(other)
}

/** Compares as `compareTo` does: numbers by value, strings by UTF-16 units. */
export function compare(left: ScriptValue, right: ScriptValue): number {
  const one = unwrapped(left)
  const other = unwrapped(right)
  if (typeof one === 'string' && typeof other === 'string') return one < other ? -1 : one > other ? 1 : 0
  const result = one instanceof ScriptObject ? one.call('compareTo', [other]) : undefined
  if (result !== undefined) return Number(numeric(result, 'compareTo'))
  const [a, b] = [numeric(one, 'compareTo'), numeric(other, 'compareTo')]
  return a < b ? -1 : a > b ? 1 : 0
}

export const operators: ReadonlyMap<string, Operation> = new Map<string, Operation>([
  ['+', plus],
  [
    '-',
    arithmetic(
      '-',
      (a, b) => a - b,
      (a, b) => a - b,
    ),
  ],
  [
    '*',
    arithmetic(
      '*',
      (a, b) => a * b,
      (a, b) => a * b,
    ),
  ],
  [
    '/',
    arithmetic(
      '/',
      (a, b) => a / b,
      (a, b) => a / divisor(b),
    ),
  ],
  [
    '%',
    arithmetic(
      '%',
      (a, b) => a % b,
      (a, b) => a % divisor(b),
    ),
  ],
  ['&', onBits('&', (a, b) => a & b)],
  ['|', onBits('|', (a, b) => a | b)],
  ['^', onBits('^', (a, b) => a ^ b)],
  ['<<', onBits('<<', (a, b) => a << (b & 63n))],
  ['>>', onBits('>>', (a, b) => a >> (b & 63n))],
  ['<', comparison('<', (a, b) => a < b)],
  ['<=', comparison('<=', (a, b) => a <= b)],
  ['>', comparison('>', (a, b) => a > b)],
  ['>=', comparison('>=', (a, b) => a >= b)],
  ['==', (left, right) => areEqual(left, right)],
  ['===', (left, right) => areEqual(left, right)],
  ['!=', (left, right) => !areEqual(left, right)],
  ['!==', (left, right) => !areEqual(left, right)],
])
