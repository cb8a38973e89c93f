/**
 * Checksums of many documents that do not depend on their order: the sum of a hash of each, in buckets by id. Two stores
 * with the same documents have the same sums; where they differ, the bucket says among which ids to look. The memory is
 * that of the buckets, however many documents there are.
 */
import { createHash } from 'node:crypto'
import { murmur3Text } from '../text/murmur3.ts'
import { canonicalJson } from './canonical-json.ts'
import type { StoredDocument } from './raw-hits.ts'

export const bucketCount = 65_536

export function bucketOf(id: string): number {
  return murmur3Text(id) & (bucketCount - 1)
}

/** Which document it is; an index may hold an id once for each routing. */
export function keyOf({ id, routing }: Pick<StoredDocument, 'id' | 'routing'>): string {
  return JSON.stringify(routing === undefined ? [id] : [id, routing])
}

/**
 * Hash over id, routing, version and canonical source. `hasVersion` is false where a store gives its own versions; a
 * document that was read without its source has none in its hash.
 */
export function hashOf(document: StoredDocument, hasVersion: boolean): Buffer {
  const version = hasVersion ? document.version : 0
  const source = document.source === '' ? '' : canonicalJson(document.source)
  return createHash('sha1')
    .update(`${keyOf(document)}\n${version}\n${source}`)
    .digest()
}

export class BucketDigests {
  readonly #counts = new Uint32Array(bucketCount)
  readonly #low = new Uint32Array(bucketCount)
  readonly #high = new Uint32Array(bucketCount)
  documents = 0

  add(id: string, hash: Buffer): void {
    const bucket = bucketOf(id)
    this.#counts[bucket]! += 1
    // Sums modulo 2^32: an array of this kind drops the carry.
    this.#low[bucket]! += hash.readUInt32LE(0)
    this.#high[bucket]! += hash.readUInt32LE(4)
    this.documents += 1
  }

  countOf(bucket: number): number {
    return this.#counts[bucket]!
  }

  differences(other: BucketDigests): number[] {
    const found: number[] = []
    for (let bucket = 0; bucket < bucketCount; bucket++) {
      if (
        this.#counts[bucket] !== other.#counts[bucket] ||
        this.#low[bucket] !== other.#low[bucket] ||
        this.#high[bucket] !== other.#high[bucket]
      )
        found.push(bucket)
    }
    return found
  }

  /** One checksum of all buckets, for people. */
  get checksum(): string {
    const low = this.#low.reduce((sum, one) => (sum + one) >>> 0, 0)
    const high = this.#high.reduce((sum, one) => (sum + one) >>> 0, 0)
    return high.toString(16).padStart(8, '0') + low.toString(16).padStart(8, '0')
  }
}
