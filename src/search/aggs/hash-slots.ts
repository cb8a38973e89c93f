/**
 * The slots of an open-addressing hash table whose entries are stored elsewhere. A large table is partitioned
 * by hash and grows part by part, since rehashing a million entries at once would block.
 */

const partBits = 6
/** Entries before the table is partitioned. */
const maxUnpartitioned = 16 * 1024

class HashPart {
  slots: Int32Array<ArrayBuffer>
  mask: number
  count = 0

  constructor(size: number) {
    this.slots = new Int32Array(size).fill(-1)
    this.mask = size - 1
  }
}

export class HashSlots {
  readonly #hashOf: (entry: number) => number
  #parts = [new HashPart(128)]
  #partMask = 0

  constructor(hashOf: (entry: number) => number) {
    this.#hashOf = hashOf
  }

  /** The part of a hash; entries are probed from `hash & mask` up to a slot of -1. */
  part(hash: number): HashPart {
    return this.#parts[(hash >>> (32 - partBits)) & this.#partMask]!
  }

  /** Stores an entry in a free slot of the hash's part. */
  put(hash: number, slot: number, entry: number): void {
    const part = this.part(hash)
    part.slots[slot] = entry
    if (++part.count * 2 <= part.slots.length) return
    if (this.#partMask === 0 && part.count > maxUnpartitioned) this.#divide(part)
    else this.#grow(part)
  }

  #grow(part: HashPart): void {
    const { slots } = part
    part.slots = new Int32Array(slots.length * 2).fill(-1)
    part.mask = part.slots.length - 1
    for (const entry of slots) if (entry !== -1) insert(part, this.#hashOf(entry), entry)
  }

  #divide({ slots }: HashPart): void {
    this.#partMask = (1 << partBits) - 1
    this.#parts = Array.from(
      { length: 1 << partBits },
      () => new HashPart((maxUnpartitioned * 8) >>> partBits),
    )
    for (const entry of slots) {
      if (entry === -1) continue
      const hash = this.#hashOf(entry)
      const part = this.part(hash)
      insert(part, hash, entry)
      part.count += 1
    }
  }
}

function insert({ slots, mask }: HashPart, hash: number, entry: number): void {
  let slot = hash & mask
  while (slots[slot] !== -1) slot = (slot + 1) & mask
  slots[slot] = entry
}
