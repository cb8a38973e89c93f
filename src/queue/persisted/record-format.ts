/**
 * One record of a page: a batch of events that came together. Little endian:
 *   0  2  magic F5 8A; no UTF-8 text has F5, so a search for it rarely stops inside of events
 *   2  1  codec of the payload: 0 as it is, 1 deflate (raw)
 *   3  1  0
 *   4  4  bytes of the payload in the page
 *   8  4  bytes of the payload when unpacked
 *  12  4  events in it
 *  16  8  sequence number of the first event
 *  24  4  CRC-32 of the payload in the page
 *  28  4  CRC-32 of bytes 0 to 27
 *  32     payload
 * The CRC of the header begins with a value made of the queue, the page and the position. A header that was copied
 * into an event, or left on the disk by another file, is therefore no header here. As it also covers the length, a
 * payload that is damaged is skipped by its length; a damaged header is skipped by searching for the next good one.
 */
import { crc32 } from 'node:zlib'

export const recordHeaderBytes = 32
export const maxPayloadBytes = 0x4000_0000
export const recordMagic = Buffer.from([0xf5, 0x8a])

interface RecordHeader {
  readonly codec: number
  readonly storedBytes: number
  readonly rawBytes: number
  readonly count: number
  readonly seq: number
  readonly payloadCrc: number
}

/** The first value of the CRC of all headers in a page, before the position is mixed in. */
export function pageSeed(queueId: Uint8Array, page: number): number {
  const number = new Uint8Array(4)
  new DataView(number.buffer).setUint32(0, page, true)
  return crc32(number, crc32(queueId))
}

export function recordHeader(fields: RecordHeader, seed: number, position: number): Uint8Array {
  const bytes = new Uint8Array(recordHeaderBytes)
  const view = new DataView(bytes.buffer)
  bytes.set(recordMagic)
  bytes[2] = fields.codec
  view.setUint32(4, fields.storedBytes, true)
  view.setUint32(8, fields.rawBytes, true)
  view.setUint32(12, fields.count, true)
  view.setBigUint64(16, BigInt(fields.seq), true)
  view.setUint32(24, fields.payloadCrc, true)
  view.setUint32(28, headerCrc(bytes, seed, position), true)
  return bytes
}

/** Undefined when there is no good header at this position of the page. */
export function readRecordHeader(
  bytes: Uint8Array,
  at: number,
  seed: number,
  position: number,
): RecordHeader | undefined {
  if (bytes[at] !== recordMagic[0] || bytes[at + 1] !== recordMagic[1]) return undefined
  if (at + recordHeaderBytes > bytes.length) return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset + at, recordHeaderBytes)
  const header = bytes.subarray(at, at + recordHeaderBytes)
  if (view.getUint32(28, true) !== headerCrc(header, seed, position)) return undefined
  return {
    codec: header[2]!,
    storedBytes: view.getUint32(4, true),
    rawBytes: view.getUint32(8, true),
    count: view.getUint32(12, true),
    seq: Number(view.getBigUint64(16, true)),
    payloadCrc: view.getUint32(24, true),
  }
}

function headerCrc(header: Uint8Array, seed: number, position: number): number {
  return crc32(header.subarray(0, 28), (seed ^ position) >>> 0)
}

export function crcOf(pieces: readonly Uint8Array[]): number {
  let crc = 0
  for (const piece of pieces) crc = crc32(piece, crc)
  return crc
}
