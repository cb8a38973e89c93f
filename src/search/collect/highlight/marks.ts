/** Where in a text a query's terms and phrases stand: analysed again, since segments keep no offsets. */

import type { Analyzer } from '../../analysis/analyzer.ts'
import { TokenBuffer } from '../../analysis/token-buffer.ts'
import type { FieldTerms, HighlightPhrase } from '../../query/exec/highlight-terms.ts'

/** From `start` up to, not including, `end`; marks do not overlap. */
export interface Mark {
  readonly start: number
  readonly end: number
  readonly term: string
}

const tokens = new TokenBuffer()

/** `analyzer` undefined: the text is one term, `keyword`. */
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

/** Places that are looked for in one text for one phrase; what would take more stays without marks from there on. */
const maxLookups = 1_000_000

/** Tokens that stand as the phrase has them, each at most `slop` places off. */
function markPhrase({ terms, positions, slop }: HighlightPhrase, marked: Set<number>): void {
  if (terms.length === 0) return
  const occurrences = occurrencesOf(terms)
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
    if (found.size === terms.length && off <= slop * terms.length) for (const at of found) marked.add(at)
    if (left <= 0) return
  }
}

/** For each place of a phrase the tokens that can stand there, in order. */
function occurrencesOf(phrase: readonly (readonly string[])[]): readonly (readonly number[])[] {
  const byTerm = new Map<string, number[]>()
  for (const terms of phrase) for (const term of terms) byTerm.set(term, [])
  for (let i = 0; i < tokens.length; i++) byTerm.get(tokens.terms[i]!)?.push(i)
  return phrase.map((terms) => {
    if (terms.length === 1) return byTerm.get(terms[0]!)!
    const all = [...new Set(terms)].flatMap((term) => byTerm.get(term)!)
    return all.sort((a, b) => a - b)
  })
}

/** The token nearest to a position that is not taken, at most `slop` away; -1 without one. Of two the first. */
function nearest(
  places: readonly number[],
  expected: number,
  slop: number,
  taken: ReadonlySet<number>,
): number {
  const { positions } = tokens
  let low = 0
  let high = places.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (positions[places[middle]!]! < expected) low = middle + 1
    else high = middle
  }
  let before = low - 1
  let after = low
  while (after < places.length && taken.has(places[after]!)) after++
  while (before >= 0 && taken.has(places[before]!)) before--
  // Takes the first of several tokens at one position.
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
