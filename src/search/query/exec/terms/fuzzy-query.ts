/**
 * `fuzzy`: terms within an edit distance. The top `maxExpansions` become clauses boosted by similarity; all
 * use the highest document frequency among them, so that a rare misspelling does not win (Lucene's
 * TopTermsBlendedFreqScoringRewrite).
 */

import { illegalArgument } from '../../../request/errors.ts'
import { finish, type Steps } from '../../../scheduling/steps.ts'
import { type FuzzyMatcher, fuzzyMatcher } from '../../automata/fuzzy.ts'
import { BoolQuery } from '../compound/bool-query.ts'
import { boostedQuery, ConstantScoreQuery, MatchNoneQuery } from '../compound/simple-queries.ts'
import { floatText } from '../explanation.ts'
import type { TermVisitor } from '../highlight-terms.ts'
import { Query, type SearchScope, type Weight } from '../query.ts'
import { blendedStatistics, expandSteps, type MultiTermSettings, matching } from './multi-term-query.ts'
import type { Rewrite } from './rewrite.ts'
import { TermQuery } from './term-query.ts'

export interface FuzzyQuerySettings {
  readonly edits: number
  readonly prefixLength: number
  readonly maxExpansions: number
  readonly transpositions: boolean
  readonly rewrite?: Rewrite | undefined
}

export class FuzzyQuery extends Query {
  readonly #field: string
  readonly #text: string
  readonly #settings: FuzzyQuerySettings
  readonly #matcher: FuzzyMatcher
  /** The expanded terms per shard, with their edit distance. */
  readonly #found = new WeakMap<SearchScope, ReadonlyMap<string, number>>()

  constructor(field: string, text: string, settings: FuzzyQuerySettings) {
    super()
    this.#field = field
    this.#text = text
    this.#settings = settings
    this.#matcher = fuzzyMatcher(text, settings)
  }

  weight(scope: SearchScope, boost: number): Weight {
    return this.rewritten(scope).weight(scope, boost)
  }

  override rewritten(scope: SearchScope): Query {
    const { rewrite, maxExpansions } = this.#settings
    const field = this.#field
    finish(this.expandTerms(scope))
    const found = [...this.#found.get(scope)!.keys()].map((term) => ({
      term,
      boost: this.#boostOf(term),
    }))
    if (found.length === 0) return new MatchNoneQuery('empty BooleanQuery')
    const limit = Math.min(maxExpansions, rewrite?.limit ?? maxExpansions)
    // The sort is stable, so equal boosts keep term order; the best are clauses in term order again.
    const nearest = new Set(found.toSorted((a, b) => b.boost - a.boost).slice(0, limit))
    const best = rewrite?.kind === 'constant' ? found : found.filter((one) => nearest.has(one))
    const constant = rewrite?.kind === 'constant' || rewrite?.kind === 'boost'
    const statistics =
      rewrite === undefined || rewrite.kind === 'blended'
        ? blendedStatistics(
            scope,
            field,
            best.map(({ term }) => term),
          )
        : undefined
    const clauses = best.map(({ term, boost: nearness }) => {
      // A term that shares nothing with the text is found all the same.
      if (nearness < 0 && rewrite?.kind === 'scoring')
        throw illegalArgument(`boost must be a positive float, got ${floatText(nearness)}`)
      const query = new TermQuery(field, term, statistics)
      const scored = constant ? new ConstantScoreQuery(query) : query
      return { occur: 'should' as const, query: boostedQuery(scored, Math.max(0, nearness)) }
    })
    const query = clauses.length === 1 ? clauses[0]!.query : new BoolQuery(clauses)
    return rewrite?.kind === 'constant' ? new ConstantScoreQuery(query) : query
  }

  override *expandTerms(scope: SearchScope): Steps<void> {
    if (this.#found.has(scope)) return
    this.#found.set(scope, yield* expandSteps(scope, this.expansion, Number.POSITIVE_INFINITY))
  }

  /** Selects all terms within the distance, without the limit of expansions. */
  get expansion(): Pick<MultiTermSettings, 'field' | 'selection' | 'matcher'> {
    return { field: this.#field, selection: matching(this.#matcher), matcher: this.#matcher }
  }

  #boostOf(term: string): number {
    const edits = this.#matcher.distance(term)
    if (edits <= 0) return 1
    const shorter = Math.min(Array.from(term).length, Array.from(this.#text).length)
    return Math.fround(1 - Math.fround(edits / shorter))
  }

  toString(): string {
    return `${this.#field}:${this.#text}~${this.#settings.edits}`
  }

  override visit(visitor: TermVisitor): void {
    visitor.of(this.#field).patterns.push(this.#matcher)
  }
}
