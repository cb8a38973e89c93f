/** MurmurHash3 x86 32 bit, over bytes and over the UTF-16 units of a text; results are signed, as in Java. */
const c1 = 0xcc9e2d51 | 0
const c2 = 0x1b873593

function mixed(block: number): number {
  const product = Math.imul(block, c1)
  return Math.imul((product << 15) | (product >>> 17), c2)
}

function folded(hash: number, block: number): number {
  return foldedMixed(hash, mixed(block))
}

function foldedMixed(hash: number, block: number): number {
  const value = hash ^ block
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

/** What no seed changes of the hashes of digits, for each number below 10,000; made when first needed. */
interface DigitBlocks {
  /** Four digits with leading zeros as a block. */
  readonly four: Uint32Array
  /** That block mixed. */
  readonly mixedFour: Int32Array
  /** The mixed rest of a text: one digit, then from 10 on two digits, and from 110 on three. */
  readonly mixedRest: Int32Array
}

let digitBlocks: DigitBlocks | undefined

function makeDigitBlocks(): DigitBlocks {
  const four = Uint32Array.from({ length: 10_000 }, (_, number) =>
    Buffer.from(String(number).padStart(4, '0')).readUInt32LE(),
  )
  const rest = (digits: number) =>
    Array.from({ length: 10 ** digits }, (_, number) => mixed(four[number]! >>> (8 * (4 - digits))))
  return {
    four,
    mixedFour: Int32Array.from(four, mixed),
    mixedRest: Int32Array.from([...rest(1), ...rest(2), ...rest(3)]),
  }
}

/** Hashes the decimal text of a number. Numbers of up to eight digits are two blocks, of which no text has to be made. */
export function murmur3Number(number: number, seed: number): number {
  const value = number | 0
  // Most numbers have five to seven digits: a block of four, and a rest.
  if (value !== number || value < 10_000 || value >= 10_000_000) return murmur3OtherNumber(number, seed)
  digitBlocks ??= makeDigitBlocks()
  const { mixedFour, mixedRest } = digitBlocks
  const power = value < 1_000_000 ? (value < 100_000 ? 10 : 100) : 1000
  const head = (value / power) | 0
  const rest = value - head * power + (power === 10 ? 0 : power === 100 ? 10 : 110)
  const hash = foldedMixed(seed | 0, mixedFour[head]!) ^ mixedRest[rest]!
  return finished(hash, power === 10 ? 5 : power === 100 ? 6 : 7)
}

function murmur3OtherNumber(number: number, seed: number): number {
  const isShort = Number.isInteger(number) && number > 0 && number < 100_000_000
  if (!isShort) return murmur3(Buffer.from(String(number)), seed)
  digitBlocks ??= makeDigitBlocks()
  const { four, mixedFour } = digitBlocks
  if (number >= 10_000) {
    const head = Math.floor(number / 10_000)
    return finished(foldedMixed(foldedMixed(seed | 0, mixedFour[head]!), mixedFour[number % 10_000]!), 8)
  }
  const length = number < 100 ? (number < 10 ? 1 : 2) : number < 1000 ? 3 : 4
  const block = four[number]!
  const hash = length === 4 ? folded(seed | 0, block) : seed ^ mixed(block >>> (8 * (4 - length)))
  return finished(hash, length)
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
