/**
 * The best of the documents that any of a few lists holds, found without adding up what cannot be among them. What
 * a list adds in a window of documents at most is known, so which of the lists a document must stand in to beat the
 * least of the best so far is known too, and the bits of the lists tell which documents do. Which documents match
 * falls out of the same bits.
 */

import type { Steps } from '../../../scheduling/steps.ts'
import { noNorm } from '../../../scoring/bm25.ts'
import { BitSet, ones } from '../../../segment/encoding/bit-set.ts'
import { DocSet } from '../doc-set.ts'
import type { PostingScores, ScoredDocs } from '../query.ts'
import { BestDocs } from './best-docs.ts'
import { type Way, waysAbove } from './competitive-combinations.ts'
import { ListWindows } from './list-windows.ts'
import { PostingWindows, windowSize, windowWords } from './posting-windows.ts'

/** How many of the best are found. */
export const bestCount = 256
/** With more lists there are too many ways to be good enough. */
const maxLists = 6
/** In smaller segments most windows pass before it is known what is good. */
const minSize = 32 * 1024
/** Windows of one list that are done in a step. */
const stepWindows = 64
/** So many times more than adding one posting costs to look one up for a candidate. */
const sumCost = 3

export interface BestSums {
  readonly matches: DocSet
  /** No more than `bestCount`, the highest score first, equal ones by document. */
  readonly best: ScoredDocs
}

/** With so many lists, in a segment of so many documents. */
export function canFindBest(lists: number, size: number): boolean {
  return lists > 0 && lists <= maxLists && size >= minSize
}

/** `within`: null when all documents of the segment count. */
export function* bestSums(
  lists: readonly PostingScores[],
  size: number,
  within: DocSet | null,
  match: 'any' | 'all' = 'any',
): Steps<BestSums> {
  const laidOut: ListWindows[] = []
  for (const list of lists) laidOut.push(new ListWindows(list, yield* PostingWindows.steps(list, size)))
  const sums = new WindowSums(laidOut, size, within, match === 'all')
  const windows = Math.ceil(size / windowSize)
  const perStep = Math.max(1, Math.floor(stepWindows / lists.length))
  for (let from = 0; from < windows; from += perStep) {
    for (let window = from; window < Math.min(windows, from + perStep); window++) sums.add(window)
    yield
  }
  return sums.found()
}

class WindowSums {
  readonly #lists: readonly ListWindows[]
  readonly #mask: Uint32Array | null
  /** Documents must stand in all of the lists. */
  readonly #inAll: boolean
  readonly #matches: BitSet
  readonly #best = new BestDocs(bestCount)
  readonly #areOfOneField: boolean
  /** The most each list adds in the window to documents that hold its term once, and to any. */
  readonly #once: Float64Array
  readonly #most: Float64Array
  /** Signed, as engines keep bits in registers that way. */
  readonly #candidates = new Int32Array(windowWords)
  readonly #common = new Int32Array(windowWords)
  readonly #sums = new Float64Array(windowSize)

  constructor(lists: readonly ListWindows[], size: number, within: DocSet | null, inAll: boolean) {
    this.#lists = lists
    this.#inAll = inAll
    this.#mask = within === null || within.isAll ? null : within.bits().words
    this.#matches = new BitSet(size)
    const { norms } = lists[0]!
    this.#areOfOneField = lists.every((list) => list.norms === norms)
    this.#once = new Float64Array(lists.length)
    this.#most = new Float64Array(lists.length)
  }

  found(): BestSums {
    return { matches: DocSet.ofBits(this.#matches), best: this.#best.sorted() }
  }

  add(window: number): void {
    const first = window * windowWords
    this.#match(first)
    for (let i = 0; i < this.#lists.length; i++) {
      this.#once[i] = this.#lists[i]!.bound(window, false)
      this.#most[i] = this.#lists[i]!.bound(window, true)
    }
    const ways = waysAbove(this.#once, this.#most, this.#best.least)
    if (ways.length === 0) return
    this.#choose(ways, first)
    if (this.#areMany(window)) this.#scoreAll(window)
    else this.#score(window)
  }

  #match(first: number): void {
    const matches = this.#matches.words
    const mask = this.#mask
    const end = Math.min(first + windowWords, matches.length)
    for (const [i, { words }] of this.#lists.entries()) {
      if (i > 0 && this.#inAll) for (let word = first; word < end; word++) matches[word]! &= words[word]!
      else for (let word = first; word < end; word++) matches[word]! |= words[word]!
    }
    if (mask !== null) for (let word = first; word < end; word++) matches[word]! &= mask[word]!
  }

  /** Marks the matches that stand in enough of the lists. */
  #choose(ways: readonly Way[], first: number): void {
    const candidates = this.#candidates
    const common = this.#common
    candidates.fill(0)
    for (const { held, repeated } of ways) {
      common.fill(-1)
      for (let i = 0; i < this.#lists.length; i++) {
        if ((held & (1 << i)) === 0) continue
        const list = this.#lists[i]!
        const words = (repeated & (1 << i)) === 0 ? list.words : list.repeated!
        for (let word = 0; word < windowWords; word++) common[word]! &= words[first + word]!
      }
      for (let word = 0; word < windowWords; word++) candidates[word]! |= common[word]!
    }
    const matches = this.#matches.words
    const count = Math.min(windowWords, matches.length - first)
    if (this.#mask !== null || this.#inAll)
      for (let word = 0; word < count; word++) candidates[word]! &= matches[first + word]!
  }

  /**
   * Longer texts are not good enough, even with the most of each list, or where no list has its term more than once;
   * -1 when no text is.
   */
  #highestNorm(window: number, isRepeated: boolean): number {
    if (!this.#areOfOneField) return 255
    let low = -1
    let high = 255
    while (low < high) {
      const norm = (low + high + 1) >> 1
      let sum = 0
      for (const list of this.#lists) sum += list.boundAt(window, norm, isRepeated)
      if (Math.fround(sum) > this.#best.least) low = norm
      else high = norm - 1
    }
    return low
  }

  /** So many candidates that it is better to add up the whole window. */
  #areMany(window: number): boolean {
    let postings = 0
    for (const list of this.#lists) postings += list.countIn(window)
    let count = 0
    for (let word = 0; word < windowWords; word++) count += ones(this.#candidates[word]!)
    return count * this.#lists.length * sumCost > postings
  }

  #scoreAll(window: number): void {
    const base = window * windowSize
    const candidates = this.#candidates
    const sums = this.#sums
    const best = this.#best
    for (const list of this.#lists) list.addTo(sums, window)
    for (let word = 0; word < windowWords; word++) {
      for (let left = candidates[word]!; left !== 0; left &= left - 1) {
        const place = word * 32 + 31 - Math.clz32(left & -left)
        const score = Math.fround(sums[place]!)
        if (score > best.least) best.add(base + place, score)
      }
    }
    sums.fill(0)
  }

  #score(window: number): void {
    const first = window * windowWords
    const candidates = this.#candidates
    for (const list of this.#lists) list.begin(window)
    const highestNorm = this.#highestNorm(window, true)
    const highestOnce = this.#highestNorm(window, false)
    for (let word = 0; word < windowWords; word++) {
      if (candidates[word] !== 0) this.#scoreWord(first + word, candidates[word]!, highestNorm, highestOnce)
      for (let i = 0; i < this.#lists.length; i++) this.#lists[i]!.pass(first + word)
    }
  }

  #scoreWord(word: number, candidates: number, highestNorm: number, highestOnce: number): void {
    const best = this.#best
    const { norms } = this.#lists[0]!
    let repeated = 0
    for (let i = 0; i < this.#lists.length; i++) repeated |= this.#lists[i]!.repeatedIn(word)
    for (let left = candidates; left !== 0; left &= left - 1) {
      const bit = left & -left
      const doc = word * 32 + 31 - Math.clz32(bit)
      const norm = norms === null ? noNorm : norms[doc]!
      if (norm > ((repeated & bit) === 0 ? highestOnce : highestNorm)) continue
      let sum = 0
      for (let i = 0; i < this.#lists.length; i++) sum += this.#lists[i]!.scoreOf(doc, word, bit)
      const score = Math.fround(sum)
      if (score > best.least) best.add(doc, score)
    }
  }
}
