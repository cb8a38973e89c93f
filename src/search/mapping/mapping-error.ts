/** The two errors mappings know: a setting that makes no sense, and a mapping or document that cannot be read. */
import { isRefusal } from '../refusal.ts'
import { SearchError } from '../search-error.ts'

export function illegalArgument(reason: string, cause?: Error): SearchError {
  return new SearchError('illegal_argument_exception', reason, { cause })
}

export function mapperParsing(reason: string, cause?: Error): SearchError {
  return new SearchError('mapper_parsing_exception', reason, { cause })
}

export function numberFormat(text: string): SearchError {
  return new SearchError(
    'number_format_exception',
    text === '' ? 'empty String' : `For input string: "${text}"`,
  )
}

/** Errors of folders that know nothing of error types are refusals of an argument. Faults are thrown again. */
export function asSearchError(error: unknown): SearchError {
  if (error instanceof SearchError) return error
  if (!(error instanceof Error) || !isRefusal(error)) throw error
  const type = 'type' in error && typeof error.type === 'string' ? error.type : 'illegal_argument_exception'
  const cause = 'causedBy' in error && isCause(error.causedBy) ? causeOf(error.causedBy) : undefined
  return new SearchError(type, error.message, { cause })
}

interface Cause {
  readonly type: string
  readonly reason: string
  readonly causedBy?: Cause
}

function isCause(value: unknown): value is Cause {
  return typeof value === 'object' && value !== null && 'type' in value && 'reason' in value
}

function causeOf({ type, reason, causedBy }: Cause): SearchError {
  return new SearchError(type, reason, { cause: causedBy === undefined ? undefined : causeOf(causedBy) })
}
