/** Ordinals of distinct doubles in order of arrival: an open-addressing hash table over typed arrays. */
import { HashSlots } from './hash-slots.ts'

const bits = new Float64Array(1)
const words = new Uint32Array(bits.buffer)

export class ValueOrdinals {
  #values = new Float64Array(64)
  readonly #slots = new HashSlots((id) => hashOf(this.#values[id]!))
  size = 0

  value(id: number): number {
    return this.#values[id]!
  }

  id(given: number): number {
    // Normalizes -0 to 0.
    const value = given + 0
    const hash = hashOf(value)
    const { slots, mask } = this.#slots.part(hash)
    let slot = hash & mask
    for (;;) {
      const id = slots[slot]!
      if (id === -1) break
      if (this.#values[id] === value) return id
      slot = (slot + 1) & mask
    }
    const id = this.size++
    if (id === this.#values.length) this.#grow()
    this.#values[id] = value
    this.#slots.put(hash, slot, id)
    return id
  }

  /** -1 when it has none. */
  find(given: number): number {
    const value = given + 0
    const hash = hashOf(value)
    const { slots, mask } = this.#slots.part(hash)
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const id = slots[slot]!
      if (id === -1 || this.#values[id] === value) return id
    }
  }

  #grow(): void {
    const larger = new Float64Array(this.#values.length * 2)
    larger.set(this.#values)
    this.#values = larger
  }
}

function hashOf(value: number): number {
  bits[0] = value
  let hash = Math.imul(words[0]! ^ (words[1]! >>> 15), 0x85eb_ca6b) ^ Math.imul(words[1]!, 0xc2b2_ae35)
  hash = Math.imul(hash ^ (hash >>> 15), 0x27d4_eb2f)
  return (hash ^ (hash >>> 13)) >>> 0
}
