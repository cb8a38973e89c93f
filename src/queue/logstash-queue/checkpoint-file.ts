/**
 * Checkpoints of Logstash's queue: `checkpoint.head` and one `checkpoint.N` for each older page. 34 bytes, big endian:
 * version (i16, 1), page (i32), first page that is not acknowledged (i32, of the head only), first sequence number that
 * is not acknowledged (i64), first sequence number (i64), number of elements (i32), CRC-32 of the 30 bytes before it.
 */
import { crc32 } from 'node:zlib'

export interface LogstashCheckpoint {
  readonly page: number
  readonly firstUnackedPage: number
  readonly firstUnackedSeq: number
  readonly minSeq: number
  readonly elements: number
}

const checkpointBytes = 34

/** Undefined when it is damaged or of another version. */
export function readCheckpointFile(bytes: Uint8Array): LogstashCheckpoint | undefined {
  if (bytes.length < checkpointBytes) return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset, checkpointBytes)
  if (view.getUint32(30) !== crc32(bytes.subarray(0, 30)) || view.getInt16(0) !== 1) return undefined
  return {
    page: view.getInt32(2),
    firstUnackedPage: view.getInt32(6),
    firstUnackedSeq: Number(view.getBigInt64(10)),
    minSeq: Number(view.getBigInt64(18)),
    elements: view.getInt32(26),
  }
}
