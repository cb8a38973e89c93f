/**
 * Typed arrays that grow at their end. Those that are made to be shared keep their memory when they are sent from one
 * thread to another, so that what was collected in one can be written to disk by another without a copy; nobody changes
 * what is there. Others are better off without, because V8 does not count shared memory when it looks for what to free.
 */
const firstSize = 64
const fewValues = 16 * 1024
const noWords = new Uint32Array(0)
const noNumbers = new Float64Array(0)

export function memory(bytes: number, isShared: boolean): ArrayBufferLike {
  return isShared ? new SharedArrayBuffer(bytes) : new ArrayBuffer(bytes)
}

/**
 * Room for how many comes after room for `length`. Memory that is new costs more than what is done with it, so few steps
 * are taken to where it will end: as soon as a sixteenth of what is expected is there, to all of it.
 */
export function nextRoom(length: number, expected: number): number {
  if (length < expected && length * 16 >= expected) return expected
  return length === 0 ? firstSize : length < fewValues ? length * 4 : length * 2
}

export class GrowingUint32 {
  #values: Uint32Array = noWords
  readonly #isShared: boolean
  readonly #expected: number
  length = 0

  /** `expected`: how many there will be, if that is known. */
  constructor(isShared = false, expected = 0) {
    this.#isShared = isShared
    this.#expected = expected
  }

  push(value: number): void {
    if (this.length === this.#values.length) this.#grow()
    this.#values[this.length++] = value
  }

  #grow(): void {
    const room = nextRoom(this.#values.length, this.#expected)
    const larger = new Uint32Array(memory(4 * room, this.#isShared))
    larger.set(this.#values)
    this.#values = larger
  }

  /** Memory with room for as many more behind `length`, which is to be set when they are there. */
  room(more: number): Uint32Array {
    while (this.length + more > this.#values.length) this.#grow()
    return this.#values
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
  readonly #expected: number
  length = 0

  constructor(isShared = false, expected = 0) {
    this.#isShared = isShared
    this.#expected = expected
  }

  push(value: number): void {
    if (this.length === this.#values.length) this.#grow()
    this.#values[this.length++] = value
  }

  #grow(): void {
    const larger = new Float64Array(memory(8 * nextRoom(this.length, this.#expected), this.#isShared))
    larger.set(this.#values)
    this.#values = larger
  }

  at(index: number): number {
    return this.#values[index]!
  }

  view(): Float64Array {
    return this.#values.subarray(0, this.length)
  }
}
