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

/** Tokens that stand as the phrase has them, each at most `slop` places off. */
function markPhrase({ terms, positions, slop }: HighlightPhrase, marked: Set<number>): void {
  if (terms.length === 0) return
  for (let start = 0; start < tokens.length; start++) {
    if (!terms[0]!.includes(tokens.terms[start]!)) continue
    const found = [start]
    let off = 0
    for (let i = 1; i < terms.length; i++) {
      const expected = tokens.positions[start]! + positions[i]! - positions[0]!
      const at = nearest(terms[i]!, expected, slop, found)
      if (at === -1) break
      off += Math.abs(tokens.positions[at]! - expected)
      found.push(at)
    }
    if (found.length === terms.length && off <= slop * terms.length) for (const at of found) marked.add(at)
  }
}

function nearest(terms: readonly string[], expected: number, slop: number, taken: readonly number[]): number {
  let best = -1
  let distance = slop + 1
  for (let i = 0; i < tokens.length; i++) {
    const away = Math.abs(tokens.positions[i]! - expected)
    if (away >= distance || taken.includes(i) || !terms.includes(tokens.terms[i]!)) continue
    best = i
    distance = away
  }
  return best
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
