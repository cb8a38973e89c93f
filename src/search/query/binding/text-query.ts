/**
 * Full-text queries on one field: the text is analysed and its tokens become a boolean, phrase or prefix
 * query. Fields without an analyzer take the text as one term.
 */

import type { Analyzer } from '../../analysis/analyzer.ts'
import { TokenBuffer } from '../../analysis/token-buffer.ts'
import { asYouTypeOf, maxPrefix, PrefixField } from '../../mapping/fields/as-you-type-fields.ts'
import { CompletionField } from '../../mapping/fields/completion-field.ts'
import { KeywordField } from '../../mapping/fields/keyword-field.ts'
import type { MappedField } from '../../mapping/mapped-field.ts'
import { completionKey } from '../../mapping/values/completion-entry.ts'
import { illegalArgument } from '../../request/errors.ts'
import { javaText } from '../../request/java-text.ts'
import { SearchError } from '../../request/search-error.ts'
import { prefixMatcher } from '../automata/term-matcher.ts'
import { BoolQuery, withoutBoost } from '../exec/compound/bool-query.ts'
import { ConstantScoreQuery, MatchAllQuery, MatchNoneQuery } from '../exec/compound/simple-queries.ts'
import { PhrasePrefixQuery } from '../exec/positions/phrase-prefix-query.ts'
import { PhraseQuery } from '../exec/positions/phrase-query.ts'
import { SpanMask } from '../exec/positions/span-filters.ts'
import { SpanNear } from '../exec/positions/span-near.ts'
import { SpanQuery } from '../exec/positions/span-query.ts'
import { SpanTerm } from '../exec/positions/span-terms.ts'
import type { Query } from '../exec/query.ts'
import type { Rewrite } from '../exec/terms/rewrite.ts'
import { SynonymQuery } from '../exec/terms/synonym-query.ts'
import { TermQuery } from '../exec/terms/term-query.ts'
import { editsFor, type Fuzziness } from '../fuzziness.ts'
import { minimumShouldMatch } from '../minimum-should-match.ts'
import { tooManyClauses } from '../too-many-clauses.ts'
import { type Binding, lenientReason } from './binding.ts'
import { isFlat, patternQuery, scoredTerm, termQuery } from './field-queries.ts'
import { fuzzyQuery, prefixQuery } from './pattern-queries.ts'

export type MatchKind = 'boolean' | 'phrase' | 'phrase_prefix' | 'boolean_prefix'

export interface TextOptions {
  readonly kind: MatchKind
  readonly operator: 'or' | 'and'
  readonly analyzer?: Analyzer | undefined
  readonly minimumShouldMatch?: string | undefined
  readonly slop?: number
  readonly maxExpansions?: number
  readonly fuzziness?: Fuzziness | undefined
  readonly prefixLength?: number
  readonly transpositions?: boolean
  readonly fuzzyRewrite?: Rewrite | undefined
  readonly lenient?: boolean
  readonly zeroTerms?: 'none' | 'all'
}

/** Never undefined: a text without tokens matches what `zeroTerms` says. */
export function textQuery(binding: Binding, field: MappedField, value: unknown, options: TextOptions): Query {
  const query = optionalTextQuery(binding, field, value, options)
  if (query !== undefined) return query
  return options.zeroTerms === 'all'
    ? new MatchAllQuery(true)
    : new MatchNoneQuery('Matching no documents because no terms present')
}

/** Undefined when analysis leaves no token. */
export function optionalTextQuery(
  binding: Binding,
  field: MappedField,
  value: unknown,
  options: TextOptions,
): Query | undefined {
  return leniently(binding, field, options, () => new TextBuilder(binding, field, options).build(value))
}

/** A query that matches nothing where the field refuses a text and the request is lenient. */
function leniently<T extends Query | undefined>(
  binding: Binding,
  field: MappedField,
  { lenient }: TextOptions,
  made: () => T,
): T | MatchNoneQuery {
  try {
    return made()
  } catch (error) {
    const isRefusal = error instanceof SearchError
    if (lenient !== true || !isRefusal) throw error
    return new MatchNoneQuery(`failed [${field.name}] query, caused by ${lenientReason(binding, error)}`)
  }
}

function isText({ family }: MappedField): boolean {
  return family === 'text' || family === 'keyword'
}

/** One position of an analysed text. */
interface Position {
  readonly at: number
  readonly terms: string[]
}

const buffer = new TokenBuffer()

export function positionsOf(analyzer: Analyzer, text: string): Position[] {
  analyzer.analyze(text, buffer)
  const positions: Position[] = []
  for (let i = 0; i < buffer.length; i++) {
    const at = buffer.positions[i]!
    const last = positions.at(-1)
    if (last !== undefined && last.at === at) last.terms.push(buffer.terms[i]!)
    else positions.push({ at, terms: [buffer.terms[i]!] })
  }
  return positions
}

/** True when analysis leaves no token. */
export function leavesNothing(analyzer: Analyzer, text: string): boolean {
  analyzer.analyze(text, buffer)
  return buffer.length === 0
}

/**
 * The analyzer of the query text; undefined when the text is one term. One that the request names is for fields of all
 * types.
 */
export function analyzerOf(
  field: MappedField,
  options: Pick<TextOptions, 'kind' | 'analyzer'>,
): Analyzer | undefined {
  if (options.analyzer !== undefined) return options.analyzer
  if (!isText(field)) return undefined
  const isQuoted = options.kind === 'phrase' || options.kind === 'phrase_prefix'
  return (isQuoted ? field.searchQuoteAnalyzer : undefined) ?? field.searchAnalyzer
}

class TextBuilder {
  readonly #binding: Binding
  readonly #field: MappedField
  readonly #options: TextOptions

  constructor(binding: Binding, field: MappedField, options: TextOptions) {
    this.#binding = binding
    this.#field = field
    this.#options = options
  }

  build(value: unknown): Query | undefined {
    const field = this.#field
    const { kind } = this.#options
    const analyzer = analyzerOf(field, this.#options)
    if (kind === 'phrase_prefix' && this.#options.analyzer === undefined) this.#requireText()
    const unusual = this.#unusual(value)
    if (unusual !== null) return unusual
    if (analyzer === undefined) {
      if (kind === 'boolean_prefix' && isText(field)) return prefixQuery(this.#binding, field, value)
      return this.#single(value)
    }
    field.requireSearchable()
    const positions = positionsOf(analyzer, javaText(value))
    if (positions.length === 0) return undefined
    switch (kind) {
      case 'boolean':
        return this.#boolean(positions)
      case 'boolean_prefix':
        return this.#booleanPrefix(positions)
      case 'phrase':
        return this.#phrase(positions)
      case 'phrase_prefix':
        return this.#phrasePrefix(positions)
    }
  }

  /**
   * Fields that OpenSearch analyses a text for although they cannot be searched: completions and rank
   * features. Null for other fields.
   */
  #unusual(value: unknown): Query | undefined | null {
    const field = this.#field
    const { context } = this.#binding
    if (context.isOpenSearch !== true) return null
    if (field instanceof CompletionField) {
      const { searchAnalyzer: analyzer, separates } = field
      const key = completionKey(javaText(value), { analyzer, separates })
      if (key === '') return undefined
      return new MatchNoneQuery('completions are no terms', new TermQuery(field.name, key))
    }
    if (field.type !== 'rank_feature') return null
    const { kind, analyzer = context.analyzer('standard')!, lenient = false } = this.#options
    const positions = positionsOf(analyzer, javaText(value))
    if (kind === 'phrase' && positions.length > 1) {
      const reason = `field:[${field.name}] was indexed without position data; cannot run PhraseQuery`
      throw new SearchError('illegal_state_exception', reason)
    }
    const refusal = 'Queries on [rank_feature] fields are not supported'
    if (!lenient) throw illegalArgument(refusal)
    const none = () =>
      new MatchNoneQuery(`failed [${field.name}] query, caused by illegal_argument_exception:[${refusal}]`)
    return positions.length === 0 ? undefined : this.#joined(positions.map(none))
  }

  #single(value: unknown): Query {
    const { fuzziness } = this.#options
    if (fuzziness === undefined) return termQuery(this.#binding, this.#field, value)
    return this.#fuzzy(javaText(value), fuzziness)
  }

  #fuzzy(text: string, fuzziness: Fuzziness): Query {
    const { prefixLength = 0, maxExpansions = 50, transpositions = true, fuzzyRewrite } = this.#options
    const edits = editsFor(fuzziness, text)
    return fuzzyQuery(this.#binding, this.#field, text, {
      edits,
      prefixLength,
      maxExpansions,
      transpositions,
      rewrite: fuzzyRewrite,
    })
  }

  /** What an analyzer of the request leaves of a keyword goes through the normalizer of the field too. */
  #term(text: string): Query {
    const field = this.#field
    if (!isText(field))
      return leniently(this.#binding, field, this.#options, () => termQuery(this.#binding, field, text))
    const term = field instanceof KeywordField ? field.toTerm(text) : text
    return scoredTerm(this.#binding, field, term)
  }

  #atPosition(terms: readonly string[]): Query {
    const { fuzziness } = this.#options
    if (terms.length > 1) {
      return this.#flat(new SynonymQuery(this.#field.name, terms))
    }
    const term = terms[0]!
    return fuzziness === undefined ? this.#term(term) : this.#fuzzy(term, fuzziness)
  }

  /** Replaces scores by a constant for `match_only_text` and the boolean similarity. */
  #flat(query: Query): Query {
    return isFlat(this.#field, false) ? new ConstantScoreQuery(query) : query
  }

  #boolean(positions: readonly Position[]): Query {
    const queries = positions.map(({ terms }) => this.#atPosition(terms))
    return this.#joined(queries)
  }

  #joined(queries: readonly Query[]): Query {
    if (queries.length === 1) return queries[0]!
    const { maxClauses } = this.#binding.context.limits
    if (queries.length > maxClauses) throw tooManyClauses(maxClauses)
    const occur = this.#options.operator === 'and' ? 'must' : 'should'
    return withMinimum(
      new BoolQuery(queries.map((query) => ({ occur, query }))),
      this.#options.minimumShouldMatch,
    )
  }

  #booleanPrefix(positions: readonly Position[]): Query {
    const queries = positions.slice(0, -1).map(({ terms }) => this.#atPosition(terms))
    const last = positions
      .at(-1)!
      .terms.map((term) =>
        asYouTypeOf(this.#field) === undefined && isText(this.#field)
          ? patternQuery(this.#field, prefixMatcher(term), { kind: 'prefix', text: `${term}*` })
          : prefixQuery(this.#binding, this.#field, term),
      )
    return this.#joined([
      ...queries,
      last.length === 1 ? last[0]! : new BoolQuery(last.map((query) => ({ occur: 'should', query }))),
    ])
  }

  #requireText(): void {
    const { family, name, type } = this.#field
    if (family === 'text') return
    throw illegalArgument(
      `Can only use phrase prefix queries on text fields - not on [${name}] which is of type [${type}]`,
    )
  }

  #requirePositions(): void {
    if (this.#field.spec.index === 'positions') return
    const reason = `field:[${this.#field.name}] was indexed without position data; cannot run PhraseQuery`
    throw isText(this.#field) ? illegalArgument(reason) : new SearchError('illegal_state_exception', reason)
  }

  #phrase(positions: readonly Position[]): Query {
    if (this.#field instanceof PrefixField && positions.length > 1) {
      throw illegalArgument(
        `Can only use phrase queries on text fields - not on [${this.#field.name}] which is of type [prefix]`,
      )
    }
    const shingles = this.#shingles(positions)
    if (shingles !== undefined) {
      const { field, terms } = shingles
      const [listed, places] = [terms.map((term) => [term]), terms.map((_, at) => at)]
      return new PhraseQuery(field, listed, places, 0)
    }
    if (positions.length === 1) {
      const { terms } = positions[0]!
      return terms.length === 1
        ? this.#term(terms[0]!)
        : this.#flat(new SynonymQuery(this.#field.name, terms))
    }
    this.#requirePositions()
    return this.#flat(new PhraseQuery(...this.#phraseOf(positions)))
  }

  /** Field, terms, positions and slop, as phrase queries take them. */
  #phraseOf(positions: readonly Position[]) {
    const terms = positions.map((position) => position.terms)
    const places = positions.map(({ at }) => at)
    return [this.#field.name, terms, places, this.#options.slop ?? 0] as const
  }

  /**
   * The phrase as runs of words, when the field indexes them (`search_as_you_type`): fewer and rarer terms than its
   * words. Only phrases without slop, gaps and synonyms have such runs.
   */
  #shingles(
    positions: readonly Position[],
  ): { field: string; prefix: string; terms: readonly string[] } | undefined {
    const subfields = asYouTypeOf(this.#field)
    if (subfields === undefined || positions.length < 2 || (this.#options.slop ?? 0) > 0) return undefined
    const first = positions[0]!.at
    if (positions.some(({ at, terms }, index) => terms.length > 1 || at !== first + index)) return undefined
    const size = Math.min(positions.length, subfields.maxShingle)
    const words = positions.map(({ terms }) => terms[0]!)
    const runs = words.length - size + 1
    return {
      field: subfields.shingle(size)!.name,
      prefix: subfields.prefix.name,
      terms: Array.from({ length: runs }, (_, at) => words.slice(at, at + size).join(' ')),
    }
  }

  /** The last run of words is a beginning, and is looked for among those. */
  #shinglePrefix(positions: readonly Position[]): Query | undefined {
    const shingles = this.#shingles(positions)
    if (shingles === undefined) return undefined
    const { field, prefix, terms } = shingles
    const last = terms.at(-1)!
    if ([...last].length > maxPrefix) return undefined
    if (terms.length === 1) return new TermQuery(prefix, last)
    const nodes = [
      ...terms.slice(0, -1).map((term) => new SpanTerm(field, term)),
      new SpanMask(new SpanTerm(prefix, last), field),
    ]
    return new SpanQuery(new SpanNear(field, nodes, 0, true))
  }

  #phrasePrefix(positions: readonly Position[]): Query {
    const shingles = this.#shinglePrefix(positions)
    if (shingles !== undefined) return shingles
    if (positions.length > 1) this.#requirePositions()
    this.#requireText()
    return this.#flat(new PhrasePrefixQuery(...this.#phraseOf(positions), this.#options.maxExpansions ?? 50))
  }
}

/** `minimum_should_match` applies only to boolean queries of several clauses. */
export function withMinimum(query: Query, specification: string | undefined): Query {
  if (specification === undefined || !(query instanceof BoolQuery)) return query
  const optional = query.clauses.filter(({ occur }) => occur === 'should').length
  const required = minimumShouldMatch(optional, specification)
  if (optional === 0) return required > 0 ? noneOptional(new BoolQuery(query.clauses, required)) : query
  return new BoolQuery(query.clauses, required)
}

/** More optional clauses are required than there are. */
export function noneOptional(written?: Query): Query {
  return new MatchNoneQuery('SHOULD clause count less than minimumNumberShouldMatch', written)
}

/** True for a boolean query whose clauses are all single terms. */
export function isTermsOnly(query: BoolQuery): boolean {
  return query.clauses.every(({ query: inner }) => withoutBoost(inner) instanceof TermQuery)
}
