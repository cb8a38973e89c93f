/**
 * The symbols of records. A record is the source of one document, compressed by itself: literal bytes, and matches
 * with a dictionary that all records of a segment share or with what the record said before (LZ77), both in
 * prefix codes that belong to the dictionary, as zstd has it. Records have no codes of their own, so that a
 * document of a few hundred bytes is read in two microseconds without its neighbours.
 *
 * A stream is a sequence of symbols: a literal byte; a match, whose symbol stands for its length, followed by the extra bits of the
 * length, the code of the high bits of its position and the low bits as they are; an escaped byte that
 * has no code; the end. Bits are packed from the lowest. Positions count from the start of the dictionary; those from
 * `dictionaryBytes` on are in the record itself. Which code a symbol has depends on its
 * context (`contexts.ts`).
 */

export const endSymbol = 256
export const escapeSymbol = 257
const firstLength = 258
export const symbolCount = 286

/** A shorter match takes as many bits as its bytes would. */
export const minMatch = 5
/** The longest length whose symbol exists. */
export const maxMatch = 524
const plainLengths = 16

/** No code is longer, so a table of 4096 entries decodes each in one step. */
export const maxCodeBits = 12

export const dictionaryBytes = 16 * 1024
/** Longer sources are not compressed as records. */
export const maxRecordBytes = 16 * 1024
/** A record whose source is not compressed has this bit in its head. */
export const rawBit = 1
/** The low bits of a position, which have no code. */
export const rawPositionBits = 8
export const positionCount = (dictionaryBytes + maxRecordBytes) >> rawPositionBits

/** Indexed by length: its symbol, and the value of its extra bits. */
export const lengthSymbols = new Uint16Array(maxMatch + 1)
export const lengthExtras = new Uint8Array(maxMatch + 1)
/** Indexed by symbol: the smallest length it stands for, and the number of its extra bits. */
export const lengthBases = new Uint16Array(symbolCount)
export const lengthExtraBits = new Uint8Array(symbolCount)

// The first lengths have a symbol each; then two symbols have two extra bits, two have three, and so on.
for (let symbol = firstLength, length = minMatch; symbol < symbolCount; symbol++) {
  const rank = symbol - firstLength - plainLengths
  const bits = rank < 0 ? 0 : 2 + (rank >> 1)
  lengthBases[symbol] = length
  lengthExtraBits[symbol] = bits
  for (let extra = 0; extra < 1 << bits; extra++, length++) {
    lengthSymbols[length] = symbol
    lengthExtras[length] = extra
  }
}
