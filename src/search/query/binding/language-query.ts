/**
 * Binds the syntax trees of `query_string` and `simple_query_string`: each leaf becomes a query on its field,
 * or a dis_max over all fields of the query.
 */

import type { Analyzer } from '../../analysis/analyzer.ts'
import type { MappedField } from '../../mapping/mapped-field.ts'
import { illegalArgument } from '../../request/errors.ts'
import { SearchError } from '../../request/search-error.ts'
import { findTimeZone, type TimeZone } from '../../time/time-zone.ts'
import { type BoolClause, BoolQuery } from '../exec/compound/bool-query.ts'
import { DisMaxQuery } from '../exec/compound/dis-max-query.ts'
import { boostedQuery, MatchAllQuery, MatchNoneQuery } from '../exec/compound/simple-queries.ts'
import type { Query } from '../exec/query.ts'
import { MultiTermQuery } from '../exec/terms/multi-term-query.ts'
import { parseRewrite, type Rewrite } from '../exec/terms/rewrite.ts'
import type { FieldBoost } from '../language/field-boost.ts'
import type {
  BoolNode,
  FuzzyNode,
  LuceneNode,
  PhraseNode,
  PrefixNode,
  RangeNode,
  RegexpNode,
  TextNode,
  WildcardNode,
} from '../language/lucene-node.ts'
import type { MatchType } from '../language/option-readers.ts'
import { tooManyClauses } from '../too-many-clauses.ts'
import { type Binding, lenientReason, unmapped } from './binding.ts'
import { fieldExists } from './exists.ts'
import { resolveFields } from './field-list.ts'
import { byColumn, rangeQuery } from './field-queries.ts'
import { isMetadata, metadataTerms } from './metadata-queries.ts'
import { multiMatch } from './multi-match.ts'
import { fuzzyQuery, indexedPrefix, prefixQuery, regexpQuery, wildcardQuery } from './pattern-queries.ts'
import { analyzerOf, isTermsOnly, leavesNothing, withMinimum } from './text-query.ts'

/** The options that both languages share. */
interface LanguageOptions {
  readonly fields: readonly FieldBoost[]
  readonly type: MatchType
  readonly operator: 'or' | 'and'
  readonly tieBreaker: number | undefined
  readonly analyzer: string | undefined
  readonly quoteAnalyzer: string | undefined
  readonly quoteFieldSuffix: string | undefined
  readonly lenient: boolean | undefined
  readonly analyzeWildcard: boolean
  readonly rewrite: string | undefined
  readonly fuzzyRewrite: string | undefined
  readonly timeZone: string | undefined
  /** The name of the clause, for error texts. */
  readonly clause: string
}

type Leaf = PrefixNode | WildcardNode | RegexpNode | FuzzyNode | RangeNode

export class LanguageQuery {
  readonly #binding: Binding
  readonly #options: LanguageOptions
  readonly #fields: readonly FieldBoost[]
  readonly #isAll: boolean
  readonly #lenient: boolean
  readonly #analyzer: Analyzer | undefined
  readonly #quoteAnalyzer: Analyzer | undefined
  readonly #rewrite: Rewrite | undefined
  readonly #fuzzyRewrite: Rewrite | undefined
  readonly #zone: TimeZone | undefined

  constructor(binding: Binding, options: LanguageOptions) {
    this.#binding = binding
    this.#options = options
    const { fields, isAll } = resolveFields(binding, options.fields)
    this.#fields = fields
    this.#isAll = isAll
    this.#lenient = options.lenient ?? isAll
    const { analyzer, quoteAnalyzer, clause } = options
    this.#analyzer = analyzer === undefined ? undefined : binding.analyzer(analyzer, clause)
    this.#quoteAnalyzer =
      quoteAnalyzer === undefined ? this.#analyzer : binding.analyzer(quoteAnalyzer, clause)
    this.#rewrite = parseRewrite(options.rewrite)
    this.#fuzzyRewrite = parseRewrite(options.fuzzyRewrite)
    this.#zone = options.timeZone === undefined ? undefined : readZone(options.timeZone)
  }

  /** True when analysis leaves no token of the text in any field. */
  readonly vanishes = (leaf: TextNode | PhraseNode): boolean => {
    const kind = leaf.type === 'phrase' ? 'phrase' : 'boolean'
    const forced = leaf.type === 'phrase' ? this.#quoteAnalyzer : this.#analyzer
    const fields = this.#fieldsOf(leaf.field)
    return (
      fields.length > 0 &&
      fields.every(({ name }) => {
        const field = this.#binding.field(name)
        if (field === undefined) return false
        const analyzer = analyzerOf(field, { kind, analyzer: forced })
        return analyzer !== undefined && leavesNothing(analyzer, leaf.text)
      })
    )
  }

  bind(node: LuceneNode): Query {
    return this.#bind(node) ?? new MatchNoneQuery('no terms')
  }

  #bind(node: LuceneNode): Query | undefined {
    const query = this.#unboosted(node)
    return query === undefined ? undefined : boostedQuery(query, node.boost)
  }

  #unboosted(node: LuceneNode): Query | undefined {
    switch (node.type) {
      case 'all':
        return new MatchAllQuery(true)
      case 'none':
        return new MatchNoneQuery('empty string passed to query parser')
      case 'bool':
        return this.#bool(node)
      case 'text':
        return withMinimum(this.#text(node) ?? new MatchNoneQuery('no terms'), node.minimumShouldMatch)
      case 'phrase':
        return this.#phrase(node)
      case 'exists':
        return node.field === undefined
          ? this.#anyOf(
              this.#fields.map(({ name, boost }) => boostedQuery(fieldExists(this.#binding, name), boost)),
            )
          : fieldExists(this.#binding, node.field)
      default:
        return this.#perField(node)
    }
  }

  #bool(node: BoolNode): Query | undefined {
    const { maxClauses } = this.#binding.context.limits
    const clauses: BoolClause[] = []
    for (const { occur, node: inner, spread } of node.clauses) {
      if (clauses.length > maxClauses) throw tooManyClauses(maxClauses)
      const query = this.#bind(inner)
      if (query === undefined) continue
      if (spread && query instanceof BoolQuery) {
        const plain = isTermsOnly(query)
        for (const clause of query.clauses) {
          clauses.push(plain || clause.occur === 'mustNot' ? clause : { occur, query: clause.query })
        }
      } else clauses.push({ occur, query })
    }
    if (clauses.length > maxClauses) throw tooManyClauses(maxClauses)
    if (clauses.length === 0) return undefined
    return withMinimum(new BoolQuery(clauses), node.minimumShouldMatch)
  }

  #fieldsOf(field: string | undefined): readonly FieldBoost[] {
    if (field === undefined || (field === '*' && this.#isAll)) return this.#fields
    return resolveFields(this.#binding, [{ name: field, boost: 1 }]).fields
  }

  #text(node: TextNode): Query | undefined {
    const { type, operator, tieBreaker } = this.#options
    return multiMatch(this.#binding, this.#fieldsOf(node.field), node.text, {
      type,
      operator,
      tieBreaker,
      analyzer: this.#analyzer,
      lenient: this.#lenient,
    })
  }

  #phrase(node: PhraseNode): Query | undefined {
    const { operator, tieBreaker, quoteFieldSuffix } = this.#options
    const named = this.#fieldsOf(node.field).map(({ name, boost }) => {
      const quoted = quoteFieldSuffix === undefined ? undefined : this.#binding.field(name + quoteFieldSuffix)
      return { name: quoted?.name ?? name, boost }
    })
    // The field of quoted words may be one of those that were asked for.
    const fields = named.filter(({ name }, at) => named.findIndex((one) => one.name === name) === at)
    return multiMatch(this.#binding, fields, node.text, {
      type: 'phrase',
      operator,
      // `simple_query_string` takes the best score of quoted words in several fields.
      tieBreaker: this.#options.clause === 'simple_query_string' ? 0 : tieBreaker,
      slop: node.slop,
      analyzer: this.#quoteAnalyzer,
      lenient: this.#lenient,
    })
  }

  #perField(node: Leaf): Query {
    const fields = this.#fieldsOf(node.field).filter(({ name }) => !this.#isDropped(name, node))
    return this.#anyOf(fields.map(({ name, boost }) => boostedQuery(this.#leaf(name, node), boost)))
  }

  get #isOpenSearch(): boolean {
    return this.#binding.context.isOpenSearch === true
  }

  /** With `analyze_wildcard` a beginning of which analysis leaves nothing is not looked for. */
  #isDropped(name: string, node: Leaf): boolean {
    if (!this.#options.analyzeWildcard || node.type !== 'prefix' || !this.#isOpenSearch) return false
    const field = this.#binding.field(name)
    const analyzer =
      field === undefined ? undefined : analyzerOf(field, { kind: 'boolean', analyzer: this.#analyzer })
    return analyzer !== undefined && leavesNothing(analyzer, node.text)
  }

  #anyOf(queries: readonly Query[]): Query {
    if (queries.length === 0) return new MatchNoneQuery('No fields to search')
    if (queries.length === 1) return queries[0]!
    return new DisMaxQuery(queries, this.#options.tieBreaker ?? 0)
  }

  #leaf(name: string, node: Leaf): Query {
    const field = this.#binding.field(name)
    try {
      if (field === undefined) return this.#metadata(name, node) ?? unmapped(name)
      return this.#onField(field, node)
    } catch (error) {
      if (!this.#lenient || !(error instanceof SearchError)) throw error
      const isPlain = this.#options.clause === 'simple_query_string' && this.#isOpenSearch
      return new MatchNoneQuery(
        isPlain
          ? `failed query, caused by ${error.message}`
          : `failed [${name}] query, caused by ${lenientReason(this.#binding, error)}`,
      )
    }
  }

  #metadata(name: string, node: Leaf): Query | undefined {
    if (!isMetadata(name)) return undefined
    if (node.type === 'prefix') return metadataTerms(this.#binding, name, [`${node.text}*`])
    return node.type === 'wildcard' ? metadataTerms(this.#binding, name, [node.pattern]) : undefined
  }

  /** Normalizes a word as the analyzer's character and token filters would, without tokenizing. */
  #normal(field: MappedField, text: string): string {
    const analyzer = this.#analyzer ?? (field.family === 'text' ? field.searchAnalyzer : field.normalizer)
    return analyzer === undefined ? text : analyzer.normalize(text)
  }

  #onField(field: MappedField, node: Leaf): Query {
    switch (node.type) {
      case 'prefix': {
        if (this.#options.clause === 'query_string' && this.#isOpenSearch && field.type === 'rank_feature')
          return new MatchNoneQuery(`unmapped fields [${field.name}]`)
        const text = this.#normal(field, node.text)
        // Only `query_string` scores beginnings as terms.
        const isTerm = this.#rewrite === undefined && this.#options.clause === 'query_string'
        const indexed = isTerm ? indexedPrefix(this.#binding, field, text) : undefined
        return indexed ?? prefixQuery(this.#binding, field, text, false, this.#rewrite)
      }
      case 'wildcard': {
        const pattern = node.pattern.replace(/(\\.|[^*?\\])+/gs, (part) =>
          part.includes('\\')
            ? escaped(this.#normal(field, part.replace(/\\(.)/gs, '$1')))
            : this.#normal(field, part),
        )
        if (this.#isOpenSearch && byColumn(field) && this.#options.clause === 'query_string')
          throw illegalArgument(`Cannot search on field [${field.name}] since it is not indexed.`)
        const query = wildcardQuery(this.#binding, field, pattern, false, this.#rewrite)
        // Here a pattern of a `wildcard` field is printed as one of any other field.
        const isQuoted = query instanceof MultiTermQuery && query.settings.isQuoted === true
        return isQuoted ? new MultiTermQuery({ ...query.settings, isQuoted: false }) : query
      }
      case 'regexp': {
        const { maxDeterminizedStates } = node
        return regexpQuery(
          this.#binding,
          field,
          this.#normal(field, node.pattern),
          { maxDeterminizedStates },
          this.#rewrite,
        )
      }
      case 'fuzzy': {
        const { edits, prefixLength, maxExpansions, transpositions } = node
        const settings = { edits, prefixLength, maxExpansions, transpositions, rewrite: this.#fuzzyRewrite }
        return fuzzyQuery(this.#binding, field, this.#normal(field, node.text), settings)
      }
      case 'range': {
        const { from, to, includeFrom, includeTo } = node
        const end = (text: string | undefined) => (text === undefined ? undefined : this.#normal(field, text))
        return rangeQuery(this.#binding, field, {
          from: end(from),
          to: end(to),
          includeFrom,
          includeTo,
          zone: this.#zone,
        })
      }
    }
  }
}

function escaped(text: string): string {
  return text.replace(/[*?\\]/g, '\\$&')
}

export function readZone(text: string): TimeZone {
  const zone = findTimeZone(text)
  if (zone !== undefined) return zone
  const reason = /^[+-]/.test(text)
    ? `Invalid ID for offset-based ZoneId: ${text}`
    : `Unknown time-zone ID: ${text}`
  throw illegalArgument(reason)
}
