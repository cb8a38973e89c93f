/** `moving_avg`: the predecessor of `moving_fn`, with named models in place of a script. */

import { illegalArgument } from '../../request/errors.ts'
import { JsonNumber } from '../../request/json-literals.ts'
import { isObject } from '../../request/request-values.ts'
import { histogramPipeline } from './histogram-pipeline.ts'
import { ewma, holt, holtWinters, linearWeightedAvg, unweightedAvg } from './moving-models.ts'
import { PipelineOptions } from './options.ts'
import type { ParsePipeline } from './pipeline.ts'

interface Model {
  /** The minimum number of values it needs. */
  readonly minValues: number
  readonly next: (values: readonly number[]) => number
  /** The value some steps behind the next one; the next one itself when absent. */
  readonly ahead?: (values: readonly number[], steps: number) => number
}

const maxPredictions = 10_000

type Settings = (key: string, usual: number) => number

type MakeModel = (setting: Settings, flag: Flags, window: number) => Model

const models: ReadonlyMap<string, MakeModel> = new Map<string, MakeModel>([
  ['simple', () => ({ minValues: 1, next: unweightedAvg })],
  ['linear', () => ({ minValues: 1, next: linearWeightedAvg })],
  [
    'ewma',
    (setting: Settings) => {
      const alpha = setting('alpha', 0.3)
      return { minValues: 1, next: (values: readonly number[]) => ewma(values, alpha) }
    },
  ],
  [
    'holt',
    (setting: Settings) => {
      const alpha = setting('alpha', 0.3)
      const beta = setting('beta', 0.1)
      return {
        minValues: 1,
        next: (values: readonly number[]) => holt(values, alpha, beta).level,
        ahead: (values: readonly number[], steps: number) => {
          const { level, trend } = holt(values, alpha, beta)
          return level + steps * trend
        },
      }
    },
  ],
  ['holt_winters', holtWintersModel],
])

type Flags = (key: string) => unknown

function holtWintersModel(setting: Settings, flag: Flags, window: number): Model {
  const multiplicative = flag('type') === 'mult'
  const seasons = {
    alpha: setting('alpha', 0.3),
    beta: setting('beta', 0.1),
    gamma: setting('gamma', 0.3),
    period: Math.max(1, Math.trunc(setting('period', 1))),
    multiplicative,
    padding: multiplicative && flag('pad') !== false ? 1e-10 : 0,
  }
  if (window < 2 * seasons.period) {
    throw illegalArgument(
      `Field [window] must be at least twice as large as the period when using Holt-Winters.  Value provided was [${window}], which is less than (2*period) == ${2 * seasons.period}`,
    )
  }
  return { minValues: 2 * seasons.period, next: (values) => holtWinters(values, seasons) }
}

export const parseMovingAvg: ParsePipeline = (name, json, context) => {
  const known = ['buckets_path', 'format', 'gap_policy', 'model', 'window', 'predict', 'minimize', 'settings']
  const options = new PipelineOptions('moving_avg', name, json, context, known)
  const window = options.integer('window') ?? 5
  if (window <= 0) {
    throw options.error(
      `[window] value must be a positive, non-zero integer.  Value supplied was [${window}] in [${name}].`,
    )
  }
  const predict = options.integer('predict') ?? 0
  if (predict < 0 || predict > maxPredictions) {
    throw options.error(
      `[predict] value must be a positive integer.  Value supplied was [${predict}] in [${name}].`,
    )
  }
  const modelName = options.text('model') ?? 'simple'
  const modelOf = models.get(modelName)
  if (modelOf === undefined) {
    throw options.error(`Unknown model [${modelName}] specified for moving_avg aggregation [${name}]`)
  }
  const given = options.get('settings')
  const flag: Flags = (key) => (isObject(given) && Object.hasOwn(given, key) ? given[key] : undefined)
  const setting: Settings = (key, usual) => {
    const value = flag(key)
    if (value === undefined || value === null) return usual
    const number = value instanceof JsonNumber ? value.value : value
    if (typeof number === 'number') return number
    throw options.error(
      `Parameter [${key}] must be a double, type \`${typeof value}\` provided instead`,
      given,
      key,
    )
  }
  const model = modelOf(setting, flag, window)
  return histogramPipeline(options, function* (values, add, reach) {
    const recent: number[] = []
    let last = -1
    for (let at = 0; at < values.length; at++) {
      const value = values[at]
      if (value === undefined || Number.isNaN(value)) continue
      if (recent.length >= model.minValues) add(at, model.next(recent))
      recent.push(value)
      if (recent.length > window) recent.shift()
      last = at
      yield
    }
    if (recent.length < model.minValues || last === -1) return
    for (let ahead = 0; ahead < predict; ahead++) {
      reach(last + ahead + 1)
      add(last + ahead + 1, model.ahead?.(recent, ahead) ?? model.next(recent))
    }
  })
}
