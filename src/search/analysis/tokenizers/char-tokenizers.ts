/**
 * Tokenizers by character class: whitespace, letter, lowercase, char_group; and keyword, which returns the whole
 * text.
 */
import { AnalysisError } from '../analysis-error.ts'
import type { Tokenizer } from '../component.ts'
import type { ComponentOptions } from '../component-options.ts'
import { toLower } from '../filters/letter-case.ts'
import { tokenType } from '../token-buffer.ts'

const defaultMaxLength = 255

/** White space as Java defines it, which excludes non-breaking spaces. */
export function isWhitespace(code: number): boolean {
  if (code < 128) return (code >= 9 && code <= 13) || (code >= 28 && code <= 32)
  return code !== 0xa0 && code !== 0x2007 && code !== 0x202f && separator.test(String.fromCodePoint(code))
}

const separator = /^[\p{Zs}\p{Zl}\p{Zp}]$/u
const letter = /^\p{L}$/u

export function isLetter(code: number): boolean {
  if (code < 128) return (code >= 97 && code <= 122) || (code >= 65 && code <= 90)
  return letter.test(String.fromCodePoint(code))
}

/** Tokens are maximal runs of characters that pass `belongs`; longer ones are split at `maxLength`. */
export function charTokenizer(
  belongs: (code: number) => boolean,
  maxLength = defaultMaxLength,
  lower = false,
): Tokenizer {
  return (text, out) => {
    const source = lower ? toLower(text) : text
    let start = -1
    let position = 0
    for (let index = 0; index < text.length; ) {
      const code = text.codePointAt(index)!
      const next = index + (code > 0xffff ? 2 : 1)
      if (belongs(code)) {
        if (start < 0) start = index
        if (next - start >= maxLength) {
          out.push(source.slice(start, next), position++, start, next, tokenType.word)
          start = -1
        }
      } else if (start >= 0) {
        out.push(source.slice(start, index), position++, start, index, tokenType.word)
        start = -1
      }
      index = next
    }
    if (start >= 0) out.push(source.slice(start), position++, start, text.length, tokenType.word)
    out.endPosition = position
  }
}

export const keywordTokenizer: Tokenizer = (text, out) => {
  out.push(text, 0, 0, text.length, tokenType.word)
  out.endPosition = 1
}

export function maxTokenLength(options: ComponentOptions): number {
  const length = options.integer('max_token_length', defaultMaxLength)
  if (length < 1 || length > 1_048_576)
    throw new AnalysisError(`maxTokenLen must be greater than 0 and less than 1048576 passed: ${length}`)
  return length
}

/** Character classes by their names in settings. */
export const characterClasses: Readonly<Record<string, RegExp>> = {
  letter: /^\p{L}$/u,
  digit: /^\p{Nd}$/u,
  punctuation: /^\p{P}$/u,
  symbol: /^\p{S}$/u,
}

const escapes: Readonly<Record<string, string>> = { '\\n': '\n', '\\r': '\r', '\\t': '\t', '\\\\': '\\' }

export function charGroupTokenizer(options: ComponentOptions): Tokenizer {
  const characters = new Set<number>()
  const classes: ((code: number) => boolean)[] = []
  for (const item of options.lines('tokenize_on_chars') ?? []) {
    const named = Object.hasOwn(characterClasses, item) ? characterClasses[item] : undefined
    if (item === 'whitespace') classes.push(isWhitespace)
    else if (named !== undefined) classes.push((code) => named.test(String.fromCodePoint(code)))
    else {
      const character = Object.hasOwn(escapes, item) ? escapes[item]! : item
      if ([...character].length !== 1) throw new AnalysisError(`Invalid escaped char in [${item}]`)
      characters.add(character.codePointAt(0)!)
    }
  }
  return charTokenizer(
    (code) => !characters.has(code) && !classes.some((belongs) => belongs(code)),
    maxTokenLength(options),
  )
}
