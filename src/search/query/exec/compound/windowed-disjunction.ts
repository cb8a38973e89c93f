/**
 * Term-at-a-time scoring in windows of documents, after Lucene's BooleanScorer: each clause adds its scores
 * to an accumulator array indexed by document, then the window is read out in document order. Sums are
 * doubles, as in Lucene.
 * Unlike Lucene's buckets, dense posting lists are scored from a frequency × norm table while they are
 * accumulated, and the window is compacted without branches.
 */

import { inRanges, StepSize } from '../../../scheduling/step-size.ts'
import { finish, type Steps } from '../../../scheduling/steps.ts'
import { noNorm } from '../../../scoring/bm25.ts'
import { lowerBound } from '../../../segment/encoding/binary-search.ts'
import type { BitSet } from '../../../segment/encoding/bit-set.ts'
import type { DocSet } from '../doc-set.ts'
import type { PostingScores, ScoredDocs } from '../query.ts'

const windowSize = 8192
const windowWords = windowSize / 32

/** How the scores that several clauses give one document become one. */
type ScoreCombination = { readonly kind: 'sum' } | { readonly kind: 'max'; readonly tieBreaker: number }

export const sum: ScoreCombination = { kind: 'sum' }

class ScoreWindow {
  readonly sums = new Float64Array(windowSize)
  readonly highest = new Float32Array(windowSize)
  readonly marks = new Uint32Array(windowWords)

  /** Accumulates the entries of a list below `end`; returns the index of the first entry that is left. */
  add(list: ScoredDocs, from: number, base: number, end: number): number {
    const { docs, scores } = list
    const { sums, marks } = this
    let at = from
    for (; at < docs.length; at++) {
      const doc = docs[at]!
      if (doc >= end) break
      const place = doc - base
      sums[place]! += scores[at]!
      marks[place >>> 5]! |= 1 << (place & 31)
    }
    return at
  }

  /** Accumulates like `add`, but keeps each document's highest score apart; `sums` gets the others. */
  addHighest(list: ScoredDocs, from: number, base: number, end: number): number {
    const { docs, scores } = list
    const { sums, highest, marks } = this
    let at = from
    for (; at < docs.length; at++) {
      const doc = docs[at]!
      if (doc >= end) break
      const place = doc - base
      const score = scores[at]!
      if (score >= highest[place]!) {
        sums[place]! += highest[place]!
        highest[place] = score
      } else sums[place]! += score
      marks[place >>> 5]! |= 1 << (place & 31)
    }
    return at
  }
}

const window = new ScoreWindow()

/** The disjunction of scored lists. */
export function disjunctionScores(lists: readonly ScoredDocs[], combination: ScoreCombination): ScoredDocs {
  const filled = lists.filter(({ docs }) => docs.length > 0)
  if (filled.length === 0) return { docs: new Uint32Array(0), scores: new Float32Array(0) }
  if (filled.length === 1) return filled[0]!
  let total = 0
  for (const { docs } of filled) total += docs.length
  const docs = new Uint32Array(total)
  const scores = new Float32Array(total)
  const places = new Uint32Array(filled.length)
  const { sums, highest, marks } = window
  const tieBreaker = combination.kind === 'max' ? Math.fround(combination.tieBreaker) : 0
  let count = 0
  for (;;) {
    let first = -1
    for (let i = 0; i < filled.length; i++) {
      const doc = filled[i]!.docs[places[i]!]
      if (doc !== undefined && (first === -1 || doc < first)) first = doc
    }
    if (first === -1) break
    const base = first - (first % windowSize)
    const end = base + windowSize
    for (let i = 0; i < filled.length; i++) {
      places[i] =
        combination.kind === 'sum'
          ? window.add(filled[i]!, places[i]!, base, end)
          : window.addHighest(filled[i]!, places[i]!, base, end)
    }
    for (let word = 0; word < windowWords; word++) {
      for (let bits = marks[word]!; bits !== 0; bits &= bits - 1) {
        const place = (word << 5) + 31 - Math.clz32(bits & -bits)
        docs[count] = base + place
        scores[count++] =
          combination.kind === 'sum' ? sums[place]! : highest[place]! + sums[place]! * tieBreaker
        sums[place] = 0
        highest[place] = 0
      }
      marks[word] = 0
    }
  }
  return { docs: docs.subarray(0, count), scores: scores.subarray(0, count) }
}

/** Disjunctions with more than one posting per this many documents are scored by `sumPostings`. */
export const denseShare = 16

export function areDense(lists: readonly PostingScores[], size: number): boolean {
  let total = 0
  for (const { docs } of lists) total += docs.length
  return lists.length > 1 && total * denseShare > size
}

/** Accumulators and marks of a window fit into the L1 cache together with the postings that are read. */
const denseSize = 2048

class DenseWindow {
  readonly sums = new Float64Array(denseSize)
  readonly marks = new Uint8Array(denseSize)

  /** Accumulates the postings of a list below `end`; returns the index of the first posting that is left. */
  add({ docs, freqs, norms, table }: PostingScores, from: number, base: number, end: number): number {
    const { sums, marks } = this
    const { scores } = table
    let at = from
    if (freqs === null && norms !== null) {
      for (; at < docs.length; at++) {
        const doc = docs[at]!
        if (doc >= end) break
        const place = (doc - base) | 0
        sums[place]! += scores[256 + norms[doc]!]!
        marks[place] = 1
      }
      return at
    }
    for (; at < docs.length; at++) {
      const doc = docs[at]!
      if (doc >= end) break
      const norm = norms === null ? noNorm : norms[doc]!
      const freq = freqs === null ? 1 : freqs[at]!
      const place = (doc - base) | 0
      sums[place]! += freq < table.end ? scores[((freq << 8) | norm) >>> 0]! : table.compute(freq, norm)
      marks[place] = 1
    }
    return at
  }
}

/** Shared by all searches; it is cleared after every window and never held across a yield. */
const dense = new DenseWindow()
/** Windows times lists per step, and windows per step at most. */
const listWindows = 64
const maxWindows = 32

/**
 * The disjunction of dense posting lists over the documents from `from` up to, not including, `to`. Scores
 * come from a table as they are accumulated, and windows are compacted without a branch per document.
 */
export function sumPostings(lists: readonly PostingScores[], from: number, to: number): ScoredDocs {
  return finish(sumPostingsSteps(lists, from, to))
}

/** `mask` limits the documents, null for no limit; `from` must then be a multiple of 32. */
export function* sumPostingsSteps(
  lists: readonly PostingScores[],
  from: number,
  to: number,
  mask: BitSet | null = null,
): Steps<ScoredDocs> {
  const sums = new PostingSums(lists, from, to, mask?.words ?? null)
  const windows = Math.max(1, Math.min(maxWindows, Math.floor(listWindows / lists.length)))
  const perStep = denseSize * windows
  for (let base = from; base < to; base += perStep) {
    sums.add(base, Math.min(to, base + perStep))
    yield
  }
  return sums.found()
}

/** The output of a disjunction that is being accumulated. */
class PostingSums {
  readonly #lists: readonly PostingScores[]
  readonly #places: Uint32Array
  readonly #docs: Uint32Array
  readonly #scores: Float32Array
  readonly #mask: Uint32Array | null
  #count = 0

  constructor(lists: readonly PostingScores[], from: number, to: number, mask: Uint32Array | null) {
    let total = 0
    this.#mask = mask
    this.#lists = lists
    this.#places = Uint32Array.from(lists, ({ docs }) => {
      const first = lowerBound(docs, from, 0)
      total += lowerBound(docs, to, first) - first
      return first
    })
    // One entry of slack: compaction also writes places without a match, and overwrites them.
    const max = Math.min(total, to - from) + 1
    this.#docs = new Uint32Array(max)
    this.#scores = new Float32Array(max)
  }

  add(from: number, to: number): void {
    const lists = this.#lists
    const places = this.#places
    const docs = this.#docs
    const scores = this.#scores
    const { sums, marks } = dense
    let count = this.#count
    for (let base = from; base < to; base += denseSize) {
      const end = Math.min(to, base + denseSize)
      let added = 0
      for (let i = 0; i < lists.length; i++) {
        const next = dense.add(lists[i]!, places[i]!, base, end)
        added += next - places[i]!
        places[i] = next
      }
      if (added === 0) continue
      const length = end - base
      if (this.#mask !== null) keepMarked(marks, length, this.#mask, base >>> 5)
      for (let place = 0; place < length; place++) {
        docs[count] = base + place
        scores[count] = sums[place]!
        count += marks[place]!
      }
      sums.fill(0)
      marks.fill(0)
    }
    this.#count = count
  }

  found(): ScoredDocs {
    return { docs: this.#docs.subarray(0, this.#count), scores: this.#scores.subarray(0, this.#count) }
  }
}

/**
 * Clears the marks of documents that are not in the mask; `first` is the mask's word for the window's first
 * document.
 */
function keepMarked(marks: Uint8Array, length: number, mask: Uint32Array, first: number): void {
  for (let place = 0; place < length; place++)
    marks[place] = marks[place]! & (mask[first + (place >>> 5)]! >>> (place & 31))
}

/** Adds the scores of the lists to those of `docs`, which must contain every document of every list. */
export function addScores(docs: Uint32Array, lists: readonly ScoredDocs[], into: Float64Array): void {
  const filled = lists.filter((list) => list.docs.length > 0)
  if (filled.length === 0) return
  if (filled.length === 1 && filled[0]!.docs.length === docs.length) {
    const { scores } = filled[0]!
    for (let i = 0; i < scores.length; i++) into[i]! += scores[i]!
    return
  }
  const places = new Uint32Array(filled.length)
  const { sums, marks } = window
  for (let at = 0; at < docs.length; ) {
    const base = docs[at]! - (docs[at]! % windowSize)
    const end = base + windowSize
    for (let i = 0; i < filled.length; i++) places[i] = window.add(filled[i]!, places[i]!, base, end)
    for (; at < docs.length && docs[at]! < end; at++) {
      const place = docs[at]! - base
      into[at]! += sums[place]!
      sums[place] = 0
    }
    marks.fill(0)
  }
}

/** Documents counted per window. */
const countedSize = 2048

/** Returns the documents in at least `minimum` (two or more) of the sets, by counting per window. */
export function* inAtLeastSets(minimum: number, sets: readonly DocSet[]): Steps<Uint32Array> {
  const filled = sets.filter(({ isEmpty }) => !isEmpty)
  if (filled.length < minimum) return new Uint32Array(0)
  let max = 0
  for (const { count } of filled) max += count
  const { size } = filled[0]!
  const found = new Uint32Array(Math.min(size, Math.floor(max / minimum)))
  const counts = new Uint32Array(countedSize)
  let count = 0
  const add = (from: number, to: number) => {
    for (let base = from * countedSize; base < Math.min(size, to * countedSize); base += countedSize) {
      const end = Math.min(size, base + countedSize)
      counts.fill(0)
      for (const set of filled) set.countWithin(base, end, counts)
      for (let doc = base; doc < end; doc++) if (counts[doc - base]! >= minimum) found[count++] = doc
    }
  }
  yield* inRanges(Math.ceil(size / countedSize), add, new StepSize(1, 1, 256))
  return found.subarray(0, count)
}
