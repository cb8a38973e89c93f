/**
 * A query compiled for one shard, the interface that collectors, aggregations, counts and the fetch phase
 * use. Results never contain deleted documents or nested objects.
 */

import { hashMapOrder } from '../../../text/java-hash.ts'
import type { Steps } from '../../scheduling/steps.ts'
import { legacyFactor } from '../../scoring/bm25.ts'
import type { LeafReader } from '../../segment/segment.ts'
import { objectsWithin } from './compound/nested-query.ts'
import { BoostQuery, ConstantScoreQuery, filterWeight, MatchAllQuery } from './compound/simple-queries.ts'
import type { DocSet } from './doc-set.ts'
import type { Explanation } from './explanation.ts'
import type { FilterCache } from './filter-cache.ts'
import { type QueryTerms, TermVisitor } from './highlight-terms.ts'
import { JoinHits, type JoinSides, type LeafScores } from './join/join-hits.ts'
import type { PrunedTopDocs } from './pruning/block-max-pruning.ts'
import type { Query, ScoredDocs, SearchScope, Weight } from './query.ts'
import { Statistics } from './statistics.ts'
import { postingsOf, TermQuery } from './terms/term-query.ts'
import { visible } from './visible-docs.ts'

export interface CompileSettings {
  readonly leaves: readonly LeafReader[]
  /** Global statistics for `dfs_query_then_fetch`; those of `leaves` when absent. */
  readonly statistics?: Statistics
  /** 2.2 when absent, as in Elasticsearch. */
  readonly scoreFactor?: number
  readonly filters?: FilterCache | undefined
  readonly check?: () => void
}

/** The result of binding a query to the mapping of an index. */
export interface BoundQuery {
  readonly query: Query
  /** Clauses with a `_name`. */
  readonly named: readonly NamedQuery[]
  readonly innerHits: readonly InnerHitsQuery[]
  readonly percolations?: readonly Percolation[]
  /** The factor of the product the index emulates. */
  readonly scoreFactor?: number | undefined
}

/** A `percolate` query, as hits show it. */
export interface Percolation {
  readonly name: string
  /** The documents that are percolated. */
  readonly documents: LeafReader
  readonly documentCount: number
  /** The document in a slot. */
  rootOf(slot: number): number
  /** The query that a document stores. */
  storedQuery(leaf: LeafReader, doc: number): BoundQuery | undefined
  /** The slots of the documents that the stored query of a hit matches. */
  slots(scope: Pick<SearchScope, 'scoreFactor' | 'check'>, leaf: LeafReader, doc: number): readonly number[]
}

export interface NamedQuery {
  readonly name: string
  readonly query: Query
}

export interface InnerHitsQuery {
  /** The nested path or the relation, unless the request names the inner hits. */
  readonly name: string
  /** The nested path; empty for those of a join. */
  readonly path: string
  readonly query: Query
  /** The body of `inner_hits` as it was sent. */
  readonly options: Readonly<Record<string, unknown>>
  /** The two sides of a join, and the inner hits that each inner hit has itself. */
  readonly sides?: JoinSides
  readonly children?: readonly InnerHitsQuery[]
}

const noNames: ReadonlyMap<string, number> = new Map()

export class CompiledQuery {
  readonly query: Query
  readonly innerHits: readonly InnerHitsQuery[]
  readonly #scope: SearchScope
  readonly #bound: BoundQuery
  #scored: Weight | undefined
  #filter: Weight | undefined
  #isExpanded = false
  #rewritten: Query | undefined
  #rewrittenWeight: { readonly query: Query; readonly weight: Weight } | undefined
  #named: readonly { readonly name: string; readonly weight: Weight }[] | undefined
  readonly #inner = new Map<InnerHitsQuery, Weight>()
  readonly #joined = new Map<InnerHitsQuery, JoinHits>()

  constructor(bound: BoundQuery, settings: CompileSettings) {
    this.query = bound.query
    this.innerHits = bound.innerHits
    this.#bound = bound
    this.#scope = {
      leaves: settings.leaves,
      statistics: settings.statistics ?? new Statistics(settings.leaves),
      scoreFactor: settings.scoreFactor ?? bound.scoreFactor ?? legacyFactor,
      filters: settings.filters,
      check: settings.check ?? (() => {}),
    }
  }

  /** Applies a rewriting to the query of this shard, once. */
  rewritten(rewrite: (query: Query, scope: SearchScope) => Query): Query {
    this.#rewritten ??= rewrite(this.query, this.#scope)
    return this.#rewritten
  }

  #scoring(): Weight {
    this.#scored ??= this.query.weight(this.#scope, 1)
    return this.#scored
  }

  #filtering(): Weight {
    this.#filter ??= filterWeight(this.query, this.#scope)
    return this.#filter
  }

  /**
   * Reuses the scoring weight, which has computed the matches already; a constant-score query uses the filter
   * weight, whose sets may come from the filter cache.
   */
  #matcher(): Weight {
    return this.#scored === undefined || this.#scored.constant !== undefined
      ? this.#filtering()
      : this.#scored
  }

  matching(leaf: LeafReader): DocSet {
    const weight = this.#matcher()
    const mask = visible(leaf)
    return mask === null ? weight.matches(leaf) : weight.matches(leaf).and(mask)
  }

  /** Does what `matching` does, with cooperative yields. */
  *matchingSteps(leaf: LeafReader): Steps<DocSet> {
    yield* this.expandTerms()
    yield* this.#matcher().prepare(leaf)
    return this.matching(leaf)
  }

  /** The score shared by all matches, if they share one; `matching` is then enough to rank them. */
  get constantScore(): number | undefined {
    return this.#scoring().constant
  }

  *scoreSteps(leaf: LeafReader): Steps<ScoredDocs> {
    this.#scope.check()
    return yield* this.#scoring().scoreSteps(leaf, visible(leaf))
  }

  /**
   * Returns all matches and at least `ranks` of the top k of their scores, where those can be found without all scores;
   * undefined otherwise.
   */
  *topDocsSteps(leaf: LeafReader, ranks: number): Steps<PrunedTopDocs | undefined> {
    this.#scope.check()
    const weight = this.#scoring()
    if (weight.topDocsSteps === undefined) return undefined
    return yield* weight.topDocsSteps(leaf, visible(leaf), ranks)
  }

  /** Scores the matches among `docs`, which must be live root documents. */
  *scoresAmong(leaf: LeafReader, docs: DocSet): Steps<ScoredDocs> {
    yield* this.expandTerms()
    return yield* this.#scoring().scoreSteps(leaf, docs)
  }

  /** Expands multi-term queries; must be run before scores are asked for. */
  *expandTerms(): Steps<void> {
    if (this.#isExpanded) return
    yield* this.query.expandTerms(this.#scope)
    this.#isExpanded = true
  }

  scores(leaf: LeafReader): ScoredDocs {
    this.#scope.check()
    return this.#scoring().score(leaf, visible(leaf))
  }

  /** Counts the matches of a leaf, from index statistics alone where those are enough. */
  *countSteps(leaf: LeafReader): Steps<number> {
    return this.#known(leaf) ?? (yield* this.matchingSteps(leaf)).count
  }

  #known(leaf: LeafReader): number | undefined {
    let { query } = this
    while (query instanceof ConstantScoreQuery || query instanceof BoostQuery) query = query.inner
    if (query instanceof MatchAllQuery) return visible(leaf)?.count ?? leaf.segment.docCount
    if (query instanceof TermQuery && leaf.live === null && leaf.segment.roots === null) {
      return postingsOf(leaf, query.field, query.term)?.docs.length ?? 0
    }
    return undefined
  }

  /**
   * Returns the names and scores of the named clauses that a document matches, in the iteration order of
   * Java's HashMap.
   */
  matchedQueries(leaf: LeafReader, doc: number): ReadonlyMap<string, number> {
    if (this.#bound.named.length === 0) return noNames
    this.#named ??= this.#namedWeights()
    const matched = new Map<string, number>()
    for (const { name, weight } of this.#named) {
      if (!weight.matches(leaf).has(doc)) continue
      matched.set(name, weight.constant ?? weight.scoreOf(leaf, doc) ?? 0)
    }
    return matched
  }

  #namedWeights(): readonly { readonly name: string; readonly weight: Weight }[] {
    const { named } = this.#bound
    const names = hashMapOrder([...new Set(named.map(({ name }) => name))])
    const places = new Map(names.map((name, place) => [name, place]))
    return named
      .map(({ name, query }) => ({ name, weight: query.weight(this.#scope, 1) }))
      .sort((one, other) => places.get(one.name)! - places.get(other.name)!)
  }

  /** Returns the matching nested objects of one document with their scores, in document order. */
  innerMatches(hits: InnerHitsQuery, leaf: LeafReader, doc: number): ScoredDocs {
    let weight = this.#inner.get(hits)
    if (weight === undefined) {
      weight = hits.query.weight(this.#scope, 1)
      this.#inner.set(hits, weight)
    }
    return objectsWithin(leaf, weight, hits.path, doc)
  }

  /** Returns the documents that a hit was joined with, segment by segment. */
  joinedMatches(hits: InnerHitsQuery, sides: JoinSides, leaf: LeafReader, doc: number): Steps<LeafScores[]> {
    let joined = this.#joined.get(hits)
    if (joined === undefined) {
      joined = new JoinHits(this.#scope, hits.query, sides)
      this.#joined.set(hits, joined)
    }
    return joined.of(leaf, doc)
  }

  get isPercolating(): boolean {
    return (this.#bound.percolations?.length ?? 0) > 0
  }

  /** The `percolate` queries that a hit may have matched, with the slots that it did. */
  percolated(leaf: LeafReader, doc: number): { percolation: Percolation; slots: readonly number[] }[] {
    const { percolations = [] } = this.#bound
    return percolations.map((percolation) => ({
      percolation,
      slots: percolation.slots(this.#scope, leaf, doc),
    }))
  }

  /** `query` is another form of the query with the same matches and scores. */
  explain(leaf: LeafReader, doc: number, query = this.query): Explanation {
    if (query === this.query) return this.#scoring().explain(leaf, doc)
    if (this.#rewrittenWeight?.query !== query)
      this.#rewrittenWeight = { query, weight: query.weight(this.#scope, 1) }
    return this.#rewrittenWeight.weight.explain(leaf, doc)
  }

  /** Does what `explain` does, with cooperative yields. */
  *explainSteps(leaf: LeafReader, doc: number): Steps<Explanation> {
    yield* this.expandTerms()
    yield* this.#scoring().prepare(leaf)
    return this.explain(leaf, doc)
  }

  highlightTerms(): readonly QueryTerms[] {
    const visitor = new TermVisitor()
    this.query.visit(visitor)
    return visitor.found
  }
}
