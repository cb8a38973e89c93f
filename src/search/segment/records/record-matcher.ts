/**
 * Finds what a source repeats of the dictionary or of itself. Two hash tables over the dictionary, of eight and of five
 * bytes, are made once; a small one over the source is forgotten by a generation number. Matching is greedy, as
 * in LZ4 and the fast levels of DEFLATE.
 */
import { trailingZeros } from '../encoding/bit-set.ts'
import { dictionaryBytes, maxMatch, maxRecordBytes, minMatch } from './symbols.ts'

const dictionaryHashShift = 32 - 14
/** One bit for each hash of five bytes that the dictionary has; finer, so that few others have it too. */
const filterShift = 32 - 17
const ownHashBits = 12
const ownHashShift = 32 - ownHashBits
const maxGeneration = 0x7fff
/** Shorter sources seldom repeat themselves. */
const minRepetitiveBytes = 512
/** The binary logarithm of the misses after which one place more is left out. */
const missesPerStep = 2
/** Words are read across the end of a source. */
const margin = 8
const factor = 0x9e3779b1
const otherFactor = 0x85ebca6b

export const wordsPerSequence = 3

export class RecordMatcher {
  /**
   * What was found, as LZ4 has it: the number of literals, then the length of the match behind them and its position. The
   * last literals have a match of length 0.
   */
  readonly sequences = new Uint16Array((Math.ceil(maxRecordBytes / minMatch) + 1) * wordsPerSequence)
  /** The dictionary, then the source. */
  readonly window = new Uint8Array(dictionaryBytes + maxRecordBytes + margin)
  readonly #view = new DataView(this.window.buffer)
  readonly #contentBytes: number
  /** Positions in the dictionary plus one, by hash. */
  readonly #long = new Uint16Array(1 << (32 - dictionaryHashShift))
  readonly #short = new Uint16Array(1 << (32 - dictionaryHashShift))
  readonly #filter = new Uint32Array(1 << (32 - filterShift - 5))
  /** Positions in the source, with the generation above them. */
  readonly #own = new Int32Array(1 << ownHashBits)
  #generation = 0

  constructor(content: Uint8Array) {
    this.window.set(content)
    this.#contentBytes = content.length
    // Of two places the first stays, because codes of positions at the start are shorter.
    for (let at = content.length - margin; at >= 0; at--) {
      const word = Math.imul(this.#view.getInt32(at, true), factor)
      this.#long[mixed(word, this.#view.getInt32(at + 4, true)) >>> dictionaryHashShift] = at + 1
      const short = mixed(word, this.window[at + 4]!)
      this.#short[short >>> dictionaryHashShift] = at + 1
      this.#filter[short >>> (filterShift + 5)]! |= 1 << (short >>> filterShift)
    }
  }

  /** Divides a source of at most `maxRecordBytes` into sequences; returns the end of them. */
  match(source: Uint8Array): number {
    const { sequences, window } = this
    const view = this.#view
    const own = this.#own
    if (this.#generation === maxGeneration) {
      own.fill(0)
      this.#generation = 0
    }
    const generation = ++this.#generation
    window.set(source, dictionaryBytes)
    const end = dictionaryBytes + source.length
    const isRepetitive = source.length >= minRepetitiveBytes
    const long = this.#long
    const short = this.#short
    const filter = this.#filter
    let at = dictionaryBytes
    let firstLiteral = at
    let count = 0
    // Where nothing was found for a while, as in random numbers, fewer places are looked at, as LZ4 does it.
    let missed = 0
    while (at + minMatch <= end) {
      const start = view.getInt32(at, true)
      const word = Math.imul(start, factor)
      const hash = mixed(word, window[at + 4]!)
      let length = 0
      let position = 0
      // Most places have no match in the dictionary, and one bit of the filter is enough to know that of most.
      if (((filter[hash >>> (filterShift + 5)]! >>> (hash >>> filterShift)) & 1) !== 0) {
        position = long[mixed(word, view.getInt32(at + 4, true)) >>> dictionaryHashShift]! - 1
        if (position >= 0 && view.getInt32(position, true) === start)
          length = this.#matchLength(position, at, Math.min(end - at, this.#contentBytes - position))
        if (length < margin) {
          const other = short[hash >>> dictionaryHashShift]! - 1
          if (other >= 0 && view.getInt32(other, true) === start) {
            const found = this.#matchLength(other, at, Math.min(end - at, this.#contentBytes - other))
            if (found > length) {
              length = found
              position = other
            }
          }
        }
      }
      if (isRepetitive && length < margin) {
        const place = hash >>> ownHashShift
        const last = own[place]!
        own[place] = (generation << 16) | (at - dictionaryBytes)
        const before = dictionaryBytes + (last & 0xffff)
        if (last >>> 16 === generation && view.getInt32(before, true) === start) {
          const found = this.#matchLength(before, at, end - at)
          if (found > length) {
            length = found
            position = before
          }
        }
      }
      if (length >= minMatch) {
        sequences[count] = at - firstLiteral
        sequences[count + 1] = length
        sequences[count + 2] = position
        count += wordsPerSequence
        at += length
        firstLiteral = at
        missed = 0
      } else at += 1 + (missed++ >> missesPerStep)
    }
    sequences[count] = end - firstLiteral
    sequences[count + 1] = 0
    return count + wordsPerSequence
  }

  /** Returns how many bytes are the same at two places whose first four are. */
  #matchLength(one: number, other: number, limit: number): number {
    const view = this.#view
    const max = Math.min(limit, maxMatch)
    // Four bytes at a time; what is read beyond the end does not count.
    for (let length = 4; length < max; length += 4) {
      const differing = view.getInt32(one + length, true) ^ view.getInt32(other + length, true)
      if (differing !== 0) return Math.min(max, length + (trailingZeros(differing) >> 3))
    }
    return max
  }
}

/** A hash whose highest bits are used. `word` is the product of the first four bytes, `rest` what follows them. */
function mixed(word: number, rest: number): number {
  return word ^ Math.imul(rest, otherFactor)
}
