/**
 * Sets of documents that filters found, kept per segment for the next search that asks the same. A filter is
 * kept from its second use on, in segments that are worth it, within a limit of bytes; the longest unused
 * goes first. Segments never change, so what is kept stays true; it goes with its segment.
 */
import type { Segment } from '../../segment/segment.ts'
import type { DocSet } from './doc-set.ts'

const minSegmentSize = 10_000
const rememberedUses = 512

interface Entry {
  readonly set: DocSet
  readonly bytes: number
}

export class FilterCache {
  readonly #limit: number
  #bytes = 0
  /** In the order of their last use. */
  readonly #entries = new Map<string, Entry>()
  readonly #uses = new Map<string, number>()
  readonly #numbers = new WeakMap<Segment, number>()
  #next = 0

  constructor(limitBytes = 64 * 1024 * 1024) {
    this.#limit = limitBytes
  }

  get bytes(): number {
    return this.#bytes
  }

  /** Notes one use of a filter by one search; true when its sets are to be kept. */
  use(key: string): boolean {
    const uses = (this.#uses.get(key) ?? 0) + 1
    this.#uses.delete(key)
    this.#uses.set(key, uses)
    if (this.#uses.size > rememberedUses) this.#uses.delete(this.#uses.keys().next().value!)
    return uses > 1
  }

  has(key: string, segment: Segment): boolean {
    const number = this.#numbers.get(segment)
    return number !== undefined && this.#entries.has(`${number} ${key}`)
  }

  matches(key: string, segment: Segment, find: () => DocSet): DocSet {
    if (segment.docCount < minSegmentSize) return find()
    let number = this.#numbers.get(segment)
    if (number === undefined) {
      number = this.#next++
      this.#numbers.set(segment, number)
    }
    const full = `${number} ${key}`
    const known = this.#entries.get(full)
    if (known !== undefined) {
      this.#entries.delete(full)
      this.#entries.set(full, known)
      return known.set
    }
    const set = find()
    this.#keep(full, set)
    return set
  }

  #keep(key: string, set: DocSet): void {
    const bytes = Math.min(set.count * 4, set.size / 8) + key.length * 2 + 200
    if (bytes * 4 > this.#limit) return
    this.#entries.set(key, { set, bytes })
    this.#bytes += bytes
    for (const [oldest, entry] of this.#entries) {
      if (this.#bytes <= this.#limit) break
      this.#entries.delete(oldest)
      this.#bytes -= entry.bytes
    }
  }

  clear(): void {
    this.#entries.clear()
    this.#uses.clear()
    this.#bytes = 0
  }
}
