/**
 * An LRU cache of prepared searches, so that the next page of a search need not run its query again. The key
 * is the request text with the segments and deletions it ran over. Searches that depend on anything else (the
 * clock, randomness, other documents) are not cached. Entries count against the memory budget of decoded
 * data, which may evict them.
 */
import { type CachedValue, type DecodedCache, decodedCache } from '../segment/decoded-cache.ts'
import type { ShardReader } from '../segment/segment.ts'
import type { PreparedSearch } from './prepared-search.ts'
import { effectiveSort, isRanked } from './prepared-search.ts'
import type { SearchRequest } from './request/search-request.ts'
import type { SearchIndex } from './search-index.ts'

const maxKeyLength = 64 * 1024

export class SearchCache {
  readonly #max: number
  readonly #memory: DecodedCache
  readonly #entries = new Map<string, CachedValue<PreparedSearch>>()
  readonly #numbers = new WeakMap<object, number>()
  readonly #places = new WeakMap<ShardReader, string>()
  #next = 1

  constructor(max = 16, memory = decodedCache) {
    this.#max = max
    this.#memory = memory
  }

  #number(object: object | null): number {
    if (object === null) return 0
    let number = this.#numbers.get(object)
    if (number === undefined) {
      number = this.#next++
      this.#numbers.set(object, number)
    }
    return number
  }

  /** Undefined when the search must not be cached. */
  keyOf(indices: readonly SearchIndex[], request: SearchRequest): string | undefined {
    if (request.timeout !== undefined || request.rescore.length > 0) return undefined
    const { query, postFilter, minScore, slice, terminateAfter, indicesBoost, isGlobal } = request
    const filters = indices.map((index) => index.filters ?? null)
    const asked = [
      query,
      postFilter,
      minScore,
      slice,
      terminateAfter,
      indicesBoost,
      isGlobal,
      effectiveSort(request),
      isRanked(request),
    ]
    const text = JSON.stringify([asked, filters])
    if (text.length > maxKeyLength || /now|random_score|more_like_this|"(?:index|indexed_shape)"/.test(text))
      return undefined
    // A stored script may be replaced between two searches.
    if (text.includes('script') && text.includes('"id"')) return undefined
    let places = ''
    for (const { uuid, name, mapping, queries, shards } of indices) {
      // Hits are fetched with the stored scripts of their search. No uuid or name has a space.
      places += `${uuid} ${name} ${this.#number(mapping)} ${this.#number(queries.scripts ?? null)} `
      for (const shard of shards) places += this.#placeOf(shard)
    }
    return `${places}${text}`
  }

  /** A reader never changes, so this is written once. */
  #placeOf(reader: ShardReader): string {
    let place = this.#places.get(reader)
    if (place === undefined) {
      const leaves = reader.leaves.map(
        ({ segment, live }) => `${this.#number(segment)}.${this.#number(live)}`,
      )
      place = `${reader.shard}:${leaves.join()} `
      this.#places.set(reader, place)
    }
    return place
  }

  get(key: string): PreparedSearch | undefined {
    const held = this.#entries.get(key)
    if (held === undefined) return undefined
    this.#entries.delete(key)
    const found = held.value
    if (found !== undefined) this.#entries.set(key, held)
    return found
  }

  put(key: string, search: PreparedSearch): void {
    this.#entries.set(key, this.#memory.hold(search, bytesOf(search, key)))
    if (this.#entries.size > this.#max) this.#entries.delete(this.#entries.keys().next().value!)
  }

  clear(): void {
    this.#entries.clear()
  }
}

/** Bytes per match: an entry of the array, and its bit. */
const perMatch = 4
/** Bytes per score: document, score and sort key. */
const perScore = 12
/** Bytes of the surrounding objects. */
const perSearch = 16 * 1024

/** An estimate of what a search holds once its pages were read. */
function bytesOf({ matches, hits, scores, scorePlace }: PreparedSearch, key: string): number {
  let bytes = perSearch + key.length * 2
  for (const list of new Set([matches, hits])) {
    for (const { leaf, docs } of list) {
      if (docs.start === undefined) bytes += docs.count * perMatch + docs.size / 8
      if (list === hits && scorePlace >= 0 && scores.constant(leaf) === undefined)
        bytes += docs.count * perScore
    }
  }
  return bytes
}
