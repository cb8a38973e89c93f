/**
 * Finds what a source repeats of the dictionary or of itself. Two hash tables over the dictionary, of eight and of five
 * bytes, are made once; a small one over the source is forgotten by a generation number. Matching is greedy, as
 * in LZ4 and the fast levels of DEFLATE.
 */
import { trailingZeros } from '../encoding/bit-set.ts'
import { dictionaryBytes, maxMatch, maxRecordBytes, minMatch } from './symbols.ts'

const dictionaryHashShift = 32 - 14
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

export class RecordMatcher {
  /** What was found: literals as they are, a match as its length below zero and then its position. */
  readonly tokens = new Int32Array(maxRecordBytes + 2)
  /** The dictionary, then the source. */
  readonly window = new Uint8Array(dictionaryBytes + maxRecordBytes + margin)
  readonly #view = new DataView(this.window.buffer)
  readonly #contentBytes: number
  /** Positions in the dictionary plus one, by hash. */
  readonly #long = new Uint16Array(1 << (32 - dictionaryHashShift))
  readonly #short = new Uint16Array(1 << (32 - dictionaryHashShift))
  /** Positions in the source, with the generation above them. */
  readonly #own = new Int32Array(1 << ownHashBits)
  #generation = 0

  constructor(content: Uint8Array) {
    this.window.set(content)
    this.#contentBytes = content.length
    // Of two places the first stays, because codes of positions at the start are shorter.
    for (let at = content.length - margin; at >= 0; at--) {
      const word = Math.imul(this.#view.getInt32(at, true), factor)
      this.#long[hashOf(word, this.#view.getInt32(at + 4, true))] = at + 1
      this.#short[hashOf(word, this.window[at + 4]!)] = at + 1
    }
  }

  /** Divides a source of at most `maxRecordBytes` into tokens; returns their number. */
  match(source: Uint8Array): number {
    const { tokens, window } = this
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
    let at = dictionaryBytes
    let count = 0
    // Where nothing was found for a while, as in random numbers, fewer places are looked at, as LZ4 does it.
    let missed = 0
    while (at + minMatch <= end) {
      const start = view.getInt32(at, true)
      const word = Math.imul(start, factor)
      let length = 0
      let position = long[hashOf(word, view.getInt32(at + 4, true))]! - 1
      if (position >= 0 && view.getInt32(position, true) === start)
        length = this.#matchLength(position, at, Math.min(end - at, this.#contentBytes - position))
      if (length < margin) {
        const hash = hashOf(word, window[at + 4]!)
        const other = short[hash]! - 1
        if (other >= 0 && view.getInt32(other, true) === start) {
          const found = this.#matchLength(other, at, Math.min(end - at, this.#contentBytes - other))
          if (found > length) {
            length = found
            position = other
          }
        }
        if (isRepetitive) {
          const place = hash >>> (ownHashShift - dictionaryHashShift)
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
      }
      if (length >= minMatch) {
        tokens[count++] = -length
        tokens[count++] = position
        at += length
        missed = 0
      } else {
        const next = Math.min(end, at + 1 + (missed++ >> missesPerStep))
        while (at < next) tokens[count++] = window[at++]!
      }
    }
    while (at < end) tokens[count++] = window[at++]!
    return count
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

/** `word` is the product of the first four bytes, `rest` what follows them. */
function hashOf(word: number, rest: number): number {
  return (word ^ Math.imul(rest, otherFactor)) >>> dictionaryHashShift
}
