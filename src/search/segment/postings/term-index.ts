/**
 * The inverted index of a field over encoded postings, decoded term by term on demand. Postings are varints: per
 * document the delta to the document before, doubled, plus one when the term occurs just once; otherwise the
 * frequency follows (the encoding of Lucene's early postings formats). Without frequencies there are just deltas.
 * Positions are stored apart, as deltas within their document. There is no skip data: a list is decoded whole into
 * an array and searched by galloping.
 */
import type { Steps } from '../../scheduling/steps.ts'
import type { ByteRanges } from '../byte-ranges.ts'
import type { DecodedCache } from '../decoded-cache.ts'
import { BitSet } from '../encoding/bit-set.ts'
import type { RandomBlocks, TextList } from '../encoding/sections.ts'
import type { Postings, TermIndex } from '../segment.ts'
import { PostingsCache } from './postings-cache.ts'
import { TermDictionary } from './term-dictionary.ts'

export interface PostingsParts {
  /** `docs` has neither frequencies nor positions. */
  readonly keeps: 'docs' | 'freqs' | 'positions'
  readonly docFreqs: Uint32Array
  readonly totalFreqs: Uint32Array
  readonly postings: Uint8Array
  readonly postingEnds: Uint32Array
  readonly positions: Uint8Array
  readonly positionEnds: Uint32Array
}

/** Postings that are read; of a file, only what is asked for. */
export interface StoredPostings extends Omit<PostingsParts, 'postings' | 'positions'> {
  readonly postings: ByteRanges
  readonly positions: ByteRanges
}

export class StoredTermIndex extends TermDictionary implements TermIndex {
  readonly #parts: StoredPostings
  readonly #kept: PostingsCache

  constructor(terms: RandomBlocks<TextList>, parts: StoredPostings, memory: DecodedCache | null = null) {
    super(terms, memory)
    this.#parts = parts
    this.#kept = new PostingsCache(memory)
  }

  docFreq(ordinal: number): number {
    return this.#parts.docFreqs[ordinal]!
  }

  totalFreq(ordinal: number): number {
    return this.#parts.totalFreqs[ordinal]!
  }

  postings(ordinal: number): Postings {
    return this.#kept.get(ordinal) ?? this.#kept.keep(ordinal, readPostings(this.#parts, ordinal))
  }

  *anyOf(ordinals: readonly number[], docCount: number): Steps<BitSet> {
    const bits = new BitSet(docCount)
    yield* docsOfEach(this.#parts, ordinals, (docs, count) => bits.addAll(docs, 0, count))
    return bits
  }
}

/** How many postings are decoded before the work yields. */
const stepEntries = 16 * 1024
/** The cost of opening a term, in postings. */
const openingEntries = 24

/** Decodes the documents of several terms, one term after the other; `each` gets the same array every time. */
export function* docsOfEach(
  parts: StoredPostings,
  ordinals: readonly number[],
  each: (docs: Uint32Array, count: number) => void,
): Steps<void> {
  const { docFreqs } = parts
  let max = 0
  for (const ordinal of ordinals) max = Math.max(max, docFreqs[ordinal]!)
  const docs = new Uint32Array(max)
  const freqs = new Uint32Array(parts.keeps === 'docs' ? 0 : max)
  let entries = 0
  for (const ordinal of ordinals) {
    const count = docFreqs[ordinal]!
    readEntries(parts, ordinal, docs, parts.totalFreqs[ordinal] === count ? null : freqs)
    each(docs, count)
    entries += count + openingEntries
    if (entries < stepEntries) continue
    entries = 0
    yield
  }
}

export function readPostings(parts: StoredPostings, ordinal: number): Postings {
  const { keeps, docFreqs, totalFreqs } = parts
  const count = docFreqs[ordinal]!
  const docs = new Uint32Array(count)
  const freqs = keeps === 'docs' || totalFreqs[ordinal] === count ? null : new Uint32Array(count)
  readEntries(parts, ordinal, docs, freqs)
  return { docs, freqs, positions: keeps === 'positions' ? positionsOf(parts, ordinal, docs, freqs) : null }
}

/** `freqs` is null when frequencies are absent or all one. The arrays may be longer than the list. */
function readEntries(
  { keeps, postings, postingEnds, docFreqs }: StoredPostings,
  ordinal: number,
  docs: Uint32Array,
  freqs: Uint32Array | null,
): void {
  const count = docFreqs[ordinal]!
  const bytes = rangeOf(postings, postingEnds, ordinal)
  if (keeps === 'docs') readDocs(bytes, docs, count)
  else if (freqs === null) readSingles(bytes, docs, count)
  else readCounted(bytes, docs, freqs, count)
}

function rangeOf(bytes: ByteRanges, ends: Uint32Array, ordinal: number): Uint8Array {
  return bytes.range(ordinal === 0 ? 0 : ends[ordinal - 1]!, ends[ordinal]!)
}

function readDocs(bytes: Uint8Array, docs: Uint32Array, count: number): void {
  let at = 0
  let doc = 0
  for (let i = 0; i < count; i++) {
    let byte = bytes[at++]!
    let value = byte & 0x7f
    for (let shift = 7; byte >= 0x80; shift += 7) {
      byte = bytes[at++]!
      value |= (byte & 0x7f) << shift
    }
    doc = (doc + value) >>> 0
    docs[i] = doc
  }
}

function readSingles(bytes: Uint8Array, docs: Uint32Array, count: number): void {
  let at = 0
  let doc = 0
  for (let i = 0; i < count; i++) {
    let byte = bytes[at++]!
    if (byte < 0x80) {
      doc += byte >>> 1
      docs[i] = doc
      continue
    }
    // The lowest bit is the flag; the delta begins with the six bits above it.
    let value = (byte & 0x7f) >>> 1
    for (let shift = 6; byte >= 0x80; shift += 7) {
      byte = bytes[at++]!
      value |= (byte & 0x7f) << shift
    }
    doc = (doc + value) >>> 0
    docs[i] = doc
  }
}

function readCounted(bytes: Uint8Array, docs: Uint32Array, freqs: Uint32Array, count: number): void {
  let at = 0
  let doc = 0
  for (let i = 0; i < count; i++) {
    let byte = bytes[at++]!
    const isSingle = (byte & 1) === 1
    let value = (byte & 0x7f) >>> 1
    for (let shift = 6; byte >= 0x80; shift += 7) {
      byte = bytes[at++]!
      value |= (byte & 0x7f) << shift
    }
    doc = (doc + value) >>> 0
    docs[i] = doc
    if (isSingle) {
      freqs[i] = 1
      continue
    }
    byte = bytes[at++]!
    let freq = byte & 0x7f
    for (let shift = 7; byte >= 0x80; shift += 7) {
      byte = bytes[at++]!
      freq |= (byte & 0x7f) << shift
    }
    freqs[i] = freq
  }
}

/** Most searches need documents only, so positions are decoded when somebody reads them. */
function positionsOf(
  { positions, positionEnds, totalFreqs }: StoredPostings,
  ordinal: number,
  docs: Uint32Array,
  freqs: Uint32Array | null,
): NonNullable<Postings['positions']> {
  let decoded: { starts: Uint32Array; values: Uint32Array } | undefined
  const decode = () => {
    const starts = new Uint32Array(docs.length + 1)
    const values = new Uint32Array(totalFreqs[ordinal]!)
    const bytes = rangeOf(positions, positionEnds, ordinal)
    let at = 0
    let next = 0
    for (let i = 0; i < docs.length; i++) {
      starts[i] = next
      let position = 0
      for (let k = freqs === null ? 1 : freqs[i]!; k > 0; k--) {
        let byte = bytes[at++]!
        let value = byte & 0x7f
        for (let shift = 7; byte >= 0x80; shift += 7) {
          byte = bytes[at++]!
          value |= (byte & 0x7f) << shift
        }
        position += value
        values[next++] = position
      }
    }
    starts[docs.length] = next
    return { starts, values }
  }
  return {
    get starts() {
      decoded ??= decode()
      return decoded.starts
    },
    get values() {
      decoded ??= decode()
      return decoded.values
    },
  }
}
