/**
 * A list of postings laid out for finding the best: its documents as bits, and for each window of them the most it
 * adds to a score. Scores rise with the frequency and fall with the length, so the highest frequency and the lowest
 * norm of a window bound them, whatever the query multiplies with. Lists that are worth it are kept.
 */

import type { Steps } from '../../../scheduling/steps.ts'
import { noNorm } from '../../../scoring/bm25.ts'
import { type CachedValue, decodedCache } from '../../../segment/decoded-cache.ts'
import { BitSet } from '../../../segment/encoding/bit-set.ts'
import type { Postings } from '../../../segment/segment.ts'
import type { DocSet } from '../doc-set.ts'
import type { PostingScores } from '../query.ts'

export const windowSize = 4096
export const windowWords = windowSize / 32
/** Postings laid out in one step. */
const stepPostings = 32 * 1024
/** Bits of lists with fewer documents take more room than the list. */
const minShare = 1 / 32

const kept = new WeakMap<Postings, CachedValue<PostingWindows>>()

export class PostingWindows {
  /** A bit for each document of the segment. */
  readonly words: Uint32Array
  /** The same for those that hold the term more than once; null when none does. */
  readonly repeated: Uint32Array | null
  /** Where in the list each window begins; one more entry for the end. */
  readonly starts: Uint32Array
  readonly highestFrequencies: Uint32Array
  readonly lowestNorms: Uint8Array

  private constructor(size: number, hasFrequencies: boolean) {
    const windows = Math.ceil(size / windowSize)
    // Whole windows, so that nobody has to ask where the last one ends.
    this.words = new Uint32Array(windows * windowWords)
    this.repeated = hasFrequencies ? new Uint32Array(windows * windowWords) : null
    this.starts = new Uint32Array(windows + 1)
    this.highestFrequencies = new Uint32Array(windows)
    this.lowestNorms = new Uint8Array(windows)
  }

  static *steps(list: PostingScores, size: number): Steps<PostingWindows> {
    const known = kept.get(list.postings)?.value
    if (known !== undefined) return known
    const made = new PostingWindows(size, list.freqs !== null)
    let from = 0
    let done = 0
    for (let window = 0; window < made.lowestNorms.length; window++) {
      const to = made.#layOut(list, from, window)
      done += to - from
      from = to
      if (done < stepPostings) continue
      done = 0
      yield
    }
    if (list.docs.length >= size * minShare)
      kept.set(
        list.postings,
        decodedCache.hold(made, made.words.byteLength * (made.repeated === null ? 1 : 2)),
      )
    return made
  }

  /** The window that begins at place `from` of the list; returns where it ends. */
  #layOut({ docs, freqs, norms }: PostingScores, from: number, window: number): number {
    const { words, repeated } = this
    const end = (window + 1) * windowSize
    let highest = 1
    let lowest = norms === null ? noNorm : 255
    let at = from
    for (; at < docs.length; at++) {
      const doc = docs[at]!
      if (doc >= end) break
      words[doc >>> 5]! |= 1 << (doc & 31)
      if (freqs !== null && freqs[at]! > 1) {
        repeated![doc >>> 5]! |= 1 << (doc & 31)
        if (freqs[at]! > highest) highest = freqs[at]!
      }
      if (norms !== null && norms[doc]! < lowest) lowest = norms[doc]!
    }
    this.starts[window + 1] = at
    this.highestFrequencies[window] = highest
    this.lowestNorms[window] = lowest
    return at
  }
}

/** Documents of all lists, among `within`. */
export function* commonBits(
  lists: readonly PostingScores[],
  size: number,
  within: DocSet | null,
): Steps<BitSet> {
  const bits = within === null ? BitSet.full(size) : within.bits().clone()
  for (const list of lists) {
    bits.and(new BitSet(size, (yield* PostingWindows.steps(list, size)).words))
    yield
  }
  return bits
}
