/**
 * Searches kept ready for their next page. A search is known by its text and by the segments and deletions it
 * ran over; either changes, and it is another search. What depends on more than that (the clock, chance, other
 * documents) is not kept. What is kept counts with all else that was decoded, and goes when there is no room for it.
 */
import { type CachedValue, type DecodedCache, decodedCache } from '../segment/decoded-cache.ts'
import type { PreparedSearch } from './prepared-search.ts'
import { effectiveSort, isRanked } from './prepared-search.ts'
import type { SearchRequest } from './request/search-request.ts'
import type { SearchIndex } from './search-index.ts'

const maxKeyLength = 64 * 1024

export class SearchCache {
  readonly #most: number
  readonly #memory: DecodedCache
  readonly #kept = new Map<string, CachedValue<PreparedSearch>>()
  readonly #numbers = new WeakMap<object, number>()
  #next = 1

  constructor(most = 16, memory = decodedCache) {
    this.#most = most
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

  /** Undefined when the search is not to be kept. */
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
    // What is named by an id may be another script the next time.
    if (text.includes('script') && text.includes('"id"')) return undefined
    const places = indices.map((index) => [
      index.name,
      index.uuid,
      this.#number(index.mapping),
      ...index.shards.flatMap(({ shard, leaves }) => [
        shard,
        ...leaves.flatMap(({ segment, live }) => [this.#number(segment), this.#number(live)]),
      ]),
    ])
    return `${JSON.stringify(places)}${text}`
  }

  get(key: string): PreparedSearch | undefined {
    const held = this.#kept.get(key)
    if (held === undefined) return undefined
    this.#kept.delete(key)
    const found = held.value
    if (found !== undefined) this.#kept.set(key, held)
    return found
  }

  put(key: string, search: PreparedSearch): void {
    this.#kept.set(key, this.#memory.hold(search, bytesOf(search, key)))
    if (this.#kept.size > this.#most) this.#kept.delete(this.#kept.keys().next().value!)
  }

  clear(): void {
    this.#kept.clear()
  }
}

/** A list of matches, and their bits. */
const perMatch = 4
/** Document, score and key of the order. */
const perScore = 12
/** The objects around it. */
const perSearch = 16 * 1024

/** About what a search holds once its pages were looked at. */
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
