/** `variable_width_histogram`: agglomerative clustering of values, which merges the closest neighbours. */

import { illegalArgument } from '../../../request/errors.ts'
import type { Steps } from '../../../scheduling/steps.ts'
import type { AggKind } from '../../agg-kind.ts'
import type { AggResult } from '../../result.ts'
import { sortSteps } from '../../sort-steps.ts'
import { bindField, formatterOf, readValueOptions } from '../../values/value-field.ts'
import { bucketOf, bucketSteps } from '../bucket.ts'
import { numbersOf } from './date-histogram.ts'
import { DeferredHistogram, type DeferredSettings, placeOf } from './deferred-histogram.ts'
import { numberTypes } from './histogram.ts'

/** The maximum number of clusters that are merged one by one. */
const maxMerges = 10_000

export const variableWidthHistogramKind: AggKind = {
  name: 'variable_width_histogram',
  parse(options) {
    const name = options.aggregation
    const values = readValueOptions(options)
    const wanted = options.int('buckets') ?? 10
    const shardSize = options.int('shard_size') ?? wanted * 50
    options.int('initial_buffer')
    options.done()
    if (wanted <= 0) throw options.refused('buckets', `buckets must be greater than [0] for [${name}]`)
    if (wanted > 50_000) throw options.refused('buckets', 'buckets must be less than or equal to [50000]')
    if (shardSize <= 1) throw options.refused('shard_size', 'shard_size must be greater than [1]')
    return (context, createSub) => {
      if (context.owners !== 'one') {
        context.refused.push(
          illegalArgument(
            '[variable_width_histogram] cannot be nested inside an aggregation that collects more than a single bucket.',
          ),
        )
      }
      const field = bindField(values, numberTypes, 'variable_width_histogram', name, context)
      // The number of clusters that a shard of OpenSearch begins with.
      const first = Math.min(Math.trunc((shardSize * 3) / 4), maxMerges)
      const source = numbersOf(field, values, context)
      const format = formatterOf(field, values)
      return new VariableWidthHistogram({ source, format, context, sub: createSub(context) }, wanted, first)
    }
  },
}

interface Cluster {
  min: number
  max: number
  sum: number
  count: number
}

/** Values processed per step. */
const stepValues = 16 * 1024

class VariableWidthHistogram extends DeferredHistogram {
  readonly #wanted: number
  readonly #first: number
  #clusters: readonly Cluster[] = []

  constructor(settings: DeferredSettings, wanted: number, first: number) {
    super(settings)
    this.#wanted = wanted
    this.#first = first
  }

  override *finish(): Steps<void> {
    const values = new Float64Array(this.deferred.length)
    yield* this.deferred.each((_leaf, _doc, _owner, value, entry) => {
      values[entry] = value
    })
    const sorted = yield* sortSteps(values, (one, other) => one - other)
    this.#clusters = yield* merged(yield* firstClusters(sorted, this.#first), this.#wanted)
    const begins = Float64Array.from(this.#clusters, ({ min }) => min)
    yield* this.deferred.replay(
      this.sub,
      (batch) => this.count(batch),
      (owner, value) => this.ids.id(owner, placeOf(begins, value)),
    )
    yield* this.sub.finish()
  }

  *resultSteps(owner: number): Steps<AggResult> {
    this.context.budget.add(this.#clusters.length)
    const shown = (name: string, value: number) =>
      this.format === undefined
        ? { [name]: value }
        : { [name]: value, [`${name}_as_string`]: this.format(value) }
    const numbers = Uint32Array.from(this.#clusters, (_, place) => this.ids.id(owner, place))
    const buckets = yield* bucketSteps(numbers, this.sub, (bucket, aggs, place) => {
      const { min, max, sum, count } = this.#clusters[place]!
      const key = sum / count
      return bucketOf({
        keyText: String(key),
        keyNumber: key,
        docCount: this.counts.at(bucket),
        aggs,
        head: { ...shown('min', min), ...shown('key', key), ...shown('max', max) },
      })
    })
    return { typedName: 'variable_width_histogram', buckets, toJson: () => ({}) }
  }
}

/** One cluster per run of values, the runs being as long as it takes to have few enough; equal ones are one. */
function* firstClusters(sorted: Float64Array, max: number): Steps<Cluster[]> {
  const clusters: Cluster[] = []
  const run = Math.max(1, Math.ceil(sorted.length / Math.max(1, max)))
  for (let i = 0; i < sorted.length; i++) {
    if (i % stepValues === stepValues - 1) yield
    const value = sorted[i]!
    const last = clusters.at(-1)
    if (last !== undefined && (i % run !== 0 || (last.min === value && last.max === value))) {
      last.max = value
      last.sum += value
      last.count += 1
    } else clusters.push({ min: value, max: value, sum: value, count: 1 })
  }
  return clusters
}

/** Merges the two neighbours with the closest centroids until few enough are left. */
function* merged(clusters: Cluster[], wanted: number): Steps<Cluster[]> {
  let looked = 0
  while (clusters.length > wanted) {
    let closest = 0
    let nearest = Number.POSITIVE_INFINITY
    for (let i = 0; i + 1 < clusters.length; i++) {
      const one = clusters[i]!
      const other = clusters[i + 1]!
      const distance = other.sum / other.count - one.sum / one.count
      if (distance < nearest) {
        nearest = distance
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
    looked += clusters.length
    if (looked < stepValues) continue
    looked = 0
    yield
  }
  return clusters
}
