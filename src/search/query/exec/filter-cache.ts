/**
 * The query cache for filters: doc sets per segment and filter. Like Lucene's UsageTrackingQueryCachingPolicy it caches
 * a filter from its second use on, and only in segments that are large enough. Segments are immutable, so sets never
 * become stale; they go with their segment. They count against the memory budget of decoded data, which may evict them.
 */
import { type CachedValue, type DecodedCache, decodedCache } from '../../segment/decoded-cache.ts'
import type { Segment } from '../../segment/segment.ts'
import type { DocSet } from './doc-set.ts'

const minSegmentSize = 10_000
const maxTrackedUses = 512
/** A set of more than this share of the budget would push out what other searches need. */
const maxShare = 0.25
/** Filters of a segment, evicted ones among them, before those are looked for. */
const maxFilters = 256

type Sets = Map<string, CachedValue<DocSet>>

export class FilterCache {
  readonly #memory: DecodedCache
  readonly #sets = new WeakMap<Segment, Sets>()
  readonly #uses = new Map<string, number>()

  constructor(memory = decodedCache) {
    this.#memory = memory
  }

  /** Records one use of a filter by one search; returns true when its sets should be cached. */
  use(key: string): boolean {
    const uses = (this.#uses.get(key) ?? 0) + 1
    this.#uses.delete(key)
    this.#uses.set(key, uses)
    if (this.#uses.size > maxTrackedUses) this.#uses.delete(this.#uses.keys().next().value!)
    return uses > 1
  }

  has(key: string, segment: Segment): boolean {
    return this.#sets.get(segment)?.get(key)?.isHeld === true
  }

  matches(key: string, segment: Segment, find: () => DocSet): DocSet {
    if (segment.docCount < minSegmentSize) return find()
    const known = this.#sets.get(segment)?.get(key)?.value
    if (known !== undefined) return known
    const set = find()
    const bytes = bytesOf(set) + key.length * 2
    if (bytes <= this.#memory.limit * maxShare) this.#setsOf(segment).set(key, this.#memory.hold(set, bytes))
    return set
  }

  #setsOf(segment: Segment): Sets {
    let sets = this.#sets.get(segment)
    if (sets === undefined) this.#sets.set(segment, (sets = new Map()))
    if (sets.size >= maxFilters) for (const [key, held] of sets) if (!held.isHeld) sets.delete(key)
    return sets
  }
}

/** Estimates for both forms, list and bits, because a set caches the other form when it is asked for. */
function bytesOf({ count, size }: DocSet): number {
  return count * 4 + size / 8 + 200
}
