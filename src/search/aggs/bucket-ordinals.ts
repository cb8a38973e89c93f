/**
 * Assigns bucket ordinals to pairs of owner (parent bucket) and key, as Elasticsearch's LongKeyedBucketOrds
 * does. Keys are small numbers (ordinals of terms or values), so the first owner, often the only one, has a
 * direct table; the others share a hash table.
 */
import { SearchError } from '../request/search-error.ts'
import { finish, type Steps } from '../scheduling/steps.ts'
import { HashSlots } from './hash-slots.ts'

/** The maximum number of buckets one aggregation collects. */
export const maxBuckets = 1 << 24
/** Buckets listed per step. */
const stepBuckets = 8 * 1024

export function tooManyBuckets(): SearchError {
  return new SearchError(
    'circuit_breaking_exception',
    `[request] Data too large, an aggregation collects more than [${maxBuckets}] buckets`,
    { details: { durability: 'TRANSIENT' } },
  )
}

export class BucketOrdinals {
  #first = new Int32Array(64).fill(-1)
  readonly #slots = new HashSlots((bucket) => hashOf(this.#owners[bucket]!, this.#keys[bucket]!))
  #owners = new Uint32Array(64)
  #keys = new Uint32Array(64)
  size = 0
  #maxOwner = 0
  readonly #lists = new OwnerLists()

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
      if (this.#is(bucket, owner, key)) return bucket
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
      if (this.#is(bucket, owner, key)) return bucket
    }
  }

  #is(bucket: number, owner: number, key: number): boolean {
    return this.#keys[bucket]! === key && this.#owners[bucket]! === owner
  }

  /** The buckets of one owner in order of creation. */
  of(owner: number): Uint32Array<ArrayBuffer> {
    return finish(this.ofSteps(owner))
  }

  *ofSteps(owner: number): Steps<Uint32Array<ArrayBuffer>> {
    yield* this.#lists.add(this.#owners.subarray(0, this.size), this.#maxOwner)
    return yield* this.#lists.of(owner)
  }

  #add(owner: number, key: number): number {
    const bucket = this.size++
    if (bucket >= maxBuckets) throw tooManyBuckets()
    if (owner > this.#maxOwner) this.#maxOwner = owner
    if (bucket === this.#owners.length) {
      this.#owners = withRoom(this.#owners, bucket * 2)
      this.#keys = withRoom(this.#keys, bucket * 2)
    }
    this.#owners[bucket] = owner
    this.#keys[bucket] = key
    return bucket
  }

  #growFirst(key: number): void {
    const larger = new Int32Array(Math.max(key + 1, this.#first.length * 2)).fill(-1)
    larger.set(this.#first)
    this.#first = larger
  }
}

/** Linked lists of buckets by owner, extended to the existing buckets when they are read. */
class OwnerLists {
  /** A circular list: the last bucket of an owner links to the first. */
  #next = new Uint32Array(0)
  /** The last bucket of each owner plus one, and its number of buckets. */
  #last = new Uint32Array(0)
  #sizes = new Uint32Array(0)
  #added = 0

  #append(owner: number, bucket: number): void {
    const last = this.#last[owner]! - 1
    if (last === -1) this.#next[bucket] = bucket
    else {
      this.#next[bucket] = this.#next[last]!
      this.#next[last] = bucket
    }
    this.#last[owner] = bucket + 1
    this.#sizes[owner]! += 1
  }

  /** `max` is the highest owner. */
  *add(owners: Uint32Array, max: number): Steps<void> {
    const { length } = owners
    if (this.#added === length) return
    this.#next = withRoom(this.#next, length)
    this.#last = withRoom(this.#last, max + 1)
    this.#sizes = withRoom(this.#sizes, max + 1)
    while (this.#added < length) {
      const bucket = this.#added++
      this.#append(owners[bucket]!, bucket)
      if (bucket % stepBuckets === stepBuckets - 1) yield
    }
  }

  *of(owner: number): Steps<Uint32Array<ArrayBuffer>> {
    if (owner >= this.#last.length || this.#last[owner] === 0) return new Uint32Array(0)
    const list = new Uint32Array(this.#sizes[owner]!)
    let bucket = this.#last[owner]! - 1
    for (let i = 0; i < list.length; i++) {
      if (i % stepBuckets === stepBuckets - 1) yield
      bucket = this.#next[bucket]!
      list[i] = bucket
    }
    return list
  }
}

function withRoom(array: Uint32Array<ArrayBuffer>, size: number): Uint32Array<ArrayBuffer> {
  if (size <= array.length) return array
  const larger = new Uint32Array(Math.max(size, array.length * 2))
  larger.set(array)
  return larger
}

function hashOf(owner: number, key: number): number {
  let hash = Math.imul(owner, 0x9e37_79b1) ^ Math.imul(key, 0x85eb_ca77)
  hash = Math.imul(hash ^ (hash >>> 15), 0xc2b2_ae3d)
  return hash ^ (hash >>> 13)
}
