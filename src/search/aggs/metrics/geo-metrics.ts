/** `geo_bounds` and `geo_centroid`. */
import type { AggKind } from '../agg-kind.ts'
import type { AggOptions } from '../agg-options.ts'
import type { Aggregator } from '../aggregator.ts'
import { GeoBoundsAccumulator, GeoCentroidAccumulator } from '../numbers/geo.ts'
import { pointSource } from '../values/pair-source.ts'
import { type BoundField, bindField, readValueOptions } from '../values/value-field.ts'

type PointAccumulator = GeoBoundsAccumulator | GeoCentroidAccumulator

function pointKind(name: string, read: (options: AggOptions) => () => PointAccumulator): AggKind {
  return {
    name,
    bucketing: 'none',
    parse(options) {
      const values = readValueOptions(options)
      const make = read(options)
      options.done()
      return (context) => {
        const field = bindField(values, ['geo_point'], name, options.aggregation, context)
        return pointMetric(name, field, make())
      }
    },
  }
}

function pointMetric(typedName: string, field: BoundField, accumulator: PointAccumulator): Aggregator {
  const source = pointSource(field)
  return {
    collect(batch) {
      source.read(batch, (_doc, owner, latitude, longitude) => accumulator.add(owner, latitude, longitude))
    },
    finish() {},
    result: (owner) => ({ typedName, ...accumulator.result(owner) }),
  }
}

export const geoMetricKinds: readonly AggKind[] = [
  pointKind('geo_bounds', (options) => {
    const wraps = options.flag('wrap_longitude') ?? true
    return () => new GeoBoundsAccumulator(wraps)
  }),
  pointKind('geo_centroid', () => () => new GeoCentroidAccumulator()),
]
