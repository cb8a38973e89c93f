/**
 * Patterns with Java's meaning, as the settings of analyzers have them, behind the same guard as Ruby's. The two
 * languages agree but for `^` and `$`, which in Java stand for the ends of the text unless MULTILINE is set,
 * and for the names of flags. Slow searches of all of them share one budget of time.
 */
import { compilePattern, type PatternMatch, PatternTimeout } from './pattern.ts'
import { slowSearches } from './slow-searches.ts'

interface JavaPattern {
  /** All matches from left to right, empty ones too. */
  matchAll(text: string): PatternMatch[]
}

export function compileJavaPattern(source: string, flags: readonly string[]): JavaPattern {
  const isLiteral = flags.includes('LITERAL')
  const text = isLiteral ? source.replace(/[\\^$.*+?()[\]{}|#\s-]/g, '\\$&') : source
  const pattern = compilePattern(isLiteral || flags.includes('MULTILINE') ? text : withTextAnchors(text), {
    ignoreCase: flags.includes('CASE_INSENSITIVE'),
    multiline: flags.includes('DOTALL'),
    extended: flags.includes('COMMENTS'),
  })
  const exhausted = (timeout: number) => new PatternTimeout(source, Math.round(timeout))
  return {
    matchAll: (text) => slowSearches.run(text, (timeout) => pattern.matchAll(text, timeout), exhausted),
  }
}

/** `^` and `$` outside of classes become the anchors of the whole text. */
function withTextAnchors(source: string): string {
  let result = ''
  let depth = 0
  for (let i = 0; i < source.length; i++) {
    const char = source[i]!
    if (char === '\\') {
      result += char + (source[++i] ?? '')
      continue
    }
    if (char === '[') depth += 1
    else if (char === ']' && depth > 0) depth -= 1
    if (depth === 0 && char === '^') result += '\\A'
    else if (depth === 0 && char === '$') result += '\\Z'
    else result += char
  }
  return result
}
