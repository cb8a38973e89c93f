/**
 * `more_like_this`: documents that share the significant words of others. The words of each field with the
 * highest tf·idf in the shard become optional clauses, so the query is rewritten per shard.
 */

import type { Steps } from '../../../scheduling/steps.ts'
import { tfIdf } from '../../../scoring/tf-idf.ts'
import { minimumShouldMatch } from '../../minimum-should-match.ts'
import { type BoolClause, BoolQuery } from '../compound/bool-query.ts'
import { boostedQuery, MatchNoneQuery } from '../compound/simple-queries.ts'
import type { TermVisitor } from '../highlight-terms.ts'
import { Query, type SearchScope, type Weight } from '../query.ts'
import type { Statistics } from '../statistics.ts'
import { TermQuery } from './term-query.ts'

/** Term frequencies of the liked texts. */
type WordCounts = ReadonlyMap<string, number>

/** Term frequencies by field; `minimum_should_match` applies to each group. */
export type LikeGroup = ReadonlyMap<string, WordCounts>

interface LikeSettings {
  readonly maxTerms: number
  readonly minTermFreq: number
  readonly minDocFreq: number
  readonly maxDocFreq: number
  /** 0: terms are not boosted by their tf·idf. */
  readonly boostTerms: number
  readonly minimumShouldMatch: string
}

interface Word {
  readonly term: string
  readonly score: number
}

export class MoreLikeThisQuery extends Query {
  readonly #groups: readonly LikeGroup[]
  readonly #settings: LikeSettings
  readonly #chosen = new Map<Statistics, Query>()

  constructor(groups: readonly LikeGroup[], settings: LikeSettings) {
    super()
    this.#groups = groups
    this.#settings = settings
  }

  weight(scope: SearchScope, boost: number): Weight {
    return this.#queryIn(scope).weight(scope, boost)
  }

  toString(): string {
    const words = this.#groups.flatMap((group) => [...group].flatMap(([, counts]) => [...counts.keys()]))
    return `like:[${words.join(' ')}]`
  }

  override *expandTerms(scope: SearchScope): Steps<void> {
    const { statistics } = scope
    for (const group of this.#groups) {
      for (const [field, counts] of group) {
        yield* statistics.opening(field)
        for (const term of counts.keys()) {
          statistics.term(field, term)
          yield
        }
      }
    }
    yield* this.#queryIn(scope).expandTerms(scope)
  }

  override visit(visitor: TermVisitor): void {
    for (const query of this.#chosen.values()) query.visit(visitor)
  }

  #queryIn(scope: SearchScope): Query {
    let query = this.#chosen.get(scope.statistics)
    if (query === undefined) {
      query = this.#choose(scope)
      this.#chosen.set(scope.statistics, query)
    }
    return query
  }

  #choose(scope: SearchScope): Query {
    let documents = 0
    for (const { live, segment } of scope.leaves) documents += live?.count ?? segment.docCount
    const groups: BoolClause[] = []
    for (const group of this.#groups) {
      const clauses: BoolClause[] = []
      for (const [field, counts] of group) {
        for (const query of this.#termsOf(field, this.#best(field, counts, scope.statistics, documents)))
          clauses.push({ occur: 'should', query })
      }
      if (clauses.length === 0) continue
      const minimum = minimumShouldMatch(clauses.length, this.#settings.minimumShouldMatch)
      groups.push({ occur: 'should', query: new BoolQuery(clauses, minimum) })
    }
    if (groups.length === 0) return new MatchNoneQuery('nothing to be like')
    return groups.length === 1 ? groups[0]!.query : new BoolQuery(groups)
  }

  /** The words with the highest tf·idf, the lowest of them first. */
  #best(field: string, counts: WordCounts, statistics: Statistics, documents: number): Word[] {
    const { maxTerms, minTermFreq, minDocFreq, maxDocFreq } = this.#settings
    const words: Word[] = []
    for (const [term, frequency] of counts) {
      if (frequency < minTermFreq) continue
      const { docFreq } = statistics.term(field, term)
      if (docFreq === 0 || docFreq < minDocFreq || docFreq > maxDocFreq) continue
      words.push({ term, score: tfIdf(frequency, docFreq, documents) })
    }
    words.sort((one, other) => other.score - one.score)
    return words.slice(0, maxTerms).reverse()
  }

  #termsOf(field: string, words: readonly Word[]): Query[] {
    const { boostTerms } = this.#settings
    const least = words[0]?.score ?? 1
    return words.map(({ term, score }) => {
      const query = new TermQuery(field, term)
      return boostTerms === 0 ? query : boostedQuery(query, Math.fround((boostTerms * score) / least))
    })
  }
}
