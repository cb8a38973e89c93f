/**
 * Inverts an analysed field. Tokens come from two sides: preanalysed ones with positions, and values of a text
 * column, of which each distinct one is analysed once here. When few values are distinct the result is a value index
 * (`value-term-index.ts`); when every value is a single token equal to itself, the values are the terms and nothing
 * is looked up.
 */
import { areTokens } from '../../analysis/byte-analyzer.ts'
import { BitSet } from '../encoding/bit-set.ts'
import { encodeLength } from '../encoding/length-norm.ts'
import type { TextList } from '../encoding/sections.ts'
import type { TextRows, TokenRows } from '../writer/field-rows.ts'
import { type SortedTextColumn, sortedColumn } from '../writer/text-column.ts'
import { PostingsWriter } from './postings-writer.ts'
import type { PostingsParts } from './term-index.ts'
import { PreanalyzedTokens, type SortedOccurrences, TokenRuns } from './token-runs.ts'

/** A field gets a value index when distinct values are at most this share of its documents. */
const maxDistinctShare = 0.125

interface TokenInput {
  readonly keeps: 'docs' | 'freqs' | 'positions'
  readonly hasNorms: boolean
  readonly tokens: TokenRows | undefined
  readonly text: TextRows | undefined
  readonly docCount: number
}

interface InvertedField {
  readonly texts: TextList
  readonly parts: PostingsParts
  /** Documents with at least one token. */
  readonly termDocs: number
  readonly sumDocFreq: number
  readonly sumTotalFreq: number
  /** Norms by document, or by value in a value index. */
  readonly norms: Uint8Array | null
  /** Set for a value index. */
  readonly values?: {
    readonly laidOut: SortedTextColumn
    readonly docFreqs: Uint32Array
    readonly totalFreqs: Uint32Array
  }
}

export function invertTokens(input: TokenInput): InvertedField {
  const { tokens, text, docCount } = input
  if (tokens === undefined && text !== undefined && !text.column.isMultiple) {
    const values = sortedColumn(text.column, docCount)
    if (values.order.length <= text.column.docs.length * maxDistinctShare)
      return indexOfValues(input, text, values)
    if (areTokens(values.texts.bytes, values.texts.ends)) return indexOfTokens(input, text, values)
  }
  return indexOfDocuments(input)
}

function indexOfValues(
  { keeps, hasNorms }: TokenInput,
  { column: textColumn }: TextRows,
  values: SortedTextColumn,
): InvertedField {
  const { order, counts } = values
  const runs = new TokenRuns()
  const norms = new Uint8Array(order.length)
  let termDocs = 0
  for (let value = 0; value < order.length; value++) {
    const from = runs.length
    runs.analyze(textColumn.dictionary, order[value]!)
    runs.add(value, from, runs.length, 0)
    norms[value] = encodeLength(runs.length - from)
    if (runs.length > from) termDocs += counts[value]!
  }
  const sorted = runs.sorted()
  const parts = written(keeps, sorted)
  const docFreqs = new Uint32Array(sorted.ends.length)
  const totalFreqs = new Uint32Array(sorted.ends.length)
  let sumDocFreq = 0
  let sumTotalFreq = 0
  for (let term = 0, at = 0; term < docFreqs.length; term++) {
    let docFreq = 0
    let totalFreq = 0
    for (let last = -1; at < sorted.ends[term]!; at++) {
      const value = sorted.docs[at]!
      totalFreq += counts[value]!
      if (value !== last) docFreq += counts[value]!
      last = value
    }
    docFreqs[term] = docFreq
    totalFreqs[term] = keeps === 'docs' ? docFreq : totalFreq
    sumDocFreq += docFreq
    sumTotalFreq += totalFreqs[term]!
  }
  return {
    texts: sorted.texts,
    parts: parts.finish(),
    termDocs,
    sumDocFreq,
    sumTotalFreq,
    norms: hasNorms ? norms : null,
    values: { laidOut: values, docFreqs, totalFreqs },
  }
}

/** Inverts a column in which each value is its own only token, at position 0. */
function indexOfTokens(
  { keeps, hasNorms, docCount }: TokenInput,
  { column: textColumn }: TextRows,
  values: SortedTextColumn,
): InvertedField {
  const { texts, counts, column } = values
  const ends = new Uint32Array(counts.length + 1)
  for (let term = 0; term < counts.length; term++) ends[term + 1] = ends[term]! + counts[term]!
  const docs = new Uint32Array(textColumn.docs.length)
  const norms = hasNorms ? new Uint8Array(docCount) : null
  const single = encodeLength(1)
  // Counting sort: each start moves to its end while documents are placed.
  for (let i = 0; i < textColumn.docs.length; i++) {
    const doc = textColumn.docs[i]!
    docs[ends[column[doc]! - 1]!++] = doc
    if (norms !== null) norms[doc] = single
  }
  const positions = new Uint32Array(keeps === 'positions' ? docs.length : 0)
  const writer = written(keeps, { texts, docs, positions, ends: ends.subarray(0, counts.length) })
  const { sumDocFreq, sumTotalFreq } = writer
  return { texts, parts: writer.finish(), termDocs: docs.length, sumDocFreq, sumTotalFreq, norms }
}

function indexOfDocuments({ keeps, hasNorms, tokens, text, docCount }: TokenInput): InvertedField {
  const norms = hasNorms ? new Uint8Array(docCount) : null
  if (norms !== null && tokens !== undefined) {
    const { lengthDocs, lengths } = tokens
    for (let i = 0; i < lengths.length; i++) norms[lengthDocs[i]!] = encodeLength(lengths[i]!)
  }
  const runs = new TokenRuns()
  const ready = tokens && new PreanalyzedTokens(tokens)
  if (text !== undefined) addColumn(runs, text, ready, norms)
  ready?.addBefore(docCount, runs)
  const sorted = runs.sorted()
  const writer = written(keeps, sorted)
  const { sumDocFreq, sumTotalFreq } = writer
  const termDocs = norms === null ? BitSet.of(docCount, sorted.docs).count : nonZero(norms)
  return { texts: sorted.texts, parts: writer.finish(), termDocs, sumDocFreq, sumTotalFreq, norms }
}

/** Counts the documents with a length. */
export function nonZero(norms: Uint8Array): number {
  let count = 0
  for (let doc = 0; doc < norms.length; doc++) if (norms[doc] !== 0) count++
  return count
}

/** Adds the values of a text column between preanalysed tokens; a document has either the one or the other. */
function addColumn(
  runs: TokenRuns,
  { column: textColumn, positionGap }: TextRows,
  ready: PreanalyzedTokens | undefined,
  norms: Uint8Array | null,
): void {
  const { dictionary, docs, ids } = textColumn
  // Indexed by value: where its tokens begin plus one; 0 for values not analysed yet.
  const starts = new Uint32Array(dictionary.ends.length)
  const ends = new Uint32Array(dictionary.ends.length)
  for (let i = 0; i < ids.length; ) {
    const doc = docs[i]!
    ready?.addBefore(doc, runs)
    let position = 0
    let length = 0
    for (const first = i; i < ids.length && docs[i] === doc; i++) {
      const id = ids[i]!
      if (starts[id] === 0) {
        starts[id] = runs.length + 1
        runs.analyze(dictionary, id)
        ends[id] = runs.length
      }
      if (i > first) position += positionGap
      const from = starts[id]! - 1
      const to = ends[id]!
      runs.add(doc, from, to, position)
      position += to - from
      length += to - from
    }
    if (norms !== null) norms[doc] = encodeLength(length)
  }
}

function written(keeps: TokenInput['keeps'], { docs, positions, ends }: SortedOccurrences): PostingsWriter {
  const writer = new PostingsWriter(keeps)
  for (let term = 0, at = 0; term < ends.length; term++) {
    writer.addOccurrences(docs, positions, at, ends[term]!)
    writer.end()
    at = ends[term]!
  }
  return writer
}
