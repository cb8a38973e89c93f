/** `variable_width_histogram`: values that lie close together in one bucket, by merging neighbours. */

import type { AggKind } from '../agg-kind.ts'
import { illegalArgument } from '../agg-options.ts'
import type { AggContext, Aggregator, SubAggregators } from '../aggregator.ts'
import { type Batch, BucketCounts } from '../batch.ts'
import { BucketIds } from '../bucket-ids.ts'
import { Deferred } from '../deferred.ts'
import type { AggResult } from '../result.ts'
import { weightsOf } from '../values/doc-weights.ts'
import type { NumberSource } from '../values/number-source.ts'
import { bindField, type Formatter, formatterOf, readValueOptions } from '../values/value-field.ts'
import { bucketOf } from './bucket.ts'
import { numbersOf } from './date-histogram.ts'
import { numberTypes } from './histogram.ts'

/** Buckets that are merged one by one; more values than that start out in runs. */
const mostMerges = 2000

export const variableWidthHistogramKind: AggKind = {
  name: 'variable_width_histogram',
  parse(options) {
    const name = options.aggregation
    const values = readValueOptions(options)
    const wanted = options.int('buckets') ?? 10
    const shardSize = options.int('shard_size') ?? wanted * 50
    options.int('initial_buffer')
    options.done()
    if (wanted <= 0) throw illegalArgument(`[buckets] must be greater than [0] for [${name}]`)
    if (wanted > 50_000) throw illegalArgument('[buckets] must be less than or equal to [50000]')
    if (shardSize <= 1) throw illegalArgument('shard_size must be greater than [1]')
    return (context, createSub) => {
      if (context.parents.length > 0) {
        throw illegalArgument('VariableWidthHistogramAggregation must be at the top level')
      }
      const field = bindField(values, numberTypes, 'variable_width_histogram', name, context)
      return new VariableWidthHistogram(
        numbersOf(field, values, context),
        wanted,
        Math.min(Math.max(shardSize, wanted), wanted + mostMerges),
        formatterOf(field, values),
        context,
        createSub(context),
      )
    }
  },
}

interface Cluster {
  min: number
  max: number
  sum: number
  count: number
}

class VariableWidthHistogram implements Aggregator {
  readonly #source: NumberSource
  readonly #wanted: number
  readonly #first: number
  readonly #format: Formatter | undefined
  readonly #context: AggContext
  readonly #sub: SubAggregators
  readonly #deferred = new Deferred()
  readonly #ids = new BucketIds()
  readonly #counts = new BucketCounts()
  #clusters: readonly Cluster[] = []

  constructor(
    source: NumberSource,
    wanted: number,
    first: number,
    format: Formatter | undefined,
    context: AggContext,
    sub: SubAggregators,
  ) {
    this.#source = source
    this.#wanted = wanted
    this.#first = first
    this.#format = format
    this.#context = context
    this.#sub = sub
  }

  collect(batch: Batch): void {
    const { leaf, docs, owners, values, length } = this.#source.read(batch)
    for (let i = 0; i < length; i++) this.#deferred.add(leaf, docs[i]!, owners[i]!, values[i]!)
  }

  finish(): void {
    const values: number[] = []
    this.#deferred.each((_leaf, _doc, _owner, value) => void values.push(value))
    this.#clusters = merged(firstClusters(Float64Array.from(values).sort(), this.#first), this.#wanted)
    this.#deferred.replay(
      (batch) => this.#sub.collect(batch),
      (owner, value, doc, leaf) => {
        const bucket = this.#ids.id(owner, this.#place(value))
        this.#counts.add(bucket, weightsOf(leaf)?.[doc] ?? 1)
        return bucket
      },
    )
    this.#sub.finish()
  }

  #place(value: number): number {
    let low = 0
    let high = this.#clusters.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#clusters[middle]!.min <= value) low = middle + 1
      else high = middle
    }
    return Math.max(0, low - 1)
  }

  result(owner: number): AggResult {
    this.#context.budget.add(this.#clusters.length)
    const buckets = this.#clusters.map(({ min, max, sum, count }, place) => {
      const bucket = this.#ids.id(owner, place)
      const key = sum / count
      const shown = (name: string, value: number) =>
        this.#format === undefined
          ? { [name]: value }
          : { [name]: value, [`${name}_as_string`]: this.#format(value) }
      return bucketOf({
        keyText: String(key),
        keyNumber: key,
        docCount: this.#counts.at(bucket),
        aggs: this.#sub.results(bucket),
        head: { ...shown('min', min), ...shown('key', key), ...shown('max', max) },
      })
    })
    return { typedName: 'variable_width_histogram', buckets, toJson: () => ({}) }
  }
}

/** Distinct values, or runs of them of equal length when there are very many. */
function firstClusters(sorted: Float64Array, most: number): Cluster[] {
  const clusters: Cluster[] = []
  const run = Math.max(1, Math.ceil(sorted.length / most))
  for (let i = 0; i < sorted.length; i++) {
    const value = sorted[i]!
    const last = clusters.at(-1)
    if (last !== undefined && (last.max === value || last.count < run)) {
      last.max = value
      last.sum += value
      last.count += 1
    } else clusters.push({ min: value, max: value, sum: value, count: 1 })
  }
  return clusters
}

/** Joins the two neighbours whose means are closest until there are few enough. */
function merged(clusters: Cluster[], wanted: number): Cluster[] {
  while (clusters.length > wanted) {
    let closest = 0
    let least = Number.POSITIVE_INFINITY
    for (let i = 0; i + 1 < clusters.length; i++) {
      const one = clusters[i]!
      const other = clusters[i + 1]!
      const distance = other.sum / other.count - one.sum / one.count
      if (distance < least) {
        least = distance
        closest = i
      }
    }
    const [one, other] = clusters.splice(closest, 2) as [Cluster, Cluster]
    clusters.splice(closest, 0, {
      min: one.min,
      max: other.max,
      sum: one.sum + other.sum,
      count: one.count + other.count,
    })
  }
  return clusters
}
