/**
 * The merging t-digest (Dunning and Ertl 2019) with the choices of its reference implementation, so that quantiles
 * are those of OpenSearch: scale function k2 with a limit on weights, two levels of compression, single values kept
 * apart at both ends, every other merge from the right. New values are buffered; a full buffer is merged in one pass.
 */
import type { Distribution } from './distribution.ts'
import { sortDoubles } from './double-sort.ts'

/** The sequence that is being merged; every digest uses it, because none merges while another does. */
let sequenceMeans = new Float64Array(1024)
let sequenceWeights = new Float64Array(1024)

export class TDigest implements Distribution {
  /** How many centroids are aimed at when the digest is read; twice as many while values are added. */
  readonly #compression: number
  /** The centroids; the arrays may be longer than there are. */
  #means = new Float64Array(0)
  #weights = new Float64Array(0)
  #count = 0
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
    if (this.#room <= 0) this.#merge(2)
    this.#buffer[this.#buffered] = value
    this.#bufferWeights[this.#buffered++] = weight
    if (weight !== 1) this.#isWeighted = true
    this.#total += weight
    if (value < this.#min) this.#min = value
    if (value > this.#max) this.#max = value
  }

  /** How many values can be buffered before the next merge. */
  get #room(): number {
    return this.#buffer.length - this.#count - 1 - this.#buffered
  }

  /** Does what `add` does with each of the values. */
  addValues(values: Float64Array, from: number, to: number): void {
    const buffer = this.#buffer
    for (let at = from; at < to; ) {
      if (this.#room <= 0) this.#merge(2)
      const end = Math.min(to, at + Math.max(1, this.#room))
      this.#total += end - at
      let buffered = this.#buffered
      let min = this.#min
      let max = this.#max
      for (; at < end; at++) {
        const value = values[at]!
        buffer[buffered] = value
        this.#bufferWeights[buffered++] = 1
        if (value < min) min = value
        if (value > max) max = value
      }
      this.#buffered = buffered
      this.#min = min
      this.#max = max
    }
  }

  addAll(other: TDigest): void {
    other.#compress()
    for (let at = 0; at < other.#count; at++) this.add(other.#means[at]!, other.#weights[at]!)
    this.#min = Math.min(this.#min, other.#min)
    this.#max = Math.max(this.#max, other.#max)
  }

  /** Between two centroids the weight is spread evenly, except that a single value lies at its place. */
  quantile(q: number): number {
    this.#compress()
    const means = this.#means
    const weights = this.#weights
    const last = this.#count - 1
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
    const last = this.#count - 1
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
    for (let at = 0; at < this.#count; at++) {
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
    const isBackwards = this.#merges++ % 2 === 1
    const length = this.#sequence(isBackwards)
    const means = sequenceMeans
    const weights = sequenceWeights
    const total = this.#total
    const compression = this.#compression * factor
    const normalizer = compression / (4 * Math.log(total / compression) + 24)
    let kept = 0
    let before = 0
    let mean = means[0]!
    let weight = weights[0]!
    // q·(1-q) at the left end of the centroid.
    let left = 0
    for (let at = 1; at < length; at++) {
      const more = weights[at]!
      const sum = weight + more
      const to = (before + sum) / total
      const limit = (total * Math.min(left, to * (1 - to))) / normalizer
      // The least and the greatest value stay by themselves.
      if (sum <= limit && at > 1 && at < length - 1) {
        weight = sum
        mean += ((means[at]! - mean) * more) / sum
      } else {
        means[kept] = mean
        weights[kept++] = weight
        before += weight
        const from = before / total
        left = from * (1 - from)
        mean = means[at]!
        weight = more
      }
    }
    means[kept] = mean
    weights[kept++] = weight
    this.#take(kept, isBackwards)
  }

  /** Takes over the first centroids of the merged sequence. */
  #take(count: number, isBackwards: boolean): void {
    if (count > this.#means.length) {
      this.#means = new Float64Array(count + (count >> 2))
      this.#weights = new Float64Array(this.#means.length)
    }
    for (let at = 0; at < count; at++) {
      const from = isBackwards ? count - 1 - at : at
      this.#means[at] = sequenceMeans[from]!
      this.#weights[at] = sequenceWeights[from]!
    }
    this.#count = count
  }

  /** Writes centroids and buffer in one order, falling when `isBackwards`, and empties the buffer; returns how many they are. */
  #sequence(isBackwards: boolean): number {
    const count = this.#buffered
    const { buffer, bufferWeights } = this.#sortedBuffer()
    const ownMeans = this.#means
    const ownWeights = this.#weights
    const own = this.#count
    const length = own + count
    if (length > sequenceMeans.length) {
      sequenceMeans = new Float64Array(2 * length)
      sequenceWeights = new Float64Array(2 * length)
    }
    const means = sequenceMeans
    const weights = sequenceWeights
    let old = 0
    let fresh = 0
    for (let at = 0; at < length; at++) {
      const isOld = fresh === count || (old < own && ownMeans[old]! < buffer[fresh]!)
      const place = isBackwards ? length - 1 - at : at
      means[place] = isOld ? ownMeans[old]! : buffer[fresh]!
      weights[place] = isOld ? ownWeights[old++]! : bufferWeights[fresh++]!
    }
    this.#buffered = 0
    this.#isWeighted = false
    return length
  }

  #sortedBuffer(): { readonly buffer: Float64Array; readonly bufferWeights: Float64Array } {
    const bufferWeights = this.#bufferWeights
    if (!this.#isWeighted) {
      sortDoubles(this.#buffer, this.#buffered)
      return { buffer: this.#buffer, bufferWeights }
    }
    const buffer = this.#buffer.subarray(0, this.#buffered)
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
