/** Script errors, with an excerpt of the script. */
import { illegalArgument } from '../request/errors.ts'
import { SearchError } from '../request/search-error.ts'

export interface ScriptText {
  readonly source: string
  readonly lang: string
}

/** Characters of the excerpt on each side of the error. */
const shown = 25

/** A compile error; `offset` is where parsing stopped, `parserError` the error of the parser that is named as its cause. */
export function compileError(
  script: ScriptText,
  offset: number,
  reason: string,
  parserError?: string,
): SearchError {
  // The parser's own errors have no words.
  const cause =
    parserError === undefined ? undefined : new SearchError(parserError, '', { details: { reason: null } })
  return scriptError('compile error', script, offset, illegalArgument(reason, cause))
}

/** A runtime error. */
export function runtimeError(
  script: ScriptText,
  offset: number,
  type: string,
  reason: string,
  frames: readonly string[] = [],
): SearchError {
  const { start, end } = statementAt(script.source, offset)
  const mark = `${' '.repeat(offset - start)}^---- HERE`
  return new SearchError('script_exception', 'runtime error', {
    cause: new SearchError(type, reason),
    details: {
      script_stack: [...frames, script.source.slice(start, end), mark],
      script: script.source,
      lang: script.lang,
      position: { offset, start, end },
    },
  })
}

/** A statement reaches to the beginning of the next one. */
function statementAt(source: string, offset: number): { start: number; end: number } {
  let start = 0
  for (const match of source.matchAll(/[;{}][;{}\s]*/g)) {
    const next = match.index + match[0].length
    if (next >= source.length) break
    if (next > offset) return { start, end: next }
    start = next
  }
  return { start, end: source.length }
}

function scriptError(
  reason: string,
  { source, lang }: ScriptText,
  offset: number,
  cause: Error,
): SearchError {
  const start = Math.max(0, offset - shown)
  const end = Math.min(source.length, offset + shown)
  const before = start > 0 ? '... ' : ''
  const after = end < source.length ? ' ...' : ''
  const line = `${before}${source.slice(start, end)}${after}`
  const mark = `${' '.repeat(before.length + offset - start)}^---- HERE`
  return new SearchError('script_exception', reason, {
    cause,
    details: { script_stack: [line, mark], script: source, lang, position: { offset, start, end } },
  })
}
