/** Patterns of configurations as java.util.regex takes them, and `String.split` with them. */
import type { Expression } from '../analysis/component.ts'
import { rethrowFault } from '../request/refusal.ts'
import { SearchError } from '../request/search-error.ts'
import type { IngestTools } from './processor.ts'

/** `refused` words the error of an invalid pattern; it gets Java's sentence. */
export function compilePattern(
  tools: IngestTools,
  source: string,
  refused: (reason: string) => SearchError = (reason) => new SearchError('pattern_syntax_exception', reason),
): Expression {
  try {
    return tools.compile(source, [])
  } catch (error) {
    rethrowFault(error)
    throw refused(javaReason(source, error))
  }
}

/** The commonest mistakes in Java's words. */
function javaReason(source: string, { message }: Error): string {
  const opened = openGroup(source)
  if (opened === 'group') return `Unclosed group near index ${source.length}\n${source}`
  if (opened === 'class')
    return `Unclosed character class near index ${source.length - 1}\n${source}\n${' '.repeat(source.length - 1)}^`
  const dangling = /^[*+?]/.exec(source)?.[0]
  if (dangling !== undefined) return `Dangling meta character '${dangling}' near index 0\n${source}\n^`
  return message
}

function openGroup(source: string): 'group' | 'class' | undefined {
  let groups = 0
  let isClass = false
  for (let at = 0; at < source.length; at++) {
    const sign = source[at]
    if (sign === '\\') at++
    else if (isClass) isClass = sign !== ']'
    else if (sign === '[') isClass = true
    else if (sign === '(') groups++
    else if (sign === ')') groups--
  }
  return isClass ? 'class' : groups > 0 ? 'group' : undefined
}

/** Java's `split`: `limit` parts at most; 0 for all without empty ones at the end, -1 for all. */
export function splitText(text: string, pattern: Expression, limit: number): string[] {
  const parts: string[] = []
  let start = 0
  for (const { index, groups } of pattern.matchAll(text)) {
    if (limit > 0 && parts.length === limit - 1) break
    const { length } = groups[0] ?? ''
    // An empty match at the very beginning makes no empty part.
    if (index + length === 0) continue
    parts.push(text.slice(start, index))
    start = index + length
  }
  if (start === 0 && parts.length === 0) return [text]
  parts.push(text.slice(start))
  if (limit === 0) while (parts.length > 0 && parts.at(-1) === '') parts.pop()
  return parts
}
