/**
 * Documents that share the telling words of others. Which words tell depends on how rare they are in a shard, so the
 * query becomes a plain one for each: of every field the words with the best `frequency · idf`, any of which may match.
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

/** How often words occur in what others are to be like. */
export type WordCounts = ReadonlyMap<string, number>

/** Words by field; so many of those of one group have to match. */
export type LikeGroup = ReadonlyMap<string, WordCounts>

export interface LikeSettings {
  readonly maxTerms: number
  readonly minTermFreq: number
  readonly minDocFreq: number
  readonly maxDocFreq: number
  /** 0: words are not boosted by what they tell. */
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

  override *expanding(scope: SearchScope): Steps<void> {
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
    yield* this.#queryIn(scope).expanding(scope)
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

  /** The words that tell the most, the least of them first. */
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
