/** Where a page begins in a ranking, and what the order says of each of its hits. */
import type { HitPlace } from './hit-fetcher.ts'
import type { PreparedSearch } from './prepared-search.ts'
import type { RankedHit, Ranking } from './ranking.ts'
import { illegalArgument } from './request-values.ts'
import type { SearchRequest } from './search-request.ts'
import type { SortValue } from './sort-value.ts'

/** The rank a page begins at: `from`, counted from `search_after` where there is one. */
export function startOf(
  search: PreparedSearch,
  { searchAfter, from }: SearchRequest,
  ranking: Ranking = search.ranking,
): number {
  if (searchAfter === undefined || search.keys.length === 0) return from
  return ranking.rankAfter(afterValues(search, searchAfter)) + from
}

export function afterValues({ keys }: PreparedSearch, values: readonly unknown[]): SortValue[] {
  if (values.length !== keys.length) {
    throw illegalArgument(`search_after has ${values.length} value(s) but sort has ${keys.length}.`)
  }
  return keys.map((key, i) => key.parse(values[i]))
}

/** A hit with what its order says about it. */
export function placeOf(search: PreparedSearch, request: SearchRequest, { leaf, doc }: RankedHit): HitPlace {
  const { shownKeys, scores, scorePlace } = search
  const sort = shownKeys?.map((key) => key.show(leaf, key.value(leaf, doc)))
  const isScored = shownKeys === undefined || scorePlace !== -1 || request.trackScores
  return { leaf, doc, sort, score: isScored ? scores.at(leaf, doc) : undefined }
}

/** The page in front of the hit with these sort values: the way back of `search_after`. */
export function pageBefore(search: PreparedSearch, values: readonly unknown[], size: number): RankedHit[] {
  const end = search.ranking.rankBefore(afterValues(search, values))
  return search.ranking.page(Math.max(0, end - size), Math.min(size, end))
}
