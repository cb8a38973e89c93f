/**
 * Renders errors as Elasticsearch does: type, reason, further members, root causes and the chain of causes.
 */

import { HttpProblem } from '../../http/problem.ts'
import { Logger } from '../../log/logger.ts'
import { asSearchError } from '../../search/request/errors.ts'
import { isRefusal } from '../../search/request/refusal.ts'
import { rootCauseOf } from '../../search/request/root-cause.ts'
import { SearchError } from '../../search/request/search-error.ts'

interface ErrorBody {
  readonly error: Readonly<Record<string, unknown>> | string
  readonly status: number
}

export function errorBody(error: unknown, withTrace: boolean): ErrorBody {
  const known = toSearchError(error)
  const { root_cause: given, ...rest } = errorObject(known, withTrace)
  const roots = Array.isArray(given) ? given : [withoutCause(errorObject(rootCauseOf(known), withTrace))]
  return { error: { root_cause: roots, ...rest }, status: known.status }
}

/** Only type, reason and causes, as in an item of a bulk answer. */
export function errorObject(error: unknown, withTrace = false): Record<string, unknown> {
  const known = toSearchError(error)
  const cause = known.causedBy
  const { suppressed, ...details } = known.details
  return {
    type: known.type,
    reason: known.reason,
    ...details,
    ...(cause !== undefined && { caused_by: errorObject(cause, withTrace) }),
    ...(suppressed !== undefined && { suppressed }),
    ...(withTrace && { stack_trace: traceOf(known) }),
  }
}

function withoutCause({ caused_by: _, failed_shards: _shards, ...rest }: Record<string, unknown>) {
  return rest
}

const logger = new Logger('millrace.search')
const loggedFaults = new WeakSet<Error>()
let faults = 0

/** The number of faults of this thread since it started, for `_nodes/stats`. */
export function faultCount(): number {
  return faults
}

/** Node.js ends a body that stops coming with an error of its own. */
function isDisconnect(error: Error): boolean {
  const isCutOff = 'code' in error && error.code === 'ECONNRESET' && error.message === 'aborted'
  return error.name === 'AbortError' || isCutOff
}

/**
 * Counts a fault and logs one ERROR line with its stack, however often it is rendered; a client that
 * disconnected is no fault.
 */
function logFault(error: Error): void {
  if (loggedFaults.has(error) || isDisconnect(error)) return
  loggedFaults.add(error)
  faults++
  logger.error('A request to the search API failed', { message: error.message, stack: error.stack })
}

/**
 * Refusals of engine parts that know no error types get a type and a 4xx status; every other error, such as a
 * TypeError or a SyntaxError that nobody has worded, is a fault of ours and becomes a 500.
 */
export function toSearchError(error: unknown): SearchError {
  if (error instanceof SearchError) return error
  if (error instanceof HttpProblem) return ofHttp(error)
  if (!(error instanceof Error)) return new SearchError('exception', String(error), { status: 500 })
  if (isRefusal(error)) return asSearchError(error)
  logFault(error)
  return new SearchError('exception', error.message, { status: 500 })
}

function ofHttp({ status, message }: HttpProblem): SearchError {
  if (status === 413) return new SearchError('content_too_long_exception', message, { status })
  if (status === 404) return new SearchError('resource_not_found_exception', message, { status })
  return new SearchError('illegal_argument_exception', message, { status })
}

/** `[[index][0]] DocumentMissingException[[1]: document missing]`, without stack frames of ours. */
function traceOf({ type, reason, details }: SearchError): string {
  const name = type.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())
  const { index, shard } = details
  const place =
    index === undefined ? '' : `[${String(index)}]${shard === undefined ? ' ' : `[${String(shard)}] `}`
  return `${place === '' ? '' : `[${place.trim()}] `}${name}[${reason}]\n`
}
