/**
 * A segment of a dead letter queue as Logstash lays it out. The first byte is the version, '1'; blocks of 32 KiB follow.
 * A block holds records and ends with zeros where no further record fits. A record never spans two blocks:
 *   type 1 byte | size int32 | size of the whole entry int32 | CRC-32 of the bytes int32 | bytes      (big-endian)
 * An entry is one record of type `c` (complete), or `s` (start), any number of `m` (middle) and `e` (end); the size of
 * the whole entry stands in `s` and is -1 elsewhere. An entry that ends exactly with its block has no `e`.
 */
import { crc32 } from 'node:zlib'

export const segmentVersion = 0x31
export const blockBytes = 32 * 1024
export const headerBytes = 13
export const versionBytes = 1
/** A segment is sealed before an entry that would make it longer. */
export const maxSegmentBytes = 10 * 1024 * 1024

export const recordType = { complete: 0x63, start: 0x73, middle: 0x6d, end: 0x65 } as const

const noTotal = -1

/** The bytes of an entry for a segment that is `position` bytes long, with the padding that may come first. */
export function framed(entry: Uint8Array, position: number): Buffer {
  const pieces: Uint8Array[] = []
  let inBlock = (position - versionBytes) % blockBytes
  let previous = 0
  for (let from = 0; from < entry.length; ) {
    if (inBlock + headerBytes + 1 > blockBytes) {
      pieces.push(Buffer.alloc(blockBytes - inBlock))
      inBlock = 0
    }
    const room = blockBytes - inBlock - headerBytes
    const left = entry.length - from
    const type = nextType(previous, left < room)
    const size = Math.min(room, left)
    const payload = entry.subarray(from, from + size)
    pieces.push(header(type, payload, type === recordType.start ? entry.length : noTotal), payload)
    inBlock += headerBytes + size
    from += size
    previous = type
  }
  return Buffer.concat(pieces)
}

function nextType(previous: number, fits: boolean): number {
  if (previous === 0) return fits ? recordType.complete : recordType.start
  return fits ? recordType.end : recordType.middle
}

function header(type: number, payload: Uint8Array, total: number): Buffer {
  const bytes = Buffer.allocUnsafe(headerBytes)
  bytes[0] = type
  bytes.writeInt32BE(payload.length, 1)
  bytes.writeInt32BE(total, 5)
  bytes.writeUInt32BE(crc32(payload), 9)
  return bytes
}

/** Where the last block of a file ends that has as many bytes: the furthest that reading can have come. */
export function lastBlockEnd(size: number): number {
  return versionBytes + Math.ceil((size - versionBytes) / blockBytes) * blockBytes
}

/**
 * Makes readers pass over what is between two positions, theirs and Logstash's: zeros up to the end of a block are
 * padding, and the end of an entry that has no beginning is skipped. All else stays where it is.
 */
export function blankOut(segment: Buffer, from: number, to: number): void {
  for (let at = from; at < to; ) {
    const blockEnd = lastBlockEnd(at + 1)
    const end = Math.min(blockEnd, to)
    segment.fill(0, at, end)
    if (end < blockEnd) {
      const payload = segment.subarray(at + headerBytes, end)
      header(recordType.end, payload, noTotal).copy(segment, at)
    }
    at = end
  }
}

/** What `blankOut` makes of something that has a record behind it. */
export function isBlank({ type, payload }: SegmentRecord): boolean {
  return type === recordType.end && zerosFrom(payload, 0)
}

/** One record, found at `from` of its block. */
export interface SegmentRecord {
  readonly type: number
  /** Size of the whole entry; of `start` only. */
  readonly total: number
  readonly payload: Buffer
  /** Where the next record begins, in the block. */
  readonly end: number
}

/**
 * `padding`: nothing but zeros up to the end. `short`: the bytes end inside of the record, or of the padding.
 * `damaged`: what stands here was not written so; with `end` when the record's size can be believed.
 */
type Found =
  | { readonly kind: 'record'; readonly record: SegmentRecord }
  | { readonly kind: 'padding' | 'short' }
  | { readonly kind: 'damaged'; readonly end?: number }

/** Looks at the record at `from` of a block, of which a segment that is being written may have only the beginning. */
export function recordAt(block: Buffer, from: number): Found {
  const isWhole = block.length === blockBytes
  const left = block.length - from
  if (left === 0) return { kind: isWhole ? 'padding' : 'short' }
  if (block[from] === 0) return zerosFrom(block, from) ? { kind: 'padding' } : { kind: 'damaged' }
  if (left < headerBytes + 1) return { kind: isWhole ? 'damaged' : 'short' }
  const type = block[from]!
  const size = block.readInt32BE(from + 1)
  const total = block.readInt32BE(from + 5)
  const start = from + headerBytes
  if (!isType(type) || size <= 0 || start + size > blockBytes) return { kind: 'damaged' }
  if (type === recordType.start ? total < size : total !== noTotal) return { kind: 'damaged' }
  const end = start + size
  if (end > block.length) return { kind: 'short' }
  const payload = block.subarray(start, end)
  if (crc32(payload) !== block.readUInt32BE(from + 9)) return { kind: 'damaged', end }
  return { kind: 'record', record: { type, total, payload, end } }
}

function isType(byte: number): boolean {
  return (
    byte === recordType.complete ||
    byte === recordType.start ||
    byte === recordType.middle ||
    byte === recordType.end
  )
}

function zerosFrom(block: Buffer, from: number): boolean {
  for (let i = from; i < block.length; i++) if (block[i] !== 0) return false
  return true
}
