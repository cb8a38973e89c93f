/**
 * `terms_set`: the number of clauses that must match comes from a field or a script (Lucene's CoveringQuery).
 */
import { inRanges, StepSize } from '../../../scheduling/step-size.ts'
import type { Steps } from '../../../scheduling/steps.ts'
import { numberOf } from '../../../scoring/score-functions.ts'
import { BitSet } from '../../../segment/encoding/bit-set.ts'
import type { LeafReader } from '../../../segment/segment.ts'
import { minimumShouldMatch } from '../../minimum-should-match.ts'
import { DisjunctionQuery, DisjunctionWeight } from '../compound/disjunction-query.ts'
import { disjunctionScores, sum } from '../compound/windowed-disjunction.ts'
import { DocSet } from '../doc-set.ts'
import { type Explanation, explained, unmatched } from '../explanation.ts'
import { noScores, type Query, type ScoredDocs, type SearchScope, type Weight } from '../query.ts'

type Requirement =
  | { readonly field: string }
  | { readonly specification: string }
  /** Computes the required number for a document. */
  | { readonly compute: (leaf: LeafReader) => (doc: number) => number; readonly text: string }

export class TermsSetQuery extends DisjunctionQuery {
  readonly requirement: Requirement

  constructor(queries: readonly Query[], requirement: Requirement) {
    super(queries)
    this.requirement = requirement
  }

  weight(scope: SearchScope, boost: number): Weight {
    return new TermsSetWeight(scope, this, boost)
  }

  toString(): string {
    const { requirement } = this
    const number =
      'field' in requirement
        ? `long(${requirement.field})`
        : 'text' in requirement
          ? `script(${requirement.text})`
          : ''
    const minimum = number === '' ? '' : `, minimumNumberMatch=${number}`
    const queries = this.queries.map((query) => query.lucene).sort()
    return `CoveringQuery(queries=[${queries.join(', ')}]${minimum})`
  }
}

/** Approximate matches counted per step; opening a term costs as much as `perTerm` of them. */
const stepMatches = 16 * 1024
const perTerm = 64

class TermsSetWeight extends DisjunctionWeight {
  readonly #requirement: Requirement

  constructor(scope: SearchScope, query: TermsSetQuery, boost: number) {
    super(scope, query, boost)
    this.#requirement = query.requirement
  }

  override *prepareScores(leaf: LeafReader): Steps<void> {
    yield* this.prepare(leaf)
    const { count } = this.matches(leaf)
    for (const weight of this.weights) yield* weight.prepareScores(leaf, count)
  }

  protected *find(leaf: LeafReader): Steps<DocSet> {
    const size = leaf.segment.docCount
    const counts = new Uint32Array(size)
    let counted = 0
    for (const weight of this.weights) {
      yield* weight.prepare(leaf)
      const set = weight.matches(leaf)
      set.countWithin(0, size, counts)
      counted += set.count + perTerm
      if (counted < stepMatches) continue
      counted = 0
      yield
    }
    const needed = this.#needed(leaf)
    const bits = new BitSet(size)
    const each = (from: number, to: number) => {
      for (let doc = from; doc < to; doc++) {
        const count = counts[doc]!
        if (count === 0) continue
        const minimum = needed(doc)
        if (!Number.isNaN(minimum) && count >= Math.max(1, minimum)) bits.add(doc)
      }
    }
    yield* inRanges(size, each, 'compute' in this.#requirement ? new StepSize(1, 1) : new StepSize())
    return DocSet.ofBits(bits)
  }

  #needed(leaf: LeafReader): (doc: number) => number {
    if ('compute' in this.#requirement) return this.#requirement.compute(leaf)
    if ('field' in this.#requirement) return numberOf(leaf, this.#requirement.field, 'min')
    const minimum = minimumShouldMatch(this.weights.length, this.#requirement.specification)
    return () => minimum
  }

  score(leaf: LeafReader, within: DocSet | null): ScoredDocs {
    const found = within === null ? this.matches(leaf) : this.matches(leaf).and(within)
    if (found.isEmpty) return noScores
    return disjunctionScores(
      this.weights.map((weight) => weight.score(leaf, found)),
      sum,
    )
  }

  explain(leaf: LeafReader, doc: number): Explanation {
    const score = this.scoreOf(leaf, doc)
    const all = this.weights.map((weight) => weight.explain(leaf, doc))
    const details = all.filter(({ matched }) => matched)
    if (this.scope.scoreFactor === 1 && 'field' in this.#requirement) {
      const required = numberOf(leaf, this.#requirement.field, 'min')(doc)
      if (Number.isNaN(required)) return unmatched('minimumNumberMatch has no value on the current document')
      const text = `${details.length} matches for ${Math.max(1, required)} required matches`
      return score === undefined ? unmatched(text, all) : explained(score, `${text}, sum of:`, all)
    }
    return score === undefined
      ? unmatched(`${details.length} matches, too few`, details)
      : explained(score, 'sum of:', details)
  }
}
