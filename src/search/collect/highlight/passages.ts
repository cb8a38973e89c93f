/**
 * Passages of the unified highlighter, as Lucene's FieldHighlighter chooses them: a passage begins and ends where a
 * break iterator says, is scored by BM25 of its terms, and the best ones are kept.
 */
import { type Boundaries, sentenceBoundaries, wordBoundaries } from './boundaries.ts'
import type { Mark } from './marks.ts'

interface Passage {
  readonly start: number
  readonly end: number
  readonly marks: readonly Mark[]
  readonly score: number
}

/** Finds the passage around an offset; called with offsets in rising order. */
type Around = (offset: number) => { readonly start: number; readonly end: number }

type PassageBreaks = 'whole' | 'word' | 'sentence'

/** The limits of passages in one value. `size` bounds sentences, 0 does not. */
function passagesAround(text: string, breaks: PassageBreaks, size: number): Around {
  if (breaks === 'whole') return () => ({ start: 0, end: text.length })
  if (breaks === 'sentence' && size > 0) return boundedSentences(text, size)
  const boundaries = breaks === 'word' ? wordBoundaries(text) : sentenceBoundaries(text)
  return (offset) => ({ start: boundaries.preceding(offset + 1), end: boundaries.following(offset) })
}

/**
 * Sentences up to a length: short ones are joined, a long one is cut between words, as much of it before the offset as
 * fits (OpenSearch's BoundedBreakIteratorScanner).
 */
function boundedSentences(text: string, size: number): Around {
  const main = sentenceBoundaries(text)
  let inner: Boundaries | undefined
  let windowStart = -1
  let windowEnd = -1
  let end = -1
  return (given) => {
    const offset = given + 1
    let start: number
    if (offset > windowStart && offset < windowEnd) {
      start = end
      end = windowEnd
    } else {
      start = main.preceding(offset)
      end = main.following(offset - 1)
      while (end - start < size && end < text.length) {
        const next = main.following(end)
        if (next - start > size) break
        end = next
      }
      windowStart = start
      windowEnd = end
    }
    if (end - start > size) {
      inner ??= wordBoundaries(text)
      if (offset - size > start) start = Math.max(start, inner.preceding(offset - size))
      const remaining = Math.max(0, size - (offset - start))
      if (offset + remaining < windowEnd) end = Math.min(windowEnd, inner.following(offset + remaining))
    }
    return { start, end }
  }
}

const k1 = 1.2
const b = 0.75
/** The usual length of a passage. */
const pivot = 87

/** BM25 with passages as documents; early passages count a little more. */
function scoreOf(
  { start, end, marks }: Omit<Passage, 'score'>,
  contentLength: number,
  frequencies: ReadonlyMap<string, number>,
): number {
  const inPassage = new Map<string, number>()
  for (const { term } of marks) inPassage.set(term, (inPassage.get(term) ?? 0) + 1)
  const passages = 1 + contentLength / pivot
  let score = 0
  for (const [term, count] of inPassage) {
    const weight = (k1 + 1) * Math.log(1 + (passages + 0.5) / ((frequencies.get(term) ?? 1) + 0.5))
    score += (count / (count + k1 * (1 - b + (b * (end - start)) / pivot))) * weight
  }
  return score * (1 + 1 / Math.log(pivot + start))
}

interface MarkedValue {
  readonly text: string
  /** Where the value begins in the whole content. */
  readonly from: number
  readonly marks: readonly Mark[]
}

/** The best passages of all values of a field, in the order of the text. Offsets are those of the whole content. */
export function bestPassages(
  values: readonly MarkedValue[],
  breaks: PassageBreaks,
  size: number,
  max: number,
): Passage[] {
  const last = values.at(-1)
  const contentLength = last === undefined ? 0 : last.from + last.text.length
  const frequencies = new Map<string, number>()
  for (const { marks } of values)
    for (const { term } of marks) frequencies.set(term, (frequencies.get(term) ?? 0) + 1)
  const kept: Passage[] = []
  const keep = (passage: Omit<Passage, 'score'>) => {
    kept.push({ ...passage, score: scoreOf(passage, contentLength, frequencies) })
    if (kept.length > max) kept.splice(kept.indexOf(kept.reduce(worse)), 1)
  }
  for (const { text, from, marks } of values) {
    if (marks.length === 0) continue
    const around = passagesAround(text, breaks, size)
    let passage: { start: number; end: number; marks: Mark[] } | undefined
    for (const mark of marks) {
      if (passage === undefined || mark.start + from >= passage.end) {
        if (passage !== undefined) keep(passage)
        const { start, end } = around(mark.start)
        passage = { start: Math.max(start + from, passage?.end ?? 0), end: end + from, marks: [] }
      }
      passage.marks.push({ ...mark, start: mark.start + from, end: mark.end + from })
    }
    if (passage !== undefined) keep(passage)
  }
  return kept.sort((one, other) => one.start - other.start)
}

/** The passage that goes first when there are too many. */
function worse(one: Passage, other: Passage): Passage {
  if (one.score !== other.score) return one.score < other.score ? one : other
  return one.start < other.start ? one : other
}
