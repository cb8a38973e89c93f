/** `weighted_avg`: the average of one field weighted by another. */
import { illegalArgument } from '../../request/errors.ts'
import { isObject } from '../../request/request-values.ts'
import { SearchError } from '../../request/search-error.ts'
import type { AggKind } from '../agg-kind.ts'
import type { AggOptions } from '../agg-options.ts'
import type { Aggregator } from '../aggregator.ts'
import type { Batch } from '../batch.ts'
import { numbersOf } from '../buckets/date-histogram.ts'
import { WeightedAvgAccumulator } from '../numbers/sums.ts'
import type { AggResult } from '../result.ts'
import type { NumberSource } from '../values/number-source.ts'
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
      return new WeightedAvg(
        numbersOf(field, value, context),
        numbersOf(bind(weight), weight, context),
        new WeightedAvgAccumulator(print),
      )
    }
  },
}

class WeightedAvg implements Aggregator {
  readonly #values: NumberSource
  readonly #weights: NumberSource
  readonly #accumulator: WeightedAvgAccumulator

  constructor(values: NumberSource, weights: NumberSource, accumulator: WeightedAvgAccumulator) {
    this.#values = values
    this.#weights = weights
    this.#accumulator = accumulator
  }

  collect(batch: Batch): void {
    const values = this.#values.read(batch)
    const weights = this.#weights.read(batch)
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
        this.#accumulator.add(owner, values.values[at]!, weights.values[firstWeight]!)
      }
    }
  }

  finish(): void {}

  result(owner: number): AggResult {
    return { typedName: 'weighted_avg', ...this.#accumulator.result(owner) }
  }
}
