/**
 * A map with an upper size: what was used longest ago goes first. A Map keeps the order of insertion, so
 * the oldest entry is its first. One walk through the entries lasts for ever: what it has passed is gone or has
 * moved to the end, so its next step is always the oldest, and the holes before it are not searched again.
 */
export class LruCache<V, K extends string | number = string> {
  readonly #entries = new Map<K, V>()
  readonly #oldestFirst = this.#entries.keys()
  readonly #size: number

  constructor(size: number) {
    this.#size = size
  }

  get(key: K): V | undefined {
    const value = this.#entries.get(key)
    // Below half the size nothing can be pushed out soon, so the order may be a little off.
    if (value !== undefined && this.#entries.size * 2 > this.#size) {
      this.#entries.delete(key)
      this.#entries.set(key, value)
    }
    return value
  }

  set(key: K, value: V): void {
    if (this.#size < 1) return
    if (this.#entries.size >= this.#size && !this.#entries.has(key)) {
      const { value: oldest } = this.#oldestFirst.next()
      this.#entries.delete(oldest!)
    }
    this.#entries.set(key, value)
  }

  delete(key: K): void {
    this.#entries.delete(key)
  }

  get size(): number {
    return this.#entries.size
  }
}
