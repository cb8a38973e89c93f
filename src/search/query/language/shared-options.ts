/** The options that `query_string` and `simple_query_string` have in common: their types, defaults and readers. */
import { type FieldBoost, readFieldBoost } from './field-boost.ts'
import type { ClauseReader, DefaultOperator, OptionKinds } from './option-readers.ts'

export interface SharedOptions {
  query: string
  fields: readonly FieldBoost[]
  default_operator: DefaultOperator
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

export function sharedDefaults(query: string): SharedOptions {
  return {
    query,
    fields: [],
    default_operator: 'or',
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

const kinds: OptionKinds<SharedOptions> = {
  query: 'text',
  analyzer: 'text',
  minimum_should_match: 'text',
  quote_field_suffix: 'text',
  _name: 'text',
  analyze_wildcard: 'boolean',
  auto_generate_synonyms_phrase_query: 'boolean',
  fuzzy_transpositions: 'boolean',
  lenient: 'boolean',
  fuzzy_max_expansions: 'integer',
  fuzzy_prefix_length: 'integer',
  boost: 'float',
}

/** Sets the option of that name; throws SearchError when neither language has it, or the value is of the wrong kind. */
export function readSharedOption(
  options: SharedOptions,
  name: string,
  value: unknown,
  reader: ClauseReader,
): void {
  if (name === 'fields') options.fields = reader.texts(name, value).map(readFieldBoost)
  else if (name === 'default_operator') options.default_operator = reader.operator(name, value)
  else if (!reader.plain(options, kinds, name, value)) throw reader.unknown(name)
}
