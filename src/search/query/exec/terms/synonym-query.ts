/**
 * Synonyms: terms whose frequencies are summed, with the highest document frequency among them (Lucene's
 * SynonymQuery).
 */

import type { Steps } from '../../../scheduling/steps.ts'
import type { LeafReader } from '../../../segment/segment.ts'
import { type Explanation, unmatched } from '../explanation.ts'
import type { TermVisitor } from '../highlight-terms.ts'
import { Query, type SearchScope, type Weight } from '../query.ts'
import { blendedStatistics } from './multi-term-query.ts'
import { type BoostedPostings, SummedWeight } from './summed-frequencies.ts'
import { postingsOf, Similarity } from './term-query.ts'

export class SynonymQuery extends Query {
  readonly field: string
  readonly terms: readonly string[]

  constructor(field: string, terms: readonly string[]) {
    super()
    this.field = field
    this.terms = [...new Set(terms)].sort()
  }

  weight(scope: SearchScope, boost: number): Weight {
    const statistics = blendedStatistics(scope, this.field, this.terms)
    return new SynonymWeight(scope, this, new Similarity(scope, this.field, [statistics], boost))
  }

  toString(): string {
    return `Synonym(${this.terms.map((term) => `${this.field}:${term}`).join(' ')})`
  }

  override *expandTerms({ statistics }: SearchScope): Steps<void> {
    yield* statistics.opening(this.field)
    for (const term of this.terms) statistics.term(this.field, term)
    yield
  }

  override visit(visitor: TermVisitor): void {
    const { terms } = visitor.of(this.field)
    for (const term of this.terms) terms.add(term)
  }
}

class SynonymWeight extends SummedWeight {
  readonly #query: SynonymQuery
  readonly #similarity: Similarity

  constructor(scope: SearchScope, query: SynonymQuery, similarity: Similarity) {
    super(scope)
    this.#query = query
    this.#similarity = similarity
  }

  cost(leaf: LeafReader): number {
    const terms = leaf.segment.fields.get(this.#query.field)?.terms
    if (terms === undefined || terms === null) return 0
    let cost = 0
    for (const term of this.#query.terms) {
      const ordinal = terms.find(term)
      if (ordinal !== -1) cost += terms.docFreq(ordinal)
    }
    return cost
  }

  protected open(leaf: LeafReader): readonly BoostedPostings[] {
    return this.#query.terms.flatMap((term) => {
      const postings = postingsOf(leaf, this.#query.field, term)
      return postings === undefined ? [] : [{ postings, boost: 1 }]
    })
  }

  protected scorer(leaf: LeafReader): (frequency: number, doc: number) => number {
    const { norms } = leaf.segment.fields.get(this.#query.field)!
    return (frequency, doc) => this.#similarity.score(frequency, norms, doc)
  }

  explain(leaf: LeafReader, doc: number): Explanation {
    const { docs, scores } = this.frequencies(leaf, null)
    const at = docs.indexOf(doc)
    if (at === -1) return unmatched('no matching term')
    const field = leaf.segment.fields.get(this.#query.field)!
    return this.#similarity.explain(this.#query.toString(), scores[at]!, field, doc)
  }
}
