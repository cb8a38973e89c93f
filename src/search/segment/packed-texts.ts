/**
 * A list of texts as bytes for a file. Of each text there is only what differs from the one before: lengths of the
 * next two parts (u32 each), how many bytes are the same and how many follow as packed words, then these bytes.
 */
import { packWords, unpackWords } from './packed-numbers.ts'
import type { TextList } from './sections.ts'

const headBytes = 8

/** Texts `first` up to, not including, `last`. */
export function packTexts(bytes: Uint8Array, ends: Uint32Array, first: number, last: number): Uint8Array {
  const count = last - first
  const shared = new Uint32Array(count)
  const rest = new Uint32Array(count)
  let start = first === 0 ? 0 : ends[first - 1]!
  const suffixes = new Uint8Array(ends[last - 1]! - start)
  let length = 0
  let previous = start
  for (let i = 0; i < count; i++) {
    const end = ends[first + i]!
    const most = Math.min(start - previous, end - start)
    let same = 0
    while (same < most && bytes[previous + same] === bytes[start + same]) same++
    shared[i] = same
    rest[i] = end - start - same
    for (let at = start + same; at < end; at++) suffixes[length++] = bytes[at]!
    previous = start
    start = end
  }
  const one = packWords(shared)
  const two = packWords(rest)
  const packed = new Uint8Array(headBytes + one.length + two.length + length)
  const view = new DataView(packed.buffer)
  view.setUint32(0, one.length, true)
  view.setUint32(4, two.length, true)
  packed.set(one, headBytes)
  packed.set(two, headBytes + one.length)
  packed.set(suffixes.subarray(0, length), headBytes + one.length + two.length)
  return packed
}

export interface UnpackedTexts extends TextList {
  /** How many bytes each text has in common with the one before. */
  readonly shared: Uint32Array
}

export function unpackTexts(packed: Uint8Array): UnpackedTexts {
  const view = new DataView(packed.buffer, packed.byteOffset)
  const first = headBytes + view.getUint32(0, true)
  const second = first + view.getUint32(4, true)
  const shared = unpackWords(packed.subarray(headBytes, first))
  const rest = unpackWords(packed.subarray(first, second))
  const ends = new Uint32Array(shared.length)
  let total = 0
  for (let i = 0; i < ends.length; i++) {
    total += shared[i]! + rest[i]!
    ends[i] = total
  }
  const bytes = new Uint8Array(total)
  let from = second
  let previous = 0
  let at = 0
  for (let i = 0; i < ends.length; i++) {
    const start = at
    for (let k = shared[i]!; k > 0; k--) bytes[at++] = bytes[previous++]!
    for (let k = rest[i]!; k > 0; k--) bytes[at++] = packed[from++]!
    previous = start
  }
  return { bytes, ends, shared }
}
