/** Terms that stand for one: counted together, and as common as the most common of them. */
import type { LeafReader } from '../../segment/segment.ts'
import { finish, type Steps } from '../../steps.ts'
import type { DocSet } from './doc-set.ts'
import { type Explanation, unmatched } from './explanation.ts'
import type { TermVisitor } from './highlight-terms.ts'
import { blendedStatistics } from './multi-term-query.ts'
import { noScores, Query, type ScoredDocs, type SearchScope, Weight } from './query.ts'
import { type BoostedPostings, frequenciesAround, unionOfPostings } from './summed-frequencies.ts'
import { placesWithin, postingsOf, Similarity } from './term-query.ts'

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

  override *expanding({ statistics }: SearchScope): Steps<void> {
    yield* statistics.opening(this.field)
    for (const term of this.terms) statistics.term(this.field, term)
    yield
  }

  override visit(visitor: TermVisitor): void {
    const { terms } = visitor.of(this.field)
    for (const term of this.terms) terms.add(term)
  }
}

class SynonymWeight extends Weight {
  readonly #query: SynonymQuery
  readonly #similarity: Similarity
  #opened: { readonly leaf: LeafReader; readonly lists: readonly BoostedPostings[] } | undefined

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

  protected find(leaf: LeafReader): DocSet {
    return finish(unionOfPostings(leaf, this.#open(leaf)))
  }

  override *prepare(leaf: LeafReader): Steps<void> {
    if (!this.has(leaf)) this.keep(leaf, yield* unionOfPostings(leaf, this.#open(leaf)))
  }

  override *prepareScores(leaf: LeafReader): Steps<void> {
    this.#open(leaf)
    yield
  }

  /** Those of the last leaf are kept: parts of a segment are scored one after the other. */
  #open(leaf: LeafReader): readonly BoostedPostings[] {
    if (this.#opened?.leaf !== leaf) {
      const lists = this.#query.terms.flatMap((term) => {
        const postings = postingsOf(leaf, this.#query.field, term)
        return postings === undefined ? [] : [{ postings, boost: 1 }]
      })
      this.#opened = { leaf, lists }
    }
    return this.#opened.lists
  }

  score(leaf: LeafReader, within: DocSet | null): ScoredDocs {
    const { docs, scores: frequencies } = frequenciesAround(leaf, this.#open(leaf), within)
    if (docs.length === 0) return noScores
    const { norms } = leaf.segment.fields.get(this.#query.field)!
    const places = within === null ? undefined : placesWithin(docs, within)
    const count = places?.length ?? docs.length
    const kept = new Uint32Array(count)
    const scores = new Float32Array(count)
    for (let i = 0; i < count; i++) {
      const place = places === undefined ? i : places[i]!
      kept[i] = docs[place]!
      scores[i] = this.#similarity.score(frequencies[place]!, norms, docs[place]!)
    }
    return { docs: kept, scores }
  }

  explain(leaf: LeafReader, doc: number): Explanation {
    const { docs, scores } = frequenciesAround(leaf, this.#open(leaf), null)
    const at = docs.indexOf(doc)
    if (at === -1) return unmatched('no matching term')
    const field = leaf.segment.fields.get(this.#query.field)!
    return this.#similarity.explain(this.#query.toString(), scores[at]!, field, doc)
  }
}
