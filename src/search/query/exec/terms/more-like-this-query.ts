/**
 * `more_like_this`: documents that share the significant words of others. The words of each field with the
 * highest tf·idf in the shard become optional clauses, so the query is rewritten per shard.
 */

import { hashMapOrder } from '../../../../text/java-hash.ts'
import type { Steps } from '../../../scheduling/steps.ts'
import { LuceneQueue } from '../../../scoring/lucene-queue.ts'
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

/** Term frequencies of liked documents by field, and of liked texts, whose words go to any of several fields. */
export interface Likes {
  readonly documents: ReadonlyMap<string, WordCounts>
  readonly texts: WordCounts
  readonly textFields: readonly string[]
  /** The liked texts as they were sent. */
  readonly written: readonly string[]
}

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
  readonly field: string
  readonly term: string
  readonly score: number
}

export class MoreLikeThisQuery extends Query {
  readonly #likes: Likes
  readonly #settings: LikeSettings
  readonly #chosen = new Map<Statistics, Query>()

  constructor(likes: Likes, settings: LikeSettings) {
    super()
    this.#likes = likes
    this.#settings = settings
  }

  weight(scope: SearchScope, boost: number): Weight {
    return this.#queryIn(scope).weight(scope, boost)
  }

  override rewritten(scope: SearchScope): Query {
    return this.#queryIn(scope)
  }

  toString(): string {
    const { written } = this.#likes
    return `like:${written.length === 0 ? 'null' : `[${written.join(', ')}]`}`
  }

  override *expandTerms(scope: SearchScope): Steps<void> {
    const { statistics } = scope
    const { documents, texts, textFields } = this.#likes
    for (const [field, counts] of [...documents, ...textFields.map((name) => [name, texts] as const)]) {
      yield* statistics.opening(field)
      for (const term of counts.keys()) {
        statistics.term(field, term)
        yield
      }
    }
    yield* this.#queryIn(scope).expandTerms(scope)
  }

  override visit(visitor: TermVisitor): void {
    visitor.within('more_like_this', () => {
      for (const query of this.#chosen.values()) query.visit(visitor)
    })
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
    const { documents: liked, texts, textFields } = this.#likes
    const ofDocuments: Query[] = []
    for (const [field, counts] of liked)
      ofDocuments.push(...this.#termsOf(this.#best([field], counts, scope.statistics, documents)))
    const ofTexts = this.#termsOf(this.#best(textFields, texts, scope.statistics, documents))
    // `minimum_should_match` applies to the words of documents and to those of texts.
    const groups = [ofDocuments, ofTexts]
      .filter(({ length }) => length > 0)
      .map((terms) => this.#anyOf(terms))
    if (groups.length === 0) return new MatchNoneQuery('empty BooleanQuery')
    if (groups.length === 1) return groups[0]!
    return new BoolQuery(groups.map((query) => ({ occur: 'should', query })))
  }

  #anyOf(terms: readonly Query[]): Query {
    const clauses: BoolClause[] = terms.map((query) => ({ occur: 'should', query }))
    return new BoolQuery(clauses, minimumShouldMatch(clauses.length, this.#settings.minimumShouldMatch))
  }

  /**
   * The words with the highest tf·idf, the lowest of them first; which of equal ones are among them follows from
   * Java's hash map of words and Lucene's heap. Of several fields a word belongs to the one with
   * the most documents that contain it.
   */
  #best(fields: readonly string[], counts: WordCounts, statistics: Statistics, documents: number): Word[] {
    const { maxTerms, minTermFreq, minDocFreq, maxDocFreq } = this.#settings
    const best = new LuceneQueue<Word>(maxTerms, (one, other) => one.score < other.score)
    for (const term of hashMapOrder([...counts.keys()])) {
      const frequency = counts.get(term)!
      if (frequency < minTermFreq) continue
      let field = fields[0]!
      let docFreq = 0
      for (const name of fields) {
        const found = statistics.term(name, term).docFreq
        if (found <= docFreq) continue
        docFreq = found
        field = name
      }
      if (docFreq === 0 || docFreq < minDocFreq || docFreq > maxDocFreq) continue
      best.add({ field, term, score: tfIdf(frequency, docFreq, documents) })
    }
    return best.drained().reverse()
  }

  #termsOf(words: readonly Word[]): Query[] {
    const { boostTerms } = this.#settings
    const min = words[0]?.score ?? 1
    return words.map(({ field, term, score }) => {
      const query = new TermQuery(field, term)
      return boostTerms === 0 ? query : boostedQuery(query, Math.fround((boostTerms * score) / min))
    })
  }
}
