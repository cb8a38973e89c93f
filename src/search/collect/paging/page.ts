/** Where a page begins in a ranking, and what the order says of each of its hits. */

import { illegalArgument } from '../../request/errors.ts'
import { finish, type Steps } from '../../scheduling/steps.ts'
import type { HitPlace } from '../fetch/hit-fetcher.ts'
import type { PreparedSearch } from '../prepared-search.ts'
import type { SearchRequest } from '../request/search-request.ts'
import type { SortValue } from '../sort/sort-value.ts'
import type { RankedHit, Ranking } from './ranking.ts'

/** The rank a page begins at: `from`, counted from `search_after` where there is one. */
function* startOf(
  search: PreparedSearch,
  { searchAfter, from }: SearchRequest,
  ranking: Ranking,
): Steps<number> {
  if (searchAfter === undefined || search.keys.length === 0) return from
  return (yield* ranking.rankAfter(afterValues(search, searchAfter))) + from
}

/** The hits of a page, in their order; `placed` makes of each what is known of it. */
export function* placesOf(
  search: PreparedSearch,
  request: SearchRequest,
  ranking: Ranking,
  placed: (hit: RankedHit) => HitPlace,
): Steps<HitPlace[]> {
  const start = yield* startOf(search, request, ranking)
  const places: HitPlace[] = []
  for (const hit of yield* ranking.pageSteps(start, request.size)) {
    places.push(placed(hit))
    if (places.length % stepHits === 0) yield
  }
  return places
}

/** Hits looked at in one step. */
const stepHits = 128

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
  const end = finish(search.ranking.rankBefore(afterValues(search, values)))
  return search.ranking.page(Math.max(0, end - size), Math.min(size, end))
}
