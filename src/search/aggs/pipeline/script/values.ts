/**
 * Values of scripts and what operators make of them. Java's integers are bigint here, its doubles numbers, so
 * that `1 / 2` is 0 and `1 / 2.0` a half.
 */

export type ScriptValue = number | bigint | boolean | string | null | readonly number[]

/** What goes wrong while a script runs; the caller knows the place. */
export class ScriptFailure extends Error {
  readonly type: string

  constructor(type: string, reason: string) {
    super(reason)
    this.type = type
  }
}

export function typeName(value: ScriptValue): string {
  if (value === null) return 'null'
  if (typeof value === 'bigint') return 'java.lang.Integer'
  if (typeof value === 'number') return 'java.lang.Double'
  if (typeof value === 'boolean') return 'java.lang.Boolean'
  return typeof value === 'string' ? 'java.lang.String' : 'double[]'
}

export function numeric(value: ScriptValue, operation: string): number | bigint {
  if (typeof value === 'number' || typeof value === 'bigint') return value
  if (value === null) {
    throw new ScriptFailure('null_pointer_exception', `cannot apply [${operation}] to null`)
  }
  throw new ScriptFailure(
    'class_cast_exception',
    `Cannot apply [${operation}] operation to type [${typeName(value)}].`,
  )
}

export function toDouble(value: ScriptValue, operation: string): number {
  return Number(numeric(value, operation))
}

/** As Java narrows a double: towards zero, NaN to 0. */
export function toInteger(value: ScriptValue, bits: number): bigint {
  const given = numeric(value, 'cast')
  if (typeof given === 'bigint') return BigInt.asIntN(bits, given)
  if (Number.isNaN(given)) return 0n
  const most = (1n << BigInt(bits - 1)) - 1n
  if (given >= Number(most)) return most
  return given <= -Number(most) - 1 ? -most - 1n : BigInt(Math.trunc(given))
}

export function truth(value: ScriptValue): boolean {
  if (typeof value === 'boolean') return value
  if (value === null) throw new ScriptFailure('null_pointer_exception', 'cannot use null as a condition')
  throw new ScriptFailure('class_cast_exception', `Cannot cast from [${typeName(value)}] to [boolean].`)
}

type Arithmetic = (left: ScriptValue, right: ScriptValue) => ScriptValue

function arithmetic(
  sign: string,
  onDoubles: (left: number, right: number) => number,
  onIntegers: (left: bigint, right: bigint) => bigint,
): Arithmetic {
  return (left, right) => {
    const one = numeric(left, sign)
    const other = numeric(right, sign)
    if (typeof one === 'bigint' && typeof other === 'bigint') return BigInt.asIntN(64, onIntegers(one, other))
    return onDoubles(Number(one), Number(other))
  }
}

function divisor(value: bigint): bigint {
  if (value === 0n) throw new ScriptFailure('arithmetic_exception', '/ by zero')
  return value
}

function comparison(
  sign: string,
  holds: (left: number | bigint, right: number | bigint) => boolean,
): Arithmetic {
  return (left, right) => holds(numeric(left, sign), numeric(right, sign))
}

/** Numbers of different kinds are equal when they are worth the same. */
export function areEqual(left: ScriptValue, right: ScriptValue): boolean {
  const isNumber = (value: ScriptValue) => typeof value === 'number' || typeof value === 'bigint'
  return isNumber(left) && isNumber(right) ? Number(left) === Number(right) : left === right
}

export const operators: ReadonlyMap<string, Arithmetic> = new Map<string, Arithmetic>([
  [
    '+',
    arithmetic(
      '+',
      (a, b) => a + b,
      (a, b) => a + b,
    ),
  ],
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
  ['<', comparison('<', (a, b) => a < b)],
  ['<=', comparison('<=', (a, b) => a <= b)],
  ['>', comparison('>', (a, b) => a > b)],
  ['>=', comparison('>=', (a, b) => a >= b)],
  ['==', areEqual],
  ['===', areEqual],
  ['!=', (left, right) => !areEqual(left, right)],
  ['!==', (left, right) => !areEqual(left, right)],
])
