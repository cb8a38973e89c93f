/**
 * Typed arrays that grow at their end. Their memory is shared between threads when it is sent from one to another, so
 * that what was collected in one can be written to disk by another without a copy; nobody changes what is there.
 */
const firstSize = 64
const noWords = new Uint32Array(0)
const noNumbers = new Float64Array(0)

export class GrowingUint32 {
  #values: Uint32Array = noWords
  length = 0

  push(value: number): void {
    if (this.length === this.#values.length) {
      const larger = new Uint32Array(new SharedArrayBuffer(4 * (this.length * 2 || firstSize)))
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

  /** What is there now; it stays as it is, whatever is pushed later. */
  view(): Uint32Array {
    return this.#values.subarray(0, this.length)
  }
}

export class GrowingFloat64 {
  #values: Float64Array = noNumbers
  length = 0

  push(value: number): void {
    if (this.length === this.#values.length) {
      const larger = new Float64Array(new SharedArrayBuffer(8 * (this.length * 2 || firstSize)))
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

/** Takes back what the last document has, given the documents in rising order and what stands beside them. */
export function forgetRows(doc: number, docs: GrowingUint32, ...beside: readonly { length: number }[]): void {
  while (docs.length > 0 && docs.at(docs.length - 1) === doc) docs.length -= 1
  for (const rows of beside) rows.length = docs.length
}
