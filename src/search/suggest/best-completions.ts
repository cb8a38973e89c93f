/**
 * Collects the top completions, each document once. Completions are buffered, sorted and cut in batches; from
 * the first cut on, its last entry is the threshold that new ones must exceed.
 */
import type { SearchIndex } from '../collect/search-index.ts'
import { mergedSteps, sortedSteps } from '../scheduling/merge-sort.ts'
import type { Steps } from '../scheduling/steps.ts'
import type { LeafReader } from '../segment/segment.ts'

export interface Completion {
  readonly index: SearchIndex
  readonly leaf: LeafReader
  /** The index of the leaf in search order. */
  readonly leafNumber: number
  readonly doc: number
  readonly input: string
  readonly contexts: Readonly<Record<string, readonly string[]>>
  readonly score: number
}

/** The minimum number of buffered completions before a cut. */
const minAside = 4096

export class BestCompletions {
  readonly #size: number
  readonly #byText: boolean
  #best: readonly Completion[] = []
  #aside: Completion[] = []
  #last: Completion | undefined

  /** `byText`: each text is shown once, too (`skip_duplicates`). */
  constructor(size: number, byText: boolean) {
    this.#size = size
    this.#byText = byText
  }

  /** True when a completion can enter the top; of equal ones the earlier wins. */
  takes(score: number, input: () => string): boolean {
    const last = this.#last
    if (last === undefined || score > last.score) return true
    return score === last.score && input() < last.input
  }

  add(completion: Completion): void {
    this.#aside.push(completion)
  }

  /** Sorts and cuts the buffer when it is full; called between batches. */
  *cut(): Steps<void> {
    // With skip_duplicates a better completion can bring back one that was dropped as a duplicate.
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
