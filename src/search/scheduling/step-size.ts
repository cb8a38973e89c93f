/**
 * Adapts how much work one step does where the cost per item is unknown - a document of a search with a thousand
 * clauses, a point against a polygon - so that a step takes a few milliseconds, judged by the step before.
 */
import type { Steps } from './steps.ts'

/** The target duration of a step in milliseconds. */
const targetMillis = 3
/** A step is at most this many times larger than the one before. */
const maxGrowth = 8

export class StepSize {
  #amount: number
  readonly #min: number
  readonly #max: number
  #since = 0

  constructor(first = 32, min = 1, max = 128 * 1024) {
    this.#amount = first
    this.#min = min
    this.#max = max
  }

  /** Returns how many items the step that begins now should process. */
  begin(): number {
    this.#since = performance.now()
    return this.#amount
  }

  end(): void {
    const spent = performance.now() - this.#since
    const wanted = this.#amount * Math.min(maxGrowth, targetMillis / spent)
    this.#amount = Math.max(this.#min, Math.min(this.#max, Math.floor(wanted)))
  }
}

/** Processes all numbers below `size`, a range of them in each step. */
export function* inRanges(
  size: number,
  work: (from: number, to: number) => void,
  pace = new StepSize(),
): Steps<void> {
  for (let from = 0; from < size; ) {
    const to = Math.min(size, from + pace.begin())
    work(from, to)
    pace.end()
    from = to
    yield
  }
}
