/** Prints errors with their causes as Java does, for `_validate/query`: `ParsingException[…]; nested: …`. */
import { SearchError } from '../request/search-error.ts'
import { openSearchDateText } from '../time/nanos-format-name.ts'

/** Exceptions that are not of OpenSearch itself. */
const javaClasses: Readonly<Record<string, string>> = {
  illegal_argument_exception: 'java.lang.IllegalArgumentException',
  number_format_exception: 'java.lang.NumberFormatException',
  unsupported_operation_exception: 'java.lang.UnsupportedOperationException',
  x_content_parse_exception: 'org.opensearch.core.xcontent.XContentParseException',
  named_object_not_found_exception: 'org.opensearch.core.xcontent.NamedObjectNotFoundException',
  query_validation_exception: 'org.opensearch.index.query.QueryValidationException',
}

/** A query string that cannot be parsed is an error of Lucene. */
function isOfLucene({ type, reason }: SearchError): boolean {
  return type === 'parse_exception' && /^(?:Cannot parse '|Encountered "|Lexical error at)/.test(reason)
}

function ownText(error: SearchError, isOpenSearch: boolean): string {
  const name = error.type.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())
  const isOwn = error.type === 'parse_exception' && !isOfLucene(error)
  const family = isOpenSearch ? 'OpenSearch' : 'Elasticsearch'
  const reason = isOpenSearch ? openSearchDateText(error.reason) : error.reason
  return `${isOwn ? family : ''}${name}[${reason}]`
}

/** The error and its causes. */
function causesText(error: SearchError, isOpenSearch: boolean): string {
  const texts = [ownText(error, isOpenSearch)]
  let cause = error.causedBy
  while (cause instanceof SearchError) {
    texts.push(ownText(cause, isOpenSearch))
    cause = cause.causedBy
  }
  return texts.length === 1 ? texts[0]! : `${texts.join('; nested: ')};`
}

/**
 * Prints the chain of causes once from the error on, and again from each of its causes on. An exception of Java itself
 * ends the text with the name of its class.
 */
export function detailedText(error: SearchError, isOpenSearch: boolean): string {
  const text = causesText(error, isOpenSearch)
  const cause = error.causedBy
  if (!(cause instanceof SearchError)) return text
  const name = isOfLucene(cause)
    ? 'org.apache.lucene.queryparser.classic.ParseException'
    : javaClasses[cause.type]
  return `${text}; ${name === undefined ? detailedText(cause, isOpenSearch) : `${name}: ${cause.message}`}`
}
