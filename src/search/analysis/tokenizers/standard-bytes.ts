/**
 * The standard analyzer over bytes, for indexing without strings: tokens of ASCII text as spans of lower-cased bytes
 * with a hash each. Other text (beyond ASCII, or a token over the limit) is refused, and the caller takes the string
 * path; both produce the same tokens.
 */
import { asciiClasses, asciiContent, asciiWord } from './ascii-classes.ts'
import { defaultMaxTokenLength } from './standard-tokenizer.ts'

export class ByteTokens {
  count = 0
  /** Offsets from the start of the text, which are also offsets in `lower`. */
  starts = new Int32Array(64)
  ends = new Int32Array(64)
  /** `hashBytes` of each term. */
  hashes = new Int32Array(64)
  lower = new Uint8Array(1024)

  /** Makes room for a text of this many bytes; a token needs at least a byte and one that ends it. */
  reserve(bytes: number): void {
    if (bytes > this.lower.length) this.lower = new Uint8Array(Math.max(bytes, this.lower.length * 2))
    const most = (bytes + 2) >> 1
    if (most > this.starts.length) {
      const size = Math.max(most, this.starts.length * 2)
      this.starts = new Int32Array(size)
      this.ends = new Int32Array(size)
      this.hashes = new Int32Array(size)
    }
  }
}

const hashSeed = -2128831035
const hashPrime = 16777619

/** FNV-1a hash of a term's bytes. */
export function hashBytes(bytes: Uint8Array, from: number, to: number): number {
  let hash = hashSeed
  for (let index = from; index < to; index++) hash = Math.imul(hash ^ bytes[index]!, hashPrime)
  return hash
}

const lowerOf = new Uint8Array(256)
for (let code = 0; code < 256; code++) lowerOf[code] = code >= 65 && code <= 90 ? code + 32 : code

/** Indexed by byte: its class and, shifted, its lower case. */
const known = Uint16Array.from(lowerOf, (lower, byte) => asciiClasses[byte]! | (lower << 8))

/** Tokenizes `bytes[from, to)`; false when the text needs the string path. */
export function standardByteTokens(bytes: Uint8Array, from: number, to: number, out: ByteTokens): boolean {
  out.reserve(to - from)
  const { starts, ends, hashes, lower } = out
  let count = 0
  let index = from
  out.count = 0
  while (index < to) {
    const first = bytes[index]!
    if (first > 127) return false
    if ((asciiClasses[first]! & asciiWord) === 0) {
      index++
      continue
    }
    const start = index
    let hash = hashSeed
    let last = 0
    let seen = 0
    while (index < to) {
      const byte = bytes[index]!
      const both = known[byte]!
      const kind = both & 0xff
      if ((kind & asciiWord) === 0) {
        if (byte > 127) return false
        if (((kind >> 3) & last) === 0 || index + 1 >= to) break
        const next = bytes[index + 1]!
        if (next > 127) return false
        if ((asciiClasses[next]! & last) === 0) break
      } else {
        seen |= kind
      }
      last = kind & asciiWord
      const folded = both >>> 8
      lower[index - from] = folded
      hash = Math.imul(hash ^ folded, hashPrime)
      index++
    }
    if (index - start > defaultMaxTokenLength) return false
    if ((seen & asciiContent) === 0) continue
    starts[count] = start - from
    ends[count] = index - from
    hashes[count++] = hash
  }
  out.count = count
  return true
}

/** Returns whether `bytes[from, to)` is a token as it is: ASCII without delimiters and capitals. */
export function isByteToken(bytes: Uint8Array, from: number, to: number): boolean {
  if (to - from > defaultMaxTokenLength) return false
  let last = 0
  let seen = 0
  for (let index = from; index < to; index++) {
    const byte = bytes[index]!
    const kind = asciiClasses[byte]!
    if ((kind & asciiWord) === 0) {
      if (((kind >> 3) & last) === 0 || index + 1 >= to) return false
      if ((asciiClasses[bytes[index + 1]!]! & last) === 0) return false
    } else if (lowerOf[byte] !== byte) return false
    seen |= kind
    last = kind & asciiWord
  }
  return (seen & asciiContent) !== 0
}
