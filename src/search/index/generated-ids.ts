/**
 * Generated ids in url-safe base64, as long as Elasticsearch's: 20 characters for documents, 22 for indices.
 * Document ids start with random bits of this process and end with a counter, so that they are cheap to make and
 * front coding stores them compactly.
 */
import { randomBytes } from 'node:crypto'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const pairs = Array.from({ length: 4096 }, (_, n) => alphabet[n >> 6]! + alphabet[n & 63]!)
/** 72 random bits; the counter starts anywhere. */
const prefix = randomBytes(9).toString('base64url')
let high = randomBytes(4).readUInt32LE()
let middle = ''
let low = pairs.length

export function documentId(): string {
  if (low === pairs.length) {
    low = 0
    high += 1
    // 36 bits, six characters.
    const rest = high % 0x1000_0000
    middle =
      prefix +
      pairs[Math.floor(high / 0x1_000_000) & 0xfff]! +
      pairs[(rest >>> 12) & 0xfff]! +
      pairs[rest & 0xfff]!
  }
  return middle + pairs[low++]!
}

export function uuid(): string {
  return randomBytes(16).toString('base64url')
}
