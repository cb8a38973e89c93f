/**
 * Searches kept ready for their next page. A search is known by its text and by the segments and deletions it
 * ran over; either changes, and it is another search. What depends on more than that (the clock, chance, other
 * documents) is not kept.
 */
import type { PreparedSearch } from './prepared-search.ts'
import { effectiveSort, isRanked } from './prepared-search.ts'
import type { SearchIndex } from './search-index.ts'
import type { SearchRequest } from './search-request.ts'

const longestKey = 64 * 1024

export class SearchCache {
  readonly #most: number
  readonly #kept = new Map<string, PreparedSearch>()
  readonly #numbers = new WeakMap<object, number>()
  #next = 1

  constructor(most = 16) {
    this.#most = most
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
    if (text.length > longestKey || /now|random_score|"(?:index|indexed_shape)"/.test(text)) return undefined
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
    const found = this.#kept.get(key)
    if (found !== undefined) {
      this.#kept.delete(key)
      this.#kept.set(key, found)
    }
    return found
  }

  put(key: string, search: PreparedSearch): void {
    this.#kept.set(key, search)
    if (this.#kept.size > this.#most) this.#kept.delete(this.#kept.keys().next().value!)
  }

  clear(): void {
    this.#kept.clear()
  }
}
