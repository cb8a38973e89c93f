/** Compresses sources to records with a dictionary; `symbols.ts` says what a record is. */
import { contextCount, contextOf, firstContext } from './contexts.ts'
import { reversedCodes } from './prefix-code.ts'
import type { RecordDictionary } from './record-dictionary.ts'
import { RecordMatcher, wordsPerSequence } from './record-matcher.ts'
import {
  dictionaryBytes,
  endSymbol,
  escapeSymbol,
  lengthExtraBits,
  lengthExtras,
  lengthSymbols,
  maxCodeBits,
  rawPositionBits,
  symbolCount,
} from './symbols.ts'

const rawPositionMask = (1 << rawPositionBits) - 1
/** A code and its length in one word; for symbols also where the codes of the context behind a literal begin. */
const lengthBits = 4
const lengthMask = (1 << lengthBits) - 1
const codeMask = (1 << maxCodeBits) - 1
const contextShift = 16

/** Returns bytes that suffice for the record of a source: an escaped byte takes twenty bits. */
export function recordRoom(sourceBytes: number): number {
  return sourceBytes * 3 + 8
}

export class RecordEncoder {
  readonly dictionary: RecordDictionary
  readonly #matcher: RecordMatcher
  /** The codes of the symbols in each context, one context behind the other. */
  readonly #symbols = new Uint32Array(contextCount * symbolCount)
  readonly #positions: Uint32Array

  constructor(dictionary: RecordDictionary) {
    this.dictionary = dictionary
    this.#matcher = new RecordMatcher(dictionary.content)
    for (const [context, lengths] of dictionary.symbolLengths.entries())
      this.#symbols.set(codesOf(lengths).map(withContext), context * symbolCount)
    this.#positions = codesOf(dictionary.positionLengths)
  }

  /** Writes the record of a source of at most `maxRecordBytes`; returns where it ends. */
  encode(source: Uint8Array, target: DataView, start: number): number {
    const count = this.#matcher.match(source)
    const { sequences, window } = this.#matcher
    const symbols = this.#symbols
    let at = start
    let bits = 0
    let filled = 0
    let context = firstContext * symbolCount
    let next = dictionaryBytes
    for (let i = 0; i < count; i += wordsPerSequence) {
      const end = next + sequences[i]!
      // Two literals fit into a word beside what is left of the one before.
      while (next + 1 < end) {
        const one = symbols[context + window[next]!]!
        const two = symbols[(one >> contextShift) + window[next + 1]!]!
        if ((one & lengthMask) === 0 || (two & lengthMask) === 0) break
        bits |= ((one >> lengthBits) & codeMask) << filled
        filled += one & lengthMask
        bits |= ((two >> lengthBits) & codeMask) << filled
        filled += two & lengthMask
        context = two >> contextShift
        target.setInt32(at, bits, true)
        at += filled >> 3
        bits >>>= filled & 24
        filled &= 7
        next += 2
      }
      for (; next < end; next++) {
        let code = symbols[context + window[next]!]!
        if ((code & lengthMask) === 0) {
          const escaped = symbols[context + escapeSymbol]!
          bits |= ((escaped >> lengthBits) & codeMask) << filled
          filled += escaped & lengthMask
          target.setInt32(at, bits, true)
          at += filled >> 3
          bits >>>= filled & 24
          filled &= 7
          code = (code & ~0xffff) | (window[next]! << lengthBits) | 8
        }
        bits |= ((code >> lengthBits) & codeMask) << filled
        filled += code & lengthMask
        context = code >> contextShift
        target.setInt32(at, bits, true)
        at += filled >> 3
        bits >>>= filled & 24
        filled &= 7
      }
      const length = sequences[i + 1]!
      if (length === 0) break
      const symbol = lengthSymbols[length]!
      const code = symbols[context + symbol]!
      bits |= ((code >> lengthBits) & codeMask) << filled
      filled += code & lengthMask
      bits |= lengthExtras[length]! << filled
      filled += lengthExtraBits[symbol]!
      target.setInt32(at, bits, true)
      at += filled >> 3
      bits >>>= filled & 24
      filled &= 7
      const position = sequences[i + 2]!
      const high = this.#positions[position >> rawPositionBits]!
      bits |= (high >> lengthBits) << filled
      filled += high & lengthMask
      bits |= (position & rawPositionMask) << filled
      filled += rawPositionBits
      target.setInt32(at, bits, true)
      at += filled >> 3
      bits >>>= filled & 24
      filled &= 7
      next += length
      context = contextOf[window[next - 1]!]! * symbolCount
    }
    const code = symbols[context + endSymbol]!
    target.setInt32(at, bits | (((code >> lengthBits) & codeMask) << filled), true)
    return at + ((filled + (code & lengthMask) + 7) >> 3)
  }
}

function withContext(code: number, symbol: number): number {
  return symbol < endSymbol ? code | ((contextOf[symbol]! * symbolCount) << contextShift) : code
}

function codesOf(lengths: Uint8Array): Uint32Array {
  const codes = reversedCodes(lengths)
  // A code takes 12 bits and its length four; a symbol without a code is 0, because no code has no bits.
  return Uint32Array.from(codes, (code, symbol) => (code << lengthBits) | lengths[symbol]!)
}
