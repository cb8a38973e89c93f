/**
 * What a highlighter takes from a query: terms, term patterns and phrases by field (Lucene's QueryVisitor).
 */
import type { TermMatcher } from '../automata/term-matcher.ts'

export interface HighlightPhrase {
  /** The terms allowed at each position. */
  readonly terms: readonly (readonly string[])[]
  /** Terms at the last position are beginnings of words. */
  readonly endsOpen?: boolean
  readonly positions: readonly number[]
  readonly slop: number
}

/** The kind of query that terms come from: each highlighter leaves some of them out. */
type TermOrigin = 'terms' | 'spans' | 'intervals' | 'more_like_this'

export interface FieldTerms {
  readonly terms: Set<string>
  readonly patterns: TermMatcher[]
  readonly phrases: HighlightPhrase[]
}

export interface QueryTerms extends FieldTerms {
  readonly field: string
  readonly origin: TermOrigin
}

export class TermVisitor {
  readonly found: QueryTerms[] = []
  #origin: TermOrigin = 'terms'

  of(field: string): FieldTerms {
    const origin = this.#origin
    let found = this.found.find((one) => one.field === field && one.origin === origin)
    if (found === undefined) {
      found = { field, origin, terms: new Set(), patterns: [], phrases: [] }
      this.found.push(found)
    }
    return found
  }

  /** What `visit` adds comes from a query of this kind. */
  within(origin: TermOrigin, visit: () => void): void {
    const outer = this.#origin
    this.#origin = origin
    visit()
    this.#origin = outer
  }
}
