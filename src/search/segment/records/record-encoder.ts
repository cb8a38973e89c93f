/** Compresses sources to records with a dictionary; `symbols.ts` says what a record is. */
import { contextCount, contextOf, firstContext } from './contexts.ts'
import { reversedCodes } from './prefix-code.ts'
import type { RecordDictionary } from './record-dictionary.ts'
import { RecordMatcher } from './record-matcher.ts'
import {
  dictionaryBytes,
  endSymbol,
  escapeSymbol,
  lengthExtraBits,
  lengthExtras,
  lengthSymbols,
  rawPositionBits,
  symbolCount,
} from './symbols.ts'

const rawPositionMask = (1 << rawPositionBits) - 1
/** A code and its length in one word. */
const lengthBits = 4
const lengthMask = (1 << lengthBits) - 1

/** Returns bytes that suffice for the record of a source: an escaped byte takes twenty bits. */
export function recordRoom(sourceBytes: number): number {
  return sourceBytes * 3 + 8
}

export class RecordEncoder {
  readonly dictionary: RecordDictionary
  readonly #matcher: RecordMatcher
  /** The codes of the symbols in each context, one context behind the other. */
  readonly #symbols = new Uint16Array(contextCount * symbolCount)
  readonly #positions: Uint16Array

  constructor(dictionary: RecordDictionary) {
    this.dictionary = dictionary
    this.#matcher = new RecordMatcher(dictionary.content)
    for (const [context, lengths] of dictionary.symbolLengths.entries())
      this.#symbols.set(codesOf(lengths), context * symbolCount)
    this.#positions = codesOf(dictionary.positionLengths)
  }

  /** Writes the record of a source of at most `maxRecordBytes`; returns where it ends. */
  encode(source: Uint8Array, target: DataView, start: number): number {
    const count = this.#matcher.match(source)
    const { tokens, window } = this.#matcher
    const symbols = this.#symbols
    let at = start
    let bits = 0
    let filled = 0
    let context = firstContext * symbolCount
    let end = dictionaryBytes
    for (let i = 0; i < count; i++) {
      const token = tokens[i]!
      if (token >= 0) {
        let code = symbols[context + token]!
        if (code === 0) {
          code = symbols[context + escapeSymbol]!
          bits |= (code >> lengthBits) << filled
          filled += code & lengthMask
          target.setInt32(at, bits, true)
          at += filled >> 3
          bits >>>= filled & 24
          filled &= 7
          bits |= token << filled
          filled += 8
        } else {
          bits |= (code >> lengthBits) << filled
          filled += code & lengthMask
        }
        context = contextOf[token]! * symbolCount
        end++
      } else {
        const symbol = lengthSymbols[-token]!
        const code = symbols[context + symbol]!
        bits |= (code >> lengthBits) << filled
        filled += code & lengthMask
        bits |= lengthExtras[-token]! << filled
        filled += lengthExtraBits[symbol]!
        target.setInt32(at, bits, true)
        at += filled >> 3
        bits >>>= filled & 24
        filled &= 7
        const position = tokens[++i]!
        const high = this.#positions[position >> rawPositionBits]!
        bits |= (high >> lengthBits) << filled
        filled += high & lengthMask
        bits |= (position & rawPositionMask) << filled
        filled += rawPositionBits
        end -= token
        context = contextOf[window[end - 1]!]! * symbolCount
      }
      target.setInt32(at, bits, true)
      at += filled >> 3
      bits >>>= filled & 24
      filled &= 7
    }
    const code = symbols[context + endSymbol]!
    target.setInt32(at, bits | ((code >> lengthBits) << filled), true)
    return at + ((filled + (code & lengthMask) + 7) >> 3)
  }
}

function codesOf(lengths: Uint8Array): Uint16Array {
  const codes = reversedCodes(lengths)
  // A code takes 12 bits and its length four; a symbol without a code is 0, because no code has no bits.
  return codes.map((code, symbol) => (code << lengthBits) | lengths[symbol]!)
}
