/** The one codec of segments: brotli, which every Node has. */
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'

const windowBits = 18
/** What zlib takes at least. */
const minChunk = 64

/** The quickest setting that finds repetitions: the next takes half as long again for a few hundredths. */
export function compress(bytes: Uint8Array): Uint8Array {
  return brotliCompressSync(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 1,
      [constants.BROTLI_PARAM_LGWIN]: windowBits,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  })
}

/** `length` is what comes out: in one piece, that way. */
export function decompress(bytes: Uint8Array, length: number): Uint8Array {
  return brotliDecompressSync(bytes, { chunkSize: Math.max(minChunk, length) })
}
