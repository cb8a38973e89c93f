/** Checks the queries of a document before it is stored. */
import type { StoredQuery } from '../../mapping/documents/document-fields.ts'
import { mapperParsing } from '../../request/errors.ts'
import { SearchError } from '../../request/search-error.ts'
import { SourcePlaces } from '../../request/source-place.ts'
import { Binding, type QueryContext } from '../binding/binding.ts'
import { parseQuery } from '../dsl/parse-query.ts'
import { isJson } from '../dsl/parser.ts'
import { storedContext } from './stored-query.ts'

interface QueriesOfDocument {
  readonly queries: readonly StoredQuery[]
  /** The document that the queries are parts of, and its text. */
  readonly source: unknown
  readonly text: string
}

/** The parser has passed over the value when it misses the query. */
function noQuery(places: SourcePlaces, source: unknown, field: string): SearchError {
  const { line, col } = places.after(source, field)
  const reason = '[_na] query malformed, must start with start_object'
  return new SearchError('parsing_exception', reason, { details: { line, col } })
}

/** Throws SearchError when one of them cannot be stored. */
export function checkStored({ queries, source, text }: QueriesOfDocument, context: QueryContext): void {
  const places = new SourcePlaces(source, text)
  for (const { field, query } of queries) {
    try {
      if (!isJson(query)) throw noQuery(places, source, field)
      parseQuery(query, places).bind(new Binding(storedContext(context)))
    } catch (error) {
      throw error instanceof SearchError ? mapperParsing('failed to parse', error) : error
    }
  }
}
