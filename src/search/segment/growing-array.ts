/**
 * Typed arrays that grow at their end. Those that are made to be shared keep their memory when they are sent from one
 * thread to another, so that what was collected in one can be written to disk by another without a copy; nobody changes
 * what is there. Others are better off without, because V8 does not count shared memory when it looks for what to free.
 */
const firstSize = 64
const noWords = new Uint32Array(0)
const noNumbers = new Float64Array(0)

export function memory(bytes: number, isShared: boolean): ArrayBufferLike {
  return isShared ? new SharedArrayBuffer(bytes) : new ArrayBuffer(bytes)
}

export class GrowingUint32 {
  #values: Uint32Array = noWords
  readonly #isShared: boolean
  length = 0

  constructor(isShared = false) {
    this.#isShared = isShared
  }

  push(value: number): void {
    if (this.length === this.#values.length) {
      const larger = new Uint32Array(memory(4 * (this.length * 2 || firstSize), this.#isShared))
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
  readonly #isShared: boolean
  length = 0

  constructor(isShared = false) {
    this.#isShared = isShared
  }

  push(value: number): void {
    if (this.length === this.#values.length) {
      const larger = new Float64Array(memory(8 * (this.length * 2 || firstSize), this.#isShared))
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
