/**
 * The merging t-digest (Dunning and Ertl 2019) with the choices of its reference implementation, so that quantiles
 * are those of OpenSearch: scale function k2 with a limit on weights, two levels of compression, single values kept
 * apart at both ends, every other merge from the right. New values are buffered; a full buffer is merged in one pass.
 */
import type { Distribution } from './distribution.ts'

export class TDigest implements Distribution {
  /** How many centroids are aimed at when the digest is read; twice as many while values are added. */
  readonly #compression: number
  #means = new Float64Array(0)
  #weights = new Float64Array(0)
  readonly #buffer: Float64Array
  readonly #bufferWeights: Float64Array
  #buffered = 0
  /** True when buffered values have weights other than 1. */
  #isWeighted = false
  #merges = 0
  /** True when the last merge left twice as many centroids as were asked for. */
  #isLoose = false
  #total = 0
  #min = Infinity
  #max = -Infinity

  constructor(compression: number) {
    this.#compression = Math.min(Math.max(compression, 10), 10_000)
    const fudge = this.#compression < 30 ? 30 : 10
    const room = 5 * Math.floor(this.#compression + fudge)
    this.#buffer = new Float64Array(room)
    this.#bufferWeights = new Float64Array(room)
  }

  get count(): number {
    return this.#total
  }

  add(value: number, weight = 1): void {
    if (this.#buffered >= this.#buffer.length - this.#means.length - 1) this.#merge(2)
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

  /** Between two centroids the weight is spread evenly, except that a single value lies at its place. */
  quantile(q: number): number {
    this.#compress()
    const means = this.#means
    const weights = this.#weights
    const last = means.length - 1
    if (last < 0) return Number.NaN
    if (last === 0) return means[0]!
    const index = q * this.#total
    if (index < 1) return this.#min
    const first = weights[0]! / 2
    if (weights[0]! > 1 && index < first)
      return this.#min + ((index - 1) / (first - 1)) * (means[0]! - this.#min)
    if (index > this.#total - 1) return this.#max
    const right = weights[last]! / 2
    if (weights[last]! > 1 && this.#total - index <= right)
      return this.#max - ((this.#total - index - 1) / (right - 1)) * (this.#max - means[last]!)
    let before = first
    for (let at = 0; at < last; at++) {
      const step = (weights[at]! + weights[at + 1]!) / 2
      if (before + step > index) {
        const isLeftSingle = weights[at] === 1
        const isRightSingle = weights[at + 1] === 1
        if (isLeftSingle && index - before < 0.5) return means[at]!
        if (isRightSingle && before + step - index <= 0.5) return means[at + 1]!
        const fromLeft = index - before - (isLeftSingle ? 0.5 : 0)
        const toRight = before + step - index - (isRightSingle ? 0.5 : 0)
        return weighted(means[at]!, toRight, means[at + 1]!, fromLeft)
      }
      before += step
    }
    return this.#max
  }

  share(value: number): number {
    this.#compress()
    const means = this.#means
    const weights = this.#weights
    const last = means.length - 1
    const total = this.#total
    if (last < 0) return Number.NaN
    if (value < this.#min) return 0
    if (value > this.#max) return 1
    if (last === 0) return 0.5
    if (value < means[0]!) {
      if (value === this.#min) return 0.5 / total
      const part = (value - this.#min) / (means[0]! - this.#min)
      return (1 + part * (weights[0]! / 2 - 1)) / total
    }
    if (value > means[last]!) {
      if (value === this.#max) return 1 - 0.5 / total
      const part = (this.#max - value) / (this.#max - means[last]!)
      return 1 - (1 + part * (weights[last]! / 2 - 1)) / total
    }
    let before = 0
    for (let at = 0; at < last; at++) {
      if (means[at] === value) {
        let equal = 0
        for (; at <= last && means[at] === value; at++) equal += weights[at]!
        return (before + equal / 2) / total
      }
      if (value < means[at + 1]!) {
        const isLeftSingle = weights[at] === 1
        const isRightSingle = weights[at + 1] === 1
        if (isLeftSingle && isRightSingle) return (before + 1) / total
        const left = isLeftSingle ? 0.5 : 0
        const step = (weights[at]! + weights[at + 1]!) / 2 - left - (isRightSingle ? 0.5 : 0)
        const part = (value - means[at]!) / (means[at + 1]! - means[at]!)
        return (before + weights[at]! / 2 + left + step * part) / total
      }
      before += weights[at]!
    }
    return 1 - 0.5 / total
  }

  distancesTo(center: number): Distribution {
    this.#compress()
    const distances = new TDigest(this.#compression)
    for (let at = 0; at < this.#means.length; at++) {
      distances.add(Math.abs(this.#means[at]! - center), this.#weights[at]!)
    }
    return distances
  }

  #compress(): void {
    if (this.#buffered > 0 || this.#isLoose) this.#merge(1)
  }

  /** Merges neighbours while their weight stays below n·q·(1-q)·Z/compression at both of its ends. */
  #merge(factor: number): void {
    this.#isLoose = factor > 1
    const { means, weights } = this.#inOrder()
    const isBackwards = this.#merges++ % 2 === 1
    if (isBackwards) {
      means.reverse()
      weights.reverse()
    }
    const total = this.#total
    const compression = this.#compression * factor
    const normalizer = compression / (4 * Math.log(total / compression) + 24)
    let kept = 0
    let before = 0
    for (let at = 1; at < means.length; at++) {
      const weight = weights[kept]! + weights[at]!
      const from = before / total
      const to = (before + weight) / total
      const limit = (total * Math.min(from * (1 - from), to * (1 - to))) / normalizer
      // The least and the greatest value stay by themselves.
      if (weight <= limit && at > 1 && at < means.length - 1) {
        weights[kept] = weight
        means[kept]! += ((means[at]! - means[kept]!) * weights[at]!) / weight
      } else {
        before += weights[kept]!
        kept++
        means[kept] = means[at]!
        weights[kept] = weights[at]!
      }
    }
    this.#means = means.slice(0, kept + 1)
    this.#weights = weights.slice(0, kept + 1)
    if (isBackwards) {
      this.#means.reverse()
      this.#weights.reverse()
    }
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
      const isOld = fresh === count || (old < this.#means.length && this.#means[old]! < buffer[fresh]!)
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

/** The mean of two values, never outside of them. */
function weighted(low: number, lowWeight: number, high: number, highWeight: number): number {
  const mean = (low * lowWeight + high * highWeight) / (lowWeight + highWeight)
  return Math.max(low, Math.min(mean, high))
}
