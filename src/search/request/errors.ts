/** Factories for errors that are thrown in many places, named by the types of Elasticsearch and OpenSearch. */
import { isRefusal } from './refusal.ts'
import { SearchError } from './search-error.ts'

/** A value that is not allowed. */
export function illegalArgument(reason: string, cause?: Error): SearchError {
  return new SearchError('illegal_argument_exception', reason, { cause })
}

/** A body with a wrong structure. */
export function parsingError(reason: string, cause?: Error): SearchError {
  return new SearchError('parsing_exception', reason, { cause })
}

/** A text in a notation of its own (a date, a point, a unit) that cannot be parsed. */
export function parseError(reason: string, cause?: Error): SearchError {
  return new SearchError('parse_exception', reason, { cause })
}

/** An error of Elasticsearch's object parser, whose texts begin with `[line:column]`. */
export function contentError(reason: string, cause?: Error): SearchError {
  return new SearchError('x_content_parse_exception', reason, { cause })
}

/** A mapping or a document that cannot be parsed. */
export function mapperParsing(reason: string, cause?: Error): SearchError {
  return new SearchError('mapper_parsing_exception', reason, { cause })
}

/** Java's NumberFormatException. */
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

/** Wraps errors of folders that know no error types as `illegal_argument_exception`. Faults are rethrown. */
export function asSearchError(error: unknown): SearchError {
  if (error instanceof SearchError) return error
  if (!(error instanceof Error) || !isRefusal(error)) throw error
  const type = 'type' in error && typeof error.type === 'string' ? error.type : 'illegal_argument_exception'
  return new SearchError(type, error.message)
}
