/**
 * Ordinals of combinations of keys from several sources. A combination is stored as a pair: the ordinal of
 * its prefix without the last key, and that key (a trie over bucket tables).
 */
import type { Steps } from '../../scheduling/steps.ts'
import type { Batch } from '../batch.ts'
import { BucketOrdinals } from '../bucket-ordinals.ts'
import type { KeyBatch } from './key-source.ts'

/** Combinations resolved per step. */
const stepCombinations = 16 * 1024

type TakeCombination = (doc: number, owner: number, combination: number) => void

export class KeyCombinations {
  /** One table per source except the first, from prefix and key to an ordinal. Ordinals start at 1. */
  readonly #tables: readonly BucketOrdinals[]
  readonly #takesMissing: readonly boolean[]

  /** By source: whether documents without a value get the key -1. */
  constructor(takesMissing: readonly boolean[]) {
    this.#takesMissing = takesMissing
    this.#tables = takesMissing.map(() => new BucketOrdinals())
  }

  /** The number of combinations so far. */
  get size(): number {
    return this.#tables.at(-1)!.size
  }

  read(batch: Batch, parts: readonly KeyBatch[], take: TakeCombination): void {
    const { docs, owners, length } = batch
    const places = new Uint32Array(parts.length)
    const ends = new Uint32Array(parts.length)
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
      if (isWhole) this.#combine(parts, places, ends, 0, 0, (id) => take(doc, owner, id))
    }
  }

  #combine(
    parts: readonly KeyBatch[],
    places: Uint32Array,
    ends: Uint32Array,
    part: number,
    before: number,
    take: (combination: number) => void,
  ): void {
    if (part === parts.length) {
      take(before)
      return
    }
    const { keys } = parts[part]!
    const table = this.#tables[part]!
    if (places[part] === ends[part]) {
      this.#combine(parts, places, ends, part + 1, table.id(before, 0), take)
      return
    }
    for (let at = places[part]!; at < ends[part]!; at++) {
      this.#combine(parts, places, ends, part + 1, table.id(before, keys[at]! + 1), take)
    }
  }

  /** The keys of all combinations, flattened, by source; -1 for none. */
  *keys(): Steps<Int32Array> {
    const width = this.#tables.length
    const { size } = this
    const keys = new Int32Array(size * width)
    for (let combination = 0; combination < size; combination++) {
      if (combination % stepCombinations === stepCombinations - 1) yield
      let id = combination
      for (let part = width - 1; part >= 0; part--) {
        const table = this.#tables[part]!
        keys[combination * width + part] = table.key(id) - 1
        id = table.owner(id)
      }
    }
    return keys
  }
}
