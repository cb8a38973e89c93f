/**
 * Lists of texts as bytes for a file: blocks that can be read one after the other, so that merging long lists takes
 * little memory. A block is stored length, count and codec (u32 each; 0 plain, 1 compressed), then its bytes. Of each
 * text a block has only what differs from the one before: lengths of the next two parts (u32 each), how many bytes
 * are the same and how many follow as packed words, then these bytes.
 */
import { brotliDecompressSync } from 'node:zlib'
import { compress } from './compression.ts'
import { GrowingUint32 } from './growing-array.ts'
import { packWords, unpackWords } from './packed-numbers.ts'
import type { TextList } from './sections.ts'

const headBytes = 12
const partHeadBytes = 8
const mostShared = 255
const blockBytes = 128 * 1024
const worthCompressing = 64
const leastGain = 0.95

/** Takes texts one by one and makes blocks of them. */
export class TextBlockWriter {
  readonly pieces: Uint8Array[] = []
  #bytes = new Uint8Array(4096)
  #length = 0
  readonly #ends = new GrowingUint32()
  count = 0

  add(bytes: Uint8Array, from: number, to: number): void {
    const length = to - from
    if (this.#length + length > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(this.#length + length, this.#bytes.length * 2))
      larger.set(this.#bytes.subarray(0, this.#length))
      this.#bytes = larger
    }
    const own = this.#bytes
    let at = this.#length
    if (length > 48) own.set(bytes.subarray(from, to), at)
    else for (let i = from; i < to; i++) own[at++] = bytes[i]!
    this.#length += length
    this.#ends.push(this.#length)
    this.count++
    if (this.#length >= blockBytes) this.#finishBlock()
  }

  finish(): readonly Uint8Array[] {
    this.#finishBlock()
    return this.pieces
  }

  #finishBlock(): void {
    const count = this.#ends.length
    if (count === 0) return
    const plain = packPart({ bytes: this.#bytes, ends: this.#ends.view() })
    const small = plain.length < worthCompressing ? plain : compress(plain)
    const isSmall = small.length < plain.length * leastGain
    const stored = isSmall ? small : plain
    const head = new Uint8Array(headBytes)
    const view = new DataView(head.buffer)
    view.setUint32(0, stored.length, true)
    view.setUint32(4, count, true)
    view.setUint32(8, isSmall ? 1 : 0, true)
    this.pieces.push(head, stored)
    this.#length = 0
    this.#ends.length = 0
  }
}

export function packTexts({ bytes, ends }: TextList): readonly Uint8Array[] {
  const writer = new TextBlockWriter()
  for (let i = 0, start = 0; i < ends.length; i++) {
    writer.add(bytes, start, ends[i]!)
    start = ends[i]!
  }
  return writer.finish()
}

function packPart({ bytes, ends }: TextList): Uint8Array {
  const count = ends.length
  const shared = new Uint32Array(count)
  const rest = new Uint32Array(count)
  const suffixes = new Uint8Array(ends[count - 1]!)
  let length = 0
  let previous = 0
  let start = 0
  for (let i = 0; i < count; i++) {
    const end = ends[i]!
    const most = Math.min(start - previous, end - start, mostShared)
    let same = 0
    while (same < most && bytes[previous + same] === bytes[start + same]) same++
    shared[i] = same
    rest[i] = end - start - same
    for (let at = start + same; at < end; at++) suffixes[length++] = bytes[at]!
    previous = start
    start = end
  }
  const first = packWords(shared)
  const second = packWords(rest)
  const packed = new Uint8Array(partHeadBytes + first.length + second.length + length)
  const view = new DataView(packed.buffer)
  view.setUint32(0, first.length, true)
  view.setUint32(4, second.length, true)
  packed.set(first, partHeadBytes)
  packed.set(second, partHeadBytes + first.length)
  packed.set(suffixes.subarray(0, length), partHeadBytes + first.length + second.length)
  return packed
}

function unpackPart(packed: Uint8Array): TextList {
  const view = new DataView(packed.buffer, packed.byteOffset)
  const first = partHeadBytes + view.getUint32(0, true)
  const second = first + view.getUint32(4, true)
  const shared = unpackWords(packed.subarray(partHeadBytes, first))
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
  return { bytes, ends }
}

/** Reads any part of the packed bytes. */
export type ReadPart = (from: number, to: number) => Uint8Array

export interface TextBlock {
  readonly texts: TextList
  /** Where the next block begins. */
  readonly next: number
}

export function readTextBlock(read: ReadPart, at: number): TextBlock {
  const head = read(at, at + headBytes)
  const view = new DataView(head.buffer, head.byteOffset)
  const next = at + headBytes + view.getUint32(0, true)
  const stored = read(at + headBytes, next)
  const plain = view.getUint32(8, true) === 1 ? brotliDecompressSync(stored) : stored
  return { texts: unpackPart(plain), next }
}

export function unpackTexts(packed: Uint8Array): TextList {
  const parts: TextList[] = []
  let bytes = 0
  let count = 0
  for (let at = 0; at < packed.length; ) {
    const { texts, next } = readTextBlock((from, to) => packed.subarray(from, to), at)
    parts.push(texts)
    bytes += texts.bytes.length
    count += texts.ends.length
    at = next
  }
  if (parts.length === 1) return parts[0]!
  const all = { bytes: new Uint8Array(bytes), ends: new Uint32Array(count) }
  let at = 0
  let place = 0
  for (const part of parts) {
    all.bytes.set(part.bytes, at)
    for (let i = 0; i < part.ends.length; i++) all.ends[place++] = part.ends[i]! + at
    at += part.bytes.length
  }
  return all
}
