/** MurmurHash3 x86 32 bit, over bytes and over the UTF-16 units of a text; results are signed, as in Java. */
const c1 = 0xcc9e2d51 | 0
const c2 = 0x1b873593

function mixed(block: number): number {
  const product = Math.imul(block, c1)
  return Math.imul((product << 15) | (product >>> 17), c2)
}

function folded(hash: number, block: number): number {
  const value = hash ^ mixed(block)
  return (Math.imul((value << 13) | (value >>> 19), 5) + 0xe6546b64) | 0
}

function finished(hash: number, length: number): number {
  let value = hash ^ length
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35)
  return value ^ (value >>> 16)
}

export function murmur3(bytes: Uint8Array, seed: number): number {
  const { length } = bytes
  const whole = length & ~3
  let hash = seed | 0
  for (let index = 0; index < whole; index += 4) {
    const low = bytes[index]! | (bytes[index + 1]! << 8)
    hash = folded(hash, low | (bytes[index + 2]! << 16) | (bytes[index + 3]! << 24))
  }
  if (whole < length) {
    let rest = bytes[whole]!
    if (whole + 1 < length) rest |= bytes[whole + 1]! << 8
    if (whole + 2 < length) rest |= bytes[whole + 2]! << 16
    hash ^= mixed(rest)
  }
  return finished(hash, length)
}

/** Four digits with leading zeros as a block of MurmurHash3, for each number below 10,000; made when first needed. */
let fourDigits: Uint32Array | undefined

function fourDigitBlocks(): Uint32Array {
  return Uint32Array.from({ length: 10_000 }, (_, number) =>
    Buffer.from(String(number).padStart(4, '0')).readUInt32LE(),
  )
}

/** Hashes the decimal text of a number. Numbers of up to eight digits are two blocks, of which no text has to be made. */
export function murmur3Number(number: number, seed: number): number {
  const value = number | 0
  if (value !== number || value < 1 || value >= 100_000_000) return murmur3(Buffer.from(String(number)), seed)
  fourDigits ??= fourDigitBlocks()
  if (value < 10_000) {
    const length = value < 100 ? (value < 10 ? 1 : 2) : value < 1000 ? 3 : 4
    const block = fourDigits[value]!
    const hash = length === 4 ? folded(seed | 0, block) : seed ^ mixed(block >>> (8 * (4 - length)))
    return finished(hash, length)
  }
  const length = value < 1_000_000 ? (value < 100_000 ? 5 : 6) : value < 10_000_000 ? 7 : 8
  const power = length === 5 ? 10 : length === 6 ? 100 : length === 7 ? 1000 : 10_000
  // The half keeps the product away from whole numbers, where it would be rounded to the wrong side of one.
  const head =
    ((value + 0.5) * (length === 5 ? 0.1 : length === 6 ? 0.01 : length === 7 ? 0.001 : 0.0001)) | 0
  const block = fourDigits[value - head * power]!
  const hash = folded(seed | 0, fourDigits[head]!)
  return finished(length === 8 ? folded(hash, block) : hash ^ mixed(block >>> (8 * (8 - length))), length)
}

/** Hashes the text as UTF-16 little-endian with seed 0, as Elasticsearch's Murmur3HashFunction does. */
export function murmur3Text(text: string): number {
  const { length } = text
  let hash = 0
  let index = 0
  for (; index + 1 < length; index += 2)
    hash = folded(hash, text.charCodeAt(index) | (text.charCodeAt(index + 1) << 16))
  if (index < length) hash ^= mixed(text.charCodeAt(index))
  return finished(hash, length * 2)
}
