/**
 * `matrix_stats`: moments, covariance and correlation of several fields over documents that have all of them.
 */

import { hashMapOrder } from '../../../text/java-hash.ts'
import { illegalArgument } from '../../request/errors.ts'
import { isObject, scalarText } from '../../request/request-values.ts'
import type { AggKind } from '../agg-kind.ts'
import { type AggContext, type Aggregator, isStrict } from '../aggregator.ts'
import type { Batch } from '../batch.ts'
import { numbersOf } from '../buckets/histograms/date-histogram.ts'
import { Moments } from '../numbers/moments.ts'
import { ReduceError } from '../reduce-error.ts'
import type { AggResult } from '../result.ts'
import type { NumberSource } from '../values/number-source.ts'
import { bindField, type ValueOptions } from '../values/value-field.ts'
import { metricTypes } from './number-metrics.ts'

const maxFields = 1000

/** How several values of one document are reduced to one. */
const modes: Readonly<Record<string, (values: readonly number[]) => number>> = {
  avg: (values) => values.reduce((sum, value) => sum + value, 0) / values.length,
  sum: (values) => values.reduce((sum, value) => sum + value, 0),
  min: (values) => values.reduce((one, other) => Math.min(one, other)),
  max: (values) => values.reduce((one, other) => Math.max(one, other)),
  median: (values) => {
    const sorted = values.toSorted((one, other) => one - other)
    const middle = sorted.length >> 1
    return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
  },
}

export const matrixStatsKind: AggKind = {
  name: 'matrix_stats',
  bucketing: 'none',
  parse(options) {
    const given = options.raw('fields')
    const names = (Array.isArray(given) ? given : [given]).map((name) => scalarText(name) ?? '')
    const missing = options.raw('missing')
    const mode = (options.text('mode') ?? 'avg').toLowerCase()
    options.done()
    const reduce = Object.hasOwn(modes, mode) ? modes[mode] : undefined
    if (reduce === undefined) throw illegalArgument(`Illegal value for sort mode: [${mode}]`)
    if (names.length > maxFields) throw illegalArgument(`[matrix_stats] has more than [${maxFields}] fields`)
    // Names of one slot come in the order opposite to that of the request.
    const fields = hashMapOrder([...new Set(names.filter((name) => name !== ''))].reverse())
    return (context) => {
      const sources = fields.map((field) => {
        const values: ValueOptions = {
          field,
          script: undefined,
          missing: isObject(missing) && Object.hasOwn(missing, field) ? missing[field] : undefined,
          format: undefined,
          valueType: undefined,
          zone: undefined,
        }
        const bound = bindField(values, metricTypes, 'matrix_stats', options.aggregation, context)
        return numbersOf(bound, values, context)
      })
      return new MatrixStats(fields, sources, reduce, context)
    }
  },
}

class MatrixStats implements Aggregator {
  readonly #fields: readonly string[]
  readonly #sources: readonly NumberSource[]
  readonly #reduce: (values: readonly number[]) => number
  readonly #context: AggContext
  readonly #buckets = new Map<number, Moments>()

  constructor(
    fields: readonly string[],
    sources: readonly NumberSource[],
    reduce: (values: readonly number[]) => number,
    context: AggContext,
  ) {
    this.#context = context
    this.#fields = fields
    this.#sources = sources
    this.#reduce = reduce
  }

  collect(batch: Batch): void {
    const rows: (number | undefined)[][] = Array.from({ length: batch.length }, () => [])
    for (const source of this.#sources) {
      const { docs, owners, values, length } = source.read(batch)
      // Entries are in batch order.
      let at = 0
      for (let i = 0; i < batch.length; i++) {
        const own: number[] = []
        for (; at < length && docs[at] === batch.docs[i] && owners[at] === batch.owners[i]; at++)
          own.push(values[at]!)
        rows[i]!.push(own.length === 0 ? undefined : this.#reduce(own))
      }
    }
    for (const [i, row] of rows.entries()) if (isWhole(row)) this.#of(batch.owners[i]!).add(row)
  }

  #of(owner: number): Moments {
    let found = this.#buckets.get(owner)
    if (found === undefined) this.#buckets.set(owner, (found = new Moments(this.#fields.length)))
    return found
  }

  finish(): void {}

  result(owner: number): AggResult {
    const moments = this.#buckets.get(owner)
    // OpenSearch cannot print the statistics of nothing, except in buckets that fill gaps.
    const fails = isStrict(this.#context) && !this.#context.gaps.isInside
    return {
      typedName: 'matrix_stats',
      toJson: () => {
        if (moments !== undefined) return this.#json(moments)
        if (!fails) return { doc_count: 0 }
        throw new ReduceError(
          'null_pointer_exception',
          'Cannot invoke "java.util.Map.getClass()" because "m" is null',
          { status: 500 },
        )
      },
    }
  }

  #json(moments: Moments): Record<string, unknown> {
    const fields = this.#fields.map((name, row) => ({
      name,
      count: moments.count,
      mean: moments.mean(row),
      variance: shown(moments.variance(row)),
      skewness: shown(moments.skewness(row)),
      kurtosis: shown(moments.kurtosis(row)),
      covariance: this.#row((column) => moments.covariance(row, column)),
      correlation: this.#row((column) => moments.correlation(row, column)),
    }))
    return { doc_count: moments.count, fields }
  }

  #row(value: (column: number) => number): Map<string, unknown> {
    return new Map(this.#fields.map((name, column) => [name, shown(value(column))]))
  }
}

function isWhole(row: readonly (number | undefined)[]): row is number[] {
  return row.length > 0 && !row.includes(undefined)
}

/** JSON has no NaN, so Elasticsearch prints it as a string. */
function shown(value: number): number | string {
  return Number.isFinite(value) ? value : String(value)
}
