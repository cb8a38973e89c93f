/**
 * Encodes lists of texts for a file: the lengths of the next two parts (u32 each), the front coding (shared and
 * suffix lengths) as packed words, then the suffixes. Long ids with at most sixteen distinct characters, such as
 * hashes and trace ids, take four bits per character, which is as small as a compressor gets and much faster. In
 * that case the highest bit of the second length is set and the sixteen characters stand before the nibbles, low
 * nibble first.
 */
import { FrontCoded } from './front-coded.ts'
import { packWords, unpackWords } from './packed-numbers.ts'

const headBytes = 8
const halvesMark = 0x8000_0000
const alphabet = 16
/** The average suffix length from which nibbles are tried; shorter suffixes resemble each other and compress better. */
const minNibbleSuffix = 8

export function packTexts({ shared, rest, suffixes }: FrontCoded): Uint8Array {
  const one = packWords(shared)
  const two = packWords(rest)
  const halves = suffixes.length >= minNibbleSuffix * shared.length ? packHalves(suffixes) : undefined
  const three = halves ?? suffixes
  const packed = new Uint8Array(headBytes + one.length + two.length + three.length)
  const view = new DataView(packed.buffer)
  view.setUint32(0, one.length, true)
  view.setUint32(4, two.length + (halves === undefined ? 0 : halvesMark), true)
  packed.set(one, headBytes)
  packed.set(two, headBytes + one.length)
  packed.set(three, headBytes + one.length + two.length)
  return packed
}

export function unpackTexts(packed: Uint8Array): FrontCoded {
  const view = new DataView(packed.buffer, packed.byteOffset)
  const marked = view.getUint32(4, true)
  const first = headBytes + view.getUint32(0, true)
  const second = first + (marked % halvesMark)
  const shared = unpackWords(packed.subarray(headBytes, first))
  const rest = unpackWords(packed.subarray(first, second))
  const three = packed.subarray(second)
  return new FrontCoded(shared, rest, marked < halvesMark ? three : unpackHalves(three, sumOf(rest)))
}

/** Packs into nibbles; undefined when there are more than sixteen distinct characters. */
function packHalves(bytes: Uint8Array): Uint8Array | undefined {
  /** Indexed by character: its code plus one. */
  const numbers = new Uint8Array(256)
  let count = 0
  for (let i = 0; i < bytes.length; i++) {
    if (numbers[bytes[i]!] !== 0) continue
    if (count === alphabet) return undefined
    numbers[bytes[i]!] = ++count
  }
  const packed = new Uint8Array(alphabet + ((bytes.length + 1) >> 1))
  for (let byte = 0; byte < 256; byte++) {
    if (numbers[byte] === 0) continue
    numbers[byte]! -= 1
    packed[numbers[byte]!] = byte
  }
  const even = bytes.length & ~1
  let at = alphabet
  for (let i = 0; i < even; i += 2) packed[at++] = numbers[bytes[i]!]! | (numbers[bytes[i + 1]!]! << 4)
  if (even < bytes.length) packed[at] = numbers[bytes[even]!]!
  return packed
}

function unpackHalves(packed: Uint8Array, length: number): Uint8Array {
  const bytes = new Uint8Array(length)
  let from = alphabet
  for (let at = 0; at < length; ) {
    const pair = packed[from++]!
    bytes[at++] = packed[pair & 15]!
    if (at < length) bytes[at++] = packed[pair >>> 4]!
  }
  return bytes
}

function sumOf(lengths: Uint32Array): number {
  let sum = 0
  for (let i = 0; i < lengths.length; i++) sum += lengths[i]!
  return sum
}
