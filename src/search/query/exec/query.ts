/**
 * The two shapes every kind of query has: `Query`, what is asked, bound to fields and values of one index, and
 * `Weight`, the same tied to the statistics of a shard, which finds and scores the documents of a segment.
 * Segments are worked off whole: a weight answers with all matches of a leaf in typed arrays.
 */

import { inRanges, StepSize } from '../../scheduling/step-size.ts'
import type { Steps } from '../../scheduling/steps.ts'
import type { LeafReader, Postings } from '../../segment/segment.ts'
import { DocSet } from './doc-set.ts'
import { type Explanation, explained, floatText, unmatched } from './explanation.ts'
import type { FilterCache } from './filter-cache.ts'
import type { TermVisitor } from './highlight-terms.ts'
import type { BestSums } from './pruning/maxscore.ts'
import type { Statistics } from './statistics.ts'

/** One shard as a search sees it. */
export interface SearchScope {
  readonly leaves: readonly LeafReader[]
  readonly statistics: Statistics
  /** What BM25 is multiplied with: 2.2 in Elasticsearch, 1 in Lucene. */
  readonly scoreFactor: number
  readonly filters?: FilterCache | undefined
  /** Throws when the search was cancelled or ran out of time. */
  check(): void
}

/** Both of the same length; documents rise. */
export interface ScoredDocs {
  readonly docs: Uint32Array
  readonly scores: Float32Array
}

/** Scores not computed yet: of each document the entry of a table for its frequency and norm. */
export interface PostingScores {
  /** What the documents and frequencies are of. */
  readonly postings: Postings
  readonly docs: Uint32Array
  /** Null when always one. */
  readonly freqs: Uint32Array | null
  readonly norms: Uint8Array | null
  readonly table: ScoreTable
}

/** Scores by frequency (from one up to, not including, `end`) and norm; the rare others are computed. */
export interface ScoreTable {
  /** At `frequency * 256 + norm`. */
  readonly scores: Float32Array
  readonly end: number
  compute(frequency: number, norm: number): number
}

export abstract class Query {
  /** `boost` is the product of all boosts around the query; 0 where nobody asks for scores. */
  abstract weight(scope: SearchScope, boost: number): Weight
  /** Whether a document matches depends on its score, also where nobody asks for that. */
  get matchesByScore(): boolean {
    return false
  }
  /** As Lucene prints it. */
  abstract toString(): string
  /** Names what matches, for the filter cache; undefined when it is not worth keeping. */
  get key(): string | undefined {
    return undefined
  }
  /** Looks up, in steps, what `weight` would look for in whole dictionaries. */
  *expanding(_scope: SearchScope): Steps<void> {}
  /** Leaves of the tree of queries below and with this one, as Lucene's searcher counts them before it runs a query. */
  get leafCount(): number {
    return 1
  }
  /** Terms and phrases a highlighter marks. */
  visit(_visitor: TermVisitor): void {}
}

export abstract class Weight {
  readonly scope: SearchScope
  #leaf: LeafReader | undefined
  #matches: DocSet | undefined

  constructor(scope: SearchScope) {
    this.scope = scope
  }

  /** The score of every match, where it is the same for all. */
  get constant(): number | undefined {
    return undefined
  }

  /** Matches at most, about; found without finding them. */
  abstract cost(leaf: LeafReader): number
  protected abstract find(leaf: LeafReader): DocSet
  /** Scores of the matches, of those within a set when one is given. */
  abstract score(leaf: LeafReader, within: DocSet | null): ScoredDocs
  abstract explain(leaf: LeafReader, doc: number): Explanation

  /** What `score` would look up, where it looks things up; undefined otherwise. */
  postingScores(_leaf: LeafReader): PostingScores | undefined {
    return undefined
  }

  /** All matches, deleted documents and nested objects among them. */
  matches(leaf: LeafReader): DocSet {
    if (this.#leaf !== leaf || this.#matches === undefined) {
      this.scope.check()
      this.#matches = this.find(leaf)
      this.#leaf = leaf
    }
    return this.#matches
  }

  /** Finds the matches of a leaf in steps; `matches` has them then. Weights that take long go in smaller ones. */
  *prepare(leaf: LeafReader): Steps<void> {
    this.matches(leaf)
    yield
  }

  /**
   * Gets ready for being asked about so many documents, in steps: finds all matches, unless it is better to look at
   * those documents alone.
   */
  prepareFor(leaf: LeafReader, _count: number): Steps<void> {
    return this.prepare(leaf)
  }

  /** Gets ready for scoring so many documents: those of a part of a segment then cost a part of all. */
  prepareScores(leaf: LeafReader, count: number): Steps<void> {
    return this.prepareFor(leaf, count)
  }

  /** What `score` gives for all but deleted documents, in steps. */
  *scoreSteps(leaf: LeafReader, within: DocSet | null): Steps<ScoredDocs> {
    yield* this.prepareScores(leaf, within?.count ?? leaf.segment.docCount)
    return yield* this.scoreRanges(leaf, within)
  }

  /**
   * All matches, and of their scores only the best, where those can be found without the others; undefined otherwise.
   * `within` as above.
   */
  bestSteps?(leaf: LeafReader, within: DocSet | null): Steps<BestSums | undefined>

  protected *scoreRanges(leaf: LeafReader, within: DocSet | null): Steps<ScoredDocs> {
    const size = leaf.segment.docCount
    if (size <= scoredAtOnce) return this.score(leaf, within)
    const parts: ScoredDocs[] = []
    const add = (from: number, to: number) => {
      const range = DocSet.interval(size, from, to)
      parts.push(this.score(leaf, within === null ? range : within.and(range)))
    }
    // Ranges that are too small would cost more for their clauses than for their documents.
    yield* inRanges(size, add, new StepSize(scoredAtOnce, scoredAtOnce))
    return yield* joinedScores(parts)
  }

  /** What `find` would give, when it was found in steps. */
  protected keep(leaf: LeafReader, found: DocSet): void {
    this.#matches = found
    this.#leaf = leaf
  }

  protected has(leaf: LeafReader): boolean {
    return this.#leaf === leaf && this.#matches !== undefined
  }

  /** Those of a sorted list that match; for lists much shorter than the cost. */
  restrict(leaf: LeafReader, docs: Uint32Array): Uint32Array {
    return this.matches(leaf).filter(docs)
  }

  /** The same in steps. */
  *restrictSteps(leaf: LeafReader, docs: Uint32Array): Steps<Uint32Array> {
    yield* this.prepareFor(leaf, docs.length)
    if (docs.length <= scoredAtOnce) return this.restrict(leaf, docs)
    const kept = new Uint32Array(docs.length)
    let count = 0
    yield* inRanges(docs.length, (from, to) => {
      const part = this.restrict(leaf, docs.subarray(from, to))
      kept.set(part, count)
      count += part.length
    })
    return kept.subarray(0, count)
  }

  /** So few documents that it is better to look at each of them than to find all matches. */
  protected areFew(leaf: LeafReader, count: number): boolean {
    return count * farMore < this.cost(leaf)
  }

  scoreOf(leaf: LeafReader, doc: number): number | undefined {
    const { docs, scores } = this.score(leaf, DocSet.interval(leaf.segment.docCount, doc, doc + 1))
    return docs.length === 0 ? undefined : scores[0]
  }
}

/** Of so many times fewer documents than can match each is looked at. */
export const farMore = 8
/** Segments of no more documents are scored in one step. */
const scoredAtOnce = 512

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

/** A weight that gives all its matches one score. */
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

  score(leaf: LeafReader, within: DocSet | null): ScoredDocs {
    let docs: Uint32Array
    if (within === null) docs = this.matches(leaf).array()
    else if (this.has(leaf) || !this.areFew(leaf, within.count)) docs = this.matches(leaf).and(within).array()
    else docs = this.restrict(leaf, within.array())
    return { docs, scores: new Float32Array(docs.length).fill(this.#score) }
  }

  explain(leaf: LeafReader, doc: number): Explanation {
    const text = this.description()
    if (!this.matches(leaf).has(doc)) return unmatched(`${text} doesn't match id ${doc}`)
    return explained(this.#score, this.#score === 1 ? text : `${text}^${floatText(this.#score)}`)
  }

  protected description(): string {
    return this.query.toString()
  }
}

export const noScores: ScoredDocs = { docs: new Uint32Array(0), scores: new Float32Array(0) }
