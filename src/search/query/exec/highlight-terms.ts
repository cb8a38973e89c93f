/**
 * What a highlighter takes from a query: terms, term patterns and phrases by field (Lucene's QueryVisitor).
 */
import type { TermMatcher } from '../automata/term-matcher.ts'

export interface HighlightPhrase {
  /** The terms allowed at each position. */
  readonly terms: readonly (readonly string[])[]
  readonly positions: readonly number[]
  readonly slop: number
}

export interface FieldTerms {
  readonly terms: Set<string>
  readonly patterns: TermMatcher[]
  readonly phrases: HighlightPhrase[]
}

export class TermVisitor {
  readonly fields = new Map<string, FieldTerms>()

  of(field: string): FieldTerms {
    let found = this.fields.get(field)
    if (found === undefined) {
      found = { terms: new Set(), patterns: [], phrases: [] }
      this.fields.set(field, found)
    }
    return found
  }
}
