/**
 * The components of an analyzer: character filters change the text, a tokenizer splits it, token filters change the
 * tokens. Each is created once from its settings and used for every text.
 */
import type { OffsetMap } from './char-filters/offset-map.ts'
import type { TokenBuffer } from './token-buffer.ts'

/** Adds the tokens of a text to an empty buffer and sets its `endPosition`. */
export type Tokenizer = (text: string, out: TokenBuffer) => void

export interface CharFilter {
  /** Returns the new text and records length changes in `offsets`. */
  apply(text: string, offsets: OffsetMap): string
}

export interface TokenFilter {
  /** Changes the tokens in place; `spare` may be filled and exchanged (`tokens.swap(spare)`). */
  apply(tokens: TokenBuffer, spare: TokenBuffer): void
  /** What the filter does to a term that is not tokenized (a wildcard, a keyword); absent for nothing. */
  normalize?(term: string): string
}

/** One match of an expression. */
interface ExpressionMatch {
  index: number
  /** Group texts, the whole match first. */
  groups: readonly (string | undefined)[]
}

/** A regular expression from settings; finds all matches from left to right, empty ones too. */
export interface Expression {
  matchAll(text: string): Iterable<ExpressionMatch>
}

/**
 * Compiles users' patterns; `flags` are Java's names (`CASE_INSENSITIVE`). It is injected, because users' patterns
 * run only behind the guard of `src/regex`.
 */
export type CompileExpression = (source: string, flags: readonly string[]) => Expression
