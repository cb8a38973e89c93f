/**
 * Texts as bytes for a file: lengths of the next two parts (u32 each), how many bytes of each text are the same as of
 * the one before and how many follow as packed words, then these bytes.
 */
import { FrontCoded } from './front-coded.ts'
import { packWords, unpackWords } from './packed-numbers.ts'

const headBytes = 8

export function packTexts({ shared, rest, suffixes }: FrontCoded): Uint8Array {
  const one = packWords(shared)
  const two = packWords(rest)
  const packed = new Uint8Array(headBytes + one.length + two.length + suffixes.length)
  const view = new DataView(packed.buffer)
  view.setUint32(0, one.length, true)
  view.setUint32(4, two.length, true)
  packed.set(one, headBytes)
  packed.set(two, headBytes + one.length)
  packed.set(suffixes, headBytes + one.length + two.length)
  return packed
}

export function unpackTexts(packed: Uint8Array): FrontCoded {
  const view = new DataView(packed.buffer, packed.byteOffset)
  const first = headBytes + view.getUint32(0, true)
  const second = first + view.getUint32(4, true)
  return new FrontCoded(
    unpackWords(packed.subarray(headBytes, first)),
    unpackWords(packed.subarray(first, second)),
    packed.subarray(second),
  )
}
