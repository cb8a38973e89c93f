/**
 * Errors that say what is wrong with a request, as opposed to faults of the program. Parts of the engine that know no
 * error types throw errors of a few classes of their own; whoever knows types makes `SearchError`s of them. Every other
 * error is a fault: it goes up unchanged, is answered with 500 and is logged.
 */

/** Classes without a type, by name; those of the regular expressions come from outside of the engine. */
const classes: ReadonlySet<string> = new Set([
  'AnalysisError',
  'DateFormatError',
  'DatePatternError',
  'PatternError',
  'PatternTimeout',
  'SyntaxError',
])

export function isRefusal(error: Error): boolean {
  return classes.has(error.name) || ('type' in error && typeof error.type === 'string')
}
