/**
 * The two ways a pattern can fail its user: it cannot be compiled (`PatternError`, with the sentence
 * Ruby prints for the same mistake) or it cannot be finished in time on one text (`PatternTimeout`).
 */

export interface PatternFlags {
  /** Letters match without regard to case (`i`). */
  ignoreCase?: boolean
  /** The dot also matches a newline (Ruby's `m`). */
  multiline?: boolean
  /** White space and `# comments` in the pattern are ignored (`x`). */
  extended?: boolean
}

export class PatternError extends Error {
  override readonly name = 'PatternError'
  /** The sentence without the pattern. */
  readonly reason: string
  readonly source: string
  /** Offset in the source where the mistake was noticed, when it is known. */
  readonly position: number | undefined

  constructor(reason: string, source: string, flags: PatternFlags = {}, position?: number) {
    super(`${reason}: ${describePattern(source, flags)}`)
    this.reason = reason
    this.source = source
    this.position = position
  }
}

export class PatternTimeout extends Error {
  override readonly name = 'PatternTimeout'
  readonly source: string
  readonly timeout: number

  constructor(source: string, timeout: number, cause?: unknown) {
    super(
      cause instanceof RangeError
        ? `regular expression needs too much memory: ${describePattern(source)}`
        : `regular expression took longer than ${timeout} ms: ${describePattern(source)}`,
      { cause },
    )
    this.source = source
    this.timeout = timeout
  }
}

/** A pattern as Ruby prints it: `/a\/b/mix`. A slash that is already escaped stays as it is. */
function describePattern(source: string, flags: PatternFlags = {}): string {
  const body = source.replace(/\\[\s\S]|\//g, (piece) => (piece === '/' ? '\\/' : piece))
  const letters = `${flags.multiline ? 'm' : ''}${flags.ignoreCase ? 'i' : ''}${flags.extended ? 'x' : ''}`
  return `/${body}/${letters}`
}
