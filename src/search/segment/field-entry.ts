/** What stands about a field in the segment's table, and the sections of postings that are written. */
import type { Section } from './encoding/sections.ts'
import type { PostingsParts } from './postings/term-index.ts'

export interface FieldEntry {
  readonly name: string
  /** What its inverted index keeps. */
  readonly keeps: 'docs' | 'freqs' | 'positions' | null
  /** Where postings come from: they are written, derived from the terms by document, or those of values. */
  readonly postings: 'written' | 'derived' | 'values' | null
  readonly docCount: number
  /** Documents with at least one term, where fewer than those with a value. */
  readonly termDocs?: number
  readonly sumDocFreq: number
  readonly sumTotalFreq: number
}

export type TermFigures = Pick<FieldEntry, 'keeps' | 'postings' | 'termDocs' | 'sumDocFreq' | 'sumTotalFreq'>

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
