/**
 * The pattern tokenizer: the text between matches of an expression, or one group of each match. Empty tokens are
 * dropped.
 */
import type { Expression, Tokenizer } from '../component.ts'
import { tokenType } from '../token-buffer.ts'

/** The default pattern `\W+`, which needs no guard. */
export const betweenWords: Expression = { matchAll: (text) => matchesOf(/\W+/g, text) }

/** Yields the matches of a built-in expression. */
export function* matchesOf(
  expression: RegExp,
  text: string,
): Generator<{ index: number; groups: readonly (string | undefined)[] }> {
  for (const match of text.matchAll(expression)) yield { index: match.index, groups: match }
}

/** Splits at the matches when `group` is -1. */
export function patternTokenizer(expression: Expression, group: number): Tokenizer {
  return (text, out) => {
    let position = 0
    const add = (start: number, end: number): void => {
      if (end > start) out.push(text.slice(start, end), position++, start, end, tokenType.word)
    }
    let last = 0
    for (const { index, groups } of expression.matchAll(text)) {
      const whole = groups[0] ?? ''
      if (group < 0) {
        add(last, index)
        last = index + whole.length
        continue
      }
      const part = groups[group]
      if (part === undefined) continue
      // The offset of the group is its first occurrence in the match, which is exact for usual patterns.
      const start = index + whole.indexOf(part)
      add(start, start + part.length)
    }
    if (group < 0) add(last, text.length)
    out.endPosition = position
  }
}
