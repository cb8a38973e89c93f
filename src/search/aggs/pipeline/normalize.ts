/** `normalize`: rescales the values of all buckets. */
import { illegalArgument } from '../../request/errors.ts'
import { checkHasParent } from './checks.ts'
import { histogramPipeline } from './histogram-pipeline.ts'
import { PipelineOptions } from './options.ts'
import { type ParsePipeline, stepBuckets } from './pipeline.ts'

/** Takes all values that are present and returns the function that rescales one of them. */
type Method = (values: readonly number[]) => (value: number) => number

const mean = (values: readonly number[]) => sum(values) / values.length
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
const minOf = (values: readonly number[]) => values.reduce((low, value) => Math.min(low, value), Infinity)
const maxOf = (values: readonly number[]) => values.reduce((high, value) => Math.max(high, value), -Infinity)

function rescale(top: number): Method {
  return (values) => {
    const min = minOf(values)
    const width = maxOf(values) - min
    return (value) => (top * (value - min)) / width
  }
}

const methods: ReadonlyMap<string, Method> = new Map<string, Method>([
  ['rescale_0_1', rescale(1)],
  ['rescale_0_100', rescale(100)],
  [
    'mean',
    (values) => {
      const average = mean(values)
      const width = maxOf(values) - minOf(values)
      return (value) => (value - average) / width
    },
  ],
  [
    'percent_of_sum',
    (values) => {
      const total = sum(values)
      return (value) => value / total
    },
  ],
  [
    'z-score',
    (values) => {
      const average = mean(values)
      const squares = sum(values.map((value) => (value - average) ** 2))
      const deviation = Math.sqrt(squares / (values.length - 1))
      return (value) => (value - average) / deviation
    },
  ],
  [
    'softmax',
    (values) => {
      const total = sum(values.map(Math.exp))
      return (value) => Math.exp(value) / total
    },
  ],
])

export const parseNormalize: ParsePipeline = (name, json, context) => {
  const known = ['buckets_path', 'format', 'method']
  const options = new PipelineOptions('normalize', name, json, context, known, 'newer')
  const methodName = options.text('method')
  if (methodName === undefined) throw illegalArgument('Required [method]')
  const method = methods.get(methodName)
  if (method === undefined) {
    throw illegalArgument(`invalid method [${methodName}]`)
  }
  return histogramPipeline(
    options,
    function* (values, add) {
      const there = values.filter((value) => value !== undefined && !Number.isNaN(value)) as number[]
      const normalized = method(there)
      yield
      for (let at = 0; at < values.length; at++) {
        const value = values[at]
        add(at, value === undefined || Number.isNaN(value) ? Number.NaN : normalized(value))
        if (at % stepBuckets === 0) yield
      }
    },
    'skip',
    (place) => checkHasParent('normalize', name, place),
  )
}
