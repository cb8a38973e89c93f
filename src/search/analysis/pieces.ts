/** Long texts in pieces that are analysed one after the other, for analyzers whose tokens blanks divide. */
import type { Analyzer } from './analyzer.ts'

/** Characters of a piece, about a millisecond of work. */
export const pieceChars = 32 * 1024

/** Where the piece that begins at `from` ends: before a blank, or at the end of the text. */
export function pieceEnd(analyzer: Analyzer, text: string, from: number): number {
  if (analyzer.isCuttable !== true) return text.length
  for (let at = from + pieceChars; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 32 || code === 10) return at
  }
  return text.length
}
