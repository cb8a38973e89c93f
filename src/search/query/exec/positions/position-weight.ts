/** The base of span and interval weights: frequencies are computed once per leaf and then scored. */
import { inRanges } from '../../../scheduling/step-size.ts'
import { finish, type Steps } from '../../../scheduling/steps.ts'
import type { LeafReader } from '../../../segment/segment.ts'
import { DocSet } from '../doc-set.ts'
import { noScores, type ScoredDocs, Weight } from '../query.ts'
import { scoresByFrequency } from '../terms/term-query.ts'

interface Candidates {
  readonly docs: Uint32Array
  frequency(doc: number): number
}

export abstract class PositionWeight extends Weight {
  #leaf: LeafReader | undefined
  #found: ScoredDocs = noScores
  #opened: { readonly leaf: LeafReader; readonly candidates: Candidates } | undefined

  /** The documents that may match, and a function that returns the frequency in one, 0 for no match. */
  protected abstract candidates(leaf: LeafReader): Candidates
  protected abstract scoreFor(frequency: number, leaf: LeafReader, doc: number): number

  cost(leaf: LeafReader): number {
    return this.#open(leaf).docs.length
  }

  #open(leaf: LeafReader): Candidates {
    if (this.#opened?.leaf !== leaf) this.#opened = { leaf, candidates: this.candidates(leaf) }
    return this.#opened.candidates
  }

  protected find(leaf: LeafReader): DocSet {
    return DocSet.ofSorted(leaf.segment.docCount, this.frequencies(leaf).docs)
  }

  /** The last result is cached, as matching and scoring both ask for it. */
  protected frequencies(leaf: LeafReader): ScoredDocs {
    finish(this.#count(leaf))
    return this.#found
  }

  override *prepare(leaf: LeafReader): Steps<void> {
    yield* this.#count(leaf)
    yield* super.prepare(leaf)
  }

  *#count(leaf: LeafReader): Steps<void> {
    if (this.#leaf === leaf) return
    const { docs, frequency } = this.#open(leaf)
    const kept = new Uint32Array(docs.length)
    const frequencies = new Float32Array(docs.length)
    let count = 0
    yield
    yield* inRanges(docs.length, (from, to) => {
      this.scope.check()
      for (let i = from; i < to; i++) {
        const often = frequency(docs[i]!)
        if (often === 0) continue
        kept[count] = docs[i]!
        frequencies[count++] = often
      }
    })
    this.#leaf = leaf
    this.#found = { docs: kept.subarray(0, count), scores: frequencies.subarray(0, count) }
  }

  score(leaf: LeafReader, within: DocSet | null): ScoredDocs {
    return scoresByFrequency(this.frequencies(leaf), within, (frequency, doc) =>
      this.scoreFor(frequency, leaf, doc),
    )
  }
}
