/**
 * Patterns of action names and index names: `*` stands for any run of characters, `?` for one. A pattern covers
 * another one when it matches everything the other matches; the other's wildcards count as plain characters for that.
 */
import { fitsWildcards } from '../text/wildcards.ts'

export function matchesPattern(pattern: string, text: string): boolean {
  return fitsWildcards(
    pattern.length,
    text.length,
    (token) => pattern[token] === '*',
    (token, at) => pattern[token] === '?' || pattern[token] === text[at],
  )
}

/** Many patterns as one test; names without wildcards are looked up. */
export class PatternSet {
  readonly patterns: readonly string[]
  readonly #names: ReadonlySet<string>
  readonly #wild: readonly string[]
  readonly isAll: boolean

  constructor(patterns: readonly string[]) {
    this.patterns = patterns
    this.#names = new Set(patterns.filter((pattern) => !hasWildcard(pattern)))
    this.#wild = patterns.filter(hasWildcard)
    this.isAll = patterns.includes('*')
  }

  /** Whether one of these covers the pattern. */
  matches(text: string): boolean {
    if (this.isAll || this.#names.has(text)) return true
    for (const pattern of this.#wild) if (matchesPattern(pattern, text)) return true
    return false
  }

  covers(others: readonly string[]): boolean {
    return others.every((other) => this.matches(other))
  }
}

export function hasWildcard(text: string): boolean {
  return text.includes('*') || text.includes('?')
}
