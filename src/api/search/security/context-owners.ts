/**
 * The owners of scrolls and points in time, which nobody else may use. Bounded, with the oldest evicted
 * first.
 */
const maxContexts = 20_000

export class ContextOwners {
  readonly #owners = new Map<string, string>()

  add(id: string, owner: string): void {
    this.#owners.delete(id)
    this.#owners.set(id, owner)
    if (this.#owners.size <= maxContexts) return
    for (const oldest of this.#owners.keys()) {
      this.#owners.delete(oldest)
      break
    }
  }

  isOwner(id: string, owner: string): boolean {
    return this.#owners.get(id) === owner
  }
}
