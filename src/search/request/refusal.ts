/**
 * Tells errors about a request from faults of the program. Folders that know no error types throw a few classes of
 * their own, which callers turn into `SearchError`s. Every other error is a fault: it propagates unchanged, is
 * answered with 500 and is logged.
 */

/** Names of classes without an error type; those about regular expressions come from outside of the engine. */
const classes: ReadonlySet<string> = new Set([
  'AnalysisError',
  'DateFormatError',
  'DatePatternError',
  'GrokError',
  'PatternError',
  'PatternTimeout',
])

export function isRefusal(error: Error): boolean {
  return classes.has(error.name) || ('type' in error && typeof error.type === 'string')
}

/** Rethrows a fault; returns for a refusal, which the caller ignores or words in its own way. */
export function rethrowFault(error: unknown): asserts error is Error {
  if (!(error instanceof Error) || !isRefusal(error)) throw error
}
