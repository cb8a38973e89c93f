/**
 * Token filters that change each term by itself: case, folding, trimming, stemming. `mapping` makes one from a
 * function; those that also apply to terms that are not tokenized say so.
 */
import { AnalysisError } from '../analysis-error.ts'
import type { TokenFilter } from '../component.ts'
import type { ComponentOptions } from '../component-options.ts'
import type { TokenBuffer } from '../token-buffer.ts'
import { foldToAscii } from './ascii-folding.ts'
import { toLower, toUpper } from './letter-case.ts'
import { porterStem } from './porter-stemmer.ts'

function mapTerms(tokens: TokenBuffer, change: (term: string) => string): void {
  const { terms, length } = tokens
  for (let index = 0; index < length; index++) terms[index] = change(terms[index]!)
}

/** A filter that also normalises terms that are not tokenized. */
export function normalizing(change: (term: string) => string): TokenFilter {
  return { apply: (tokens) => mapTerms(tokens, change), normalize: change }
}

function mapping(change: (term: string) => string): TokenFilter {
  return { apply: (tokens) => mapTerms(tokens, change) }
}

/** A filter that skips tokens marked as keywords. */
export function stemming(stem: (term: string) => string): TokenFilter {
  return {
    apply(tokens) {
      const { terms, keywords, length } = tokens
      for (let index = 0; index < length; index++)
        if (keywords[index] === 0) terms[index] = stem(terms[index]!)
    },
  }
}

export const lowercase = normalizing(toLower)
export const uppercase = normalizing(toUpper)
/** Trims what Java considers white space, which excludes non-breaking spaces. */
export const trim = normalizing((term) => {
  let start = 0
  let end = term.length
  while (start < end && isTrimmed(term.charCodeAt(start))) start++
  while (end > start && isTrimmed(term.charCodeAt(end - 1))) end--
  return start === 0 && end === term.length ? term : term.slice(start, end)
})

function isTrimmed(code: number): boolean {
  if (code < 128) return (code >= 9 && code <= 13) || code === 32
  return trimmed.test(String.fromCharCode(code))
}
const trimmed = /^[^\S\u00a0\u2007\u202f\ufeff]$/
export const reverse = mapping((term) => [...term].reverse().join(''))
export const apostrophe = mapping((term) => {
  const place = term.search(/['\u2019]/)
  return place < 0 ? term : term.slice(0, place)
})
export const decimalDigit = normalizing((term) =>
  term.replace(/(?![0-9])\p{Nd}/gu, (digit) => String(digitValue(digit.codePointAt(0)!))),
)
export const possessive = mapping(withoutPossessive)
export const porter = stemming(porterStem)

/** Unicode has digits in blocks of ten that start with zero. */
function digitValue(code: number): number {
  if (code >= 0x1d7ce && code <= 0x1d7ff) return (code - 0x1d7ce) % 10
  let zero = code
  while (code - zero < 9 && /^\p{Nd}$/u.test(String.fromCodePoint(zero - 1))) zero--
  return code - zero
}

function withoutPossessive(term: string): string {
  const { length } = term
  if (length < 2) return term
  const last = term.charCodeAt(length - 1)
  if (last !== 115 && last !== 83) return term
  const mark = term.charCodeAt(length - 2)
  return mark === 39 || mark === 0x2019 || mark === 0xff07 ? term.slice(0, -2) : term
}

export function truncate(options: ComponentOptions): TokenFilter {
  const length = options.integer('length', 10)
  if (length < 1) throw new AnalysisError('length parameter must be a positive number')
  return stemming((term) => (term.length > length ? term.slice(0, length) : term))
}

export function asciifolding(options: ComponentOptions): TokenFilter {
  if (!options.flag('preserve_original', false)) return normalizing(foldToAscii)
  return {
    apply(tokens, spare) {
      spare.clear()
      for (let index = 0; index < tokens.length; index++) {
        const folded = foldToAscii(tokens.terms[index]!)
        spare.pushFrom(tokens, index, folded)
        if (folded !== tokens.terms[index]) spare.pushFrom(tokens, index)
      }
      tokens.swap(spare)
    },
    normalize: foldToAscii,
  }
}

/** Removes articles before an apostrophe. */
export function elision(options: ComponentOptions): TokenFilter {
  const ignoreCase = options.flag('articles_case', false)
  const listed = options.list('articles') ?? 'l m t qu n s j d c jusqu quoiqu lorsqu puisqu'.split(' ')
  const articles = new Set(ignoreCase || !options.has('articles') ? listed.map(toLower) : listed)
  const fold = ignoreCase || !options.has('articles')
  return normalizing((term) => {
    const place = term.search(/['\u2019]/)
    if (place < 0) return term
    const article = term.slice(0, place)
    return articles.has(fold ? toLower(article) : article) ? term.slice(place + 1) : term
  })
}
