/**
 * Sorts texts by their bytes: an MSD radix sort over words of four bytes, like Lucene's StringMSBRadixSorter over
 * single bytes. Each range is sorted by its next word with an LSD radix sort; texts with equal words are sorted
 * recursively, after the bytes that all of them share are skipped. Small ranges use insertion sort.
 */
import type { TextList } from './sections.ts'

/** Returns the ids of the texts in ascending byte order; with `isUsed`, only of those it accepts. */
export function sortedTexts(texts: TextList, size: number, isUsed?: (id: number) => boolean): Uint32Array {
  let count = 0
  const ids = new Uint32Array(size)
  for (let id = 0; id < size; id++) if (isUsed === undefined || isUsed(id)) ids[count++] = id
  const order = ids.subarray(0, count)
  new TextSort(texts, order).sort(0, count, 0, 0)
  return order
}

const maxInsertionSort = 12
/** Up to this size, sorting keys by comparison is quicker than counting digits. */
const maxKeySort = 400
const digitBits = 11
const digits = 1 << digitBits
/** Deeper ranges fall back to a comparison sort, to bound the stack. */
const maxDepth = 200

class TextSort {
  readonly #texts: TextList
  readonly #view: DataView
  readonly #ids: Uint32Array
  // Scratch memory, indexed like the range being sorted; a nested range starts when the outer one no longer needs
  // it.
  readonly #words: Uint32Array
  readonly #otherIds: Uint32Array
  readonly #otherWords: Uint32Array
  readonly #counts = new Uint32Array(digits * 3)

  constructor(texts: TextList, ids: Uint32Array) {
    this.#texts = texts
    const { buffer, byteOffset, byteLength } = texts.bytes
    this.#view = new DataView(buffer, byteOffset, byteLength)
    this.#ids = ids
    this.#words = new Uint32Array(ids.length)
    const isLong = ids.length > maxKeySort
    this.#otherIds = new Uint32Array(isLong ? ids.length : 0)
    this.#otherWords = new Uint32Array(isLong ? ids.length : 0)
  }

  /** Sorts `[from, to)`. All its texts share `depth` bytes; `level` is the recursion depth. */
  sort(from: number, to: number, depth: number, level: number): void {
    if (to - from <= maxInsertionSort) {
      this.#insert(from, to, depth)
      return
    }
    this.#readWords(from, to, depth)
    if (to - from > maxKeySort) this.#sortDigits(from, to)
    else this.#sortKeys(from, to)
    const words = this.#words
    const equal: number[] = []
    let first = from
    for (let i = from + 1; i <= to; i++) {
      if (i < to && words[i] === words[first]) continue
      if (i - first > 1) equal.push(first, i)
      first = i
    }
    for (let i = 0; i < equal.length; i += 2) this.#sortEqual(equal[i]!, equal[i + 1]!, depth, level)
  }

  #readWords(from: number, to: number, depth: number): void {
    const { bytes, ends } = this.#texts
    const view = this.#view
    const ids = this.#ids
    const words = this.#words
    for (let i = from; i < to; i++) {
      const id = ids[i]!
      const start = (id === 0 ? 0 : ends[id - 1]!) + depth
      const left = ends[id]! - start
      words[i] =
        left > 3
          ? view.getUint32(start)
          : ((left > 0 ? bytes[start]! : 0) << 24) |
            ((left > 1 ? bytes[start + 1]! : 0) << 16) |
            ((left > 2 ? bytes[start + 2]! : 0) << 8)
    }
  }

  /** An LSD radix sort with three digits of eleven bits; a digit that is equal everywhere is skipped. */
  #sortDigits(from: number, to: number): void {
    const counts = this.#counts.fill(0)
    for (let i = from; i < to; i++) {
      const word = this.#words[i]!
      counts[word & (digits - 1)]! += 1
      counts[digits + ((word >>> digitBits) & (digits - 1))]! += 1
      counts[2 * digits + (word >>> (2 * digitBits))]! += 1
    }
    let [ids, words, otherIds, otherWords] = [this.#ids, this.#words, this.#otherIds, this.#otherWords]
    for (let digit = 0; digit < 3; digit++) {
      const base = digit * digits
      const shift = digit * digitBits
      if (counts[base + ((words[from]! >>> shift) & (digits - 1))] === to - from) continue
      for (let i = base, sum = from; i < base + digits; i++) {
        const count = counts[i]!
        counts[i] = sum
        sum += count
      }
      for (let i = from; i < to; i++) {
        const word = words[i]!
        const at = counts[base + ((word >>> shift) & (digits - 1))]!++
        otherWords[at] = word
        otherIds[at] = ids[i]!
      }
      ;[ids, words, otherIds, otherWords] = [otherIds, otherWords, ids, words]
    }
    if (ids === this.#ids) return
    this.#ids.set(ids.subarray(from, to), from)
    this.#words.set(words.subarray(from, to), from)
  }

  /** Packs word and index into doubles and lets the typed array sort them. */
  #sortKeys(from: number, to: number): void {
    const count = to - from
    const words = this.#words
    const ids = this.#ids
    const keys = new Float64Array(count)
    for (let i = 0; i < count; i++) keys[i] = words[from + i]! * maxKeySort + i
    keys.sort()
    const before = ids.slice(from, to)
    for (let i = 0; i < count; i++) {
      const word = Math.floor(keys[i]! / maxKeySort)
      ids[from + i] = before[keys[i]! - word * maxKeySort]!
      words[from + i] = word
    }
  }

  #sortEqual(from: number, to: number, depth: number, level: number): void {
    if (to - from <= maxInsertionSort) {
      this.#insert(from, to, depth)
      return
    }
    const shared = this.#shared(from, to, depth)
    // Texts that end here, or zero bytes: no further shared byte is certain.
    if (shared <= depth || level > maxDepth)
      this.#ids.subarray(from, to).sort((a, b) => this.#compare(a, b, depth))
    else this.sort(from, to, shared, level + 1)
  }

  /** Returns how many bytes all texts of a range share. */
  #shared(from: number, to: number, depth: number): number {
    const { bytes, ends } = this.#texts
    const ids = this.#ids
    const first = ids[from]!
    const start = first === 0 ? 0 : ends[first - 1]!
    let shared = ends[first]! - start
    for (let i = from + 1; i < to && shared > depth; i++) {
      const other = ids[i]! === 0 ? 0 : ends[ids[i]! - 1]!
      const max = Math.min(shared, ends[ids[i]!]! - other)
      let at = depth
      while (at < max && bytes[start + at] === bytes[other + at]) at++
      shared = at
    }
    return shared
  }

  #insert(from: number, to: number, depth: number): void {
    const ids = this.#ids
    for (let i = from + 1; i < to; i++) {
      const id = ids[i]!
      let at = i
      while (at > from && this.#compare(ids[at - 1]!, id, depth) > 0) {
        ids[at] = ids[at - 1]!
        at--
      }
      ids[at] = id
    }
  }

  /** Compares two texts that share `depth` bytes. */
  #compare(left: number, right: number, depth: number): number {
    const { ends } = this.#texts
    const view = this.#view
    const a = left === 0 ? 0 : ends[left - 1]!
    const b = right === 0 ? 0 : ends[right - 1]!
    const leftLength = ends[left]! - a
    const rightLength = ends[right]! - b
    const shared = Math.min(leftLength, rightLength)
    let i = depth
    for (; i + 4 <= shared; i += 4) {
      const difference = view.getUint32(a + i) - view.getUint32(b + i)
      if (difference !== 0) return difference
    }
    for (; i < shared; i++) {
      const difference = view.getUint8(a + i) - view.getUint8(b + i)
      if (difference !== 0) return difference
    }
    return leftLength - rightLength
  }
}
