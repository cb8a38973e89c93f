/** Items that were taken from a list and are not safe yet: nobody else has them. */
export class ItemsInHand {
  readonly #items = new Set<{ readonly bytes: Buffer }>()
  #waiting: (() => void)[] = []

  /** Call the result when the item is safe. */
  take(bytes: Buffer): () => void {
    const item = { bytes }
    this.#items.add(item)
    return () => {
      this.#items.delete(item)
      if (this.#items.size === 0) for (const resolve of this.#waiting.splice(0)) resolve()
    }
  }

  /** In the order in which they were taken; they are no longer in hand. */
  letGo(): Buffer[] {
    const items = [...this.#items].map(({ bytes }) => bytes)
    this.#items.clear()
    return items
  }

  /** Resolves when all items are safe. */
  settled(): Promise<void> {
    if (this.#items.size === 0) return Promise.resolve()
    return new Promise((resolve) => this.#waiting.push(resolve))
  }
}
