/**
 * How sections are written to a file: cut into blocks that are packed by kind, compressed when that saves enough,
 * and readable alone, so that a reader that streams a section needs one block in memory. A block has a head of four
 * u32: stored bytes, decompressed bytes, number of values (or texts, or bytes), codec (0 plain, 1 compressed); then
 * its bytes.
 */

import { lowerBound } from './binary-search.ts'
import { compress, decompress } from './compression.ts'
import { FrontCoded } from './front-coded.ts'
import { packDoubles, packWords, unpackDoubles, unpackWords } from './packed-numbers.ts'
import { packTexts, unpackTexts } from './packed-texts.ts'
import type { NumberSection, Section, TextList } from './sections.ts'

export type SectionKind = 'bytes' | 'words' | 'doubles' | 'exact' | 'texts'

export const blockHeadBytes = 16
/** Values in a block of numbers. */
export const blockValues = 64 * 1024
/** Bytes in a block of bytes or texts; a block of texts ends with the text that fills it. */
export const blockBytes = 128 * 1024
const minCompressedBytes = 64
const minGain = 0.95
/** From this length on, a sample decides whether a block is worth compressing. */
const minSampledBytes = 32 * 1024
const sampleBytes = 4 * 1024

export interface BlockHead {
  readonly stored: number
  readonly plain: number
  readonly count: number
  readonly isCompressed: boolean
}

export function kindOf(section: Section | FrontCoded): SectionKind {
  if (section instanceof FrontCoded || 'ends' in section) return 'texts'
  if (section instanceof Uint8Array) return 'bytes'
  if (section instanceof Uint32Array) return 'words'
  return section instanceof Float64Array ? 'doubles' : 'exact'
}

/** Returns the number of values, texts or bytes. */
export function countOf(section: Section | FrontCoded): number {
  if (section instanceof FrontCoded) return section.shared.length
  return 'ends' in section ? section.ends.length : section.length
}

/** Yields blocks as pieces of memory that nobody else writes to. */
export function* encodedBlocks(
  section: Section | FrontCoded,
  compresses: boolean,
): Iterable<readonly Uint8Array[]> {
  if (section instanceof FrontCoded) {
    if (section.shared.length > 0) yield encoded(packTexts(section), section.shared.length, compresses)
    return
  }
  if ('ends' in section) {
    const { ends } = section
    for (let from = 0, start = 0; from < ends.length; ) {
      const to = Math.min(lowerBound(ends, start + blockBytes, from) + 1, ends.length)
      yield encoded(packTexts(FrontCoded.of(section, from, to)), to - from, compresses)
      from = to
      start = ends[to - 1]!
    }
    return
  }
  const size = section instanceof Uint8Array ? blockBytes : blockValues
  for (let from = 0; from < section.length; from += size) {
    const to = Math.min(from + size, section.length)
    yield encoded(packed(section, from, to), to - from, compresses)
  }
}

function packed(section: Exclude<Section, { readonly ends: Uint32Array }>, from: number, to: number) {
  if (section instanceof Uint8Array) return section.slice(from, to)
  if (section instanceof Uint32Array) return packWords(section.subarray(from, to))
  if (section instanceof Float64Array) return packDoubles(section.subarray(from, to))
  return new Uint8Array(section.slice(from, to).buffer)
}

function encoded(plain: Uint8Array, count: number, compresses: boolean): readonly Uint8Array[] {
  const small = compresses && isCompressible(plain) ? compress(plain) : plain
  const isCompressed = small.length < plain.length * minGain
  const stored = isCompressed ? small : plain
  const head = new Uint8Array(blockHeadBytes)
  const view = new DataView(head.buffer)
  view.setUint32(0, stored.length, true)
  view.setUint32(4, plain.length, true)
  view.setUint32(8, count, true)
  view.setUint32(12, isCompressed ? 1 : 0, true)
  return [head, stored]
}

function isCompressible(plain: Uint8Array): boolean {
  if (plain.length < minSampledBytes) return plain.length >= minCompressedBytes
  // The sample comes from the second half, because the lengths in front of texts say little about the texts.
  const from = Math.floor(plain.length * 0.6)
  return compress(plain.subarray(from, from + sampleBytes)).length < sampleBytes * minGain
}

export function readHead(bytes: Uint8Array): BlockHead {
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  return {
    stored: view.getUint32(0, true),
    plain: view.getUint32(4, true),
    count: view.getUint32(8, true),
    isCompressed: view.getUint32(12, true) === 1,
  }
}

/** Decodes a block of texts to its front-coded form. */
export function decodeTexts(head: BlockHead, stored: Uint8Array): FrontCoded {
  return unpackTexts(head.isCompressed ? decompress(stored, head.plain) : stored)
}

export function decodeBlock(kind: SectionKind, head: BlockHead, stored: Uint8Array): Section {
  if (kind === 'texts') return decodeTexts(head, stored).texts()
  const bytes = head.isCompressed ? decompress(stored, head.plain) : stored
  if (kind === 'bytes') return bytes
  if (kind === 'words') return unpackWords(bytes)
  if (kind === 'doubles') return unpackDoubles(bytes)
  return new BigInt64Array(new Uint8Array(bytes).buffer)
}

/** The words of one block on their way into an array of another kind. */
let scratch = new Uint32Array(0)

function scratchFor(count: number): Uint32Array {
  if (scratch.length < count) scratch = new Uint32Array(Math.max(count, blockValues))
  return scratch
}

/** Decodes a block of numbers straight to its place in the array of the whole section. */
export function decodeInto(into: NumberSection, at: number, head: BlockHead, stored: Uint8Array): void {
  const bytes = head.isCompressed ? decompress(stored, head.plain) : stored
  if (into instanceof Uint32Array) unpackWords(bytes, into.subarray(at))
  else if (into instanceof Float64Array) unpackDoubles(bytes, into.subarray(at), scratchFor(head.count))
  else if (into instanceof BigInt64Array) into.set(new BigInt64Array(new Uint8Array(bytes).buffer), at)
  else into.set(unpackWords(bytes, scratchFor(head.count)), at)
}

/** Joins the blocks of a section of bytes in memory of their own. */
export function joinedBytes(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

/** Joins the blocks of a list of texts in memory of their own. */
export function joinedTexts(parts: readonly TextList[]): TextList {
  let bytes = 0
  let count = 0
  for (const { ends } of parts) {
    bytes += ends.length === 0 ? 0 : ends[ends.length - 1]!
    count += ends.length
  }
  const all = { bytes: new Uint8Array(bytes), ends: new Uint32Array(count) }
  let at = 0
  let place = 0
  for (const part of parts) {
    const length = part.ends.length === 0 ? 0 : part.ends[part.ends.length - 1]!
    all.bytes.set(part.bytes.subarray(0, length), at)
    for (let i = 0; i < part.ends.length; i++) all.ends[place++] = part.ends[i]! + at
    at += length
  }
  return all
}
