/**
 * Numbers for buckets: a bucket is a key within a bucket of the level above. Keys are small numbers (of terms, of
 * distinct values), so the first owner, often the only one, has a plain table; others share a hash table.
 */
import { SearchError } from '../search-error.ts'

/** Buckets one aggregation may collect before the best are chosen. */
const mostBuckets = 1 << 24

export class BucketIds {
  #first = new Int32Array(64).fill(-1)
  #slots = new Int32Array(128).fill(-1)
  #mask = 127
  #hashed = 0
  #owners = new Uint32Array(64)
  #keys = new Uint32Array(64)
  size = 0
  #starts: Uint32Array | null = null
  #sorted: Uint32Array | null = null

  owner(bucket: number): number {
    return this.#owners[bucket]!
  }

  key(bucket: number): number {
    return this.#keys[bucket]!
  }

  id(owner: number, key: number): number {
    if (owner === 0) {
      if (key < this.#first.length && this.#first[key] !== -1) return this.#first[key]!
      if (key >= this.#first.length) this.#growFirst(key)
      const bucket = this.#add(owner, key)
      this.#first[key] = bucket
      return bucket
    }
    let slot = hashOf(owner, key) & this.#mask
    for (;;) {
      const bucket = this.#slots[slot]!
      if (bucket === -1) break
      if (this.#keys[bucket] === key && this.#owners[bucket] === owner) return bucket
      slot = (slot + 1) & this.#mask
    }
    const bucket = this.#add(owner, key)
    this.#slots[slot] = bucket
    if (++this.#hashed * 2 > this.#slots.length) this.#rehash()
    return bucket
  }

  /** -1 when there is none. */
  find(owner: number, key: number): number {
    if (owner === 0) return key < this.#first.length ? this.#first[key]! : -1
    for (let slot = hashOf(owner, key) & this.#mask; ; slot = (slot + 1) & this.#mask) {
      const bucket = this.#slots[slot]!
      if (bucket === -1) return -1
      if (this.#keys[bucket] === key && this.#owners[bucket] === owner) return bucket
    }
  }

  /** The buckets of one owner, in the order they came up. */
  of(owner: number): Uint32Array {
    if (this.#starts === null || this.#sorted === null) this.#group()
    const starts = this.#starts!
    if (owner + 1 >= starts.length) return new Uint32Array(0)
    return this.#sorted!.subarray(starts[owner]!, starts[owner + 1]!)
  }

  #group(): void {
    let most = -1
    for (let i = 0; i < this.size; i++) if (this.#owners[i]! > most) most = this.#owners[i]!
    const starts = new Uint32Array(most + 2)
    for (let i = 0; i < this.size; i++) starts[this.#owners[i]! + 1]! += 1
    for (let i = 1; i < starts.length; i++) starts[i]! += starts[i - 1]!
    const next = starts.slice()
    const sorted = new Uint32Array(this.size)
    for (let i = 0; i < this.size; i++) sorted[next[this.#owners[i]!]!++] = i
    this.#starts = starts
    this.#sorted = sorted
  }

  #add(owner: number, key: number): number {
    const bucket = this.size++
    if (bucket >= mostBuckets) {
      throw new SearchError(
        'circuit_breaking_exception',
        `[request] Data too large, an aggregation collects more than [${mostBuckets}] buckets`,
        { status: 429, details: { durability: 'TRANSIENT' } },
      )
    }
    if (bucket === this.#owners.length) {
      this.#owners = doubled(this.#owners)
      this.#keys = doubled(this.#keys)
    }
    this.#owners[bucket] = owner
    this.#keys[bucket] = key
    this.#starts = null
    return bucket
  }

  #growFirst(key: number): void {
    const larger = new Int32Array(Math.max(key + 1, this.#first.length * 2)).fill(-1)
    larger.set(this.#first)
    this.#first = larger
  }

  #rehash(): void {
    this.#slots = new Int32Array(this.#slots.length * 2).fill(-1)
    this.#mask = this.#slots.length - 1
    for (let bucket = 0; bucket < this.size; bucket++) {
      const owner = this.#owners[bucket]!
      if (owner === 0) continue
      let slot = hashOf(owner, this.#keys[bucket]!) & this.#mask
      while (this.#slots[slot] !== -1) slot = (slot + 1) & this.#mask
      this.#slots[slot] = bucket
    }
  }
}

function doubled(array: Uint32Array): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(array.length * 2)
  larger.set(array)
  return larger
}

function hashOf(owner: number, key: number): number {
  let hash = Math.imul(owner, 0x9e37_79b1) ^ Math.imul(key, 0x85eb_ca77)
  hash = Math.imul(hash ^ (hash >>> 15), 0xc2b2_ae3d)
  return (hash ^ (hash >>> 13)) >>> 0
}
