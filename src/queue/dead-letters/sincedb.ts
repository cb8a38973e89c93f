/**
 * How far a dead letter queue was read, in the file format of Logstash's `dead_letter_queue` input:
 *   version int16 '1' | length int32 | path of the segment | offset int64 | zeros            (big-endian)
 * Logstash reads nothing of the zeros. We put a CRC-32 of what stands before into them, after four letters of our own,
 * because a wrong offset would skip entries.
 */
import { crc32 } from 'node:zlib'
import { DamagedFile } from '../../storage/checked-file.ts'
import type { Files } from '../../storage/files.ts'
import type { ReadPosition } from './reader.ts'
import { sealedPath } from './segment-files.ts'

const version = 0x31
const mark = 'mlrc'
const spareBytes = 65

export function encodePosition(directory: string, { segment, offset }: ReadPosition): Buffer {
  const path = Buffer.from(sealedPath(directory, segment))
  const bytes = Buffer.alloc(path.length + spareBytes)
  bytes.writeInt16BE(version, 0)
  bytes.writeInt32BE(path.length, 2)
  path.copy(bytes, 6)
  const end = bytes.writeBigInt64BE(BigInt(offset), 6 + path.length)
  bytes.write(mark, end, 'latin1')
  bytes.writeUInt32BE(crc32(bytes.subarray(0, end)), end + mark.length)
  return bytes
}

export function decodePosition(path: string, bytes: Uint8Array): ReadPosition {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (buffer.length < 14) throw new DamagedFile(path, 'is too short for a position')
  const found = buffer.readInt16BE(0)
  if (found !== version)
    throw new DamagedFile(path, `is damaged: Sincedb version:${String.fromCharCode(found)} does not match: 1`)
  const length = buffer.readInt32BE(2)
  if (length < 0 || length > buffer.length - 14)
    throw new DamagedFile(path, 'is damaged: its path is cut off')
  const end = 14 + length
  if (buffer.toString('latin1', end, end + mark.length) === mark) {
    const isWhole = buffer.length >= end + mark.length + 4
    if (!isWhole || crc32(buffer.subarray(0, end)) !== buffer.readUInt32BE(end + mark.length))
      throw new DamagedFile(path, 'is damaged: its checksum is wrong')
  }
  const segment = /(?:^|[\\/])(\d{1,15})\.log(?:\.tmp)?$/.exec(buffer.toString('utf8', 6, 6 + length))
  const offset = buffer.readBigInt64BE(6 + length)
  if (segment === null || offset < 0n || offset > BigInt(Number.MAX_SAFE_INTEGER))
    throw new DamagedFile(path, 'is damaged: it names no segment')
  return { segment: Number(segment[1]), offset: Number(offset) }
}

/** Undefined when there is none yet. Throws `DamagedFile`. */
export function loadPosition(files: Files, path: string): ReadPosition | undefined {
  if (!files.exists(path)) return undefined
  const bytes = files.read(path)
  return bytes.length === 0 ? undefined : decodePosition(path, bytes)
}

/** Saves a position: when this returns, it is synced and has its name. */
export function savePosition(files: Files, path: string, directory: string, position: ReadPosition): void {
  files.write(`${path}.tmp`, [encodePosition(directory, position)])
  files.rename(`${path}.tmp`, path)
  files.syncDirectory(path.slice(0, path.lastIndexOf('/')))
}
