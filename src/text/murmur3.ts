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

export function murmur3(bytes: Uint8Array, seed: number, start = 0): number {
  const length = bytes.length - start
  const whole = start + (length & ~3)
  let hash = seed | 0
  for (let index = start; index < whole; index += 4) {
    const low = bytes[index]! | (bytes[index + 1]! << 8)
    hash = folded(hash, low | (bytes[index + 2]! << 16) | (bytes[index + 3]! << 24))
  }
  if (whole < bytes.length) {
    let rest = bytes[whole]!
    if (whole + 1 < bytes.length) rest |= bytes[whole + 1]! << 8
    if (whole + 2 < bytes.length) rest |= bytes[whole + 2]! << 16
    hash ^= mixed(rest)
  }
  return finished(hash, length)
}

const digits = new Uint8Array(10)
const maxInt32 = 0x7fff_ffff

/** Hashes the decimal text of a number. Digits of small integers are written into the same bytes every time. */
export function murmur3Number(number: number, seed: number): number {
  if (!Number.isInteger(number) || number < 0 || number > maxInt32 || Object.is(number, -0))
    return murmur3(Buffer.from(String(number)), seed)
  let start = digits.length
  let rest = number | 0
  do {
    const next = (rest / 10) | 0
    digits[--start] = 48 + rest - 10 * next
    rest = next
  } while (rest > 0)
  return murmur3(digits, seed, start)
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
