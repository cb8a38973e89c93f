/**
 * A query ready to run against one shard: what collecting, aggregating, counting and fetching ask. Results hold
 * documents proper that are not deleted, and nothing else.
 */

import { javaHashOrder } from '../../request/java-hash-order.ts'
import type { Steps } from '../../scheduling/steps.ts'
import { legacyFactor } from '../../scoring/bm25.ts'
import type { LeafReader } from '../../segment/segment.ts'
import { objectsWithin } from './compound/nested-query.ts'
import { BoostQuery, ConstantScoreQuery, filterWeight, MatchAllQuery } from './compound/simple-queries.ts'
import { DocSet } from './doc-set.ts'
import type { Explanation } from './explanation.ts'
import type { FilterCache } from './filter-cache.ts'
import { type FieldTerms, TermVisitor } from './highlight-terms.ts'
import type { BestSums } from './pruning/maxscore.ts'
import type { Query, ScoredDocs, SearchScope, Weight } from './query.ts'
import { Statistics } from './statistics.ts'
import { postingsOf, TermQuery } from './terms/term-query.ts'

export interface CompileSettings {
  readonly leaves: readonly LeafReader[]
  /** Those of all shards for `dfs_query_then_fetch`; of `leaves` when absent. */
  readonly statistics?: Statistics
  /** 2.2 when absent, as in Elasticsearch. */
  readonly scoreFactor?: number
  readonly filters?: FilterCache | undefined
  readonly check?: () => void
}

/** What binding a query to an index gave. */
export interface BoundQuery {
  readonly query: Query
  /** Clauses with a `_name`. */
  readonly named: readonly NamedQuery[]
  readonly innerHits: readonly InnerHitsQuery[]
  /** That of the index's product. */
  readonly scoreFactor?: number | undefined
}

export interface NamedQuery {
  readonly name: string
  readonly query: Query
}

export interface InnerHitsQuery {
  /** The path, unless another name is given. */
  readonly name: string
  readonly path: string
  readonly query: Query
  /** The body of `inner_hits` as it was sent. */
  readonly options: Readonly<Record<string, unknown>>
}

export class CompiledQuery {
  readonly query: Query
  readonly innerHits: readonly InnerHitsQuery[]
  readonly #scope: SearchScope
  readonly #bound: BoundQuery
  #scored: Weight | undefined
  #filter: Weight | undefined
  #isExpanded = false
  #named: readonly { readonly name: string; readonly weight: Weight }[] | undefined
  readonly #inner = new Map<InnerHitsQuery, Weight>()

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

  #scoring(): Weight {
    this.#scored ??= this.query.weight(this.#scope, 1)
    return this.#scored
  }

  #filtering(): Weight {
    this.#filter ??= filterWeight(this.query, this.#scope)
    return this.#filter
  }

  /** Where scores were asked for the matches are there already; sets that have one score for all may be kept ones. */
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

  /** The same in steps. */
  *matchingSteps(leaf: LeafReader): Steps<DocSet> {
    yield* this.expanding()
    yield* this.#matcher().prepare(leaf)
    return this.matching(leaf)
  }

  /** The score of all matches, where it is the same for all; then `matching` is enough. */
  get constantScore(): number | undefined {
    return this.#scoring().constant
  }

  *scoreSteps(leaf: LeafReader): Steps<ScoredDocs> {
    this.#scope.check()
    return yield* this.#scoring().scoreSteps(leaf, visible(leaf))
  }

  /** All matches with the best of their scores, where those are found without the others. */
  *bestSteps(leaf: LeafReader): Steps<BestSums | undefined> {
    this.#scope.check()
    const weight = this.#scoring()
    return weight.bestSteps === undefined ? undefined : yield* weight.bestSteps(leaf, visible(leaf))
  }

  /** Matches among documents proper that are not deleted, with their scores. */
  *scoresAmong(leaf: LeafReader, docs: DocSet): Steps<ScoredDocs> {
    yield* this.expanding()
    return yield* this.#scoring().scoreSteps(leaf, docs)
  }

  /** To be gone through before the score is asked for. */
  *expanding(): Steps<void> {
    if (this.#isExpanded) return
    yield* this.query.expanding(this.#scope)
    this.#isExpanded = true
  }

  scores(leaf: LeafReader): ScoredDocs {
    this.#scope.check()
    return this.#scoring().score(leaf, visible(leaf))
  }

  /** Matches of a leaf; counts without finding where the index knows. */
  count(leaf: LeafReader): number {
    return this.#known(leaf) ?? this.matching(leaf).count
  }

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

  /** Names of the clauses a document matches, in the order of Java's hash map, with their scores. */
  matchedQueries(leaf: LeafReader, doc: number): ReadonlyMap<string, number> {
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
    const names = javaHashOrder([...new Set(named.map(({ name }) => name))])
    const places = new Map(names.map((name, place) => [name, place]))
    return named
      .map(({ name, query }) => ({ name, weight: query.weight(this.#scope, 1) }))
      .sort((one, other) => places.get(one.name)! - places.get(other.name)!)
  }

  /** Nested objects of one document that match, with their scores; in the order they stand in. */
  innerMatches(hits: InnerHitsQuery, leaf: LeafReader, doc: number): ScoredDocs {
    let weight = this.#inner.get(hits)
    if (weight === undefined) {
      weight = hits.query.weight(this.#scope, 1)
      this.#inner.set(hits, weight)
    }
    return objectsWithin(leaf, weight, hits.path, doc)
  }

  explain(leaf: LeafReader, doc: number): Explanation {
    return this.#scoring().explain(leaf, doc)
  }

  /** The same in steps. */
  *explainSteps(leaf: LeafReader, doc: number): Steps<Explanation> {
    yield* this.expanding()
    yield* this.#scoring().prepare(leaf)
    return this.explain(leaf, doc)
  }

  highlightTerms(): ReadonlyMap<string, FieldTerms> {
    const visitor = new TermVisitor()
    this.query.visit(visitor)
    return visitor.fields
  }
}

const masks = new WeakMap<LeafReader, { readonly set: DocSet | null }>()

/** Documents proper that are not deleted; null when all are. */
export function visible(leaf: LeafReader): DocSet | null {
  const known = masks.get(leaf)
  if (known !== undefined) return known.set
  const { live, segment } = leaf
  let set: DocSet | null = null
  if (live !== null && segment.roots !== null) set = DocSet.ofBits(segment.roots.clone().and(live))
  else if (live !== null) set = DocSet.ofBits(live)
  else if (segment.roots !== null) set = DocSet.ofBits(segment.roots)
  masks.set(leaf, { set })
  return set
}
