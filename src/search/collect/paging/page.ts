/** Takes a page from a ranking and attaches sort values and scores to its hits. */

import { illegalArgument } from '../../request/errors.ts'
import { SearchError } from '../../request/search-error.ts'
import type { Steps } from '../../scheduling/steps.ts'
import type { HitPlace } from '../fetch/hit-fetcher.ts'
import type { PreparedSearch } from '../prepared-search.ts'
import type { SearchRequest } from '../request/search-request.ts'
import type { SortValue } from '../sort/sort-value.ts'
import type { RankedHit, Ranking } from './ranking.ts'

/** The rank of the page's first hit: `from`, counted from the `search_after` position if one is given. */
function* startOf(
  search: PreparedSearch,
  { searchAfter, from, size }: SearchRequest,
  ranking: Ranking,
): Steps<number> {
  if (searchAfter === undefined || search.keys.length === 0) return from
  return (yield* ranking.rankAfter(afterValues(search, searchAfter, size))) + from
}

/** Returns the hits of a page in order, each converted by `placed`. */
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

/** Hits processed per step. */
const stepHits = 128

/** Without hits, nothing is compared with the values, and null is refused by no key. */
function afterValues({ keys }: PreparedSearch, values: readonly unknown[], size: number): SortValue[] {
  if (values.length !== keys.length) {
    throw illegalArgument(`search_after has ${values.length} value(s) but sort has ${keys.length}.`)
  }
  const parsed = keys.map((key, i) => (values[i] === null ? null : key.parse(values[i])))
  if (size === 0) return parsed
  for (const [i, { nullRefusal }] of keys.entries())
    if (values[i] === null && nullRefusal !== undefined)
      throw new SearchError('null_pointer_exception', nullRefusal, { status: 500 })
  return parsed
}

/** A hit with its sort values and score. */
export function placeOf(search: PreparedSearch, request: SearchRequest, { leaf, doc }: RankedHit): HitPlace {
  const { shownKeys, scores, scorePlace } = search
  const sort = shownKeys?.map((key) => key.show(leaf, key.value(leaf, doc)))
  const isScored = shownKeys === undefined || scorePlace !== -1 || request.trackScores
  return { leaf, doc, sort, score: isScored ? scores.at(leaf, doc) : undefined }
}
