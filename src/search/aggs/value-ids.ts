/** Numbers for distinct doubles, in the order they come up: an open hash table over typed arrays. */
const bits = new Float64Array(1)
const words = new Uint32Array(bits.buffer)

export class ValueIds {
  #values = new Float64Array(64)
  #slots = new Int32Array(128).fill(-1)
  #mask = 127
  size = 0

  value(id: number): number {
    return this.#values[id]!
  }

  id(given: number): number {
    // Minus zero is zero.
    const value = given + 0
    let slot = hashOf(value) & this.#mask
    for (;;) {
      const id = this.#slots[slot]!
      if (id === -1) break
      if (this.#values[id] === value) return id
      slot = (slot + 1) & this.#mask
    }
    const id = this.size++
    if (id === this.#values.length) this.#grow()
    this.#values[id] = value
    this.#insert(id, value)
    return id
  }

  /** -1 when it has none. */
  find(given: number): number {
    const value = given + 0
    for (let slot = hashOf(value) & this.#mask; ; slot = (slot + 1) & this.#mask) {
      const id = this.#slots[slot]!
      if (id === -1 || this.#values[id] === value) return id
    }
  }

  #insert(id: number, value: number): void {
    let slot = hashOf(value) & this.#mask
    while (this.#slots[slot] !== -1) slot = (slot + 1) & this.#mask
    this.#slots[slot] = id
  }

  #grow(): void {
    const larger = new Float64Array(this.#values.length * 2)
    larger.set(this.#values)
    this.#values = larger
    this.#slots = new Int32Array(larger.length * 2).fill(-1)
    this.#mask = this.#slots.length - 1
    for (let id = 0; id < this.size - 1; id++) this.#insert(id, larger[id]!)
  }
}

function hashOf(value: number): number {
  bits[0] = value
  let hash = Math.imul(words[0]! ^ (words[1]! >>> 15), 0x85eb_ca6b) ^ Math.imul(words[1]!, 0xc2b2_ae35)
  hash = Math.imul(hash ^ (hash >>> 15), 0x27d4_eb2f)
  return (hash ^ (hash >>> 13)) >>> 0
}
