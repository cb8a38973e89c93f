/**
 * Ordinals of combinations of keys from several sources. The keys of each combination stand side by side in one array,
 * which a hash table finds them in, so that a combination costs its keys and a slot however many sources there are.
 */
import type { AnswerBytes } from '../../answer/answer-memory.ts'
import type { Batch } from '../batch.ts'
import { maxBuckets, tooManyBuckets } from '../bucket-ordinals.ts'
import { HashSlots } from '../hash-slots.ts'
import type { KeyBatch } from './key-source.ts'

type TakeCombination = (doc: number, owner: number, combination: number) => void

/** A hash, and two or four slots, of which half are free. */
const bytesBesideKeys = 24

export class KeyCombinations {
  readonly #width: number
  readonly #takesMissing: readonly boolean[]
  readonly #answer: AnswerBytes | undefined
  /** The keys of all combinations, flattened, and a hash of each. */
  #keys = new Int32Array(0)
  #hashes = new Int32Array(0)
  readonly #slots = new HashSlots((combination) => this.#hashes[combination]!)
  #size = 0
  /** The combination that is looked up, and hashes of its first keys. */
  readonly #tuple: Int32Array
  readonly #prefixHashes: Int32Array

  /** `takesMissing` says by source whether documents without a value get the key -1. */
  constructor(takesMissing: readonly boolean[], answer?: AnswerBytes) {
    this.#width = takesMissing.length
    this.#takesMissing = takesMissing
    this.#answer = answer
    this.#tuple = new Int32Array(this.#width)
    this.#prefixHashes = new Int32Array(this.#width + 1)
  }

  /** The number of combinations so far. */
  get size(): number {
    return this.#size
  }

  /** The keys of all combinations, flattened, by source; -1 for none. They are valid until the next one is added. */
  get keys(): Int32Array {
    return this.#keys
  }

  read(batch: Batch, parts: readonly KeyBatch[], take: TakeCombination): void {
    const { docs, owners, length } = batch
    const places = new Uint32Array(parts.length)
    const ends = new Uint32Array(parts.length)
    const at = new Uint32Array(parts.length)
    for (let i = 0; i < length; i++) {
      const doc = docs[i]!
      const owner = owners[i]!
      let isWhole = true
      for (let part = 0; part < parts.length; part++) {
        // Entries of a source are in batch order.
        const { docs: ofPart, owners: ownersOfPart, length: count } = parts[part]!
        let end = ends[part]!
        places[part] = end
        while (end < count && ofPart[end] === doc && ownersOfPart[end] === owner) end++
        ends[part] = end
        if (end === places[part] && !this.#takesMissing[part]!) isWhole = false
      }
      if (!isWhole) continue
      at.set(places)
      for (let changed = 0; changed !== -1; changed = advanced(at, places, ends)) {
        this.#fill(parts, at, ends, changed)
        take(doc, owner, this.#id())
      }
    }
  }

  /** Takes over the keys from the first one that changed on. */
  #fill(parts: readonly KeyBatch[], at: Uint32Array, ends: Uint32Array, from: number): void {
    const tuple = this.#tuple
    const hashes = this.#prefixHashes
    let hash = hashes[from]!
    for (let part = from; part < parts.length; part++) {
      const place = at[part]!
      const key = place < ends[part]! ? parts[part]!.keys[place]! : -1
      tuple[part] = key
      hash = Math.imul(hash ^ key, 0x9e37_79b1)
      hash ^= hash >>> 15
      hashes[part + 1] = hash
    }
  }

  #id(): number {
    const hash = mixed(this.#prefixHashes[this.#width]!)
    const { slots, mask } = this.#slots.part(hash)
    let slot = hash & mask
    for (;;) {
      const combination = slots[slot]!
      if (combination === -1) break
      if (this.#hashes[combination] === hash && this.#is(combination)) return combination
      slot = (slot + 1) & mask
    }
    const combination = this.#add(hash)
    this.#slots.put(hash, slot, combination)
    return combination
  }

  #is(combination: number): boolean {
    const tuple = this.#tuple
    const keys = this.#keys
    const from = combination * this.#width
    for (let part = 0; part < tuple.length; part++) if (keys[from + part] !== tuple[part]) return false
    return true
  }

  #add(hash: number): number {
    const combination = this.#size++
    if (combination >= maxBuckets) throw tooManyBuckets()
    if (combination === this.#hashes.length) this.#grow(Math.max(16, combination * 2))
    this.#hashes[combination] = hash
    this.#keys.set(this.#tuple, combination * this.#width)
    return combination
  }

  #grow(capacity: number): void {
    const more = capacity - this.#hashes.length
    this.#answer?.add(more * (this.#width * Int32Array.BYTES_PER_ELEMENT + bytesBesideKeys))
    const hashes = new Int32Array(capacity)
    hashes.set(this.#hashes)
    this.#hashes = hashes
    const keys = new Int32Array(capacity * this.#width)
    keys.set(this.#keys)
    this.#keys = keys
  }
}

/** Goes on to the next combination, the last source fastest; returns the first source that changed, or -1 at the end. */
function advanced(at: Uint32Array, places: Uint32Array, ends: Uint32Array): number {
  for (let part = at.length - 1; part >= 0; part--) {
    if (at[part]! + 1 < ends[part]!) {
      at[part]! += 1
      return part
    }
    at[part] = places[part]!
  }
  return -1
}

/** The upper bits choose a part of the table, the lower ones a slot. */
function mixed(hash: number): number {
  const half = Math.imul(hash ^ (hash >>> 15), 0xc2b2_ae3d)
  return half ^ (half >>> 13)
}
