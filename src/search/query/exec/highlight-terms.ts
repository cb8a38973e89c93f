/** What a highlighter needs of a query: by field the terms, the patterns of terms and the phrases it looks for. */
import type { TermMatcher } from '../automata/term-matcher.ts'

export interface HighlightPhrase {
  /** Terms that may stand at each place. */
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
