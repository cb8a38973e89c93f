/**
 * `match_all`, `match_none`, `constant_score`, boosts, and weights whose matches come from the filter cache.
 */

import type { Steps } from '../../../scheduling/steps.ts'
import type { LeafReader } from '../../../segment/segment.ts'
import { DocSet } from '../doc-set.ts'
import { type Explanation, floatText, unmatched } from '../explanation.ts'
import { ConstantWeight, noScores, Query, type ScoredDocs, type SearchScope, Weight } from '../query.ts'
import { WrappedQuery } from './wrapped-query.ts'

export class MatchAllQuery extends Query {
  /** True for one of Lucene's own, false for `match_all`, which OpenSearch wraps. */
  readonly isPlain: boolean

  constructor(isPlain = false) {
    super()
    this.isPlain = isPlain
  }

  weight(scope: SearchScope, boost: number): Weight {
    return new MatchAllWeight(scope, this, boost)
  }

  toString(): string {
    return '*:*'
  }
}

class MatchAllWeight extends ConstantWeight {
  cost(leaf: LeafReader): number {
    return leaf.segment.docCount
  }

  protected find(leaf: LeafReader): DocSet {
    return DocSet.all(leaf.segment.docCount)
  }

  override restrict(_leaf: LeafReader, docs: Uint32Array): Uint32Array {
    return docs
  }
}

export class MatchNoneQuery extends Query {
  readonly reason: string
  /** A query that cannot match is printed as it was written. */
  readonly written: Query | undefined

  constructor(reason: string, written?: Query) {
    super()
    this.written = written
    this.reason = reason
  }

  /** The boost is a part of the query that was written. */
  boosted(boost: number): MatchNoneQuery {
    if (this.written === undefined || boost === 1) return this
    return new MatchNoneQuery(this.reason, boostedQuery(this.written, Math.fround(boost)))
  }

  weight(scope: SearchScope): Weight {
    return new MatchNoneWeight(scope, this.reason)
  }

  toString(): string {
    return `MatchNoDocsQuery("${this.reason}")`
  }

  override get lucene(): string {
    return this.written?.lucene ?? this.toString()
  }
}

export class MatchNoneWeight extends Weight {
  readonly #reason: string

  constructor(scope: SearchScope, reason: string) {
    super(scope)
    this.#reason = reason
  }

  cost(): number {
    return 0
  }

  protected find(leaf: LeafReader): DocSet {
    return DocSet.none(leaf.segment.docCount)
  }

  score(): ScoredDocs {
    return noScores
  }

  explain(): Explanation {
    return unmatched(this.#reason)
  }
}

export class ConstantScoreQuery extends WrappedQuery {
  weight(scope: SearchScope, boost: number): Weight {
    return new ConstantScoreWeight(scope, this, boost)
  }

  toString(): string {
    return `ConstantScore(${this.inner})`
  }

  override get lucene(): string {
    const { lucene } = this.inner
    // A query of ids scores constantly by itself, and a constant score of a constant score is printed once.
    const isIds = lucene.startsWith('_id:(') && !(this.inner instanceof ConstantScoreQuery)
    return isIds || lucene.startsWith('ConstantScore(') ? lucene : `ConstantScore(${lucene})`
  }

  override get key(): string | undefined {
    return this.inner.key
  }
}

class ConstantScoreWeight extends ConstantWeight {
  readonly #inner: Weight

  constructor(scope: SearchScope, query: ConstantScoreQuery, boost: number) {
    super(scope, query, boost)
    this.#inner = filterWeight(query.inner, scope)
  }

  cost(leaf: LeafReader): number {
    return this.#inner.cost(leaf)
  }

  protected *find(leaf: LeafReader): Steps<DocSet> {
    yield* this.#inner.prepare(leaf)
    return this.#inner.matches(leaf)
  }

  override *prepareFor(leaf: LeafReader, count: number): Steps<void> {
    if (this.shouldTestEach(leaf, count)) yield* this.#inner.prepareFor(leaf, count)
    else yield* this.prepare(leaf)
  }

  override restrictSteps(leaf: LeafReader, docs: Uint32Array): Steps<Uint32Array> {
    return this.#inner.restrictSteps(leaf, docs)
  }

  override restrict(leaf: LeafReader, docs: Uint32Array): Uint32Array {
    return this.#inner.restrict(leaf, docs)
  }
}

export class BoostQuery extends WrappedQuery {
  readonly boost: number

  constructor(inner: Query, boost: number) {
    super(inner)
    this.boost = boost
  }

  weight(scope: SearchScope, boost: number): Weight {
    const isFilter = boost === 0 && this.matchesByScore
    return this.inner.weight(scope, isFilter ? this.boost : Math.fround(boost * this.boost))
  }

  override get matchesByScore(): boolean {
    return this.inner.matchesByScore
  }

  toString(): string {
    return `(${this.inner})^${floatText(this.boost)}`
  }

  override get lucene(): string {
    return `(${this.inner.lucene})^${floatText(this.boost)}`
  }

  override get key(): string | undefined {
    return this.inner.key
  }
}

export function boostedQuery(query: Query, boost: number): Query {
  if (boost === 1) return query
  if (query instanceof BoostQuery) return new BoostQuery(query.inner, Math.fround(query.boost * boost))
  return new BoostQuery(query, boost)
}

/** The weight of a query in filter context: its scores are not needed and its matches may be cached. */
export function filterWeight(query: Query, scope: SearchScope): Weight {
  let plain = query
  while (plain instanceof ConstantScoreQuery || (plain instanceof BoostQuery && !plain.matchesByScore))
    plain = plain.inner
  const weight = plain.weight(scope, 0)
  const { key } = plain
  if (key === undefined || scope.filters === undefined || !scope.filters.use(key)) return weight
  return new CachedWeight(weight, key)
}

class CachedWeight extends Weight {
  readonly #inner: Weight
  readonly #key: string

  constructor(inner: Weight, key: string) {
    super(inner.scope)
    this.#inner = inner
    this.#key = key
  }

  override get constant(): number | undefined {
    return this.#inner.constant
  }

  cost(leaf: LeafReader): number {
    return this.#inner.cost(leaf)
  }

  protected find(leaf: LeafReader): DocSet {
    return this.scope.filters!.matches(this.#key, leaf.segment, () => this.#inner.matches(leaf))
  }

  override *prepare(leaf: LeafReader): Steps<void> {
    if (!this.scope.filters!.has(this.#key, leaf.segment)) yield* this.#inner.prepare(leaf)
    this.matches(leaf)
  }

  override prepareScores(leaf: LeafReader, count: number): Steps<void> {
    return this.#inner.prepareScores(leaf, count)
  }

  score(leaf: LeafReader, within: DocSet | null): ScoredDocs {
    return this.#inner.score(leaf, within)
  }

  explain(leaf: LeafReader, doc: number): Explanation {
    return this.#inner.explain(leaf, doc)
  }
}
