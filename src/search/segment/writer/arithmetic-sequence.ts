/**
 * A list of numbers that stays a run (first, step, count) as long as it is an arithmetic sequence: versions are
 * mostly equal, sequence numbers mostly count up. The first number that breaks the run makes it an array.
 */
import { slabPool } from '../../../memory/slab-pool.ts'
import type { BuilderMemory } from '../encoding/builder-memory.ts'
import { GrowingFloat64 } from '../encoding/growing-array.ts'

export class ArithmeticSequence {
  readonly #memory: BuilderMemory
  readonly #expected: number
  #first = 0
  #step = 0
  #count = 0
  /** All numbers, once they are not an arithmetic sequence. */
  #values: GrowingFloat64 | undefined

  /** `expected` is the number of elements to come, if that is known. */
  constructor(memory: BuilderMemory, expected = 0) {
    this.#memory = memory
    this.#expected = expected
  }

  push(value: number): void {
    if (this.#values === undefined && value === this.#first + this.#step * this.#count && this.#count > 1)
      this.#count += 1
    else this.#pushOther(value)
  }

  #pushOther(value: number): void {
    if (this.#values !== undefined) this.#values.push(value)
    else if (this.#count === 0) this.#first = value
    else if (this.#count === 1) this.#step = value - this.#first
    else {
      this.#values = new GrowingFloat64(this.#memory, this.#expected)
      for (let i = 0; i < this.#count; i++) this.#values.push(this.#first + this.#step * i)
      this.#values.push(value)
    }
    this.#count += 1
  }

  at(index: number): number {
    return this.#values?.at(index) ?? this.#first + this.#step * index
  }

  /** Returns the numbers `[from, to)` in memory that threads can share. */
  cut(from: number, to: number): Float64Array {
    if (this.#values !== undefined) return this.#values.view().subarray(from, to)
    const bytes = (to - from) * Float64Array.BYTES_PER_ELEMENT
    const numbers = new Float64Array(slabPool.take(bytes), 0, to - from)
    for (let i = from; i < to; i++) numbers[i - from] = this.#first + this.#step * i
    return numbers
  }
}
