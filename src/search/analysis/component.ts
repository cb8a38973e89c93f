/**
 * The parts an analyzer is made of. Character filters change the text, a tokenizer cuts it, token filters
 * change the tokens; each is made once from its settings and used for every text.
 */
import type { OffsetMap } from './char-filters/offset-map.ts'
import type { TokenBuffer } from './token-buffer.ts'

/** Adds the tokens of a text to an empty buffer and sets its `endPosition`. */
export type Tokenizer = (text: string, out: TokenBuffer) => void

export interface CharFilter {
  /** The new text; `offsets` is told where lengths changed. */
  apply(text: string, offsets: OffsetMap): string
}

export interface TokenFilter {
  /** Changes the tokens in place; `spare` is free to be filled and exchanged (`tokens.swap(spare)`). */
  apply(tokens: TokenBuffer, spare: TokenBuffer): void
  /** What the filter does to a term that is not analyzed (a wildcard, a keyword); absent: nothing. */
  normalize?(term: string): string
}

/** One match of an expression. */
export interface ExpressionMatch {
  index: number
  /** Texts by group, the whole match first. */
  groups: readonly (string | undefined)[]
}

/** A regular expression from settings: all its matches from left to right, empty ones too. */
export interface Expression {
  matchAll(text: string): Iterable<ExpressionMatch>
}

/**
 * Makes expressions of users' patterns; `flags` are Java's names (`CASE_INSENSITIVE`). Handed in from outside,
 * because patterns of users run only behind the guard of the folder that owns them.
 */
export type CompileExpression = (source: string, flags: readonly string[]) => Expression
