/**
 * Whole numbers as a Roaring bitmap in its portable form, little endian:
 *
 *   cookie u32   12346: then the number of containers u32; 12347 in the lower half: containers - 1 in the upper,
 *                and one bit per container that says it holds runs
 *   header       per container: upper 16 bits of its numbers u16, how many there are less one u16
 *   offsets      per container u32; with runs only from four containers on
 *   containers   runs: their number u16, then start and length less one u16 each; up to 4096 numbers: u16 each;
 *                more: 8192 bytes of bits
 */
import { illegalArgument } from '../../request/errors.ts'

const plainCookie = 12_346
const runCookie = 12_347
const maxNumbers = 10_000_000
const arrayLimit = 4096

/** Returns the numbers in rising order. Throws SearchError when the bytes are no bitmap. */
export function readRoaringBitmap(bytes: Buffer): Uint32Array {
  try {
    return read(bytes)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw illegalArgument('Failed to deserialize the bitmap.')
  }
}

function read(bytes: Buffer): Uint32Array {
  const cookie = bytes.readUInt32LE(0)
  const hasRuns = (cookie & 0xffff) === runCookie
  if (!hasRuns && cookie !== plainCookie) throw illegalArgument('Failed to deserialize the bitmap.')
  const count = hasRuns ? (cookie >>> 16) + 1 : bytes.readUInt32LE(4)
  let at = hasRuns ? 4 : 8
  if (count > 65_536) throw illegalArgument('Failed to deserialize the bitmap.')
  const runs = hasRuns ? bytes.subarray(at, at + Math.ceil(count / 8)) : undefined
  if (runs !== undefined) at += runs.length
  const header = at
  at += count * 4
  if (!hasRuns || count >= 4) at += count * 4
  let total = 0
  for (let i = 0; i < count; i++) total += bytes.readUInt16LE(header + i * 4 + 2) + 1
  if (total > maxNumbers) throw illegalArgument(`The bitmap has more than ${maxNumbers} numbers.`)
  const numbers = new Uint32Array(total)
  let next = 0
  const add = (value: number) => {
    if (next >= total) throw new RangeError('more numbers than announced')
    numbers[next++] = value
  }
  for (let i = 0; i < count; i++) {
    const base = bytes.readUInt16LE(header + i * 4) * 65_536
    const size = bytes.readUInt16LE(header + i * 4 + 2) + 1
    if (runs !== undefined && (runs[i >>> 3]! & (1 << (i & 7))) !== 0) {
      const stretches = bytes.readUInt16LE(at)
      at += 2
      for (let run = 0; run < stretches; run++, at += 4) {
        const start = bytes.readUInt16LE(at)
        const length = bytes.readUInt16LE(at + 2)
        for (let step = 0; step <= length; step++) add(base + start + step)
      }
    } else if (size <= arrayLimit) {
      for (let item = 0; item < size; item++, at += 2) add(base + bytes.readUInt16LE(at))
    } else {
      for (let byte = 0; byte < 8192; byte++, at++) {
        for (let bits = bytes.readUInt8(at), bit = 0; bits !== 0; bits >>>= 1, bit++) {
          if ((bits & 1) === 1) add(base + byte * 8 + bit)
        }
      }
    }
  }
  return numbers.subarray(0, next)
}
