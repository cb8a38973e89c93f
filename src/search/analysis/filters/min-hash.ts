/**
 * `min_hash`: a signature of all tokens for finding texts that are alike. Each token is hashed, and of the hashes in
 * each bucket the smallest are kept (Lucene's MinHashFilter; MurmurHash3 x64 of UTF-16).
 */
import { murmur3x64 } from '../../../text/murmur3-x64.ts'
import { AnalysisError } from '../analysis-error.ts'
import type { TokenFilter } from '../component.ts'
import type { ComponentOptions } from '../component-options.ts'
import { tokenType } from '../token-buffer.ts'

const mask = 0xffffffffffffffffn

/** `high` decides the order and the bucket. */
interface Hash {
  readonly low: bigint
  readonly high: bigint
}

function compare(one: Hash, other: Hash): number {
  if (one.high !== other.high) return one.high < other.high ? -1 : 1
  if (one.low === other.low) return 0
  return one.low < other.low ? -1 : 1
}

function hashOf(bytes: Uint8Array): Hash {
  const [low, high] = murmur3x64(bytes)
  return { low, high }
}

/** The hash of a number from 0, as four bytes with the highest first. */
function hashOfNumber(number: number): Hash {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(number)
  return hashOf(bytes)
}

function combined(one: Hash, other: Hash): Hash {
  const join = (first: bigint, second: bigint) => (first * 37n + second) & mask
  return { low: join(one.low, other.low), high: join(one.high, other.high) }
}

/** Fills an empty bucket with the smallest hash of the next one that has any. */
function rotate(buckets: Hash[][]): void {
  const first = buckets.findLastIndex(({ length }) => length > 0)
  if (first === -1) return
  // From the last filled bucket backwards, so that each empty one finds the filled one behind it.
  for (let step = 1; step < buckets.length; step++) {
    const at = (first - step + buckets.length) % buckets.length
    if (buckets[at]!.length === 0) buckets[at] = [buckets[(at + 1) % buckets.length]![0]!]
  }
}

/** 16 bits of a hash as one UTF-16 unit, the highest first. */
function units(value: bigint, count: number): number[] {
  return Array.from({ length: count }, (_, i) => Number((value >> BigInt(48 - 16 * i)) & 0xffffn))
}

/** More would need more memory than a token stream is worth. */
const maxBuckets = 1 << 20

function positive(options: ComponentOptions, name: string, standard: number, shown: string): number {
  const value = options.integer(name, standard)
  if (value <= 0) throw new AnalysisError(`${shown} must be greater than zero`)
  if (value > maxBuckets) throw new AnalysisError(`[${name}] must be at most ${maxBuckets}`)
  return value
}

export function minHash(options: ComponentOptions): TokenFilter {
  const hashCount = positive(options, 'hash_count', 1, 'hashCount')
  const bucketCount = positive(options, 'bucket_count', 512, 'bucketCount')
  const setSize = positive(options, 'hash_set_size', 1, 'hashSetSize')
  const withRotation = options.flag('with_rotation', bucketCount > 1)
  if (hashCount * bucketCount > maxBuckets)
    throw new AnalysisError(`[hash_count] times [bucket_count] must be at most ${maxBuckets}`)
  const bucketSize = Math.ceil(2 ** 32 / bucketCount)
  const numbers = Array.from({ length: hashCount }, (_, i) => hashOfNumber(i))
  return {
    apply(tokens, spare) {
      spare.clear()
      const end = tokens.length === 0 ? 0 : tokens.ends[tokens.length - 1]!
      const hashes = Array.from(new Set(tokens.terms.slice(0, tokens.length)), (term) =>
        hashOf(Buffer.from(term, 'utf16le')),
      )
      if (hashes.length > 0)
        for (const [position, number] of numbers.entries()) {
          const buckets = Array.from({ length: bucketCount }, (): Hash[] => [])
          for (const hash of hashes) {
            const own = combined(hash, number)
            buckets[Math.floor(Number(own.high >> 32n) / bucketSize)]!.push(own)
          }
          for (const [at, bucket] of buckets.entries()) buckets[at] = bucket.sort(compare).slice(0, setSize)
          if (withRotation && setSize === 1) rotate(buckets)
          const mark = hashCount > 1 ? [position >>> 16, position & 0xffff] : []
          for (const { low, high } of buckets.flat()) {
            const term = String.fromCharCode(...mark, ...units(high, 4), ...units(low, hashCount > 1 ? 2 : 4))
            spare.push(term, 0, 0, end, tokenType.minHash)
          }
        }
      const last = tokens.length === 0 ? -1 : tokens.positions[tokens.length - 1]!
      const removed = tokens.endPosition - last - 1
      tokens.swap(spare)
      tokens.endPosition = (last === -1 ? 0 : 1) + removed
    },
  }
}
