/**
 * The slots of an open hash table whose entries are numbers of something kept elsewhere. Once there are many, they stand
 * in parts that grow one by one: a single table of a million takes long when it has to grow.
 */

const partBits = 6
/** Entries of the first part before there are more. */
const fewEntries = 16 * 1024

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

  /** Where entries of a hash are: looked for from `hash & mask` on, up to a slot of -1. */
  part(hash: number): HashPart {
    return this.#parts[(hash >>> (32 - partBits)) & this.#partMask]!
  }

  /** Into a slot of the hash's part that was found to be free. */
  put(hash: number, slot: number, entry: number): void {
    const part = this.part(hash)
    part.slots[slot] = entry
    if (++part.count * 2 <= part.slots.length) return
    if (this.#partMask === 0 && part.count > fewEntries) this.#divide(part)
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
    this.#parts = Array.from({ length: 1 << partBits }, () => new HashPart((fewEntries * 8) >>> partBits))
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
