/** `weighted_avg`: the average of one field weighted by another. */
import { illegalArgument } from '../../request/errors.ts'
import { isObject } from '../../request/request-values.ts'
import { SearchError } from '../../request/search-error.ts'
import type { AggKind } from '../agg-kind.ts'
import type { AggOptions } from '../agg-options.ts'
import type { Batch } from '../batch.ts'
import { numbersOf } from '../buckets/histograms/date-histogram.ts'
import { WeightedAvgAccumulator } from '../numbers/sums.ts'
import type { NumberBatch } from '../values/number-source.ts'
import { bindField, formatterOf, readScriptableOptions, type ValueOptions } from '../values/value-field.ts'
import { metricTypes } from './number-metrics.ts'

function readPart(options: AggOptions, name: string): ValueOptions {
  const given = options.raw(name)
  if (given === undefined) throw illegalArgument(`Required [${name}]`)
  if (!isObject(given)) throw options.failed(name)
  const inner = options.inner(given, 'weighted_avg')
  const values = readScriptableOptions(inner)
  inner.done()
  return values
}

export const weightedAvgKind: AggKind = {
  name: 'weighted_avg',
  bucketing: 'none',
  parse(options) {
    const value = readPart(options, 'value')
    const weight = readPart(options, 'weight')
    const format = options.text('format')
    options.text('value_type')
    options.done()
    return (context) => {
      const bind = (part: ValueOptions) =>
        bindField(part, metricTypes, 'weighted_avg', options.aggregation, context)
      const field = bind(value)
      const print = format === undefined ? undefined : formatterOf(field, { format, zone: undefined })
      const values = numbersOf(field, value, context)
      const weights = numbersOf(bind(weight), weight, context)
      const accumulator = new WeightedAvgAccumulator(print)
      return {
        collect: (batch) => addWeighted(batch, values.read(batch), weights.read(batch), accumulator),
        finish() {},
        result: (owner) => ({ typedName: 'weighted_avg', ...accumulator.result(owner) }),
      }
    }
  },
}

/** Adds each value with the weight of its document. */
function addWeighted(
  batch: Batch,
  values: NumberBatch,
  weights: NumberBatch,
  accumulator: WeightedAvgAccumulator,
): void {
  let value = 0
  let weight = 0
  // Both sources are in batch order.
  for (let i = 0; i < batch.length; i++) {
    const doc = batch.docs[i]!
    const owner = batch.owners[i]!
    const first = value
    while (value < values.length && values.docs[value] === doc && values.owners[value] === owner) value++
    const firstWeight = weight
    while (weight < weights.length && weights.docs[weight] === doc && weights.owners[weight] === owner)
      weight++
    if (value === first || weight === firstWeight) continue
    if (weight - firstWeight > 1) {
      throw new SearchError(
        'aggregation_execution_exception',
        'Encountered more than one weight for a single document. Use a script to combine multiple weights-per-doc into a single value.',
      )
    }
    for (let at = first; at < value; at++) {
      accumulator.add(owner, values.values[at]!, weights.values[firstWeight]!)
    }
  }
}
