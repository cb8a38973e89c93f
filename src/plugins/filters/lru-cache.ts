/**
 * A map with an upper size: what was used longest ago goes first. A Map keeps the order of insertion, so
 * the oldest entry is its first.
 */
export class LruCache<V> {
  readonly #entries = new Map<string, V>()
  readonly #size: number

  constructor(size: number) {
    this.#size = size
  }

  get(key: string): V | undefined {
    const value = this.#entries.get(key)
    // Below half the size nothing can be pushed out soon, so the order may be a little off.
    if (value !== undefined && this.#entries.size * 2 > this.#size) {
      this.#entries.delete(key)
      this.#entries.set(key, value)
    }
    return value
  }

  set(key: string, value: V): void {
    if (this.#size < 1) return
    if (this.#entries.size >= this.#size && !this.#entries.has(key)) {
      const [oldest] = this.#entries.keys()
      this.#entries.delete(oldest!)
    }
    this.#entries.set(key, value)
  }

  delete(key: string): void {
    this.#entries.delete(key)
  }

  get size(): number {
    return this.#entries.size
  }
}
