/**
 * Cuts a text into fragments around its marks. A fragment is a sentence, or a part of a long sentence cut
 * between words; the plain highlighter cuts by length alone.
 */
import type { Mark } from './marks.ts'

interface Piece {
  readonly start: number
  readonly end: number
}

export interface Fragment extends Piece {
  readonly marks: readonly Mark[]
  readonly score: number
}

/** Created lazily, as it takes tens of milliseconds. */
let sentences: Intl.Segmenter | undefined
const word = /[\p{L}\p{N}_]/u

/** All pieces of a text, in order. */
export function piecesOf(text: string, size: number, isPlain: boolean): Piece[] {
  const pieces: Piece[] = []
  if (isPlain) {
    cut(text, 0, text.length, size, pieces)
    return pieces
  }
  sentences ??= new Intl.Segmenter('en', { granularity: 'sentence' })
  for (const { index, segment } of sentences.segment(text)) {
    if (segment.length <= size || size <= 0) pieces.push({ start: index, end: index + segment.length })
    else cut(text, index, index + segment.length, size, pieces)
  }
  return pieces
}

function cut(text: string, from: number, to: number, size: number, pieces: Piece[]): void {
  const step = Math.max(1, size)
  for (let start = from; start < to; ) {
    let end = Math.min(to, start + step)
    while (end < to && word.test(text[end]!) && word.test(text[end - 1]!)) end++
    pieces.push({ start, end })
    start = end
  }
}

/** The pieces with marks; a mark belongs to the piece it begins in. */
export function fragmentsOf(text: string, marks: readonly Mark[], pieces: readonly Piece[]): Fragment[] {
  const fragments: Fragment[] = []
  let at = 0
  for (const piece of pieces) {
    const own: Mark[] = []
    let { end } = piece
    while (at < marks.length && marks[at]!.start < piece.end) {
      own.push(marks[at]!)
      end = Math.max(end, marks[at]!.end)
      at++
    }
    if (own.length > 0)
      fragments.push({ start: piece.start, end: Math.min(end, text.length), marks: own, score: scoreOf(own) })
  }
  return fragments
}

/** The number of distinct terms, then of marks. */
function scoreOf(marks: readonly Mark[]): number {
  const counts = new Map<string, number>()
  for (const { term } of marks) counts.set(term, (counts.get(term) ?? 0) + 1)
  let score = 0
  for (const count of counts.values()) score += 1 + Math.log(count)
  return score
}

const entities = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#x27;'],
  ['/', '&#x2F;'],
])

function escapeHtml(text: string): string {
  return text.replace(/[&<>"'/]/g, (character) => entities.get(character)!)
}

/** Writes a fragment with tags around its marks. */
export function writeFragment(
  text: string,
  { start, end, marks }: Pick<Fragment, 'start' | 'end' | 'marks'>,
  preTag: string,
  postTag: string,
  isHtml: boolean,
): string {
  const encode = isHtml ? escapeHtml : (part: string) => part
  let written = ''
  let at = start
  for (const mark of marks) {
    written += `${encode(text.slice(at, mark.start))}${preTag}${encode(text.slice(mark.start, mark.end))}${postTag}`
    at = mark.end
  }
  return written + encode(text.slice(at, end))
}
