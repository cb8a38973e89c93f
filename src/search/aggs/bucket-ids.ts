/**
 * Numbers for buckets: a bucket is a key within a bucket of the level above. Keys are small numbers (of terms, of
 * distinct values), so the first owner, often the only one, has a plain table; others share a hash table.
 */
import { SearchError } from '../search-error.ts'
import { finish, type Steps } from '../steps.ts'
import { HashSlots } from './hash-slots.ts'

/** Buckets one aggregation may collect before the best are chosen. */
const mostBuckets = 1 << 24
/** Buckets listed in one step. */
const stepBuckets = 32 * 1024
const none = 0xffff_ffff

export class BucketIds {
  #first = new Int32Array(64).fill(-1)
  readonly #slots = new HashSlots((bucket) => hashOf(this.#owners[bucket]!, this.#keys[bucket]!))
  #owners = new Uint32Array(64)
  #keys = new Uint32Array(64)
  /** The bucket of the same owner that came up next; behind the last stands the first. */
  #next = new Uint32Array(64)
  /** By owner the last of its buckets, and how many it has. */
  #last = new Uint32Array(16).fill(none)
  #sizes = new Uint32Array(16)
  size = 0

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
    const hash = hashOf(owner, key)
    const { slots, mask } = this.#slots.part(hash)
    let slot = hash & mask
    for (;;) {
      const bucket = slots[slot]!
      if (bucket === -1) break
      if (this.#keys[bucket] === key && this.#owners[bucket] === owner) return bucket
      slot = (slot + 1) & mask
    }
    const bucket = this.#add(owner, key)
    this.#slots.put(hash, slot, bucket)
    return bucket
  }

  /** -1 when there is none. */
  find(owner: number, key: number): number {
    if (owner === 0) return key < this.#first.length ? this.#first[key]! : -1
    const hash = hashOf(owner, key)
    const { slots, mask } = this.#slots.part(hash)
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const bucket = slots[slot]!
      if (bucket === -1) return -1
      if (this.#keys[bucket] === key && this.#owners[bucket] === owner) return bucket
    }
  }

  /** The buckets of one owner, in the order they came up. */
  of(owner: number): Uint32Array<ArrayBuffer> {
    return finish(this.ofSteps(owner))
  }

  *ofSteps(owner: number): Steps<Uint32Array<ArrayBuffer>> {
    if (owner >= this.#last.length || this.#last[owner] === none) return new Uint32Array(0)
    const list = new Uint32Array(this.#sizes[owner]!)
    let bucket = this.#last[owner]!
    for (let i = 0; i < list.length; i++) {
      if (i % stepBuckets === stepBuckets - 1) yield
      bucket = this.#next[bucket]!
      list[i] = bucket
    }
    return list
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
      this.#owners = enlarged(this.#owners, bucket * 2)
      this.#keys = enlarged(this.#keys, bucket * 2)
      this.#next = enlarged(this.#next, bucket * 2)
    }
    this.#owners[bucket] = owner
    this.#keys[bucket] = key
    this.#append(owner, bucket)
    return bucket
  }

  #append(owner: number, bucket: number): void {
    if (owner >= this.#last.length) {
      const { length } = this.#last
      const capacity = Math.max(owner + 1, length * 2)
      this.#last = enlarged(this.#last, capacity).fill(none, length)
      this.#sizes = enlarged(this.#sizes, capacity)
    }
    const last = this.#last[owner]!
    if (last === none) this.#next[bucket] = bucket
    else {
      this.#next[bucket] = this.#next[last]!
      this.#next[last] = bucket
    }
    this.#last[owner] = bucket
    this.#sizes[owner]! += 1
  }

  #growFirst(key: number): void {
    const larger = new Int32Array(Math.max(key + 1, this.#first.length * 2)).fill(-1)
    larger.set(this.#first)
    this.#first = larger
  }
}

function enlarged(array: Uint32Array, capacity: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(capacity)
  larger.set(array)
  return larger
}

function hashOf(owner: number, key: number): number {
  let hash = Math.imul(owner, 0x9e37_79b1) ^ Math.imul(key, 0x85eb_ca77)
  hash = Math.imul(hash ^ (hash >>> 15), 0xc2b2_ae3d)
  return (hash ^ (hash >>> 13)) >>> 0
}
