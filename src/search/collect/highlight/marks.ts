/**
 * Finds the offsets of a query's terms and phrases in a text. The text is analysed again, since segments
 * store no offsets.
 */

import type { Analyzer } from '../../analysis/analyzer.ts'
import { TokenBuffer } from '../../analysis/token-buffer.ts'
import type { FieldTerms, HighlightPhrase } from '../../query/exec/highlight-terms.ts'
import { partitionPoint } from '../../segment/encoding/binary-search.ts'

/** A range from `start` up to, not including, `end`; marks do not overlap. */
export interface Mark {
  readonly start: number
  readonly end: number
  readonly term: string
}

const tokens = new TokenBuffer()

export interface MarkedToken extends Mark {
  readonly isMarked: boolean
}

/** All tokens of a text; without an analyzer the text is a single term, as in a keyword. */
export function findTokens(
  text: string,
  terms: FieldTerms,
  analyzer: Analyzer | undefined,
  keyword: string,
): { readonly tokens: readonly MarkedToken[]; readonly phrases: readonly (readonly number[])[] } {
  if (analyzer === undefined) {
    const token = { start: 0, end: text.length, term: keyword, isMarked: isWanted(keyword, terms) }
    return { tokens: text.length === 0 ? [] : [token], phrases: [] }
  }
  analyzer.analyze(text, tokens)
  const single = new Set<number>()
  for (let i = 0; i < tokens.length; i++) if (isWanted(tokens.terms[i]!, terms)) single.add(i)
  const inPhrase = new Set<number>()
  const phrases: number[][] = []
  for (const phrase of terms.phrases)
    markPhrase(phrase, inPhrase, (found) => phrases.push([...found].sort((a, b) => a - b)))
  const all = Array.from({ length: tokens.length }, (_, i) => ({
    start: tokens.starts[i]!,
    end: tokens.ends[i]!,
    term: tokens.terms[i]!,
    isMarked: single.has(i) || inPhrase.has(i),
  }))
  for (const i of single) phrases.push([i])
  return { tokens: all, phrases }
}

/** Without an analyzer the text is a single term, as in a keyword. */
export function findMarks(
  text: string,
  terms: FieldTerms,
  analyzer: Analyzer | undefined,
  keyword: string,
): Mark[] {
  if (analyzer === undefined) {
    return isWanted(keyword, terms) && text.length > 0 ? [{ start: 0, end: text.length, term: keyword }] : []
  }
  analyzer.analyze(text, tokens)
  const marked = new Set<number>()
  for (let i = 0; i < tokens.length; i++) if (isWanted(tokens.terms[i]!, terms)) marked.add(i)
  for (const phrase of terms.phrases) markPhrase(phrase, marked)
  const found = [...marked].map((i) => ({
    start: tokens.starts[i]!,
    end: tokens.ends[i]!,
    term: tokens.terms[i]!,
  }))
  found.sort((a, b) => a.start - b.start || b.end - a.end)
  return merged(found)
}

function isWanted(term: string, { terms, patterns }: FieldTerms): boolean {
  if (terms.has(term)) return true
  return patterns.some((pattern) => {
    if (pattern.exact) return term === pattern.prefix
    if (!term.startsWith(pattern.prefix)) return false
    return pattern.whole || pattern.test(term)
  })
}

/** Limits the work per text and phrase; the rest of the text stays unmarked. */
const maxLookups = 1_000_000

/** Marks tokens at the phrase's relative positions, each at most `slop` positions off. */
function markPhrase(
  { terms, positions, slop, endsOpen = false }: HighlightPhrase,
  marked: Set<number>,
  onFound?: (found: ReadonlySet<number>) => void,
): void {
  if (terms.length === 0) return
  const occurrences = occurrencesOf(terms, endsOpen)
  if (occurrences.some((places) => places.length === 0)) return
  let left = maxLookups
  for (const start of occurrences[0]!) {
    const found = new Set([start])
    let off = 0
    for (let i = 1; i < terms.length; i++) {
      const expected = tokens.positions[start]! + positions[i]! - positions[0]!
      const at = nearest(occurrences[i]!, expected, slop, found)
      left--
      if (at === -1) break
      off += Math.abs(tokens.positions[at]! - expected)
      found.add(at)
    }
    if (found.size === terms.length && off <= slop * terms.length) {
      for (const at of found) marked.add(at)
      onFound?.(found)
    }
    if (left <= 0) return
  }
}

/** The tokens that can stand at each position of a phrase, in order. */
function occurrencesOf(
  phrase: readonly (readonly string[])[],
  endsOpen: boolean,
): readonly (readonly number[])[] {
  const byTerm = new Map<string, number[]>()
  for (const terms of phrase) for (const term of terms) byTerm.set(term, [])
  for (let i = 0; i < tokens.length; i++) byTerm.get(tokens.terms[i]!)?.push(i)
  return phrase.map((terms, place) => {
    if (endsOpen && place === phrase.length - 1) return beginningsOf(terms)
    if (terms.length === 1) return byTerm.get(terms[0]!)!
    const all = [...new Set(terms)].flatMap((term) => byTerm.get(term)!)
    return all.sort((a, b) => a - b)
  })
}

/** The tokens that begin with one of several texts. */
function beginningsOf(prefixes: readonly string[]): number[] {
  const found: number[] = []
  for (let i = 0; i < tokens.length; i++)
    if (prefixes.some((prefix) => tokens.terms[i]!.startsWith(prefix))) found.push(i)
  return found
}

/** Returns the nearest unused token within `slop` of a position, the first of two, or -1. */
function nearest(
  places: readonly number[],
  expected: number,
  slop: number,
  taken: ReadonlySet<number>,
): number {
  const { positions } = tokens
  let after = partitionPoint(0, places.length, (at) => positions[places[at]!]! < expected)
  let before = after - 1
  while (after < places.length && taken.has(places[after]!)) after++
  while (before >= 0 && taken.has(places[before]!)) before--
  // Of several tokens at one position the first is taken.
  for (let other = before - 1; other >= 0; other--) {
    if (positions[places[other]!] !== positions[places[before]!]) break
    if (!taken.has(places[other]!)) before = other
  }
  const ahead = after < places.length ? positions[places[after]!]! - expected : Number.POSITIVE_INFINITY
  const behind = before >= 0 ? expected - positions[places[before]!]! : Number.POSITIVE_INFINITY
  if (Math.min(ahead, behind) > slop) return -1
  return places[behind <= ahead ? before : after]!
}

function merged(marks: readonly Mark[]): Mark[] {
  const result: Mark[] = []
  for (const mark of marks) {
    const last = result.at(-1)
    if (last === undefined || mark.start >= last.end) result.push(mark)
    else if (mark.end > last.end) result[result.length - 1] = { ...last, end: mark.end }
  }
  return result
}
