/** The sum of the boosted frequencies of several terms, by document. */

import type { Steps } from '../../../scheduling/steps.ts'
import { lowerBound } from '../../../segment/encoding/binary-search.ts'
import type { LeafReader, Postings } from '../../../segment/segment.ts'
import { disjunctionScores, sum } from '../compound/windowed-disjunction.ts'
import { DocSet } from '../doc-set.ts'
import { noScores, type ScoredDocs, Weight } from '../query.ts'
import { scoresByFrequency } from './term-query.ts'

export interface BoostedPostings {
  readonly postings: Postings
  readonly boost: number
}

/** Sums over the documents from `from` up to, not including, `to`. */
function frequenciesBetween(lists: readonly BoostedPostings[], from: number, to: number): ScoredDocs {
  return disjunctionScores(
    lists.map(({ postings: { docs, freqs }, boost }): ScoredDocs => {
      const first = lowerBound(docs, from, 0)
      const end = lowerBound(docs, to, first)
      const scores = new Float32Array(end - first)
      for (let i = first; i < end; i++) scores[i - first] = boost * (freqs === null ? 1 : freqs[i]!)
      return { docs: docs.subarray(first, end), scores }
    }),
    sum,
  )
}

/** The base of weights that match any of some terms and score the sum of their frequencies. */
export abstract class SummedWeight extends Weight {
  #opened: { readonly leaf: LeafReader; readonly lists: readonly BoostedPostings[] } | undefined

  protected abstract open(leaf: LeafReader): readonly BoostedPostings[]
  protected abstract scorer(leaf: LeafReader): (frequency: number, doc: number) => number

  /** The lists of the last leaf are cached, as ranges of a segment are scored one after the other. */
  #lists(leaf: LeafReader): readonly BoostedPostings[] {
    if (this.#opened?.leaf !== leaf) this.#opened = { leaf, lists: this.open(leaf) }
    return this.#opened.lists
  }

  override *prepareScores(leaf: LeafReader): Steps<void> {
    this.#lists(leaf)
    yield
  }

  protected find(leaf: LeafReader): Steps<DocSet> {
    const size = leaf.segment.docCount
    return DocSet.unionSteps(
      size,
      this.#lists(leaf).map(({ postings }) => DocSet.ofSorted(size, postings.docs)),
    )
  }

  /** Covers the documents between the first and the last of `within`, which may include others. */
  protected frequencies(leaf: LeafReader, within: DocSet | null): ScoredDocs {
    const [from, to] = within === null ? [0, leaf.segment.docCount] : within.bounds
    return frequenciesBetween(this.#lists(leaf), from, to)
  }

  score(leaf: LeafReader, within: DocSet | null): ScoredDocs {
    const found = this.frequencies(leaf, within)
    return found.docs.length === 0 ? noScores : scoresByFrequency(found, within, this.scorer(leaf))
  }
}
