/**
 * The two classes every kind of query has, as in Lucene: `Query`, bound to the fields and values of one
 * index, and `Weight`, bound to the statistics of a shard, which finds and scores the documents of a segment.
 * Unlike Lucene there are no iterators: a weight returns all matches of a leaf at once in typed arrays.
 */

import { inRanges, StepSize } from '../../scheduling/step-size.ts'
import { finish, type Steps } from '../../scheduling/steps.ts'
import type { LeafReader, Postings } from '../../segment/segment.ts'
import { DocSet } from './doc-set.ts'
import { type Explanation, explained, floatText, unmatched } from './explanation.ts'
import type { FilterCache } from './filter-cache.ts'
import type { TermVisitor } from './highlight-terms.ts'
import type { PrunedTopDocs } from './pruning/block-max-pruning.ts'
import type { ScoredBatches } from './scored-batches.ts'
import type { Statistics } from './statistics.ts'

/** One shard as a search sees it: its leaves, statistics and caches. */
export interface SearchScope {
  readonly leaves: readonly LeafReader[]
  readonly statistics: Statistics
  /** The factor of BM25: k1 + 1 = 2.2 in Elasticsearch, 1 in OpenSearch since 3.0. */
  readonly scoreFactor: number
  readonly filters?: FilterCache | undefined
  /** Throws when the search was cancelled or ran out of time. */
  check(): void
}

/** Parallel arrays; documents rise. */
export interface ScoredDocs {
  readonly docs: Uint32Array
  readonly scores: Float32Array
}

/** A posting list with the table its scores come from, before they are computed. */
export interface PostingScores {
  /** The postings that `docs` and `freqs` belong to. */
  readonly postings: Postings
  readonly docs: Uint32Array
  /** Null when every frequency is one. */
  readonly freqs: Uint32Array | null
  readonly norms: Uint8Array | null
  readonly table: ScoreTable
}

/**
 * Precomputed scores by frequency (from one up to, not including, `end`) and norm; higher frequencies are
 * rare and computed.
 */
export interface ScoreTable {
  /** Indexed by `frequency * 256 + norm`. */
  readonly scores: Float32Array
  readonly end: number
  compute(frequency: number, norm: number): number
}

export abstract class Query {
  /** `boost` is the product of all enclosing boosts; 0 when scores are not needed. */
  abstract weight(scope: SearchScope, boost: number): Weight
  /** True when matching itself depends on the score, as with `min_score`, even if scores are not needed. */
  get matchesByScore(): boolean {
    return false
  }
  /** Prints the query as Lucene does. */
  abstract toString(): string

  /** As OpenSearch prints the rewritten query. */
  get lucene(): string {
    return this.toString()
  }

  /** As an explanation describes a match. */
  get described(): string {
    return this.lucene
  }
  /** The key of the filter cache; undefined for queries that are not worth caching. */
  get key(): string | undefined {
    return undefined
  }
  /** Expands terms in steps, so that `weight` need not search whole dictionaries at once. */
  *expandTerms(_scope: SearchScope): Steps<void> {}
  /** The query with its patterns replaced by the terms of a shard, as Lucene rewrites it; itself when it has none. */
  rewritten(_scope: SearchScope): Query {
    return this
  }
  /** The number of leaves of the query tree, as Lucene's searcher counts them before it runs a query. */
  get leafCount(): number {
    return 1
  }
  /** Reports terms and phrases to a highlighter. */
  visit(_visitor: TermVisitor): void {}
}

export abstract class Weight {
  readonly scope: SearchScope
  #leaf: LeafReader | undefined
  #matches: DocSet | undefined

  constructor(scope: SearchScope) {
    this.scope = scope
  }

  /** The score shared by all matches, if they share one. */
  get constant(): number | undefined {
    return undefined
  }

  /** An upper bound of the number of matches, estimated without computing them. */
  abstract cost(leaf: LeafReader): number
  /** Finds all matches of a leaf: at once, or in steps where that takes long. */
  protected abstract find(leaf: LeafReader): DocSet | Steps<DocSet>
  /** Scores the matches, only those in `within` if given. */
  abstract score(leaf: LeafReader, within: DocSet | null): ScoredDocs
  abstract explain(leaf: LeafReader, doc: number): Explanation

  /** The posting list and its score table when scoring is a table lookup; undefined otherwise. */
  postingScores(_leaf: LeafReader): PostingScores | undefined {
    return undefined
  }

  /** All matches, including deleted documents and nested objects. */
  matches(leaf: LeafReader): DocSet {
    if (this.#leaf !== leaf || this.#matches === undefined) {
      this.scope.check()
      const found = this.find(leaf)
      this.#matches = found instanceof DocSet ? found : finish(found)
      this.#leaf = leaf
    }
    return this.#matches
  }

  /** Computes the matches of a leaf in steps, so that `matches` has them. */
  *prepare(leaf: LeafReader): Steps<void> {
    if (!this.isCached(leaf)) {
      this.scope.check()
      const found = this.find(leaf)
      this.cacheMatches(leaf, found instanceof DocSet ? found : yield* found)
    }
    yield
  }

  /**
   * Prepares for being asked about `count` documents: computes all matches, unless it is cheaper to test
   * those documents alone.
   */
  prepareFor(leaf: LeafReader, _count: number): Steps<void> {
    return this.prepare(leaf)
  }

  /** Prepares for scoring `count` documents, so that scoring a range of the segment costs only its share. */
  prepareScores(leaf: LeafReader, count: number): Steps<void> {
    return this.prepareFor(leaf, count)
  }

  /** Does what `score` does, with cooperative yields. */
  *scoreSteps(leaf: LeafReader, within: DocSet | null): Steps<ScoredDocs> {
    yield* this.prepareScores(leaf, within?.count ?? leaf.segment.docCount)
    return yield* this.scoreRanges(leaf, within)
  }

  /**
   * Returns all matches and at least `ranks` of the top k of their scores, where those can be found without all scores;
   * undefined otherwise. `within` is as in `score`.
   */
  topDocsSteps?(leaf: LeafReader, within: DocSet | null, ranks: number): Steps<PrunedTopDocs | undefined>

  /** Prepares to read all matches and their scores some at a time; undefined where that saves nothing. */
  batchSteps?(leaf: LeafReader): Steps<ScoredBatches | undefined>

  protected *scoreRanges(leaf: LeafReader, within: DocSet | null): Steps<ScoredDocs> {
    const size = leaf.segment.docCount
    if (size <= maxScoredAtOnce) return this.score(leaf, within)
    const parts: ScoredDocs[] = []
    const add = (from: number, to: number) => {
      const range = DocSet.interval(size, from, to)
      parts.push(this.score(leaf, within === null ? range : within.and(range)))
    }
    // In smaller ranges the fixed cost per clause would outweigh the documents.
    yield* inRanges(size, add, new StepSize(maxScoredAtOnce, maxScoredAtOnce))
    return yield* joinedScores(parts)
  }

  /** Caches matches that were computed in steps. */
  protected cacheMatches(leaf: LeafReader, found: DocSet): void {
    this.#matches = found
    this.#leaf = leaf
  }

  protected isCached(leaf: LeafReader): boolean {
    return this.#leaf === leaf && this.#matches !== undefined
  }

  /** Returns the entries of a sorted array that match; meant for arrays much shorter than the cost. */
  restrict(leaf: LeafReader, docs: Uint32Array): Uint32Array {
    return this.matches(leaf).filter(docs)
  }

  /** Does what `restrict` does, with cooperative yields. */
  *restrictSteps(leaf: LeafReader, docs: Uint32Array): Steps<Uint32Array> {
    yield* this.prepareFor(leaf, docs.length)
    if (docs.length <= maxScoredAtOnce) return this.restrict(leaf, docs)
    const kept = new Uint32Array(docs.length)
    let count = 0
    yield* inRanges(docs.length, (from, to) => {
      const part = this.restrict(leaf, docs.subarray(from, to))
      kept.set(part, count)
      count += part.length
    })
    return kept.subarray(0, count)
  }

  /** True when testing each of `count` documents is cheaper than computing all matches. */
  protected shouldTestEach(leaf: LeafReader, count: number): boolean {
    return count * leadFactor < this.cost(leaf)
  }

  scoreOf(leaf: LeafReader, doc: number): number | undefined {
    const { docs, scores } = this.score(leaf, DocSet.interval(leaf.segment.docCount, doc, doc + 1))
    return docs.length === 0 ? undefined : scores[0]
  }
}

/** Candidates are tested one by one when they are this many times fewer than a clause's matches. */
export const leadFactor = 8
/** Segments with no more documents are scored in one step. */
const maxScoredAtOnce = 512
/** Matches that all have the same score are scored in one step when there are no more. */
const maxFilledAtOnce = 128 * 1024

function* joinedScores(parts: readonly ScoredDocs[]): Steps<ScoredDocs> {
  const filled = parts.filter(({ docs }) => docs.length > 0)
  if (filled.length < 2) return filled[0] ?? noScores
  let total = 0
  for (const part of filled) total += part.docs.length
  const docs = new Uint32Array(total)
  const scores = new Float32Array(total)
  let at = 0
  for (const part of filled) {
    docs.set(part.docs, at)
    scores.set(part.scores, at)
    at += part.docs.length
    yield
  }
  return { docs, scores }
}

/** A weight whose matches all have the same score (Lucene's ConstantScoreWeight). */
export abstract class ConstantWeight extends Weight {
  readonly #score: number
  readonly query: Query

  constructor(scope: SearchScope, query: Query, score: number) {
    super(scope)
    this.query = query
    this.#score = Math.fround(score)
  }

  override get constant(): number {
    return this.#score
  }

  protected override *scoreRanges(leaf: LeafReader, within: DocSet | null): Steps<ScoredDocs> {
    if (this.isCached(leaf) && this.cost(leaf) <= maxFilledAtOnce) return this.score(leaf, within)
    return yield* super.scoreRanges(leaf, within)
  }

  score(leaf: LeafReader, within: DocSet | null): ScoredDocs {
    let docs: Uint32Array
    if (within === null) docs = this.matches(leaf).array()
    else if (this.isCached(leaf) || !this.shouldTestEach(leaf, within.count))
      docs = this.matches(leaf).and(within).array()
    else docs = this.restrict(leaf, within.array())
    return { docs, scores: new Float32Array(docs.length).fill(this.#score) }
  }

  override *batchSteps(leaf: LeafReader): Steps<ScoredBatches | undefined> {
    yield* this.prepareFor(leaf, leaf.segment.docCount)
    if (!this.isCached(leaf)) return undefined
    const score = this.#score
    return { matches: this.matches(leaf), scores: (from, to, room) => room.fill(score, 0, to - from) }
  }

  explain(leaf: LeafReader, doc: number): Explanation {
    const text = this.description()
    if (!this.matches(leaf).has(doc)) return unmatched(`${text} doesn't match id ${doc}`)
    return explained(this.#score, this.#score === 1 ? text : `${text}^${floatText(this.#score)}`)
  }

  protected description(): string {
    return this.scope.scoreFactor === 1 ? this.query.described : this.query.toString()
  }
}

export const noScores: ScoredDocs = { docs: new Uint32Array(0), scores: new Float32Array(0) }
