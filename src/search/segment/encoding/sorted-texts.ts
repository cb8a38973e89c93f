/**
 * Texts in the order of their bytes. Four bytes of every text at a time are a number; the numbers are sorted digit by
 * digit, and texts that are equal so far are sorted by what follows the bytes all of them share.
 */
import type { TextList } from './sections.ts'

/** Numbers of those texts that `isUsed` names, all without it, in the order of their bytes. */
export function sortedTexts(texts: TextList, size: number, isUsed?: (id: number) => boolean): Uint32Array {
  let count = 0
  const ids = new Uint32Array(size)
  for (let id = 0; id < size; id++) if (isUsed === undefined || isUsed(id)) ids[count++] = id
  const order = ids.subarray(0, count)
  new TextSort(texts, order).sort(0, count, 0, 0)
  return order
}

const fewTexts = 12
/** Below this a comparison sort is quicker than counting digits. */
const fewDigits = 400
const digitBits = 11
const digits = 1 << digitBits
/** Beyond this many ranges within ranges the stack is worth more than speed. */
const deepest = 200

class TextSort {
  readonly #texts: TextList
  readonly #view: DataView
  readonly #ids: Uint32Array
  // Places of the range that is being sorted; ranges within it begin when it no longer needs them.
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
    const isLong = ids.length > fewDigits
    this.#otherIds = new Uint32Array(isLong ? ids.length : 0)
    this.#otherWords = new Uint32Array(isLong ? ids.length : 0)
  }

  /** `depth`: bytes all texts of the range share; `level`: ranges it is in. */
  sort(from: number, to: number, depth: number, level: number): void {
    if (to - from <= fewTexts) {
      this.#insert(from, to, depth)
      return
    }
    this.#readWords(from, to, depth)
    if (to - from > fewDigits) this.#sortDigits(from, to)
    else this.#sortFew(from, to)
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

  /** Three digits of eleven bits, the lowest first; a digit that is the same everywhere is left out. */
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

  /** As doubles of the word and the place, which sort themselves. */
  #sortFew(from: number, to: number): void {
    const count = to - from
    const words = this.#words
    const ids = this.#ids
    const keys = new Float64Array(count)
    for (let i = 0; i < count; i++) keys[i] = words[from + i]! * fewDigits + i
    keys.sort()
    const before = ids.slice(from, to)
    for (let i = 0; i < count; i++) {
      const word = Math.floor(keys[i]! / fewDigits)
      ids[from + i] = before[keys[i]! - word * fewDigits]!
      words[from + i] = word
    }
  }

  #sortEqual(from: number, to: number, depth: number, level: number): void {
    if (to - from <= fewTexts) {
      this.#insert(from, to, depth)
      return
    }
    const shared = this.#shared(from, to, depth)
    // Short texts that end here, or zeros: no byte is shared for sure.
    if (shared <= depth || level > deepest)
      this.#ids.subarray(from, to).sort((a, b) => this.#compare(a, b, depth))
    else this.sort(from, to, shared, level + 1)
  }

  /** How many bytes all texts of a range share. */
  #shared(from: number, to: number, depth: number): number {
    const { bytes, ends } = this.#texts
    const ids = this.#ids
    const first = ids[from]!
    const start = first === 0 ? 0 : ends[first - 1]!
    let shared = ends[first]! - start
    for (let i = from + 1; i < to && shared > depth; i++) {
      const other = ids[i]! === 0 ? 0 : ends[ids[i]! - 1]!
      const most = Math.min(shared, ends[ids[i]!]! - other)
      let at = depth
      while (at < most && bytes[start + at] === bytes[other + at]) at++
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

  /** By what stands behind the bytes that both share. */
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
