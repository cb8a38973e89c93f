/**
 * `match_phrase_prefix`: the last word is a prefix, expanded to the first terms of the shard that begin with
 * it.
 */
import { prefixMatcher } from '../../automata/term-matcher.ts'
import { BoolQuery } from '../compound/bool-query.ts'
import { MatchNoneWeight } from '../compound/simple-queries.ts'
import type { TermVisitor } from '../highlight-terms.ts'
import { Query, type SearchScope, type Weight } from '../query.ts'
import { expand, matching } from '../terms/multi-term-query.ts'
import { TermQuery } from '../terms/term-query.ts'
import { PhraseQuery } from './phrase-query.ts'

export class PhrasePrefixQuery extends Query {
  readonly #field: string
  readonly #terms: readonly (readonly string[])[]
  readonly #positions: readonly number[]
  readonly #slop: number
  readonly #maxExpansions: number

  constructor(
    field: string,
    terms: readonly (readonly string[])[],
    positions: readonly number[],
    slop: number,
    maxExpansions: number,
  ) {
    super()
    this.#field = field
    this.#terms = terms
    this.#positions = positions
    this.#slop = slop
    this.#maxExpansions = maxExpansions
  }

  weight(scope: SearchScope, boost: number): Weight {
    const expanded = new Set<string>()
    for (const prefix of this.#terms.at(-1)!) {
      const settings = { field: this.#field, selection: matching(prefixMatcher(prefix)) }
      for (const term of expand(scope, settings, this.#maxExpansions).keys()) {
        if (expanded.size >= this.#maxExpansions) break
        expanded.add(term)
      }
    }
    if (expanded.size === 0) return new MatchNoneWeight(scope, 'No terms supplied for MultiPhrasePrefixQuery')
    if (this.#terms.length === 1) {
      const clauses = [...expanded].map((term) => ({
        occur: 'should' as const,
        query: new TermQuery(this.#field, term),
      }))
      return new BoolQuery(clauses).weight(scope, boost)
    }
    const terms = [...this.#terms.slice(0, -1), [...expanded]]
    return new PhraseQuery(this.#field, terms, this.#positions, this.#slop).weight(scope, boost)
  }

  toString(): string {
    const words = this.#terms.map((place) => (place.length === 1 ? place[0] : `(${place.join(' ')})`))
    return `${this.#field}:"${words.join(' ')}*"${this.#slop === 0 ? '' : `~${this.#slop}`}`
  }

  override visit(visitor: TermVisitor): void {
    const found = visitor.of(this.#field)
    for (const prefix of this.#terms.at(-1)!) found.patterns.push(prefixMatcher(prefix))
    for (const place of this.#terms.slice(0, -1)) for (const term of place) found.terms.add(term)
  }
}
