/** The one compression codec of segments: brotli, which every Node has built in. */
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'

const windowBits = 18
/** The smallest chunk size that zlib accepts. */
const minChunk = 64

/**
 * Compresses at quality 1, the fastest that finds repetitions: quality 2 takes half as long again and saves a few
 * percent.
 */
export function compress(bytes: Uint8Array): Uint8Array {
  return brotliCompressSync(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 1,
      [constants.BROTLI_PARAM_LGWIN]: windowBits,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  })
}

/** Decompresses to `length` bytes; a chunk of that size makes zlib return them in one piece. */
export function decompress(bytes: Uint8Array, length: number): Uint8Array {
  return brotliDecompressSync(bytes, { chunkSize: Math.max(minChunk, length) })
}
