/**
 * The postings of one term prepared for block-max pruning: a bit set of its documents, and for each block of
 * documents its impact (the highest frequency and the lowest norm). BM25 rises with the frequency and falls
 * with the length, so the impact bounds the score under any boost. Unlike Lucene's impacts they are computed
 * when first needed and cached under the memory budget of decoded data, not stored in the index.
 */

import type { Steps } from '../../../scheduling/steps.ts'
import { noNorm } from '../../../scoring/bm25.ts'
import { type CachedValue, decodedCache } from '../../../segment/decoded-cache.ts'
import { BitSet } from '../../../segment/encoding/bit-set.ts'
import type { Postings } from '../../../segment/segment.ts'
import type { DocSet } from '../doc-set.ts'
import type { PostingScores } from '../query.ts'

export const blockSize = 4096
export const blockWords = blockSize / 32
/** Postings processed per step. */
const stepPostings = 32 * 1024
/** For rarer terms the bit set takes more room than the postings, so it is not cached. */
const minShare = 1 / 32

const kept = new WeakMap<Postings, CachedValue<BlockMaxPostings>>()

export class BlockMaxPostings {
  /** One bit per document of the segment. */
  readonly words: Uint32Array
  /** The documents with a frequency above one; null when every frequency is one. */
  readonly repeated: Uint32Array | null
  /** The index of the first posting of each block, and the number of postings at the end. */
  readonly starts: Uint32Array
  readonly maxFrequencies: Uint32Array
  readonly minNorms: Uint8Array

  private constructor(size: number, hasFrequencies: boolean) {
    const blocks = Math.ceil(size / blockSize)
    // Rounded up to whole blocks, so that loops need no special case for the last one.
    this.words = new Uint32Array(blocks * blockWords)
    this.repeated = hasFrequencies ? new Uint32Array(blocks * blockWords) : null
    this.starts = new Uint32Array(blocks + 1)
    this.maxFrequencies = new Uint32Array(blocks)
    this.minNorms = new Uint8Array(blocks)
  }

  static *steps(list: PostingScores, size: number): Steps<BlockMaxPostings> {
    const known = kept.get(list.postings)?.value
    if (known !== undefined) return known
    const made = new BlockMaxPostings(size, list.freqs !== null)
    let from = 0
    let done = 0
    for (let block = 0; block < made.minNorms.length; block++) {
      const to = made.#build(list, from, block)
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

  /** Builds the block whose first posting is at `from`; returns the index after its last. */
  #build({ docs, freqs, norms }: PostingScores, from: number, block: number): number {
    const { words, repeated } = this
    const end = (block + 1) * blockSize
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
    this.starts[block + 1] = at
    this.maxFrequencies[block] = highest
    this.minNorms[block] = lowest
    return at
  }
}

/** The documents of `within` that contain all terms. */
export function* conjunctionBits(
  lists: readonly PostingScores[],
  size: number,
  within: DocSet | null,
): Steps<BitSet> {
  const bits = within === null ? BitSet.full(size) : within.bits().clone()
  for (const list of lists) {
    bits.and(new BitSet(size, (yield* BlockMaxPostings.steps(list, size)).words))
    yield
  }
  return bits
}
