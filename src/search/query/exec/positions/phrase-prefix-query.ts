/**
 * `match_phrase_prefix`: the last word is a prefix, expanded to the first terms of the shard that begin with
 * it.
 */
import { prefixMatcher } from '../../automata/term-matcher.ts'
import { BoolQuery } from '../compound/bool-query.ts'
import { MatchNoneQuery, MatchNoneWeight } from '../compound/simple-queries.ts'
import type { TermVisitor } from '../highlight-terms.ts'
import { Query, type SearchScope, type Weight } from '../query.ts'
import { expand, matching } from '../terms/multi-term-query.ts'
import { TermQuery } from '../terms/term-query.ts'
import { PhraseQuery } from './phrase-query.ts'

const noTerms = 'No terms supplied for org.opensearch.common.lucene.search.MultiPhrasePrefixQuery'

const optional = (query: Query) => ({ occur: 'should' as const, query })

function anyOf(queries: readonly Query[]): Query {
  return queries.length === 1 ? queries[0]! : new BoolQuery(queries.map(optional))
}

/** Matches nothing, and does not make the queries around it match nothing when they are rewritten. */
class NoTermsQuery extends Query {
  weight(scope: SearchScope): Weight {
    return new MatchNoneWeight(scope, noTerms)
  }

  toString(): string {
    return `MatchNoDocsWithoutRewriteQuery(${noTerms})`
  }
}

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
    return this.rewritten(scope).weight(scope, boost)
  }

  override rewritten(scope: SearchScope): Query {
    const expanded = new Set<string>()
    for (const prefix of this.#terms.at(-1)!) {
      const settings = { field: this.#field, selection: matching(prefixMatcher(prefix)) }
      for (const term of expand(scope, settings, this.#maxExpansions).keys()) {
        if (expanded.size >= this.#maxExpansions) break
        expanded.add(term)
      }
    }
    if (expanded.size === 0) return this.#withoutTerms()
    if (this.#terms.length === 1)
      return new BoolQuery([...expanded].map((term) => optional(new TermQuery(this.#field, term))))
    const terms = [...this.#terms.slice(0, -1), [...expanded]]
    return new PhraseQuery(this.#field, terms, this.#positions, this.#slop)
  }

  /** The words before the prefix stay, for highlighters. */
  #withoutTerms(): Query {
    if (this.#terms.length === 1) return new MatchNoneQuery(noTerms)
    const words = this.#terms.slice(0, -1)
    const query =
      words.length === 1
        ? anyOf(words[0]!.map((term) => new TermQuery(this.#field, term)))
        : new PhraseQuery(this.#field, words, this.#positions.slice(0, -1), this.#slop)
    return new BoolQuery([
      { occur: 'must', query },
      { occur: 'must', query: new NoTermsQuery() },
    ])
  }

  toString(): string {
    const words = this.#terms.map((place) => (place.length === 1 ? place[0] : `(${place.join(' ')})`))
    return `${this.#field}:"${words.join(' ')}*"${this.#slop === 0 ? '' : `~${this.#slop}`}`
  }

  override visit(visitor: TermVisitor): void {
    const found = visitor.of(this.#field)
    if (this.#terms.length === 1) {
      for (const prefix of this.#terms[0]!) found.patterns.push(prefixMatcher(prefix))
      return
    }
    const [terms, positions, slop] = [this.#terms, this.#positions, this.#slop]
    found.phrases.push({ terms, positions, slop, endsOpen: true })
  }
}
