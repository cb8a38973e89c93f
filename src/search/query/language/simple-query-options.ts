/** The options of a `simple_query_string` query with their defaults, parsed from the clause body. */
import { SearchError } from '../../request/search-error.ts'
import { type FieldBoost, readFieldBoost } from './field-boost.ts'
import { ClauseReader, type DefaultOperator } from './option-readers.ts'
import { allFlags, parseSimpleFlags } from './simple-query-flags.ts'

export interface SimpleQueryOptions {
  query: string
  /** Empty means all fields. */
  fields: readonly FieldBoost[]
  default_operator: DefaultOperator
  flags: number
  analyzer: string | undefined
  analyze_wildcard: boolean
  auto_generate_synonyms_phrase_query: boolean
  fuzzy_max_expansions: number
  fuzzy_prefix_length: number
  fuzzy_transpositions: boolean
  /** Undefined means true when all fields are searched, and false otherwise. */
  lenient: boolean | undefined
  minimum_should_match: string | undefined
  quote_field_suffix: string | undefined
  boost: number
  _name: string | undefined
}

export function simpleQueryDefaults(query: string): SimpleQueryOptions {
  return {
    query,
    fields: [],
    default_operator: 'or',
    flags: allFlags,
    analyzer: undefined,
    analyze_wildcard: false,
    auto_generate_synonyms_phrase_query: true,
    fuzzy_max_expansions: 50,
    fuzzy_prefix_length: 0,
    fuzzy_transpositions: true,
    lenient: undefined,
    minimum_should_match: undefined,
    quote_field_suffix: undefined,
    boost: 1,
    _name: undefined,
  }
}

/** Throws SearchError for an option that is unknown or has a value of the wrong kind. */
export function readSimpleQueryOptions(body: Readonly<Record<string, unknown>>): SimpleQueryOptions {
  const reader = new ClauseReader('simple_query_string')
  const options = simpleQueryDefaults('')
  let query: string | undefined
  for (const [name, value] of Object.entries(body)) {
    if (value === null) continue
    switch (name) {
      case 'query':
        query = reader.text(name, value)
        break
      case 'fields':
        options.fields = reader.texts(name, value).map(readFieldBoost)
        break
      case 'default_operator':
        options.default_operator = reader.operator(name, value)
        break
      case 'flags': {
        const number = typeof value === 'number' ? value : undefined
        options.flags = number === undefined ? parseSimpleFlags(reader.text(name, value)) : number & allFlags
        break
      }
      case 'analyzer':
      case 'minimum_should_match':
      case 'quote_field_suffix':
      case '_name':
        options[name] = reader.text(name, value)
        break
      case 'analyze_wildcard':
      case 'auto_generate_synonyms_phrase_query':
      case 'fuzzy_transpositions':
      case 'lenient':
        options[name] = reader.boolean(name, value)
        break
      case 'fuzzy_max_expansions':
      case 'fuzzy_prefix_length':
        options[name] = reader.integer(name, value)
        break
      case 'boost':
        options.boost = reader.float(name, value)
        break
      default:
        throw reader.unknown(name)
    }
  }
  if (query === undefined) {
    throw new SearchError('parsing_exception', '[simple_query_string] query text missing')
  }
  options.query = query
  return options
}
