/** The options of a `simple_query_string` query with their defaults, parsed from the clause body. */
import { SearchError } from '../../request/search-error.ts'
import { ClauseReader } from './option-readers.ts'
import { readSharedOption, type SharedOptions, sharedDefaults } from './shared-options.ts'
import { allFlags, parseSimpleFlags } from './simple-query-flags.ts'

/** Without `fields` all fields are searched. */
export interface SimpleQueryOptions extends SharedOptions {
  flags: number
}

export function simpleQueryDefaults(query: string): SimpleQueryOptions {
  return { ...sharedDefaults(query), flags: allFlags }
}

/** Throws SearchError for an option that is unknown or has a value of the wrong kind. */
export function readSimpleQueryOptions(body: Readonly<Record<string, unknown>>): SimpleQueryOptions {
  const reader = new ClauseReader('simple_query_string')
  const options = simpleQueryDefaults('')
  for (const [name, value] of Object.entries(body)) {
    if (value === null) continue
    if (name !== 'flags') readSharedOption(options, name, value, reader)
    else
      options.flags =
        typeof value === 'number' ? value & allFlags : parseSimpleFlags(reader.text(name, value))
  }
  if ((body['query'] ?? null) === null) {
    throw new SearchError('parsing_exception', '[simple_query_string] query text missing')
  }
  return options
}
