/**
 * The options of a `query_string` query with their defaults, parsed from the clause body under the users'
 * names. `default_field` and `fields` exclude each other; without either all fields are searched.
 */

import { SearchError } from '../../request/search-error.ts'
import { autoFuzziness, type Fuzziness, parseFuzziness } from '../fuzziness.ts'
import { ClauseReader, type MatchType, type OptionKinds } from './option-readers.ts'
import { readSharedOption, type SharedOptions, sharedDefaults } from './shared-options.ts'

export interface QueryStringOptions extends SharedOptions {
  /** `*` without this and `fields`; both together are refused when the query is bound. */
  default_field: string | undefined
  quote_analyzer: string | undefined
  allow_leading_wildcard: boolean
  enable_position_increments: boolean
  escape: boolean
  fuzziness: Fuzziness
  fuzzy_rewrite: string | undefined
  max_determinized_states: number
  phrase_slop: number
  rewrite: string | undefined
  tie_breaker: number | undefined
  time_zone: string | undefined
  type: MatchType
}

export function queryStringDefaults(query: string): QueryStringOptions {
  return {
    ...sharedDefaults(query),
    default_field: '*',
    quote_analyzer: undefined,
    allow_leading_wildcard: true,
    enable_position_increments: true,
    escape: false,
    fuzziness: autoFuzziness,
    fuzzy_rewrite: undefined,
    max_determinized_states: 10_000,
    phrase_slop: 0,
    rewrite: undefined,
    tie_breaker: undefined,
    time_zone: undefined,
    type: 'best_fields',
  }
}

const kinds: OptionKinds<QueryStringOptions> = {
  quote_analyzer: 'text',
  fuzzy_rewrite: 'text',
  rewrite: 'text',
  time_zone: 'text',
  allow_leading_wildcard: 'boolean',
  enable_position_increments: 'boolean',
  escape: 'boolean',
  max_determinized_states: 'integer',
  phrase_slop: 'integer',
  tie_breaker: 'float',
}

/** Throws SearchError for an option that is unknown or has a value of the wrong kind. */
export function readQueryStringOptions(body: Readonly<Record<string, unknown>>): QueryStringOptions {
  const reader = new ClauseReader('query_string')
  const options = queryStringDefaults('')
  let defaultField: string | undefined
  for (const [name, value] of Object.entries(body)) {
    if (value === null) continue
    if (name === 'default_field') defaultField = reader.text(name, value)
    else if (name === 'type') options.type = reader.matchType(name, value)
    else if (name === 'fuzziness') options.fuzziness = parseFuzziness(reader.text(name, value))
    else if (!reader.plain(options, kinds, name, value)) readSharedOption(options, name, value, reader)
  }
  if ((body['query'] ?? null) === null) {
    throw new SearchError('parsing_exception', '[query_string] must be provided with a [query]')
  }
  options.default_field = defaultField ?? (options.fields.length > 0 ? undefined : '*')
  return options
}
