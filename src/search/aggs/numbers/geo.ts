/** The accumulators of `geo_bounds` and `geo_centroid`. */

import type { MetricResult } from './accumulator.ts'
import { CompensatedSums } from './compensated-sums.ts'
import { Counts } from './counts.ts'
import { Maxima, Minima } from './extremes.ts'

/** Keeps bounds for eastern and western longitudes apart, for boxes that cross the antimeridian. */
export class GeoBoundsAccumulator {
  readonly #wrapLongitude: boolean
  readonly #top = new Maxima()
  readonly #bottom = new Minima()
  readonly #eastLeft = new Minima()
  readonly #eastRight = new Maxima()
  readonly #westLeft = new Minima()
  readonly #westRight = new Maxima()

  constructor(wrapLongitude = true) {
    this.#wrapLongitude = wrapLongitude
  }

  add(bucket: number, lat: number, lon: number): void {
    this.#top.add(bucket, lat)
    this.#bottom.add(bucket, lat)
    if (lon >= 0) {
      this.#eastLeft.add(bucket, lon)
      this.#eastRight.add(bucket, lon)
    } else {
      this.#westLeft.add(bucket, lon)
      this.#westRight.add(bucket, lon)
    }
  }

  merge(other: GeoBoundsAccumulator, map: Uint32Array): void {
    this.#top.merge(other.#top, map)
    this.#bottom.merge(other.#bottom, map)
    this.#eastLeft.merge(other.#eastLeft, map)
    this.#eastRight.merge(other.#eastRight, map)
    this.#westLeft.merge(other.#westLeft, map)
    this.#westRight.merge(other.#westRight, map)
  }

  result(bucket: number): MetricResult {
    const top = this.#top.at(bucket)
    const bottom = this.#bottom.at(bucket)
    const [left, right] = this.#sides(bucket)
    const numbers: Record<string, number> = { top, bottom, left, right }
    return {
      number: (property) => (Object.hasOwn(numbers, property) ? numbers[property] : undefined),
      toJson: () => {
        if (top === -Infinity) return {}
        return {
          bounds: { top_left: { lat: top, lon: left }, bottom_right: { lat: bottom, lon: right } },
        }
      },
    }
  }

  /** The narrower of the box across the antimeridian and the one that is not. */
  #sides(bucket: number): readonly [number, number] {
    const eastLeft = this.#eastLeft.at(bucket)
    const eastRight = this.#eastRight.at(bucket)
    const westLeft = this.#westLeft.at(bucket)
    const westRight = this.#westRight.at(bucket)
    if (eastLeft === Infinity) return [westLeft, westRight]
    if (westLeft === Infinity) return [eastLeft, eastRight]
    const wrapped = 180 - eastLeft - (-180 - westRight)
    if (this.#wrapLongitude && eastRight - westLeft > wrapped) return [eastLeft, westRight]
    return [westLeft, eastRight]
  }
}

export class GeoCentroidAccumulator {
  readonly #lats = new CompensatedSums()
  readonly #lons = new CompensatedSums()
  readonly #counts = new Counts()

  add(bucket: number, lat: number, lon: number): void {
    this.#lats.add(bucket, lat)
    this.#lons.add(bucket, lon)
    this.#counts.add(bucket)
  }

  merge(other: GeoCentroidAccumulator, map: Uint32Array): void {
    this.#lats.merge(other.#lats, map)
    this.#lons.merge(other.#lons, map)
    this.#counts.merge(other.#counts, map)
  }

  result(bucket: number): MetricResult {
    const count = this.#counts.at(bucket)
    const lat = this.#lats.at(bucket) / count
    const lon = this.#lons.at(bucket) / count
    const numbers: Record<string, number> = { count, lat, lon }
    return {
      number: (property) => (Object.hasOwn(numbers, property) ? numbers[property] : undefined),
      toJson: () => (count === 0 ? { count } : { location: { lat, lon }, count }),
    }
  }
}
