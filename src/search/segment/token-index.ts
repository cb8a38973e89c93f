/**
 * The inverted index of an analysed field. Tokens come from two sides: ready, with their positions; and as values of a
 * leaf that are analysed here, each distinct one once. When few are distinct the index is one of values
 * (`value-term-index.ts`).
 */
import { analyzeBytes, type TokenSink } from '../analysis/byte-analyzer.ts'
import { hashBytes } from '../analysis/standard-bytes.ts'
import { encodeLength } from '../scoring/length-norm.ts'
import { ByteDictionary } from './byte-dictionary.ts'
import type { TextRows, TokenRows } from './field-rows.ts'
import { GrowingUint32 } from './growing-array.ts'
import { PostingsWriter } from './postings-writer.ts'
import type { TextList } from './sections.ts'
import { sortedTexts } from './sorted-texts.ts'
import type { PostingsParts } from './term-index.ts'
import { type LaidOut, laidOut, textsInOrder } from './text-leaf.ts'

/** A field has an index of values when at most this share of its documents have a value no other has before. */
const distinctShare = 0.125

export interface TokenInput {
  readonly keeps: 'docs' | 'freqs' | 'positions'
  readonly hasNorms: boolean
  readonly tokens: TokenRows | undefined
  readonly text: TextRows | undefined
  readonly docCount: number
}

export interface TextIndex {
  readonly texts: TextList
  readonly parts: PostingsParts
  readonly sumDocFreq: number
  readonly sumTotalFreq: number
  /** By document, or by value in an index of values. */
  readonly norms: Uint8Array | null
  /** Of an index of values. */
  readonly values?: {
    readonly laidOut: LaidOut
    readonly docFreqs: Uint32Array
    readonly totalFreqs: Uint32Array
  }
}

export function tokenIndex(input: TokenInput): TextIndex {
  const { tokens, text, docCount } = input
  if (tokens === undefined && text !== undefined && !text.leaf.isMultiple) {
    const values = laidOut(text.leaf, docCount)
    if (values.order.length <= text.leaf.docs.length * distinctShare)
      return indexOfValues(input, text, values)
  }
  return indexOfDocuments(input)
}

/** Terms as they come, numbered, and the numbers in a row. */
class TermRun implements TokenSink {
  readonly terms = new ByteDictionary()
  readonly ids = new GrowingUint32()

  token(bytes: Uint8Array, view: DataView, from: number, to: number, hash: number): void {
    this.ids.push(this.terms.idOf(bytes, view, from, to, hash))
  }
}

function indexOfValues({ keeps, hasNorms }: TokenInput, { leaf }: TextRows, values: LaidOut): TextIndex {
  const { order, counts } = values
  const { bytes, ends: textEnds } = leaf.dictionary
  const run = new TermRun()
  const ends = new Uint32Array(order.length)
  for (let i = 0; i < order.length; i++) {
    const id = order[i]!
    analyzeBytes(bytes, id === 0 ? 0 : textEnds[id - 1]!, textEnds[id]!, run)
    ends[i] = run.ids.length
  }
  const terms = run.ids.view()
  const places = new Uint32Array(terms.length)
  const positions = new Uint32Array(terms.length)
  const norms = new Uint8Array(order.length)
  for (let value = 0, at = 0; value < order.length; value++) {
    const start = at
    for (; at < ends[value]!; at++) {
      places[at] = value
      positions[at] = at - start
    }
    norms[value] = encodeLength(at - start)
  }
  const sorted = byTerm(run.terms, { terms, docs: places, positions })
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
    sumDocFreq,
    sumTotalFreq,
    norms: hasNorms ? norms : null,
    values: { laidOut: values, docFreqs, totalFreqs },
  }
}

function indexOfDocuments({ keeps, hasNorms, tokens, text, docCount }: TokenInput): TextIndex {
  const norms = hasNorms ? new Uint8Array(docCount) : null
  if (norms !== null && tokens !== undefined) {
    const { lengthDocs, lengths } = tokens
    for (let i = 0; i < lengths.length; i++) norms[lengthDocs[i]!] = encodeLength(lengths[i]!)
  }
  const run = new TermRun()
  const ready = readyOccurrences(tokens, run.terms)
  const all = text === undefined ? ready : withLeaf(ready, text, run, norms)
  const sorted = byTerm(run.terms, all)
  const writer = written(keeps, sorted)
  const { sumDocFreq, sumTotalFreq } = writer
  return { texts: sorted.texts, parts: writer.finish(), sumDocFreq, sumTotalFreq, norms }
}

interface Occurrences {
  readonly docs: Uint32Array
  readonly terms: Uint32Array
  readonly positions: Uint32Array
}

const nothing = new Uint32Array(0)

/** Tokens that came ready, numbered by those terms of theirs that occur here. */
function readyOccurrences(tokens: TokenRows | undefined, terms: ByteDictionary): Occurrences {
  if (tokens === undefined) return { docs: nothing, terms: nothing, positions: nothing }
  const { docs, ids, positions } = tokens
  const { bytes, ends } = tokens.terms
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  /** Plus one; 0 for those not seen yet. */
  const numbers = new Uint32Array(ends.length)
  const own = new Uint32Array(ids.length)
  for (let i = 0; i < ids.length; i++) {
    const id = ids[i]!
    if (numbers[id] === 0) {
      const [from, to] = [id === 0 ? 0 : ends[id - 1]!, ends[id]!]
      numbers[id] = terms.idOf(bytes, view, from, to, hashBytes(bytes, from, to)) + 1
    }
    own[i] = numbers[id]! - 1
  }
  return { docs, terms: own, positions }
}

/** All occurrences in the order of documents, of which each has either ready tokens or values. */
function withLeaf(
  ready: Occurrences,
  { leaf, positionGap }: TextRows,
  run: TermRun,
  norms: Uint8Array | null,
): Occurrences {
  const { bytes, ends: textEnds } = leaf.dictionary
  // The tokens of a value begin at `starts[id]`; plus one, as 0 is for values not analysed yet.
  const starts = new Uint32Array(textEnds.length)
  const ends = new Uint32Array(textEnds.length)
  const { docs: leafDocs, ids } = leaf
  let total = ready.terms.length
  for (let i = 0; i < ids.length; i++) {
    const id = ids[i]!
    if (starts[id] === 0) {
      starts[id] = run.ids.length + 1
      analyzeBytes(bytes, id === 0 ? 0 : textEnds[id - 1]!, textEnds[id]!, run)
      ends[id] = run.ids.length
    }
    total += ends[id]! - starts[id]! + 1
  }
  const values = run.ids.view()
  const docs = new Uint32Array(total)
  const terms = new Uint32Array(total)
  const positions = new Uint32Array(total)
  let at = 0
  let next = 0
  for (let i = 0; i < ids.length; ) {
    const doc = leafDocs[i]!
    for (; next < ready.docs.length && ready.docs[next]! < doc; next++, at++) {
      docs[at] = ready.docs[next]!
      terms[at] = ready.terms[next]!
      positions[at] = ready.positions[next]!
    }
    let position = 0
    let length = 0
    for (const first = i; i < ids.length && leafDocs[i] === doc; i++) {
      if (i > first) position += positionGap
      const end = ends[ids[i]!]!
      for (let k = starts[ids[i]!]! - 1; k < end; k++) {
        docs[at] = doc
        terms[at] = values[k]!
        positions[at++] = position++
        length++
      }
    }
    if (norms !== null) norms[doc] = encodeLength(length)
  }
  for (; next < ready.docs.length; next++, at++) {
    docs[at] = ready.docs[next]!
    terms[at] = ready.terms[next]!
    positions[at] = ready.positions[next]!
  }
  return { docs, terms, positions }
}

interface SortedOccurrences {
  readonly texts: TextList
  readonly docs: Uint32Array
  readonly positions: Uint32Array
  /** Where the occurrences of each term end. */
  readonly ends: Uint32Array
}

/** By counting, so that the order of documents and positions within a term stays. */
function byTerm(dictionary: ByteDictionary, { terms, docs, positions }: Occurrences): SortedOccurrences {
  const order = sortedTexts(dictionary, dictionary.size)
  const places = new Uint32Array(order.length)
  for (let i = 0; i < order.length; i++) places[order[i]!] = i
  const ends = new Uint32Array(order.length + 1)
  for (let i = 0; i < terms.length; i++) ends[places[terms[i]!]! + 1]! += 1
  for (let i = 1; i < ends.length; i++) ends[i]! += ends[i - 1]!
  const sortedDocs = new Uint32Array(terms.length)
  const sortedPositions = new Uint32Array(terms.length)
  // Each start moves to its end while its occurrences are put in place.
  for (let i = 0; i < terms.length; i++) {
    const at = ends[places[terms[i]!]!]!++
    sortedDocs[at] = docs[i]!
    sortedPositions[at] = positions[i]!
  }
  return {
    texts: textsInOrder(dictionary, order),
    docs: sortedDocs,
    positions: sortedPositions,
    ends: ends.subarray(0, order.length),
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
