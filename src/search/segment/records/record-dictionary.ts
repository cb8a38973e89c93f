/**
 * A dictionary: content that records refer to, and the lengths of the codes of their symbols (zstd: content and entropy tables).
 * It is stored as the length of the content (u16), the content, and the code lengths as nibbles: of the symbols in
 * each context, then of positions; all of it compressed.
 */

import { compress, decompress } from '../encoding/compression.ts'
import { contextCount } from './contexts.ts'
import { dictionaryBytes, maxCodeBits, positionCount, symbolCount } from './symbols.ts'

const headBytes = 2
const codeCount = contextCount * symbolCount + positionCount

export interface RecordDictionary {
  readonly content: Uint8Array
  /** The code lengths of the symbols in each context. */
  readonly symbolLengths: readonly Uint8Array[]
  readonly positionLengths: Uint8Array
}

export function storedDictionary({ content, symbolLengths, positionLengths }: RecordDictionary): Uint8Array {
  const bytes = new Uint8Array(headBytes + content.length + Math.ceil(codeCount / 2))
  bytes[0] = content.length & 0xff
  bytes[1] = content.length >>> 8
  bytes.set(content, headBytes)
  let at = 0
  for (const lengths of [...symbolLengths, positionLengths])
    for (const length of lengths) bytes[headBytes + content.length + (at >> 1)]! |= length << ((at++ & 1) * 4)
  return compress(bytes)
}

/** Throws when the bytes are not those of a dictionary. */
export function readDictionary(stored: Uint8Array): RecordDictionary {
  const bytes = decompress(stored, headBytes + dictionaryBytes + Math.ceil(codeCount / 2))
  const contentBytes = bytes[0]! | (bytes[1]! << 8)
  const codes = headBytes + contentBytes
  if (contentBytes > dictionaryBytes || bytes.length !== codes + Math.ceil(codeCount / 2))
    throw new RangeError('a dictionary has a wrong length')
  let at = 0
  const lengths = (count: number): Uint8Array => {
    const read = new Uint8Array(count)
    for (let i = 0; i < count; i++, at++) {
      read[i] = (bytes[codes + (at >> 1)]! >> ((at & 1) * 4)) & 15
      if (read[i]! > maxCodeBits) throw new RangeError('a dictionary has a code that is too long')
    }
    return read
  }
  return {
    content: bytes.subarray(headBytes, codes),
    symbolLengths: Array.from({ length: contextCount }, () => lengths(symbolCount)),
    positionLengths: lengths(positionCount),
  }
}
