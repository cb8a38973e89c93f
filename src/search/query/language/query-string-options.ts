/**
 * The options of a `query_string` query with their defaults, parsed from the clause body under the users'
 * names. `default_field` and `fields` exclude each other; without either all fields are searched.
 */

import { SearchError } from '../../request/search-error.ts'
import { autoFuzziness, type Fuzziness, parseFuzziness } from '../fuzziness.ts'
import { type FieldBoost, readFieldBoost } from './field-boost.ts'
import { ClauseReader, type DefaultOperator, type MatchType } from './option-readers.ts'

export interface QueryStringOptions {
  query: string
  /** `*` without this and `fields`; both together are refused when the query is bound. */
  default_field: string | undefined
  fields: readonly FieldBoost[]
  default_operator: DefaultOperator
  analyzer: string | undefined
  quote_analyzer: string | undefined
  quote_field_suffix: string | undefined
  allow_leading_wildcard: boolean
  analyze_wildcard: boolean
  auto_generate_synonyms_phrase_query: boolean
  enable_position_increments: boolean
  escape: boolean
  fuzziness: Fuzziness
  fuzzy_max_expansions: number
  fuzzy_prefix_length: number
  fuzzy_transpositions: boolean
  fuzzy_rewrite: string | undefined
  /** Undefined means true when all fields are searched, and false otherwise. */
  lenient: boolean | undefined
  max_determinized_states: number
  minimum_should_match: string | undefined
  phrase_slop: number
  rewrite: string | undefined
  tie_breaker: number | undefined
  time_zone: string | undefined
  type: MatchType
  boost: number
  _name: string | undefined
}

export function queryStringDefaults(query: string): QueryStringOptions {
  return {
    query,
    default_field: '*',
    fields: [],
    default_operator: 'or',
    analyzer: undefined,
    quote_analyzer: undefined,
    quote_field_suffix: undefined,
    allow_leading_wildcard: true,
    analyze_wildcard: false,
    auto_generate_synonyms_phrase_query: true,
    enable_position_increments: true,
    escape: false,
    fuzziness: autoFuzziness,
    fuzzy_max_expansions: 50,
    fuzzy_prefix_length: 0,
    fuzzy_transpositions: true,
    fuzzy_rewrite: undefined,
    lenient: undefined,
    max_determinized_states: 10_000,
    minimum_should_match: undefined,
    phrase_slop: 0,
    rewrite: undefined,
    tie_breaker: undefined,
    time_zone: undefined,
    type: 'best_fields',
    boost: 1,
    _name: undefined,
  }
}

/** Throws SearchError for an option that is unknown or has a value of the wrong kind. */
export function readQueryStringOptions(body: Readonly<Record<string, unknown>>): QueryStringOptions {
  const reader = new ClauseReader('query_string')
  const options = queryStringDefaults('')
  let query: string | undefined
  let defaultField: string | undefined
  for (const [name, value] of Object.entries(body)) {
    if (value === null) continue
    switch (name) {
      case 'query':
        query = reader.text(name, value)
        break
      case 'default_field':
        defaultField = reader.text(name, value)
        break
      case 'fields':
        options.fields = reader.texts(name, value).map(readFieldBoost)
        break
      case 'default_operator':
        options.default_operator = reader.operator(name, value)
        break
      case 'type':
        options.type = reader.matchType(name, value)
        break
      case 'fuzziness':
        options.fuzziness = parseFuzziness(reader.text(name, value))
        break
      case 'analyzer':
      case 'quote_analyzer':
      case 'quote_field_suffix':
      case 'fuzzy_rewrite':
      case 'minimum_should_match':
      case 'rewrite':
      case 'time_zone':
      case '_name':
        options[name] = reader.text(name, value)
        break
      case 'allow_leading_wildcard':
      case 'analyze_wildcard':
      case 'auto_generate_synonyms_phrase_query':
      case 'enable_position_increments':
      case 'escape':
      case 'fuzzy_transpositions':
      case 'lenient':
        options[name] = reader.boolean(name, value)
        break
      case 'fuzzy_max_expansions':
      case 'fuzzy_prefix_length':
      case 'max_determinized_states':
      case 'phrase_slop':
        options[name] = reader.integer(name, value)
        break
      case 'tie_breaker':
      case 'boost':
        options[name] = reader.float(name, value)
        break
      default:
        throw reader.unknown(name)
    }
  }
  if (query === undefined) {
    throw new SearchError('parsing_exception', '[query_string] must be provided with a [query]')
  }
  options.query = query
  options.default_field = defaultField ?? (options.fields.length > 0 ? undefined : '*')
  return options
}
