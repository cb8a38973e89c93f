/**
 * Top-k disjunctions and conjunctions of a few terms with block-max pruning. The segment is cut into blocks
 * of 4,096 documents. Per block every term has an upper bound of its score from its impacts (highest
 * frequency, lowest norm); from the bounds and the current threshold follow the minimal combinations of terms
 * that can still enter the top k, and ANDing and ORing the terms' bit sets by these combinations yields the
 * candidates, which alone are scored. The same bits give the complete set of matches.
 * Related: MaxScore (Turtle and Flood 1995), Block-Max WAND (Ding and Suel 2011), and candidate filtering
 * with bitmaps over docID-oriented blocks (Dimopoulos, Nepomnyachiy and Suel 2013). It differs from MaxScore,
 * which splits the terms into essential and non-essential ones, in that all minimal combinations are
 * enumerated, and from WAND in that no iterators advance document by document; postings are looked up by rank
 * in the bit sets instead. Lucene's MaxScoreBulkScorer is the nearest relative in another engine.
 */

import type { Steps } from '../../../scheduling/steps.ts'
import { noNorm } from '../../../scoring/bm25.ts'
import { BitSet, ones } from '../../../segment/encoding/bit-set.ts'
import { DocSet } from '../doc-set.ts'
import type { PostingScores, ScoredDocs } from '../query.ts'
import { BlockMaxPostings, blockSize, blockWords } from './block-max-postings.ts'
import { competitiveCombinations, type TermCombination } from './competitive-combinations.ts'
import { TermBlockScorer } from './term-block-scorer.ts'
import { TopDocsHeap } from './top-docs-heap.ts'

/** The k of the top k that pruning finds. */
export const maxTopDocs = 256
/** The k of a first page, where fewer cost less: fewer documents enter a smaller heap. */
export const firstPageTopDocs = 32
/** With more terms there are too many combinations. */
const maxTerms = 6
/** In smaller segments most blocks pass before the threshold rises. */
const minSegmentSize = 32 * 1024
/** Blocks times terms per step. */
const stepBlocks = 64
/** Looking up one posting of a candidate costs about this many times as much as accumulating one. */
const lookupCost = 3

export interface PrunedTopDocs {
  readonly matches: DocSet
  /** At most `maxTopDocs`, by falling score, equal scores by rising document. */
  readonly best: ScoredDocs
}

/** True for few enough terms in a large enough segment. */
export function canPrune(lists: number, size: number): boolean {
  return lists > 0 && lists <= maxTerms && size >= minSegmentSize
}

/** `within` limits the documents, null for no limit. */
export function* prunedTopDocs(
  lists: readonly PostingScores[],
  size: number,
  within: DocSet | null,
  match: 'any' | 'all' = 'any',
): Steps<PrunedTopDocs> {
  const terms: TermBlockScorer[] = []
  for (const list of lists) terms.push(new TermBlockScorer(list, yield* BlockMaxPostings.steps(list, size)))
  const sums = new BlockMaxCollector(terms, size, within, match === 'all')
  const blocks = Math.ceil(size / blockSize)
  const perStep = Math.max(1, Math.floor(stepBlocks / lists.length))
  for (let from = 0; from < blocks; from += perStep) {
    for (let block = from; block < Math.min(blocks, from + perStep); block++) sums.add(block)
    yield
  }
  return sums.found()
}

class BlockMaxCollector {
  readonly #lists: readonly TermBlockScorer[]
  readonly #mask: Uint32Array | null
  readonly #isConjunction: boolean
  readonly #matches: BitSet
  readonly #best = new TopDocsHeap(maxTopDocs)
  readonly #sharesNorms: boolean
  /** Upper bounds of each term in the block for documents that contain it once, and for all documents. */
  readonly #upperBoundsOnce: Float64Array
  readonly #upperBounds: Float64Array
  /** Signed, as V8 keeps small signed integers unboxed. */
  readonly #candidates = new Int32Array(blockWords)
  readonly #common = new Int32Array(blockWords)
  readonly #sums = new Float64Array(blockSize)

  constructor(
    lists: readonly TermBlockScorer[],
    size: number,
    within: DocSet | null,
    isConjunction: boolean,
  ) {
    this.#lists = lists
    this.#isConjunction = isConjunction
    this.#mask = within === null || within.isAll ? null : within.bits().words
    this.#matches = new BitSet(size)
    const { norms } = lists[0]!
    this.#sharesNorms = lists.every((list) => list.norms === norms)
    this.#upperBoundsOnce = new Float64Array(lists.length)
    this.#upperBounds = new Float64Array(lists.length)
  }

  found(): PrunedTopDocs {
    return { matches: DocSet.ofBits(this.#matches), best: this.#best.sorted() }
  }

  add(block: number): void {
    const first = block * blockWords
    this.#match(first)
    for (let i = 0; i < this.#lists.length; i++) {
      this.#upperBoundsOnce[i] = this.#lists[i]!.upperBound(block, false)
      this.#upperBounds[i] = this.#lists[i]!.upperBound(block, true)
    }
    const combinations = competitiveCombinations(
      this.#upperBoundsOnce,
      this.#upperBounds,
      this.#best.threshold,
    )
    if (combinations.length === 0) return
    this.#filterCandidates(combinations, first)
    if (this.#isDense(block)) this.#accumulate(block)
    else this.#scoreCandidates(block)
  }

  #match(first: number): void {
    const matches = this.#matches.words
    const mask = this.#mask
    const end = Math.min(first + blockWords, matches.length)
    for (const [i, { words }] of this.#lists.entries()) {
      if (i > 0 && this.#isConjunction)
        for (let word = first; word < end; word++) matches[word]! &= words[word]!
      else for (let word = first; word < end; word++) matches[word]! |= words[word]!
    }
    if (mask !== null) for (let word = first; word < end; word++) matches[word]! &= mask[word]!
  }

  /** Marks the matches whose terms form a competitive combination. */
  #filterCandidates(combinations: readonly TermCombination[], first: number): void {
    const candidates = this.#candidates
    const common = this.#common
    candidates.fill(0)
    for (const { required, repeated } of combinations) {
      common.fill(-1)
      for (let i = 0; i < this.#lists.length; i++) {
        if ((required & (1 << i)) === 0) continue
        const list = this.#lists[i]!
        const words = (repeated & (1 << i)) === 0 ? list.words : list.repeated!
        for (let word = 0; word < blockWords; word++) common[word]! &= words[first + word]!
      }
      for (let word = 0; word < blockWords; word++) candidates[word]! |= common[word]!
    }
    const matches = this.#matches.words
    const count = Math.min(blockWords, matches.length - first)
    if (this.#mask !== null || this.#isConjunction)
      for (let word = 0; word < count; word++) candidates[word]! &= matches[first + word]!
  }

  /**
   * The highest norm (longest text) that is still competitive if every term adds its upper bound, for texts
   * with or without repeated terms; -1 when none is.
   */
  #maxNorm(block: number, isRepeated: boolean): number {
    if (!this.#sharesNorms) return 255
    let low = -1
    let high = 255
    while (low < high) {
      const norm = (low + high + 1) >> 1
      let sum = 0
      for (const list of this.#lists) sum += list.upperBoundAt(block, norm, isRepeated)
      if (Math.fround(sum) > this.#best.threshold) low = norm
      else high = norm - 1
    }
    return low
  }

  /** True when so many candidates are left that accumulating the whole block is cheaper. */
  #isDense(block: number): boolean {
    let postings = 0
    for (const list of this.#lists) postings += list.postingsIn(block)
    let count = 0
    for (let word = 0; word < blockWords; word++) count += ones(this.#candidates[word]!)
    return count * this.#lists.length * lookupCost > postings
  }

  #accumulate(block: number): void {
    const base = block * blockSize
    const candidates = this.#candidates
    const sums = this.#sums
    const best = this.#best
    for (const list of this.#lists) list.accumulate(sums, block)
    for (let word = 0; word < blockWords; word++) {
      for (let left = candidates[word]!; left !== 0; left &= left - 1) {
        const place = word * 32 + 31 - Math.clz32(left & -left)
        const score = Math.fround(sums[place]!)
        if (score > best.threshold) best.add(base + place, score)
      }
    }
    sums.fill(0)
  }

  #scoreCandidates(block: number): void {
    const first = block * blockWords
    const candidates = this.#candidates
    for (const list of this.#lists) list.begin(block)
    const maxNorm = this.#maxNorm(block, true)
    const maxNormOnce = this.#maxNorm(block, false)
    for (let word = 0; word < blockWords; word++) {
      if (candidates[word] !== 0) this.#scoreWord(first + word, candidates[word]!, maxNorm, maxNormOnce)
      for (let i = 0; i < this.#lists.length; i++) this.#lists[i]!.pass(first + word)
    }
  }

  #scoreWord(word: number, candidates: number, maxNorm: number, maxNormOnce: number): void {
    const best = this.#best
    const { norms } = this.#lists[0]!
    let repeated = 0
    for (let i = 0; i < this.#lists.length; i++) repeated |= this.#lists[i]!.repeatedIn(word)
    for (let left = candidates; left !== 0; left &= left - 1) {
      const bit = left & -left
      const doc = word * 32 + 31 - Math.clz32(bit)
      const norm = norms === null ? noNorm : norms[doc]!
      if (norm > ((repeated & bit) === 0 ? maxNormOnce : maxNorm)) continue
      let sum = 0
      for (let i = 0; i < this.#lists.length; i++) sum += this.#lists[i]!.scoreOf(doc, word, bit)
      const score = Math.fround(sum)
      if (score > best.threshold) best.add(doc, score)
    }
  }
}
