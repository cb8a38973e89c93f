/**
 * The best of all completions that come, each document once. What comes is put aside until there is much of it, then
 * ordered and cut; from then on what is no better than the last one kept is not even looked at closely.
 */
import type { SearchIndex } from '../collect/search-index.ts'
import { mergedSteps, sortedSteps } from '../scheduling/merge-sort.ts'
import type { Steps } from '../scheduling/steps.ts'
import type { LeafReader } from '../segment/segment.ts'

export interface Completion {
  readonly index: SearchIndex
  readonly leaf: LeafReader
  /** Of the leaf, in the order they are searched. */
  readonly leafNumber: number
  readonly doc: number
  readonly input: string
  readonly contexts: Readonly<Record<string, readonly string[]>>
  readonly score: number
}

/** As many are put aside at least before they are ordered. */
const minAside = 4096

export class BestCompletions {
  readonly #size: number
  readonly #byText: boolean
  #best: readonly Completion[] = []
  #aside: Completion[] = []
  #last: Completion | undefined

  /** `byText`: a text is shown once, too. */
  constructor(size: number, byText: boolean) {
    this.#size = size
    this.#byText = byText
  }

  /** Whether one with this score and input can be among the best; of equals the first that came is better. */
  takes(score: number, input: () => string): boolean {
    const last = this.#last
    if (last === undefined || score > last.score) return true
    return score === last.score && input() < last.input
  }

  add(completion: Completion): void {
    this.#aside.push(completion)
  }

  /** To be called now and then. */
  *cut(): Steps<void> {
    // Of texts, a better one that comes can bring back one that was left out before.
    if (this.#byText || this.#aside.length < Math.max(minAside, this.#size)) return
    yield* this.#order()
  }

  *found(): Steps<readonly Completion[]> {
    yield* this.#order()
    return this.#best
  }

  *#order(): Steps<void> {
    const aside = yield* sortedSteps(this.#aside, byScore)
    this.#best = yield* this.#distinct(yield* mergedSteps(this.#best, aside, byScore))
    this.#aside = []
    if (this.#best.length === this.#size) this.#last = this.#best.at(-1)
  }

  *#distinct(ordered: readonly Completion[]): Steps<Completion[]> {
    const docs = new Map<LeafReader, Set<number>>()
    const texts = new Set<string>()
    const kept: Completion[] = []
    for (let i = 0; i < ordered.length && kept.length < this.#size; i++) {
      if (i % minAside === minAside - 1) yield
      const one = ordered[i]!
      let known = docs.get(one.leaf)
      if (known === undefined) {
        known = new Set()
        docs.set(one.leaf, known)
      }
      if (known.has(one.doc) || (this.#byText && texts.has(one.input))) continue
      known.add(one.doc)
      if (this.#byText) texts.add(one.input)
      kept.push(one)
    }
    return kept
  }
}

function byScore(a: Completion, b: Completion): number {
  return b.score - a.score || (a.input < b.input ? -1 : a.input > b.input ? 1 : 0)
}
