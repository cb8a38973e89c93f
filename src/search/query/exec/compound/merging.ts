/**
 * Scores of several clauses brought together, a window of documents at a time: each clause adds to an array
 * indexed by document, then the window is read out in order. Sums are kept in doubles, as Lucene keeps them.
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

/** How the scores a document gets from several clauses become one. */
export type Combination = { readonly kind: 'sum' } | { readonly kind: 'max'; readonly tieBreaker: number }

export const sum: Combination = { kind: 'sum' }

class Window {
  readonly sums = new Float64Array(windowSize)
  readonly highest = new Float32Array(windowSize)
  readonly marks = new Uint32Array(windowWords)

  /** Adds what a list has below `end`; returns the place after it. */
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

  /** The same, keeping the highest apart; `sums` gets the others. */
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

const spare = new Window()

/** Documents of any of the lists. */
export function mergeScores(lists: readonly ScoredDocs[], combination: Combination): ScoredDocs {
  const filled = lists.filter(({ docs }) => docs.length > 0)
  if (filled.length === 0) return { docs: new Uint32Array(0), scores: new Float32Array(0) }
  if (filled.length === 1) return filled[0]!
  let total = 0
  for (const { docs } of filled) total += docs.length
  const docs = new Uint32Array(total)
  const scores = new Float32Array(total)
  const places = new Uint32Array(filled.length)
  const { sums, highest, marks } = spare
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
          ? spare.add(filled[i]!, places[i]!, base, end)
          : spare.addHighest(filled[i]!, places[i]!, base, end)
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

/** Lists with more than one entry for so many documents are summed by `sumPostings`. */
export const denseShare = 16

export function areDense(lists: readonly PostingScores[], size: number): boolean {
  let total = 0
  for (const { docs } of lists) total += docs.length
  return lists.length > 1 && total * denseShare > size
}

/** Sums and marks of a window fit into the nearest cache together with what is read. */
const denseSize = 2048

class DenseWindow {
  readonly sums = new Float64Array(denseSize)
  readonly marks = new Uint8Array(denseSize)

  /** Adds what a list has below `end`; returns the place after it. */
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

/** Empty between two windows, whoever had the last one. */
const dense = new DenseWindow()
/** Of one step, and of one list in it. */
const listWindows = 64
const maxWindows = 32

/**
 * Documents of any of the lists from `from` up to, not including, `to`, with the sums of their scores, for lists that
 * are dense in the segment: scores are looked up as they are added, and windows are read out without asking at each place whether
 * something is there.
 */
export function sumPostings(lists: readonly PostingScores[], from: number, to: number): ScoredDocs {
  return finish(sumPostingsSteps(lists, from, to))
}

/** `mask`: documents that count, or null when all do; `from` then begins a word of it. */
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

/** What was summed up so far. */
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
    // One entry more: a place without a mark is written, too, and then written over.
    const most = Math.min(total, to - from) + 1
    this.#docs = new Uint32Array(most)
    this.#scores = new Float32Array(most)
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

/** Clears the marks of places whose bits, from a word on, are not set. */
function keepMarked(marks: Uint8Array, length: number, mask: Uint32Array, first: number): void {
  for (let place = 0; place < length; place++)
    marks[place] = marks[place]! & (mask[first + (place >>> 5)]! >>> (place & 31))
}

/** What the lists add to each of some documents; all of a list are among them. */
export function addScores(docs: Uint32Array, lists: readonly ScoredDocs[], into: Float64Array): void {
  const filled = lists.filter((list) => list.docs.length > 0)
  if (filled.length === 0) return
  if (filled.length === 1 && filled[0]!.docs.length === docs.length) {
    const { scores } = filled[0]!
    for (let i = 0; i < scores.length; i++) into[i]! += scores[i]!
    return
  }
  const places = new Uint32Array(filled.length)
  const { sums, marks } = spare
  for (let at = 0; at < docs.length; ) {
    const base = docs[at]! - (docs[at]! % windowSize)
    const end = base + windowSize
    for (let i = 0; i < filled.length; i++) places[i] = spare.add(filled[i]!, places[i]!, base, end)
    for (; at < docs.length && docs[at]! < end; at++) {
      const place = docs[at]! - base
      into[at]! += sums[place]!
      sums[place] = 0
    }
    marks.fill(0)
  }
}

/** Documents counted at a time. */
const countedSize = 2048

/** Documents that are in at least `minimum` of the sets, two or more. */
export function* inAtLeast(minimum: number, sets: readonly DocSet[]): Steps<Uint32Array> {
  const filled = sets.filter(({ isEmpty }) => !isEmpty)
  if (filled.length < minimum) return new Uint32Array(0)
  let most = 0
  for (const { count } of filled) most += count
  const { size } = filled[0]!
  const found = new Uint32Array(Math.min(size, Math.floor(most / minimum)))
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
