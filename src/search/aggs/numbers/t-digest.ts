/**
 * A merging t-digest (Dunning and Ertl 2019): a quantile sketch of weighted centroids, small ones at both
 * ends. New values are buffered; a full buffer is merged with the centroids in one pass by mean.
 */
import type { Distribution } from './distribution.ts'

export class TDigest implements Distribution {
  readonly #compression: number
  #means = new Float64Array(0)
  #weights = new Float64Array(0)
  readonly #buffer: Float64Array
  readonly #bufferWeights: Float64Array
  #buffered = 0
  /** True when buffered values have weights other than 1. */
  #isWeighted = false
  #total = 0
  #min = Infinity
  #max = -Infinity

  constructor(compression: number) {
    this.#compression = Math.min(Math.max(compression, 10), 10_000)
    const room = Math.ceil(this.#compression) * 10
    this.#buffer = new Float64Array(room)
    this.#bufferWeights = new Float64Array(room)
  }

  get count(): number {
    return this.#total
  }

  add(value: number, weight = 1): void {
    if (this.#buffered === this.#buffer.length) this.#compress()
    this.#buffer[this.#buffered] = value
    this.#bufferWeights[this.#buffered++] = weight
    if (weight !== 1) this.#isWeighted = true
    this.#total += weight
    if (value < this.#min) this.#min = value
    if (value > this.#max) this.#max = value
  }

  addAll(other: TDigest): void {
    other.#compress()
    for (let at = 0; at < other.#means.length; at++) this.add(other.#means[at]!, other.#weights[at]!)
    this.#min = Math.min(this.#min, other.#min)
    this.#max = Math.max(this.#max, other.#max)
  }

  quantile(q: number): number {
    this.#compress()
    const means = this.#means
    const last = means.length - 1
    if (last < 0) return Number.NaN
    const index = q * this.#total
    let middle = this.#weights[0]! / 2
    if (index <= middle) return between(this.#min, means[0]!, index / middle)
    for (let at = 0; at < last; at++) {
      const step = (this.#weights[at]! + this.#weights[at + 1]!) / 2
      if (index < middle + step) return between(means[at]!, means[at + 1]!, (index - middle) / step)
      middle += step
    }
    return between(means[last]!, this.#max, (index - middle) / (this.#total - middle))
  }

  share(value: number): number {
    this.#compress()
    const means = this.#means
    const last = means.length - 1
    if (last < 0) return Number.NaN
    if (value < this.#min) return 0
    if (value > this.#max) return 1
    let middle = this.#weights[0]! / 2
    if (value < means[0]!) {
      return (middle * part(this.#min, means[0]!, value)) / this.#total
    }
    for (let at = 0; at < last; at++) {
      const step = (this.#weights[at]! + this.#weights[at + 1]!) / 2
      if (value < means[at + 1]!) {
        return (middle + step * part(means[at]!, means[at + 1]!, value)) / this.#total
      }
      middle += step
    }
    return (middle + (this.#total - middle) * part(means[last]!, this.#max, value)) / this.#total
  }

  distancesTo(center: number): Distribution {
    this.#compress()
    const distances = new TDigest(this.#compression)
    for (let at = 0; at < this.#means.length; at++) {
      distances.add(Math.abs(this.#means[at]! - center), this.#weights[at]!)
    }
    return distances
  }

  /** Merges neighbours while their weight stays below 4·n·q·(1-q)/compression. */
  #compress(): void {
    if (this.#buffered === 0) return
    const { means, weights } = this.#inOrder()
    let kept = 0
    let before = 0
    const limit = (4 * this.#total) / this.#compression
    for (let at = 1; at < means.length; at++) {
      const weight = weights[kept]! + weights[at]!
      const q = (before + weight / 2) / this.#total
      if (weight <= limit * q * (1 - q)) {
        means[kept]! += ((means[at]! - means[kept]!) * weights[at]!) / weight
        weights[kept] = weight
      } else {
        before += weights[kept]!
        kept++
        means[kept] = means[at]!
        weights[kept] = weights[at]!
      }
    }
    this.#means = means.slice(0, kept + 1)
    this.#weights = weights.slice(0, kept + 1)
  }

  /** Merges centroids and buffer into one sorted sequence and empties the buffer. */
  #inOrder(): { readonly means: Float64Array; readonly weights: Float64Array } {
    const count = this.#buffered
    const { buffer, bufferWeights } = this.#sortedBuffer()
    const length = this.#means.length + count
    const means = new Float64Array(length)
    const weights = new Float64Array(length)
    let old = 0
    let fresh = 0
    for (let at = 0; at < length; at++) {
      const isOld = fresh === count || (old < this.#means.length && this.#means[old]! <= buffer[fresh]!)
      means[at] = isOld ? this.#means[old]! : buffer[fresh]!
      weights[at] = isOld ? this.#weights[old++]! : bufferWeights[fresh++]!
    }
    this.#buffered = 0
    this.#isWeighted = false
    return { means, weights }
  }

  #sortedBuffer(): { readonly buffer: Float64Array; readonly bufferWeights: Float64Array } {
    const buffer = this.#buffer.subarray(0, this.#buffered)
    const bufferWeights = this.#bufferWeights
    // A typed array without weights sorts several times faster.
    if (!this.#isWeighted) return { buffer: buffer.sort(), bufferWeights }
    const order = new Uint32Array(buffer.length).map((_, at) => at)
    order.sort((one, other) => buffer[one]! - buffer[other]!)
    return {
      buffer: Float64Array.from(order, (at) => buffer[at]!),
      bufferWeights: Float64Array.from(order, (at) => bufferWeights[at]!),
    }
  }
}

function between(low: number, high: number, share: number): number {
  return low === high ? low : low + (high - low) * Math.min(Math.max(share, 0), 1)
}

function part(low: number, high: number, value: number): number {
  return high === low ? 1 : (value - low) / (high - low)
}
