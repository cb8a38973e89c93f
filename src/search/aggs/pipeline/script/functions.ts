/** Functions and constants that scripts may name. */
import {
  ewma,
  holt,
  holtWinters,
  linearWeightedAvg,
  maximum,
  minimum,
  stdDev,
  sum,
  unweightedAvg,
} from '../moving-models.ts'
import { numeric, ScriptFailure, type ScriptValue, toDouble, toInteger, truth, typeName } from './values.ts'

export interface ScriptFunction {
  readonly arity: number
  readonly call: (values: readonly ScriptValue[]) => ScriptValue
}

function onDoubles(
  name: string,
  arity: number,
  compute: (...values: number[]) => number,
): [string, ScriptFunction] {
  return [name, { arity, call: (values) => compute(...values.map((value) => toDouble(value, name))) }]
}

/** Integers stay integers when all are. */
function choosing(name: string, wantsGreater: boolean): [string, ScriptFunction] {
  const call = (values: readonly ScriptValue[]): ScriptValue => {
    const numbers = values.map((value) => numeric(value, name))
    if (numbers.some(Number.isNaN)) return Number.NaN
    const [one, other] = [numbers[0]!, numbers[1]!]
    const chosen = one > other === wantsGreater ? one : other
    return numbers.every((value) => typeof value === 'bigint') ? chosen : Number(chosen)
  }
  return [name, { arity: 2, call }]
}

/** Halves to even, as Java's `rint`. */
function rint(value: number): number {
  const floor = Math.floor(value)
  const rest = value - floor
  if (rest !== 0.5) return rest < 0.5 ? floor : floor + 1
  return floor % 2 === 0 ? floor : floor + 1
}

const shared: readonly [string, ScriptFunction][] = [
  ['abs', { arity: 1, call: ([value]) => magnitude(value!) }],
  choosing('max', true),
  choosing('min', false),
  ...[
    'acos',
    'acosh',
    'asin',
    'asinh',
    'atan',
    'atanh',
    'cbrt',
    'ceil',
    'cos',
    'cosh',
    'exp',
    'expm1',
    'floor',
    'log10',
    'log1p',
    'sin',
    'sinh',
    'sqrt',
    'tan',
    'tanh',
  ].map((name) => onDoubles(name, 1, Math[name as 'sin'])),
  onDoubles('pow', 2, Math.pow),
  onDoubles('atan2', 2, Math.atan2),
]

function magnitude(value: ScriptValue): ScriptValue {
  const given = numeric(value, 'abs')
  return given < 0 ? -given : given
}

const mathFunctions: readonly [string, ScriptFunction][] = [
  ...shared,
  onDoubles('log', 1, Math.log),
  onDoubles('signum', 1, Math.sign),
  onDoubles('hypot', 2, Math.hypot),
  onDoubles('rint', 1, rint),
  onDoubles('toDegrees', 1, (radians) => (radians * 180) / Math.PI),
  onDoubles('toRadians', 1, (degrees) => (degrees * Math.PI) / 180),
  ['round', { arity: 1, call: ([value]) => toInteger(Math.floor(toDouble(value!, 'round') + 0.5), 64) }],
]

function onWindow(
  name: string,
  arity: number,
  compute: (values: readonly number[], ...rest: number[]) => number,
): [string, ScriptFunction] {
  const call = ([window, ...rest]: readonly ScriptValue[]) =>
    compute(windowOf(window!), ...rest.map((value) => toDouble(value, name)))
  return [name, { arity, call }]
}

function windowOf(value: ScriptValue): readonly number[] {
  if (typeof value === 'object' && value !== null) return value
  throw new ScriptFailure('class_cast_exception', `Cannot cast from [${typeName(value)}] to [double[]].`)
}

const movingFunctions: readonly [string, ScriptFunction][] = [
  onWindow('max', 1, maximum),
  onWindow('min', 1, minimum),
  onWindow('sum', 1, sum),
  onWindow('stdDev', 2, (values, average) => stdDev(values, average!)),
  onWindow('unweightedAvg', 1, unweightedAvg),
  onWindow('linearWeightedAvg', 1, linearWeightedAvg),
  onWindow('ewma', 2, (values, alpha) => ewma(values, alpha!)),
  onWindow('holt', 3, (values, alpha, beta) => holt(values, alpha!, beta!)),
  [
    'holtWinters',
    {
      arity: 6,
      call: ([window, alpha, beta, gamma, period, multiplicative]) =>
        holtWinters(windowOf(window!), {
          alpha: toDouble(alpha!, 'holtWinters'),
          beta: toDouble(beta!, 'holtWinters'),
          gamma: toDouble(gamma!, 'holtWinters'),
          period: Math.max(1, Math.trunc(toDouble(period!, 'holtWinters'))),
          multiplicative: truth(multiplicative!),
          padding: truth(multiplicative!) ? 1e-10 : 0,
        }),
    },
  ],
]

const doubleFunctions: readonly [string, ScriptFunction][] = [
  ['isNaN', { arity: 1, call: ([value]) => Number.isNaN(toDouble(value!, 'isNaN')) }],
  ['isInfinite', { arity: 1, call: ([value]) => Math.abs(toDouble(value!, 'isInfinite')) === Infinity }],
  ['isFinite', { arity: 1, call: ([value]) => Number.isFinite(toDouble(value!, 'isFinite')) }],
]

/** `Math.max` and its like, by class and name. */
export const classFunctions: ReadonlyMap<string, ReadonlyMap<string, ScriptFunction>> = new Map([
  ['Math', new Map(mathFunctions)],
  ['Double', new Map(doubleFunctions)],
  ['Float', new Map(doubleFunctions)],
  ['MovingFunctions', new Map(movingFunctions)],
])

export const classConstants: ReadonlyMap<string, ScriptValue> = new Map<string, ScriptValue>([
  ['Math.PI', Math.PI],
  ['Math.E', Math.E],
  ['Double.NaN', Number.NaN],
  ['Double.POSITIVE_INFINITY', Infinity],
  ['Double.NEGATIVE_INFINITY', -Infinity],
  ['Double.MAX_VALUE', Number.MAX_VALUE],
  ['Double.MIN_VALUE', Number.MIN_VALUE],
  ['Integer.MAX_VALUE', 2_147_483_647n],
  ['Integer.MIN_VALUE', -2_147_483_648n],
  ['Long.MAX_VALUE', 9_223_372_036_854_775_807n],
  ['Long.MIN_VALUE', -9_223_372_036_854_775_808n],
])

/** Of Lucene's expressions, which name them without a class. */
export const expressionFunctions: ReadonlyMap<string, ScriptFunction> = new Map([
  ...shared,
  onDoubles('ln', 1, Math.log),
  onDoubles('logn', 2, (base, value) => Math.log(value!) / Math.log(base!)),
])

/** Methods of numbers. */
export const methods: ReadonlyMap<string, (value: ScriptValue) => ScriptValue> = new Map<
  string,
  (value: ScriptValue) => ScriptValue
>([
  ['doubleValue', (value) => toDouble(value, 'doubleValue')],
  ['floatValue', (value) => Math.fround(toDouble(value, 'floatValue'))],
  ['longValue', (value) => toInteger(value, 64)],
  ['intValue', (value) => toInteger(value, 32)],
  ['isNaN', (value) => Number.isNaN(toDouble(value, 'isNaN'))],
  ['isInfinite', (value) => Math.abs(toDouble(value, 'isInfinite')) === Infinity],
])
