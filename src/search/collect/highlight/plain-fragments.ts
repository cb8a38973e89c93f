/**
 * Fragments of the plain highlighter, as Lucene's Highlighter makes them: the text is cut at tokens after every
 * `fragment_size` characters, and a fragment scores one for each different term that is marked in it.
 */
import type { MarkedToken } from './marks.ts'

export interface PlainFragment {
  readonly start: number
  readonly end: number
  readonly tokens: readonly MarkedToken[]
  readonly score: number
}

/**
 * Returns the fragments with marks, the best ones first. With `size` 0 the whole text is one fragment. `keepsTail` is
 * the behaviour of the span fragmenter.
 */
export function plainFragments(
  text: string,
  tokens: readonly MarkedToken[],
  size: number,
  keepsTail: boolean,
): PlainFragment[] {
  const cuts = size === 0 ? [] : cutsOf(text, tokens, size, keepsTail)
  const fragments: PlainFragment[] = []
  let at = 0
  for (let piece = 0; piece <= cuts.length; piece++) {
    const start = piece === 0 ? 0 : cuts[piece - 1]!
    const end = cuts[piece] ?? text.length
    const own: MarkedToken[] = []
    for (; at < tokens.length && (piece === cuts.length || tokens[at]!.end <= end); at++)
      if (tokens[at]!.isMarked) own.push(tokens[at]!)
    const score = new Set(own.map(({ term }) => term)).size
    if (score > 0) fragments.push({ start, end, tokens: own, score })
  }
  return fragments.sort((one, other) => other.score - one.score)
}

/** The ends of the groups of tokens behind which a new fragment begins. */
function cutsOf(text: string, tokens: readonly MarkedToken[], size: number, keepsTail: boolean): number[] {
  const cuts: number[] = []
  let groupEnd = tokens[0]?.end ?? 0
  for (const { start, end } of tokens.slice(1)) {
    if (start >= groupEnd) {
      const isFull = end >= size * (cuts.length + 1)
      if (isFull && (!keepsTail || text.length - end >= size >>> 1)) cuts.push(groupEnd)
      groupEnd = end
    } else groupEnd = Math.max(groupEnd, end)
  }
  return cuts
}

/** The end of the last token that fits into `size`, for `no_match_size`. */
export function wholeTokens(tokens: readonly MarkedToken[], size: number): number {
  let last = -1
  for (const { end } of tokens) {
    if (end > size) return last
    last = end
  }
  return last
}
