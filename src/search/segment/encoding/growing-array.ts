/**
 * Typed arrays that grow at their end. Those of a segment builder live in shared memory, so that another thread can
 * write them to disk without a copy; written elements never change. Other arrays stay on the heap, because V8 does
 * not count shared memory when it decides whether to collect garbage.
 */
import { type BuilderMemory, memoryFrom } from './builder-memory.ts'

const initialSize = 64
const fewValues = 16 * 1024
const noWords = new Uint32Array(0)
const noNumbers = new Float64Array(0)

/**
 * Returns the next capacity after `length`. Fresh memory costs more than what is done with it, so growth takes few
 * steps: once a sixteenth of the expected elements are there, room for all of them is allocated.
 */
export function nextCapacity(length: number, expected: number): number {
  if (length < expected && length * 16 >= expected) return expected
  return length === 0 ? initialSize : length < fewValues ? length * 4 : length * 2
}

export class GrowingUint32 {
  #values: Uint32Array = noWords
  readonly #memory: BuilderMemory | undefined
  readonly #expected: number
  length = 0

  /** `expected` is the number of elements to come, if that is known. */
  constructor(memory?: BuilderMemory, expected = 0) {
    this.#memory = memory
    this.#expected = expected
  }

  push(value: number): void {
    if (this.length === this.#values.length) this.#grow()
    this.#values[this.length++] = value
  }

  #grow(): void {
    const room = nextCapacity(this.#values.length, this.#expected)
    const larger = new Uint32Array(memoryFrom(this.#memory, 4 * room))
    larger.set(this.#values)
    this.#memory?.drop(this.#values.buffer)
    this.#values = larger
  }

  /** Returns memory with room for `more` elements behind `length`; the caller sets `length` after filling it. */
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

  /** Returns the elements so far; later pushes do not change them. */
  view(): Uint32Array {
    return this.#values.subarray(0, this.length)
  }
}

export class GrowingFloat64 {
  #values: Float64Array = noNumbers
  readonly #memory: BuilderMemory | undefined
  readonly #expected: number
  length = 0

  constructor(memory?: BuilderMemory, expected = 0) {
    this.#memory = memory
    this.#expected = expected
  }

  push(value: number): void {
    if (this.length === this.#values.length) this.#grow()
    this.#values[this.length++] = value
  }

  #grow(): void {
    const larger = new Float64Array(memoryFrom(this.#memory, 8 * nextCapacity(this.length, this.#expected)))
    larger.set(this.#values)
    this.#memory?.drop(this.#values.buffer)
    this.#values = larger
  }

  at(index: number): number {
    return this.#values[index]!
  }

  view(): Float64Array {
    return this.#values.subarray(0, this.length)
  }
}
