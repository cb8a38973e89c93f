/** `auto_date_histogram`: chooses the interval that gives at most the requested number of buckets. */

import type { SearchLeaf } from '../../../collect/sort/sort-key.ts'
import type { Steps } from '../../../scheduling/steps.ts'
import { BitSet } from '../../../segment/encoding/bit-set.ts'
import type { TimeZone } from '../../../time/time-zone.ts'
import type { AggKind } from '../../agg-kind.ts'
import { isStrict } from '../../aggregator.ts'
import type { AggResult } from '../../result.ts'
import { type CalendarUnit, calendarRounding, type Rounding } from '../../rounding.ts'
import { bindField, formatterOf, readValueOptions } from '../../values/value-field.ts'
import { bucketOf, bucketSteps } from '../bucket.ts'
import { AutoDateRounding } from './auto-date-rounding.ts'
import { numbersOf } from './date-histogram.ts'
import { DeferredHistogram, type DeferredSettings, placeOf } from './deferred-histogram.ts'

interface Step {
  readonly unit: CalendarUnit
  readonly short: string
  /** The approximate length of the unit in milliseconds. */
  readonly length: number
  /** The multiples of the unit that a bucket may span. */
  readonly multiples: readonly number[]
}

const steps: readonly Step[] = [
  { unit: 'second', short: 's', length: 1000, multiples: [1, 5, 10, 30] },
  { unit: 'minute', short: 'm', length: 60_000, multiples: [1, 5, 10, 30] },
  { unit: 'hour', short: 'h', length: 3_600_000, multiples: [1, 3, 12] },
  { unit: 'day', short: 'd', length: 86_400_000, multiples: [1, 7] },
  { unit: 'month', short: 'M', length: 30 * 86_400_000, multiples: [1, 3] },
  { unit: 'year', short: 'y', length: 365 * 86_400_000, multiples: [1, 5, 10, 20, 50, 100] },
]

const maxMultiples = 10_000 / 30

export const autoDateHistogramKind: AggKind = {
  name: 'auto_date_histogram',
  parse(options) {
    const values = readValueOptions(options)
    const wanted = options.int('buckets') ?? 10
    const min = options.text('minimum_interval') ?? 'second'
    options.done()
    if (wanted <= 0) {
      throw options.refused('buckets', `buckets must be greater than 0 for [${options.aggregation}]`)
    }
    if (wanted > Math.floor(65_535 / 30)) {
      throw options.refused('buckets', `buckets must be less than ${Math.floor(65_535 / 30)}`)
    }
    const first = steps.findIndex(({ unit }) => unit === min)
    if (first === -1) {
      throw options.refused(
        'minimum_interval',
        'minimum_interval must be one of [[year, month, second, day, hour, minute]]',
      )
    }
    return (context, createSub) => {
      const field = bindField(
        values,
        ['date', 'long', 'double', 'boolean'],
        'auto_date_histogram',
        options.aggregation,
        context,
      )
      const settings = {
        source: numbersOf(field, values, context),
        format: formatterOf(field, values),
        context,
        sub: createSub(context),
      }
      return new AutoDateHistogram(settings, { wanted, first, zone: values.zone })
    }
  },
}

interface AutoOptions {
  readonly wanted: number
  readonly first: number
  readonly zone: TimeZone | undefined
}

interface Division {
  /** The beginnings of the buckets. */
  readonly starts: Float64Array
  readonly interval: string
}

interface Collected {
  /** The values that count, by their number. */
  readonly counts: BitSet
  /** The interval that the buckets of an owner had when all was collected. */
  step(owner: number): number
}

class AutoDateHistogram extends DeferredHistogram {
  readonly #options: AutoOptions
  readonly #divisions = new Map<number, Division>()

  constructor(settings: DeferredSettings, options: AutoOptions) {
    super(settings)
    this.#options = options
  }

  override *finish(): Steps<void> {
    const extents = new Map<number, { min: number; max: number }>()
    yield* this.deferred.each((_leaf, _doc, owner, value) => {
      const extent = extents.get(owner)
      if (extent === undefined) extents.set(owner, { min: value, max: value })
      else if (value < extent.min) extent.min = value
      else if (value > extent.max) extent.max = value
    })
    const collected = isStrict(this.context) ? yield* this.#collected() : undefined
    for (const [owner, { min, max }] of extents) {
      this.#divisions.set(owner, yield* this.#divide(min, max, collected?.step(owner) ?? 0))
      yield
    }
    let last: { leaf?: SearchLeaf; doc: number; bucket: number } = { doc: -1, bucket: -1 }
    yield* this.deferred.replay(
      this.sub,
      (batch) => this.count(batch),
      (owner, value, doc, leaf, entry) => {
        const bucket = this.ids.id(owner, placeOf(this.#divisions.get(owner)!.starts, value))
        if (collected !== undefined) return collected.counts.has(entry) ? bucket : -1
        // Several values of a document in one bucket count once.
        if (last.doc === doc && last.bucket === bucket && last.leaf === leaf) return -1
        last = { leaf, doc, bucket }
        return bucket
      },
    )
    yield* this.sub.finish()
  }

  /** What the shards of OpenSearch would have counted, each for itself. */
  *#collected(): Steps<Collected> {
    const { wanted, first, zone } = this.#options
    const roundings = steps.slice(first).map(({ unit, length, multiples }) => ({
      rounding: calendarRounding(unit, zone),
      length,
      maxUnits: multiples.at(-1)!,
    }))
    const shards = new Map<number, AutoDateRounding>()
    const counts = new BitSet(this.deferred.length)
    let last: { leaf?: SearchLeaf; doc: number; owner: number } = { doc: -1, owner: -1 }
    yield* this.deferred.each((leaf, doc, owner, value, entry) => {
      let shard = shards.get(leaf.shardNumber)
      if (shard === undefined) {
        shard = new AutoDateRounding(roundings, wanted, this.context.owners === 'one')
        shards.set(leaf.shardNumber, shard)
      }
      const isNew = last.doc !== doc || last.owner !== owner || last.leaf !== leaf
      if (isNew) last = { leaf, doc, owner }
      if (shard.take(owner, value, isNew)) counts.add(entry)
    })
    const step = (owner: number) => Math.max(0, ...[...shards.values()].map((each) => each.step(owner)))
    return { counts, step }
  }

  *#divide(min: number, max: number, skipped: number): Steps<Division> {
    const { wanted, first, zone } = this.#options
    for (let at = first + skipped; ; at++) {
      const step = steps[at]!
      const isLast = at === steps.length - 1
      const maxUnits = step.multiples.at(-1)!
      // Intervals that would give far too many buckets are skipped without counting them.
      if (!isLast && (max - min) / step.length > wanted * maxUnits * 2 + maxMultiples) continue
      const starts = yield* startsOf(calendarRounding(step.unit, zone), min, max)
      if (!isLast && starts.length > wanted * maxUnits) continue
      const multiple = step.multiples.find((each) => Math.ceil(starts.length / each) <= wanted) ?? maxUnits
      return {
        starts: Float64Array.from(starts.filter((_, place) => place % multiple === 0)),
        interval: `${multiple}${step.short}`,
      }
    }
  }

  *resultSteps(owner: number): Steps<AggResult> {
    const { starts, interval } = this.#divisions.get(owner) ?? {
      starts: new Float64Array(0),
      interval: `1${steps[this.#options.first]!.short}`,
    }
    this.context.budget.add(starts.length)
    const numbers = Uint32Array.from(starts, (_, place) => this.ids.id(owner, place))
    const buckets = yield* bucketSteps(
      numbers,
      this.sub,
      (bucket, aggs, place) => {
        const key = starts[place]!
        const shown = this.format?.(key)
        return bucketOf({
          keyText: shown ?? String(key),
          keyNumber: key,
          docCount: this.counts.at(bucket),
          aggs,
          head: shown === undefined ? { key } : { key_as_string: shown, key },
        })
      },
      (bucket) =>
        this.counts.at(bucket) === 0 ? this.sub.gapSteps(this.context, bucket) : this.sub.resultSteps(bucket),
    )
    if (buckets.length > 0) yield* this.sub.checkGap(this.context, this.ids.size)
    return { typedName: 'auto_date_histogram', buckets, toJson: () => ({ buckets: undefined, interval }) }
  }
}

/** Interval beginnings computed per step. */
const stepStarts = 1024

function* startsOf(rounding: Rounding, min: number, max: number): Steps<number[]> {
  const starts: number[] = []
  for (let start = rounding.round(min); start <= max; start = rounding.next(start)) {
    starts.push(start)
    if (starts.length % stepStarts === 0) yield
  }
  return starts
}
