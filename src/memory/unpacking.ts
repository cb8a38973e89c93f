/**
 * Unpacks what others have packed, with bounds: so many bytes and no more, and no more than so many for each byte that was
 * read once it is a lot. A megabyte that unpacks to a gigabyte costs a few milliseconds and is refused.
 */
import { createGunzip, createInflate, createInflateRaw } from 'node:zlib'
import { collectGarbage, droppedBuffer } from './collect-garbage.ts'

export type PackedFormat = 'gzip' | 'zlib' | 'raw'

const unpackers = { gzip: createGunzip, zlib: createInflate, raw: createInflateRaw }
const pieceBytes = 64 * 1024
/** Texts come to a tenth, logs that repeat themselves to a hundredth of their size; a thousandth is the best there is. */
const maxRatio = 200
/** Up to so many bytes any ratio is taken. */
const freeBytes = 32 * 1024 * 1024
/** So many bytes are worth a collection once they are refused. */
const manyBytes = 8 * 1024 * 1024

/** It would be more than is allowed. */
export class UnpacksToTooMuch extends Error {
  override readonly name = 'UnpacksToTooMuch'

  constructor(max: number) {
    super(`unpacks to more than ${max} bytes`)
  }
}

/**
 * RFC 1952: the last four bytes are the size before packing, modulo 2^32; of the last part, if there are several. Of bytes
 * that are damaged or cut off it is any number.
 */
export function announcedBytes(gzip: Uint8Array): number {
  if (gzip.length < 4) return 0
  return new DataView(gzip.buffer, gzip.byteOffset, gzip.byteLength).getUint32(gzip.length - 4, true)
}

function isBomb(plainBytes: number, packedBytes: number): boolean {
  return plainBytes > freeBytes && plainBytes > maxRatio * Math.max(1, packedBytes)
}

/** The plain bytes piece by piece; throws UnpacksToTooMuch, or what is wrong with the packed ones. */
export async function* unpackedPieces(
  packed: Uint8Array,
  format: PackedFormat,
  max: number,
): AsyncGenerator<Buffer> {
  const unpacker = unpackers[format]({ chunkSize: pieceBytes })
  let total = 0
  unpacker.end(packed)
  try {
    for await (const piece of unpacker as AsyncIterable<Buffer>) {
      total += piece.length
      if (total > max) throw new UnpacksToTooMuch(max)
      if (isBomb(total, unpacker.bytesWritten)) throw new UnpacksToTooMuch(freeBytes)
      yield piece
      droppedBuffer(piece.length)
    }
  } finally {
    unpacker.destroy()
  }
}

/** Unpacks everything into one buffer. Where the announced size is right it is allocated once and nothing is copied. */
export async function unpacked(packed: Uint8Array, format: PackedFormat, max: number): Promise<Buffer> {
  let announced = format === 'gzip' ? announcedBytes(packed) : 0
  if (announced > max || isBomb(announced, packed.length)) {
    // Nothing is kept of what is too much or damaged. If it is neither, something else follows the last part.
    for await (const _ of unpackedPieces(packed, format, max));
    announced = 0
  }
  // Pages that are not written to cost nothing, whoever announced them.
  const whole = Buffer.allocUnsafeSlow(announced)
  const rest: Buffer[] = []
  let length = 0
  try {
    for await (const piece of unpackedPieces(packed, format, max)) {
      if (rest.length === 0 && length + piece.length <= announced) whole.set(piece, length)
      else rest.push(piece)
      length += piece.length
    }
  } catch (error) {
    // Who sends one bomb sends more: what this one took must be gone before the next comes.
    if (length > manyBytes) collectGarbage()
    throw error
  }
  if (rest.length === 0) return length === announced ? whole : Buffer.from(whole.subarray(0, length))
  const tail = rest.reduce((sum, piece) => sum + piece.length, 0)
  return Buffer.concat([whole.subarray(0, length - tail), ...rest], length)
}
