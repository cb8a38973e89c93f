/** Typed arrays that grow at their end. */
export class GrowingUint32 {
  #values = new Uint32Array(64)
  length = 0

  push(value: number): void {
    if (this.length === this.#values.length) {
      const larger = new Uint32Array(this.length * 2)
      larger.set(this.#values)
      this.#values = larger
    }
    this.#values[this.length++] = value
  }

  at(index: number): number {
    return this.#values[index]!
  }

  increment(index: number): void {
    this.#values[index]! += 1
  }

  set(index: number, value: number): void {
    this.#values[index] = value
  }

  /** Shares the memory; valid until the next push. */
  view(): Uint32Array {
    return this.#values.subarray(0, this.length)
  }
}

export class GrowingFloat64 {
  #values = new Float64Array(64)
  length = 0

  push(value: number): void {
    if (this.length === this.#values.length) {
      const larger = new Float64Array(this.length * 2)
      larger.set(this.#values)
      this.#values = larger
    }
    this.#values[this.length++] = value
  }

  at(index: number): number {
    return this.#values[index]!
  }

  view(): Float64Array {
    return this.#values.subarray(0, this.length)
  }
}
