/** Means, central moments and covariances of several numbers per document, in one pass (Pébay 2008). */

/** The sums of one bucket, named as in Pébay's formulas. */
export class Moments {
  count = 0
  readonly #mean: Float64Array
  readonly #second: Float64Array
  readonly #third: Float64Array
  readonly #fourth: Float64Array
  /** Sums of products of deviations, row by row. */
  readonly #products: Float64Array

  constructor(width: number) {
    this.#mean = new Float64Array(width)
    this.#second = new Float64Array(width)
    this.#third = new Float64Array(width)
    this.#fourth = new Float64Array(width)
    this.#products = new Float64Array(width * width)
  }

  add(values: readonly number[]): void {
    const before = this.count
    const count = ++this.count
    const deltas = values.map((value, at) => value - this.#mean[at]!)
    for (const [row, delta] of deltas.entries()) {
      for (const [column, other] of deltas.entries())
        this.#products[row * values.length + column]! += (delta * other * before) / count
    }
    for (const [at, delta] of deltas.entries()) {
      const part = delta / count
      const square = part * part
      const term = delta * part * before
      this.#mean[at]! += part
      this.#fourth[at]! +=
        term * square * (count * count - 3 * count + 3) +
        6 * square * this.#second[at]! -
        4 * part * this.#third[at]!
      this.#third[at]! += term * part * (count - 2) - 3 * part * this.#second[at]!
      this.#second[at]! += term
    }
  }

  mean(at: number): number {
    return this.#mean[at]!
  }

  variance(at: number): number {
    return this.#second[at]! / (this.count - 1)
  }

  skewness(at: number): number {
    return (Math.sqrt(this.count) * this.#third[at]!) / this.#second[at]! ** 1.5
  }

  kurtosis(at: number): number {
    return (this.count * this.#fourth[at]!) / (this.#second[at]! * this.#second[at]!)
  }

  covariance(row: number, column: number): number {
    return this.#products[row * this.#mean.length + column]! / (this.count - 1)
  }

  correlation(row: number, column: number): number {
    if (row === column) return 1
    return this.covariance(row, column) / Math.sqrt(this.variance(row) * this.variance(column))
  }
}
