/**
 * The bytes of a write-ahead log file. A head of 20 bytes: magic `MILLWAL\n`, format version (u32), generation
 * (u32), CRC-32 of these (u32). Then one frame per group commit: magic (u32), payload length (u32), number of
 * operations (u32), number of the frame in its file (u32), CRC-32 of the payload (u32), CRC-32 of the head so far
 * (u32), payload (`operation.ts`). The frame head has its own checksum so that a frame with a damaged payload can be
 * skipped, and its operations counted. All numbers are little-endian.
 */
import { crc32 } from 'node:zlib'
import type { ReadFile } from '../../storage/files.ts'

export const logVersion = 2
export const fileHeadBytes = 20
export const frameHeadBytes = 24

const fileMagic = Buffer.from('MILLWAL\n')
const frameMagic = 0xf7_4c_57_ab
const frameMagicBytes = Buffer.alloc(4)
frameMagicBytes.writeUInt32LE(frameMagic)

export function fileHead(generation: number): Uint8Array {
  const head = Buffer.alloc(fileHeadBytes)
  fileMagic.copy(head)
  head.writeUInt32LE(logVersion, 8)
  head.writeUInt32LE(generation, 12)
  head.writeUInt32LE(crc32(head.subarray(0, 16)), 16)
  return head
}

/** Returns the version in a file head; undefined when the head is damaged or of another generation. */
export function versionInHead(head: Uint8Array, generation: number): number | undefined {
  if (head.length < fileHeadBytes || !fileMagic.equals(head.subarray(0, 8))) return undefined
  const view = new DataView(head.buffer, head.byteOffset, fileHeadBytes)
  if (crc32(head.subarray(0, 16)) !== view.getUint32(16, true)) return undefined
  return view.getUint32(12, true) === generation ? view.getUint32(8, true) : undefined
}

/** Fills in the head of a frame whose payload is behind it. */
export function sealFrame(frame: Uint8Array, operations: number, number: number): void {
  const head = new DataView(frame.buffer, frame.byteOffset, frameHeadBytes)
  const payload = frame.subarray(frameHeadBytes)
  head.setUint32(0, frameMagic, true)
  head.setUint32(4, payload.length, true)
  head.setUint32(8, operations, true)
  head.setUint32(12, number, true)
  head.setUint32(16, crc32(payload), true)
  head.setUint32(20, crc32(frame.subarray(0, 20)), true)
}

interface FrameHead {
  readonly length: number
  readonly operations: number
  readonly number: number
  readonly crc: number
}

function frameHead(bytes: Uint8Array): FrameHead | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, frameHeadBytes)
  if (view.getUint32(0, true) !== frameMagic) return undefined
  if (crc32(bytes.subarray(0, 20)) !== view.getUint32(20, true)) return undefined
  return {
    length: view.getUint32(4, true),
    operations: view.getUint32(8, true),
    number: view.getUint32(12, true),
    crc: view.getUint32(16, true),
  }
}

/** A piece of a log file: an intact frame, or bytes that are none. */
export type LogPiece =
  | { readonly from: number; readonly to: number; readonly head: FrameHead; readonly payload: Uint8Array }
  | {
      readonly from: number
      readonly to: number
      readonly payload: undefined
      /** The head of a damaged frame, where it is intact. */
      readonly head: FrameHead | undefined
    }

const scanBytes = 1024 * 1024

/** Yields everything behind the file head, in order; time is linear in the file length, whatever the bytes are. */
export function* logPieces(file: ReadFile): Iterable<LogPiece> {
  let at = fileHeadBytes
  while (at < file.size) {
    const head = headAt(file, at)
    const end = head === undefined ? 0 : at + frameHeadBytes + head.length
    if (head !== undefined && end <= file.size) {
      const payload = file.read(at + frameHeadBytes, end)
      const isWhole = crc32(payload) === head.crc
      yield { from: at, to: end, head, payload: isWhole ? payload : undefined }
      at = end
      continue
    }
    const next = nextHead(file, at + 1)
    yield { from: at, to: next, head, payload: undefined }
    at = next
  }
}

function headAt(file: ReadFile, at: number): FrameHead | undefined {
  return at + frameHeadBytes > file.size ? undefined : frameHead(file.read(at, at + frameHeadBytes))
}

/** Returns the offset of the next intact frame head, or the end of the file. */
function nextHead(file: ReadFile, from: number): number {
  for (let start = from; start < file.size; start += scanBytes) {
    const window = Buffer.from(file.read(start, Math.min(file.size, start + scanBytes + frameHeadBytes)))
    for (let at = window.indexOf(frameMagicBytes); at >= 0; at = window.indexOf(frameMagicBytes, at + 1)) {
      if (at >= scanBytes) break
      if (at + frameHeadBytes > window.length) break
      if (frameHead(window.subarray(at)) !== undefined) return start + at
    }
  }
  return file.size
}
