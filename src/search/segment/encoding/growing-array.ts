/**
 * Typed arrays that grow at their end. Those of a builder are in its memory, which is shared between threads, so that
 * what was collected in one can be written to disk by another without a copy; nobody changes what is there. Others are
 * better off without, because V8 does not count shared memory when it looks for what to free.
 */
import { type BuilderMemory, memoryFrom } from './builder-memory.ts'

const firstSize = 64
const fewValues = 16 * 1024
const noWords = new Uint32Array(0)
const noNumbers = new Float64Array(0)

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
  readonly #memory: BuilderMemory | undefined
  readonly #expected: number
  length = 0

  /** `expected`: how many there will be, if that is known. */
  constructor(memory?: BuilderMemory, expected = 0) {
    this.#memory = memory
    this.#expected = expected
  }

  push(value: number): void {
    if (this.length === this.#values.length) this.#grow()
    this.#values[this.length++] = value
  }

  #grow(): void {
    const room = nextRoom(this.#values.length, this.#expected)
    const larger = new Uint32Array(memoryFrom(this.#memory, 4 * room))
    larger.set(this.#values)
    this.#memory?.drop(this.#values.buffer)
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
    const larger = new Float64Array(memoryFrom(this.#memory, 8 * nextRoom(this.length, this.#expected)))
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
