/**
 * Decompresses the beginning of a DEFLATE stream (RFC 1951), as far as it is wanted. A hit lies somewhere in its block of
 * stored fields and nobody needs what is behind it, but zlib decompresses whole blocks, into memory that it allocates
 * for each call. This decoder stops where it is told and writes to memory that is reused.
 *
 * Short codes are looked up in a table; the few longer ones are decoded canonically, bit by bit. An entry of
 * a table holds the length of the code in its lowest 4 bits, the number of extra bits in the next 4, and above them the
 * literal byte, or the smallest length or distance that the code stands for.
 */

/** The bits that the tables of the three codes are looked up by; a larger table takes longer to fill. */
const literalBits = 10
const literalMask = (1 << literalBits) - 1
const distanceBits = 9
const distanceMask = (1 << distanceBits) - 1
const codeLengthBits = 7
const codeLengthMask = (1 << codeLengthBits) - 1
const maxCodeBits = 15
const maxLiteralCodes = 286
const maxDistanceCodes = 30
/** The codes that RFC 1951 fixes have two of each kind that no stream may use. */
const fixedLiteralCodes = 288
const fixedDistanceCodes = 32
const endOfBlock = 256
const isLiteral = 1 << 24
const invalid = 1 << 25

/** The maximum number of bytes that one code stands for. */
const maxMatch = 258
/** The output has this much room behind the last byte that is wanted: a match more and the last word of its copy. */
export const outputMargin = maxMatch + 3
/** The input has this much room behind its last byte: bits are read four bytes at a time, a code ahead. */
export const inputMargin = 16

const lengthBases = [
  ...[3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59],
  ...[67, 83, 99, 115, 131, 163, 195, 227, 258],
]
const literalMeanings = Int32Array.from({ length: fixedLiteralCodes }, (_, symbol) => {
  if (symbol < endOfBlock) return isLiteral | (symbol << 8)
  if (symbol === endOfBlock) return 0
  const code = symbol - endOfBlock - 1
  const base = lengthBases[code]
  if (base === undefined) return invalid
  const extraBits = code < 8 || code === 28 ? 0 : (code >> 2) - 1
  return (base << 8) | (extraBits << 4)
})
const distanceMeanings = Int32Array.from({ length: fixedDistanceCodes }, (_, code) => {
  if (code >= maxDistanceCodes) return invalid
  const extraBits = code < 4 ? 0 : (code >> 1) - 1
  const base = code < 4 ? code + 1 : 1 + ((2 + (code & 1)) << extraBits)
  return (base << 8) | (extraBits << 4)
})
const lengthMeanings = Int32Array.from({ length: 19 }, (_, symbol) => symbol << 8)
/** The order in which a block lists the lengths of the codes of lengths. */
const lengthOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

/** A canonical Huffman code. */
class PrefixCode {
  readonly table: Int32Array
  readonly #tableBits: number
  readonly #meanings: Int32Array
  /** How many codes there are of each length. */
  readonly #counts = new Uint16Array(maxCodeBits + 1)
  /** The symbols, ordered by the length of their codes, then by number. */
  readonly #symbols: Uint16Array
  readonly #next = new Uint16Array(maxCodeBits + 2)

  constructor(meanings: Int32Array, tableBits: number) {
    this.table = new Int32Array(1 << tableBits)
    this.#tableBits = tableBits
    this.#meanings = meanings
    this.#symbols = new Uint16Array(meanings.length)
  }

  /** Takes the code whose lengths, one for each symbol, stand in `lengths`. */
  set(lengths: Uint8Array, from: number, to: number): void {
    const counts = this.#counts
    const next = this.#next
    const symbols = this.#symbols
    counts.fill(0)
    for (let i = from; i < to; i++) counts[lengths[i]!]!++
    counts[0] = 0
    let free = 1
    for (let length = 1; length <= maxCodeBits; length++) {
      next[length + 1] = next[length]! + counts[length]!
      free = free * 2 - counts[length]!
      if (free < 0) throw new RangeError('a code of a compressed block has too many members')
    }
    for (let i = from; i < to; i++) if (lengths[i] !== 0) symbols[next[lengths[i]!]!++] = i - from
    next.fill(0)
    this.#fillTable()
  }

  #fillTable(): void {
    const table = this.table
    table.fill(0)
    let reversed = 0
    let i = 0
    for (let length = 1; length <= this.#tableBits; length++) {
      const step = 1 << length
      for (const end = i + this.#counts[length]!; i < end; i++) {
        const entry = this.#meanings[this.#symbols[i]!]! | length
        for (let at = reversed; at < table.length; at += step) table[at] = entry
        // Codes are packed from their highest bit, so the next one adds one at that end.
        let bit = step >> 1
        while ((reversed & bit) !== 0) bit >>= 1
        reversed = bit === 0 ? 0 : (reversed & (bit - 1)) + bit
      }
    }
  }

  /** Returns the entry of a code that is longer than the table has bits. */
  longEntry(bits: number): number {
    let code = 0
    let first = 0
    let index = 0
    for (let length = 1; length <= maxCodeBits; length++) {
      code |= (bits >>> (length - 1)) & 1
      const count = this.#counts[length]!
      if (code - first < count) return this.#meanings[this.#symbols[index + code - first]!]! | length
      index += count
      first = (first + count) << 1
      code <<= 1
    }
    throw new RangeError('a compressed block has a code that means nothing')
  }
}

export class Inflater {
  readonly #literals = new PrefixCode(literalMeanings, literalBits)
  readonly #distances = new PrefixCode(distanceMeanings, distanceBits)
  readonly #codeLengths = new PrefixCode(lengthMeanings, codeLengthBits)
  readonly #lengths = new Uint8Array(maxLiteralCodes + maxDistanceCodes + 4)
  #input: DataView = new DataView(new ArrayBuffer(0))
  /** The place in the input, in bits. */
  #at = 0

  /**
   * Decompresses at least `wanted` bytes to the start of `output`, at most `outputMargin` more. `input` ends
   * `inputMargin` bytes behind the stream.
   */
  inflate(input: Uint8Array, output: Uint8Array, wanted: number): void {
    this.#input = new DataView(input.buffer, input.byteOffset, input.length)
    this.#at = 0
    const end = (input.length - inputMargin) * 8
    for (let written = 0; written < wanted; ) {
      if (this.#at + 3 > end) throw new RangeError('a compressed block ends too early')
      this.#bits(1)
      const kind = this.#bits(2)
      if (kind === 0) written = this.#copyStored(output, written, wanted)
      else {
        if (kind === 1) this.#setFixedCodes()
        else if (kind === 2) this.#readCodes()
        else throw new RangeError('a compressed block is of no known kind')
        written = this.#decode(output, written, wanted)
      }
      if (this.#at > end) throw new RangeError('a compressed block ends too early')
    }
  }

  /** Reads up to 16 bits. */
  #bits(count: number): number {
    const at = this.#at
    this.#at = at + count
    return (this.#input.getInt32(at >>> 3, true) >>> (at & 7)) & ((1 << count) - 1)
  }

  #copyStored(output: Uint8Array, written: number, wanted: number): number {
    const start = (this.#at + 7) >>> 3
    const length = this.#input.getUint16(start, true)
    if ((length ^ this.#input.getUint16(start + 2, true)) !== 0xffff)
      throw new RangeError('a stored block has a wrong length')
    const count = Math.min(length, wanted - written)
    const from = start + 4
    if (from + count > this.#input.byteLength) throw new RangeError('a compressed block ends too early')
    output.set(new Uint8Array(this.#input.buffer, this.#input.byteOffset + from, count), written)
    this.#at = (from + length) * 8
    return written + count
  }

  #setFixedCodes(): void {
    const lengths = new Uint8Array(fixedLiteralCodes)
    lengths.fill(8, 0, 144).fill(9, 144, 256).fill(7, 256, 280).fill(8, 280)
    this.#literals.set(lengths, 0, fixedLiteralCodes)
    this.#distances.set(lengths.fill(5), 0, fixedDistanceCodes)
  }

  #readCodes(): void {
    const lengths = this.#lengths
    const literals = this.#bits(5) + 257
    const distances = this.#bits(5) + 1
    const listed = this.#bits(4) + 4
    if (literals > maxLiteralCodes || distances > maxDistanceCodes)
      throw new RangeError('a compressed block has too many codes')
    lengths.fill(0, 0, lengthOrder.length)
    for (let i = 0; i < listed; i++) lengths[lengthOrder[i]!] = this.#bits(3)
    this.#codeLengths.set(lengths, 0, lengthOrder.length)
    this.#readLengths(literals + distances)
    if (lengths[endOfBlock] === 0) throw new RangeError('a compressed block has no end')
    this.#literals.set(lengths, 0, literals)
    this.#distances.set(lengths, literals, literals + distances)
  }

  #readLengths(total: number): void {
    const lengths = this.#lengths
    const { table } = this.#codeLengths
    for (let i = 0; i < total; ) {
      const at = this.#at
      const entry = table[(this.#input.getInt32(at >>> 3, true) >>> (at & 7)) & codeLengthMask]!
      if (entry === 0) throw new RangeError('a compressed block has a code that means nothing')
      this.#at = at + (entry & 15)
      const symbol = entry >>> 8
      if (symbol < 16) {
        lengths[i++] = symbol
        continue
      }
      if (symbol === 16 && i === 0)
        throw new RangeError('a compressed block repeats a length that is not there')
      const value = symbol === 16 ? lengths[i - 1]! : 0
      const end =
        i + (symbol === 16 ? 3 + this.#bits(2) : symbol === 17 ? 3 + this.#bits(3) : 11 + this.#bits(7))
      if (end > total) throw new RangeError('a compressed block has too many lengths of codes')
      while (i < end) lengths[i++] = value
    }
  }

  /** Decodes up to the end of the block, or until enough is written; returns how much is. */
  #decode(output: Uint8Array, start: number, wanted: number): number {
    const input = this.#input
    const words = new DataView(output.buffer, output.byteOffset, output.length)
    const literals = this.#literals.table
    const distances = this.#distances.table
    let at = this.#at
    let written = start
    while (written < wanted) {
      // The 25 bits that are there at least suffice for two codes of the table, or for a long one with its extra bits.
      let bits = input.getInt32(at >>> 3, true) >> (at & 7)
      let entry = literals[bits & literalMask]!
      if ((entry & isLiteral) !== 0) {
        output[written++] = entry >> 8
        at += entry & 15
        bits >>= entry & 15
        entry = literals[bits & literalMask]!
        if ((entry & isLiteral) !== 0) {
          output[written++] = entry >> 8
          at += entry & 15
          continue
        }
        bits = input.getInt32(at >>> 3, true) >> (at & 7)
      }
      if (entry === 0) {
        entry = this.#literals.longEntry(bits)
        if ((entry & isLiteral) !== 0) {
          output[written++] = entry >> 8
          at += entry & 15
          continue
        }
      }
      at += entry & 15
      let extra = (entry >>> 4) & 15
      let length = entry >>> 8
      if (extra !== 0) {
        length += (bits >> (entry & 15)) & ((1 << extra) - 1)
        at += extra
      } else if (length === 0) {
        this.#at = at
        return written
      }
      bits = input.getInt32(at >>> 3, true) >> (at & 7)
      entry = distances[bits & distanceMask]!
      if (entry === 0) entry = this.#distances.longEntry(bits)
      at += entry & 15
      extra = (entry >>> 4) & 15
      let distance = entry >>> 8
      if (extra !== 0) {
        distance += (input.getInt32(at >>> 3, true) >>> (at & 7)) & ((1 << extra) - 1)
        at += extra
      }
      // Codes that no stream may use have distances and lengths beyond all bounds.
      if (distance > written || length > maxMatch)
        throw new RangeError('a compressed block refers to what is not there')
      const end = written + length
      let from = written - distance
      if (distance >= 4) {
        // Four bytes at a time, up to three too many, which the next ones overwrite.
        for (; written < end; written += 4, from += 4)
          words.setInt32(written, words.getInt32(from, true), true)
        written = end
      } else while (written < end) output[written++] = output[from++]!
    }
    this.#at = at
    return written
  }
}
