/**
 * The query cache for filters: doc sets per segment and filter, with LRU eviction within a byte limit. Like
 * Lucene's UsageTrackingQueryCachingPolicy it caches a filter from its second use on, and only in segments
 * that are large enough. Segments are immutable, so entries never become stale; they go when their segment
 * does.
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
  /** In LRU order. */
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

  /** Records one use of a filter by one search; returns true when its sets should be cached. */
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
    this.#add(full, set)
    return set
  }

  #add(key: string, set: DocSet): void {
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
