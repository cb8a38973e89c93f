/** The thai tokenizer, by the words of Unicode with a dictionary, and the tokenizers of simple patterns. */
import type { Expression } from '../component.ts'
import { type TokenBuffer, tokenType } from '../token-buffer.ts'

/** A segmenter takes more than linear time for some texts, so that it gets them in pieces. */
const maxPiece = 512
let segmenter: Intl.Segmenter | undefined

/** The end of a piece: behind its last white space, if it has any. */
function pieceEnd(text: string, from: number): number {
  const end = from + maxPiece
  if (end >= text.length) return text.length
  for (let at = end; at > from + maxPiece / 2; at--) if (/\s/.test(text[at - 1]!)) return at
  return end
}

export function thaiTokenizer(text: string, out: TokenBuffer): void {
  segmenter ??= new Intl.Segmenter('th', { granularity: 'word' })
  for (let from = 0; from < text.length; ) {
    const to = pieceEnd(text, from)
    for (const { segment, index, isWordLike } of segmenter.segment(text.slice(from, to)))
      if (isWordLike === true) addWords(text, segment, from + index, out)
    from = to
  }
  out.endPosition = out.length
}

/** The words of Java's iterator end at an underscore, and a hyphen joins letters. */
function addWords(text: string, segment: string, index: number, out: TokenBuffer): void {
  for (const part of segment.matchAll(/[^_]+/g)) {
    const start = index + part.index
    const end = start + part[0].length
    const last = out.length - 1
    if (last >= 0 && isHyphen(text, out.ends[last]!, start)) {
      out.ends[last] = end
      out.terms[last] += text.slice(start - 1, end)
    } else out.push(part[0], out.length, start, end, tokenType.word)
  }
}

const letter = /\p{L}/u

function isHyphen(text: string, end: number, start: number): boolean {
  return start === end + 1 && text[end] === '-' && letter.test(text[end - 1]!) && letter.test(text[start]!)
}

/** What a pattern matches, or with `isSplit` what stands between its matches; empty tokens are left out. */
export function simplePatternTokenizer(expression: Expression | undefined, isSplit: boolean) {
  return (text: string, out: TokenBuffer): void => {
    let position = 0
    let start = 0
    const push = (from: number, to: number) => {
      if (to > from) out.push(text.slice(from, to), position++, from, to, tokenType.word)
    }
    for (const { index, groups } of expression?.matchAll(text) ?? []) {
      const { length } = groups[0] ?? ''
      if (length === 0) continue
      if (isSplit) push(start, index)
      else push(index, index + length)
      start = index + length
    }
    if (isSplit) push(start, text.length)
    out.endPosition = position
  }
}
