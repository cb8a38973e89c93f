/** The `MovingFunctions` class of `moving_fn` scripts. */
import type { ClassFunctions, ScriptFunction } from '../../script/functions.ts'
import { ScriptFailure, type ScriptValue, toDouble, truth, typeName } from '../../script/values.ts'
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
} from './moving-models.ts'

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
  if (Array.isArray(value)) return value as number[]
  throw new ScriptFailure('class_cast_exception', `Cannot cast from [${typeName(value)}] to [double[]].`)
}

const functions: readonly [string, ScriptFunction][] = [
  onWindow('max', 1, maximum),
  onWindow('min', 1, minimum),
  onWindow('sum', 1, sum),
  onWindow('stdDev', 2, (values, average) => stdDev(values, average!)),
  onWindow('unweightedAvg', 1, unweightedAvg),
  onWindow('linearWeightedAvg', 1, linearWeightedAvg),
  onWindow('ewma', 2, (values, alpha) => ewma(values, alpha!)),
  onWindow('holt', 3, (values, alpha, beta) => holt(values, alpha!, beta!).level),
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

export const movingFunctions: ClassFunctions = new Map([['MovingFunctions', new Map(functions)]])
