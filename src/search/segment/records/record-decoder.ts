/** Decompresses records; `symbols.ts` says what a record is. */
import { contextCount, contextOf, firstContext } from './contexts.ts'
import { eachTableEntry } from './prefix-code.ts'
import type { RecordDictionary } from './record-dictionary.ts'
import {
  dictionaryBytes,
  endSymbol,
  escapeSymbol,
  lengthBases,
  lengthExtraBits,
  maxCodeBits,
  maxMatch,
  maxRecordBytes,
  rawPositionBits,
} from './symbols.ts'

/**
 * An entry of the table of symbols holds the length of the code in its lowest four bits and the symbol in the next nine. A
 * literal has the context behind it, and where the code of another literal fits into the bits of the table, that one as
 * well: then the length is that of both codes and the context is that behind the second. Literals come first among the
 * symbols.
 */
const symbolShift = 4
const symbolMask = 0x1ff
const otherBit = 0x100 << symbolShift
const secondShift = 13
const contextShift = 21
const contextMask = contextCount - 1
const literalsShift = 28
const tableMask = (1 << maxCodeBits) - 1
const rawPositionMask = (1 << rawPositionBits) - 1
/** A record is read four bytes at a time, a code ahead: this much must be readable behind it. */
export const recordMargin = 8
/** Words are copied, so a match may write three bytes more than it has. */
const outputMargin = maxMatch + 8

const output = new Uint8Array(maxRecordBytes + outputMargin)
const outputView = new DataView(output.buffer)

/** What was decompressed last in this thread, of any dictionary. */
export { outputView as decodedView }

export class RecordDecoder {
  /** The memory of the tables and the content. */
  static readonly bytes = (contextCount << (maxCodeBits + 2)) + (1 << (maxCodeBits + 1)) + dictionaryBytes
  readonly #content: Uint8Array
  readonly #contentView: DataView
  readonly #symbols: Uint32Array
  readonly #positions = new Uint16Array(1 << maxCodeBits)

  constructor({ content, symbolLengths, positionLengths }: RecordDictionary) {
    // Words are read across the end of the content.
    this.#content = new Uint8Array(content.length + recordMargin)
    this.#content.set(content)
    this.#contentView = new DataView(this.#content.buffer)
    this.#symbols = withSeconds(symbolTable(symbolLengths))
    eachTableEntry(positionLengths, maxCodeBits, (symbol, first, step) => {
      const entry = (symbol << symbolShift) | positionLengths[symbol]!
      for (let at = first; at <= tableMask; at += step) this.#positions[at] = entry
    })
  }

  /**
   * Decompresses the record at `start`, behind whose end `recordMargin` bytes are readable, into `decodedView`; returns
   * the number of its bytes. The next record overwrites them.
   */
  decode(input: DataView, start: number, end: number): number {
    const symbols = this.#symbols
    const contentBytes = this.#content.length - recordMargin
    const last = end * 8
    let bit = start * 8
    let table = firstContext << maxCodeBits
    let at = 0
    while (at <= maxRecordBytes && bit < last) {
      // There are 25 bits at least: two entries, or one code with its extra bits.
      let bits = input.getInt32(bit >>> 3, true) >> (bit & 7)
      let entry = symbols[table | (bits & tableMask)]!
      if ((entry & otherBit) === 0) {
        // The second of two is written in any case, and overwritten when there is none.
        output[at] = entry >> symbolShift
        output[at + 1] = entry >> secondShift
        at += entry >>> literalsShift
        bit += entry & 15
        bits >>= entry & 15
        table = ((entry >> contextShift) & contextMask) << maxCodeBits
        entry = symbols[table | (bits & tableMask)]!
        if ((entry & otherBit) === 0) {
          output[at] = entry >> symbolShift
          output[at + 1] = entry >> secondShift
          at += entry >>> literalsShift
          bit += entry & 15
          table = ((entry >> contextShift) & contextMask) << maxCodeBits
          continue
        }
        bits = input.getInt32(bit >>> 3, true) >> (bit & 7)
      }
      const symbol = (entry >> symbolShift) & symbolMask
      bit += entry & 15
      bits >>= entry & 15
      if (symbol === endSymbol) {
        if (bit > last) break
        return at
      }
      if (symbol === escapeSymbol) {
        output[at++] = bits
        bit += 8
      } else {
        const extra = lengthExtraBits[symbol]!
        const length = lengthBases[symbol]! + (bits & ((1 << extra) - 1))
        bit += extra
        bits = input.getInt32(bit >>> 3, true) >> (bit & 7)
        entry = this.#positions[bits & tableMask]!
        bit += (entry & 15) + rawPositionBits
        const raw = (bits >> (entry & 15)) & rawPositionMask
        const position = ((entry >> symbolShift) << rawPositionBits) | raw
        const to = at + length
        if (position < dictionaryBytes) {
          if (position + length > contentBytes) break
          for (let from = position; at < to; at += 4, from += 4)
            outputView.setInt32(at, this.#contentView.getInt32(from, true), true)
        } else {
          let from = position - dictionaryBytes
          if (from >= at) break
          if (at - from < 4) while (at < to) output[at++] = output[from++]!
          else
            for (; at < to; at += 4, from += 4) outputView.setInt32(at, outputView.getInt32(from, true), true)
        }
        at = to
      }
      table = contextOf[output[at - 1]!]! << maxCodeBits
    }
    throw new RangeError('a record cannot be read')
  }
}

/** Returns a table for each context, one behind the other, with one symbol in an entry. */
function symbolTable(symbolLengths: readonly Uint8Array[]): Uint32Array {
  // Bits that are no code give a literal, so that every step gets on, to the limit of a record.
  const symbols = new Uint32Array(contextCount << maxCodeBits).fill(1 << literalsShift)
  for (const [context, lengths] of symbolLengths.entries()) {
    const table = symbols.subarray(context << maxCodeBits, (context + 1) << maxCodeBits)
    eachTableEntry(lengths, maxCodeBits, (symbol, first, step) => {
      const literal =
        symbol < endSymbol ? (contextOf[symbol]! << contextShift) | (1 << literalsShift) : otherBit
      const entry = literal | (symbol << symbolShift) | lengths[symbol]!
      for (let at = first; at <= tableMask; at += step) table[at] = entry
    })
  }
  return symbols
}

/** Adds to literals the one behind them where the bits of an entry hold both codes. */
function withSeconds(symbols: Uint32Array): Uint32Array {
  return symbols.map((entry, place) => {
    const length = entry & 15
    if (length === 0 || (entry & otherBit) !== 0) return entry
    const context = (entry >> contextShift) & contextMask
    const next = symbols[(context << maxCodeBits) | ((place & tableMask) >> length)]!
    const both = length + (next & 15)
    if ((next & 15) === 0 || (next & otherBit) !== 0 || both > maxCodeBits) return entry
    const second = (next >> symbolShift) & 0xff
    const nextContext = (next >> contextShift) & contextMask
    return (
      (2 << literalsShift) |
      (nextContext << contextShift) |
      (second << secondShift) |
      (entry & (0xff << symbolShift)) |
      both
    )
  })
}
