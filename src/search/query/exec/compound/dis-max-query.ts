/** `dis_max`, which takes the highest score of several queries plus a share of the others, and `boosting`. */

import { illegalArgument } from '../../../request/errors.ts'
import { finish, type Steps } from '../../../scheduling/steps.ts'
import type { LeafReader } from '../../../segment/segment.ts'
import { DocSet } from '../doc-set.ts'
import { type Explanation, explained, floatText, unmatched } from '../explanation.ts'
import type { TermVisitor } from '../highlight-terms.ts'
import { Query, type ScoredDocs, type SearchScope, Weight } from '../query.ts'
import { DisjunctionQuery, DisjunctionWeight } from './disjunction-query.ts'
import { filterWeight } from './simple-queries.ts'
import { disjunctionScores } from './windowed-disjunction.ts'

export class DisMaxQuery extends DisjunctionQuery {
  readonly tieBreaker: number

  constructor(queries: readonly Query[], tieBreaker: number) {
    super(queries)
    if (!(tieBreaker >= 0 && tieBreaker <= 1)) throw illegalArgument('tieBreakerMultiplier must be in [0, 1]')
    this.tieBreaker = tieBreaker
  }

  weight(scope: SearchScope, boost: number): Weight {
    return new DisMaxWeight(scope, this, boost)
  }

  toString(): string {
    const tie = this.tieBreaker === 0 ? '' : `~${floatText(this.tieBreaker)}`
    return `(${this.queries.join(' | ')})${tie}`
  }

  override get lucene(): string {
    const tie = this.tieBreaker === 0 ? '' : `~${floatText(this.tieBreaker)}`
    const parts = this.queries.map((query) => (isBool(query) ? `(${query.lucene})` : query.lucene))
    return `(${parts.join(' | ')})${tie}`
  }

  override get key(): string | undefined {
    const keys = this.queries.map(({ key }) => key)
    return keys.includes(undefined) ? undefined : JSON.stringify(['any', ...keys])
  }

  override get leafCount(): number {
    return this.queries.reduce((sum, query) => sum + query.leafCount, 0)
  }
}

class DisMaxWeight extends DisjunctionWeight {
  readonly #tieBreaker: number

  constructor(scope: SearchScope, query: DisMaxQuery, boost: number) {
    super(scope, query, boost)
    this.#tieBreaker = query.tieBreaker
  }

  protected *find(leaf: LeafReader): Steps<DocSet> {
    const sets: DocSet[] = []
    for (const weight of this.weights) {
      yield* weight.prepare(leaf)
      sets.push(weight.matches(leaf))
    }
    return yield* DocSet.unionSteps(leaf.segment.docCount, sets)
  }

  override *prepareFor(leaf: LeafReader, count: number): Steps<void> {
    for (const weight of this.weights) yield* weight.prepareFor(leaf, count)
  }

  /** The matches are a by-product of scoring. */
  override *prepareScores(leaf: LeafReader, count: number): Steps<void> {
    for (const weight of this.weights) yield* weight.prepareScores(leaf, count)
  }

  override restrict(leaf: LeafReader, docs: Uint32Array): Uint32Array {
    return finish(this.restrictSteps(leaf, docs))
  }

  override *restrictSteps(leaf: LeafReader, docs: Uint32Array): Steps<Uint32Array> {
    const size = leaf.segment.docCount
    const sets: DocSet[] = []
    for (const weight of this.weights)
      sets.push(DocSet.ofSorted(size, yield* weight.restrictSteps(leaf, docs)))
    return (yield* DocSet.unionSteps(size, sets)).array()
  }

  score(leaf: LeafReader, within: DocSet | null): ScoredDocs {
    return disjunctionScores(
      this.weights.map((weight) => weight.score(leaf, within)),
      { kind: 'max', tieBreaker: this.#tieBreaker },
    )
  }

  explain(leaf: LeafReader, doc: number): Explanation {
    const all = this.weights.map((weight) => weight.explain(leaf, doc))
    const details = all.filter(({ matched }) => matched)
    if (details.length === 0) return unmatched('No matching clause', all)
    const tie = this.#tieBreaker
    return explained(
      this.scoreOf(leaf, doc) ?? 0,
      tie === 0 ? 'max of:' : `max plus ${floatText(tie)} times others of:`,
      details,
    )
  }
}

/** Matches `positive`; documents that match `negative` as well get a share of their score. */
export class BoostingQuery extends Query {
  readonly positive: Query
  readonly negative: Query
  readonly negativeBoost: number

  /** How the query that lowers scores is printed, where that is not as Lucene rewrites it. */
  readonly negativeText: string | undefined

  constructor(positive: Query, negative: Query, negativeBoost: number, negativeText?: string) {
    super()
    this.negativeText = negativeText
    this.positive = positive
    this.negative = negative
    this.negativeBoost = negativeBoost
  }

  weight(scope: SearchScope, boost: number): Weight {
    return new BoostingWeight(scope, this, boost)
  }

  toString(): string {
    return `FunctionScoreQuery(${this.positive}, scored by boost(queryboost(score(${this.negative}))^${floatText(this.negativeBoost)}))`
  }

  override get lucene(): string {
    return `FunctionScoreQuery(${this.positive.lucene}, scored by boost(queryboost(score(${this.negativeText ?? this.negative.lucene}))^${floatText(this.negativeBoost)}))`
  }

  override *expandTerms(scope: SearchScope): Steps<void> {
    yield* this.positive.expandTerms(scope)
    yield* this.negative.expandTerms(scope)
  }

  override get leafCount(): number {
    return this.positive.leafCount + this.negative.leafCount
  }

  override visit(visitor: TermVisitor): void {
    this.positive.visit(visitor)
  }
}

class BoostingWeight extends Weight {
  readonly #positive: Weight
  readonly #negative: Weight
  readonly #share: number
  readonly #query: BoostingQuery

  constructor(scope: SearchScope, query: BoostingQuery, boost: number) {
    super(scope)
    this.#query = query
    this.#positive = query.positive.weight(scope, boost)
    this.#negative = filterWeight(query.negative, scope)
    this.#share = query.negativeBoost
  }

  cost(leaf: LeafReader): number {
    return this.#positive.cost(leaf)
  }

  protected *find(leaf: LeafReader): Steps<DocSet> {
    yield* this.#positive.prepare(leaf)
    return this.#positive.matches(leaf)
  }

  override prepareFor(leaf: LeafReader, count: number): Steps<void> {
    return this.#positive.prepareFor(leaf, count)
  }

  override *prepareScores(leaf: LeafReader, count: number): Steps<void> {
    yield* this.#positive.prepareScores(leaf, count)
    yield* this.#negative.prepareFor(leaf, Math.min(count, this.cost(leaf)))
  }

  override restrict(leaf: LeafReader, docs: Uint32Array): Uint32Array {
    return this.#positive.restrict(leaf, docs)
  }

  override restrictSteps(leaf: LeafReader, docs: Uint32Array): Steps<Uint32Array> {
    return this.#positive.restrictSteps(leaf, docs)
  }

  score(leaf: LeafReader, within: DocSet | null): ScoredDocs {
    const { docs, scores } = this.#positive.score(leaf, within)
    const lowered = DocSet.ofSorted(leaf.segment.docCount, this.#negative.restrict(leaf, docs))
    const changed = scores.slice()
    for (let i = 0; i < docs.length; i++) if (lowered.has(docs[i]!)) changed[i] = scores[i]! * this.#share
    return { docs, scores: changed }
  }

  explain(leaf: LeafReader, doc: number): Explanation {
    const inner = this.#positive.explain(leaf, doc)
    const score = this.scoreOf(leaf, doc)
    if (score === undefined) return inner
    if (this.scope.scoreFactor !== 1) return explained(score, 'product of:', [inner])
    const query = this.#query
    const isLess = this.#negative.matches(leaf).has(doc)
    const product = explained(score, 'product of:', [
      inner,
      explained(
        query.negativeBoost,
        `Matched boosting query score(${query.negativeText ?? query.negative.lucene})`,
      ),
    ])
    return explained(score, `weight(${query.lucene}), result of:`, [isLess ? product : inner])
  }
}

/** A boolean query inside of another query stands in brackets. */
function isBool(query: Query): boolean {
  return 'clauses' in query
}
