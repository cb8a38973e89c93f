/**
 * `wildcard` patterns: `*` matches any characters, `?` one, and `\` escapes. Matching is greedy from left to
 * right: each run between stars is taken at its first occurrence, which never needs backtracking over a star,
 * so the cost is bounded by pattern times term length.
 */
import { anyWithPrefix, exactTerm, lowerAscii, type TermMatcher } from './term-matcher.ts'

/** Code points of a run between stars; `any` for a question mark. */
type Run = readonly number[]
const any = -1

/** No term has more bytes (Lucene's IndexWriter.MAX_TERM_LENGTH), so none has more characters. */
const maxTermLength = 32_766

/** Matches nothing, for patterns that are longer than any term. */
const noTerm: TermMatcher = { prefix: '', exact: false, whole: false, test: () => false }

export function wildcardMatcher(pattern: string, caseInsensitive = false): TermMatcher {
  if (pattern.length > maxTermLength && minLength(pattern) > maxTermLength) return noTerm
  const runs = readRuns(caseInsensitive ? lowerAscii(pattern) : pattern)
  const first = runs[0]!
  const literal = leadingText(first, caseInsensitive)
  const isPlain = !caseInsensitive && runs.every((run) => !run.includes(any))
  if (isPlain && runs.length === 1) return exactTerm(textOf(first))
  if (isPlain && runs.length === 2 && runs[1]!.length === 0) return anyWithPrefix(textOf(first))
  const test = isPlain ? plainTest(runs.map(textOf)) : generalTest(runs)
  return {
    prefix: literal,
    exact: false,
    whole: false,
    test: caseInsensitive ? (term) => test(lowerAscii(term)) : test,
  }
}

/** The UTF-16 units that a match has at least. */
function minLength(pattern: string): number {
  let length = 0
  for (let at = 0; at < pattern.length; at++) {
    const unit = pattern.charCodeAt(at)
    if (unit === 42) continue
    if (unit === 92 && at + 1 < pattern.length) at++
    length++
  }
  return length
}

/** The literal prefix that every match begins with. */
function leadingText(run: Run, caseInsensitive: boolean): string {
  const end = run.findIndex((point) => point === any || (caseInsensitive && point >= 97 && point <= 122))
  return textOf(end === -1 ? run : run.slice(0, end))
}

function readRuns(pattern: string): Run[] {
  const runs: number[][] = [[]]
  const points = Array.from(pattern, (character) => character.codePointAt(0)!)
  for (let at = 0; at < points.length; at++) {
    const point = points[at]!
    if (point === 42) {
      if (runs.length === 1 || runs.at(-1)!.length > 0) runs.push([])
    } else if (point === 63) runs.at(-1)!.push(any)
    else if (point === 92 && at + 1 < points.length) runs.at(-1)!.push(points[++at]!)
    else runs.at(-1)!.push(point)
  }
  return runs
}

function textOf(run: Run): string {
  let text = ''
  for (const point of run) text += String.fromCodePoint(point)
  return text
}

function plainTest(texts: readonly string[]): (term: string) => boolean {
  const first = texts[0]!
  const last = texts.at(-1)!
  const middle = texts.slice(1, -1)
  return (term) => {
    if (term.length < first.length + last.length || !term.startsWith(first) || !term.endsWith(last))
      return false
    let at = first.length
    for (const text of middle) {
      const found = term.indexOf(text, at)
      if (found === -1) return false
      at = found + text.length
    }
    return at + last.length <= term.length
  }
}

function generalTest(runs: readonly Run[]): (term: string) => boolean {
  const first = runs[0]!
  const last = runs.at(-1)!
  const middle = runs.slice(1, -1)
  const closed = runs.length === 1
  return (term) => {
    const points = pointsOf(term)
    if (!standsAt(first, points, 0)) return false
    if (closed) return points.length === first.length
    const end = points.length - last.length
    if (end < first.length || !standsAt(last, points, end)) return false
    let at = first.length
    for (const run of middle) {
      while (at + run.length <= end && !standsAt(run, points, at)) at++
      if (at + run.length > end) return false
      at += run.length
    }
    return true
  }
}

function pointsOf(term: string): number[] {
  const points: number[] = []
  for (let at = 0; at < term.length; at++) {
    const point = term.codePointAt(at)!
    if (point > 0xffff) at++
    points.push(point)
  }
  return points
}

function standsAt(run: Run, points: readonly number[], at: number): boolean {
  if (at + run.length > points.length) return false
  for (let index = 0; index < run.length; index++) {
    const wanted = run[index]!
    if (wanted !== any && wanted !== points[at + index]) return false
  }
  return true
}
