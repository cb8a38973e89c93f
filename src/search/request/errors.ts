/** The kinds of refusal that are thrown in many places, by the type Elasticsearch and OpenSearch give them. */
import { isRefusal } from './refusal.ts'
import { SearchError } from './search-error.ts'

/** A value that makes no sense. */
export function illegalArgument(reason: string, cause?: Error): SearchError {
  return new SearchError('illegal_argument_exception', reason, { cause })
}

/** A body whose structure is wrong. */
export function parsingError(reason: string, cause?: Error): SearchError {
  return new SearchError('parsing_exception', reason, { cause })
}

/** A text in a notation of its own (a date, a point, a unit) that cannot be read. */
export function parseError(reason: string, cause?: Error): SearchError {
  return new SearchError('parse_exception', reason, { cause })
}

/** What the object parser refuses: its texts begin with `[line:column]`. */
export function contentError(reason: string, cause?: Error): SearchError {
  return new SearchError('x_content_parse_exception', reason, { cause })
}

/** A mapping or a document that cannot be read. */
export function mapperParsing(reason: string, cause?: Error): SearchError {
  return new SearchError('mapper_parsing_exception', reason, { cause })
}

/** Java's complaint about a text that is no number. */
export function numberFormat(text: string): SearchError {
  return new SearchError(
    'number_format_exception',
    text === '' ? 'empty String' : `For input string: "${text}"`,
  )
}

/** `Validation Failed: 1: …;2: …;` */
export function validationFailed(...reasons: readonly string[]): SearchError {
  const text = reasons.map((reason, index) => `${index + 1}: ${reason};`).join('')
  return new SearchError('action_request_validation_exception', `Validation Failed: ${text}`)
}

/** Refusals of folders that know no error types are those of an argument. Faults are thrown again. */
export function asSearchError(error: unknown): SearchError {
  if (error instanceof SearchError) return error
  if (!(error instanceof Error) || !isRefusal(error)) throw error
  const type = 'type' in error && typeof error.type === 'string' ? error.type : 'illegal_argument_exception'
  return new SearchError(type, error.message)
}
