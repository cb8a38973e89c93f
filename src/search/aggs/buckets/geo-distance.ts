/** `geo_distance`: distance ranges around an origin. */

import { metersOf } from '../../geo/distance-units.ts'
import { arcDistance, planeDistance } from '../../geo/geo-distance.ts'
import { readPoint } from '../../geo/geo-point.ts'
import { illegalArgument } from '../../request/errors.ts'
import { javaDouble } from '../../request/java-text.ts'
import type { AggKind } from '../agg-kind.ts'
import { multipliedOwners } from '../aggregator.ts'
import type { Batch } from '../batch.ts'
import { GrowingBatch } from '../batch.ts'
import type { NumberBatch } from '../values/number-source.ts'
import { type PairSource, pointSource } from '../values/pair-source.ts'
import { type BoundField, bindField, readValueOptions } from '../values/value-field.ts'
import { RangeAggregator, readRange, readRanges, requireRanges } from './range.ts'

/** Reads distances in the requested unit, rising within a document. */
class DistanceSource {
  readonly #source: PairSource
  readonly #distance: (latitude: number, longitude: number) => number
  readonly #out = new GrowingBatch()
  #values = new Float64Array(64)

  constructor(field: BoundField, distance: (latitude: number, longitude: number) => number) {
    this.#source = pointSource(field)
    this.#distance = distance
  }

  read(batch: Batch): NumberBatch {
    const out = this.#out
    out.start(batch.leaf)
    this.#source.read(batch, (doc, owner, latitude, longitude) => {
      if (out.length === this.#values.length) {
        const larger = new Float64Array(out.length * 2)
        larger.set(this.#values)
        this.#values = larger
      }
      this.#values[out.length] = this.#distance(latitude, longitude)
      out.push(doc, owner)
    })
    const { leaf, docs, owners, length } = out
    return { leaf, docs, owners, length, values: this.#values, exact: null }
  }
}

export const geoDistanceKind: AggKind = {
  name: 'geo_distance',
  parse(options) {
    const values = readValueOptions(options)
    const origin = options.raw('origin') ?? options.raw('center') ?? options.raw('point')
    const unitName = options.text('unit') ?? 'm'
    const unit = options.within('unit', () => metersOf(unitName))
    const type = (options.text('distance_type') ?? 'arc').toLowerCase()
    const isKeyed = options.flag('keyed') ?? false
    const requests = readRanges(options).map((json) => readRange(options, json))
    for (const name of ['origin', 'center', 'point', 'us']) options.raw(name)
    options.done()
    if (origin === undefined) {
      throw illegalArgument('Required [origin]')
    }
    if (type !== 'arc' && type !== 'plane') {
      throw options.refused('distance_type', `No geo distance for [${type}]`)
    }
    const { lat: latitude, lon: longitude } = readPoint(origin)
    const measure = type === 'arc' ? arcDistance : planeDistance
    const ranges = requests
      .map(({ key, from: givenFrom, to: givenTo }) => {
        const from = givenFrom === undefined ? 0 : Number(givenFrom)
        const to = givenTo === undefined ? Number.POSITIVE_INFINITY : Number(givenTo)
        const text = () =>
          `${givenFrom === undefined ? '*' : javaDouble(from)}-${givenTo === undefined ? '*' : javaDouble(to)}`
        return { key: () => key ?? text(), from, to, low: from, high: to }
      })
      .sort((one, other) => one.low - other.low || one.high - other.high)
    return (context, createSub) => {
      requireRanges(requests, options.aggregation)
      const field = bindField(values, ['geo_point'], 'geo_distance', options.aggregation, context)
      const source = new DistanceSource(field, (lat, lon) => measure(latitude, longitude, lat, lon) / unit)
      return new RangeAggregator(
        'geo_distance',
        ranges,
        isKeyed,
        undefined,
        source,
        context,
        createSub({ ...context, owners: multipliedOwners(context.owners, ranges.length) }),
      )
    }
  },
}
