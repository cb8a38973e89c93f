/**
 * Splits long texts into chunks that are analysed one after the other, for analyzers whose tokens never contain
 * blanks.
 */
import type { Analyzer } from './analyzer.ts'

/** Characters of a chunk, about a millisecond of work. */
export const chunkChars = 32 * 1024

/** Returns where the chunk that begins at `from` ends: before a blank, or at the end of the text. */
export function chunkEnd(analyzer: Analyzer, text: string, from: number): number {
  if (analyzer.isCuttable !== true) return text.length
  for (let at = from + chunkChars; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 32 || code === 10) return at
  }
  return text.length
}
