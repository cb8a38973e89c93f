/** `geo_bounds` and `geo_centroid`. */
import type { AggKind } from '../agg-kind.ts'
import type { AggOptions } from '../agg-options.ts'
import type { Aggregator } from '../aggregator.ts'
import type { Batch } from '../batch.ts'
import { GeoBoundsAccumulator, GeoCentroidAccumulator } from '../numbers/geo.ts'
import type { AggResult } from '../result.ts'
import { PointSource } from '../values/point-source.ts'
import { bindField, readValueOptions } from '../values/value-field.ts'

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
        return new PointMetric(name, new PointSource(field), make())
      }
    },
  }
}

class PointMetric implements Aggregator {
  readonly #typedName: string
  readonly #source: PointSource
  readonly #accumulator: PointAccumulator

  constructor(typedName: string, source: PointSource, accumulator: PointAccumulator) {
    this.#typedName = typedName
    this.#source = source
    this.#accumulator = accumulator
  }

  collect(batch: Batch): void {
    this.#source.read(batch, (_doc, owner, latitude, longitude) => {
      this.#accumulator.add(owner, latitude, longitude)
    })
  }

  finish(): void {}

  result(owner: number): AggResult {
    return { typedName: this.#typedName, ...this.#accumulator.result(owner) }
  }
}

export const geoMetricKinds: readonly AggKind[] = [
  pointKind('geo_bounds', (options) => {
    const wraps = options.flag('wrap_longitude') ?? true
    return () => new GeoBoundsAccumulator(wraps)
  }),
  pointKind('geo_centroid', () => () => new GeoCentroidAccumulator()),
]
