/**
 * How much to do in one step where nobody knows what one thing costs - a document of a search with a thousand clauses,
 * a point compared with a polygon: about as much as takes a few milliseconds, going by the steps before.
 */
import type { Steps } from './steps.ts'

/** Milliseconds a step is to take. */
const aim = 3
/** A step is never so many times larger than the one before. */
const maxGrowth = 8

export class Pace {
  #amount: number
  readonly #least: number
  readonly #most: number
  #since = 0

  constructor(first = 1024, least = 64, most = 128 * 1024) {
    this.#amount = first
    this.#least = least
    this.#most = most
  }

  /** How many to do in the step that begins now. */
  begin(): number {
    this.#since = performance.now()
    return this.#amount
  }

  end(): void {
    const spent = performance.now() - this.#since
    const wanted = this.#amount * Math.min(maxGrowth, aim / spent)
    this.#amount = Math.max(this.#least, Math.min(this.#most, Math.floor(wanted)))
  }
}

/** Work on all numbers below `size`, a range of them in each step. */
export function* inRanges(
  size: number,
  work: (from: number, to: number) => void,
  pace = new Pace(),
): Steps<void> {
  for (let from = 0; from < size; ) {
    const to = Math.min(size, from + pace.begin())
    work(from, to)
    pace.end()
    from = to
    yield
  }
}
