/**
 * The entry of a field in the segment's field table, like Lucene's FieldInfo, and the names of its postings
 * sections.
 */
import type { Section } from './encoding/sections.ts'
import type { PostingsParts } from './postings/term-index.ts'

export interface FieldInfo {
  readonly name: string
  /** How much the postings hold. */
  readonly keeps: 'docs' | 'freqs' | 'positions' | null
  /**
   * Where the postings come from: `written` to the file, `derived` by transposing the doc values, or those of the
   * distinct `values` (value index).
   */
  readonly postings: 'written' | 'derived' | 'values' | null
  readonly docCount: number
  /** Documents with at least one term, when fewer than documents with a value. */
  readonly termDocs?: number
  readonly sumDocFreq: number
  readonly sumTotalFreq: number
}

export type TermFigures = Pick<FieldInfo, 'keeps' | 'postings' | 'termDocs' | 'sumDocFreq' | 'sumTotalFreq'>

export type Put = (part: string, section: Section) => void

export function* postingsSections(parts: PostingsParts): Iterable<readonly [string, Section]> {
  yield ['doc.freqs', parts.docFreqs]
  if (parts.keeps !== 'docs') yield ['total.freqs', parts.totalFreqs]
  yield ['postings', parts.postings]
  yield ['postings.ends', parts.postingEnds]
  if (parts.keeps !== 'positions') return
  yield ['positions', parts.positions]
  yield ['positions.ends', parts.positionEnds]
}
