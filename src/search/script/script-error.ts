/** Script errors, with an excerpt of the script. */
import { illegalArgument } from '../request/errors.ts'
import { SearchError } from '../request/search-error.ts'

export interface ScriptText {
  readonly source: string
  readonly lang: string
}

/** Characters of the excerpt on each side of the error. */
const shown = 25

/** A compile error; `offset` is where parsing stopped. */
export function compileError(script: ScriptText, offset: number, reason: string): SearchError {
  return scriptError('compile error', script, offset, illegalArgument(reason))
}

/** A runtime error. */
export function runtimeError(script: ScriptText, offset: number, type: string, reason: string): SearchError {
  return scriptError('runtime error', script, offset, new SearchError(type, reason))
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
