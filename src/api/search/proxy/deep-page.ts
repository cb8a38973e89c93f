/**
 * A page far behind `index.max_result_window`, exact, over one point in time of a cluster. The page's first document is
 * found by order statistics: a random sample in sort order shows about where it is, exact counts of the documents
 * before some of the sampled keys enclose it, and the same is done again between the closest two. When few enough documents
 * are left before it, the page itself is asked for, with the documents before the lower key left out by the query that
 * counted them. Documents whose keys are all the same can only be passed one window after the other; that walk starts at
 * the nearer end of them and is bounded. See docs/decisions/0040-deep-pages-on-a-cluster.md.
 */
import type { JsonObject } from '../../../search/request/json-object.ts'
import type { Hit, PinnedSearch } from './pinned-search.ts'
import type { Bound, Ranking } from './ranking.ts'
import { clauseOf, plainKey, reversed, type SortKey } from './sort-keys.ts'

interface PageRequest {
  readonly from: number
  readonly size: number
  /** How many documents match. */
  readonly total: number
  /** `index.max_result_window`: the maximum of `from` and `size` together. */
  readonly window: number
  readonly keys: readonly SortKey[]
  /** How documents are shown: `_source`, `highlight` and the like. */
  readonly shown: JsonObject
  readonly hasShardDoc: boolean
}

/** Thrown when the page cannot be found within the bounds; the client then gets the cluster's own refusal. */
export class PageOutOfReach extends Error {
  override readonly name = 'PageOutOfReach'
}

const maxRounds = 12
/** Windows of documents with the same keys that are passed one after the other. */
const maxWalk = 500
const sampleSize = 4000
/** Half the width of the search interval around the estimated rank, in standard deviations of the estimate. */
const deviations = 3
const withoutFields = { _source: false, stored_fields: '_none_' } as const

export async function deepPage(
  search: PinnedSearch,
  ranking: Ranking,
  request: PageRequest,
): Promise<readonly Hit[]> {
  const { from, size, total } = request
  if (from >= total || size === 0) return []
  const { low, high } = await enclosed(ranking, request)
  const skip = from - low.rank
  const pager = new Pager(search, ranking, request)
  if (ranking.canExclude && skip + size <= request.window) return pager.page(low, skip)
  if (!request.hasShardDoc) throw new PageOutOfReach('ties cannot be told apart')
  // A document to start behind is named by its keys as they are shown, and a day is not a moment.
  if (request.keys.some((key) => plainKey(key) !== key))
    throw new PageOutOfReach('keys are shown in a format')
  const back = high.rank - (from + size)
  const isNearerFromBehind = ranking.canExclude && back >= 0 && back < skip / 2 && size <= request.window
  return isNearerFromBehind ? pager.fromBehind(high, back) : pager.after(low, skip)
}

/** Two keys with known ranks, the page's first document between them, as close as samples get them. */
async function enclosed(
  ranking: Ranking,
  { from, size, total, window }: PageRequest,
): Promise<{ low: Bound; high: Bound }> {
  let low: Bound = { rank: 0, tuple: undefined }
  let high: Bound = { rank: total, tuple: undefined }
  const goal = ranking.canExclude ? Math.max(window - size, window / 2) : window / 4
  for (let round = 0; round < maxRounds && from - low.rank > goal; round++) {
    const wanted = Math.min(sampleSize, window / 2)
    const share = Math.min(1, wanted / (high.rank - low.rank))
    const tuples = await ranking.sample(low, high, share, Math.min(window, 2 * wanted))
    const picked = around(tuples, (from - low.rank) * share, low)
    const ranks = await Promise.all(picked.map((tuple) => ranking.rank(tuple)))
    let isNews = false
    picked.forEach((tuple, place) => {
      const rank = ranks[place]!
      if (rank <= from && rank > low.rank) low = { rank, tuple }
      else if (rank > from && rank < high.rank) high = { rank, tuple }
      else return
      isNews = true
    })
    if (!isNews) break
  }
  return { low, high }
}

/** The keys of the sample that most likely enclose a place in it. */
function around(tuples: readonly (readonly unknown[])[], place: number, low: Bound): (readonly unknown[])[] {
  if (tuples.length === 0) return []
  const margin = deviations * Math.sqrt(Math.max(place, 1)) + 2
  const last = tuples.length - 1
  const first = tuples[Math.min(Math.floor(place - margin), last)]
  const middle = tuples[Math.min(Math.floor(place), last)]
  const lowText = low.tuple === undefined ? undefined : JSON.stringify(low.tuple)
  // A key that is known already says nothing new: the next larger one does.
  const isNew = (tuple: readonly unknown[]) => JSON.stringify(tuple) !== lowText
  const second = tuples.slice(Math.max(0, Math.ceil(place + margin))).find(isNew)
  const picked = [first, middle, second].filter((tuple) => tuple !== undefined).filter(isNew)
  return picked.length > 0 ? picked : tuples.filter(isNew).slice(0, 1)
}

class Pager {
  readonly #search: PinnedSearch
  readonly #ranking: Ranking
  readonly #request: PageRequest
  readonly #sort: readonly JsonObject[]

  constructor(search: PinnedSearch, ranking: Ranking, request: PageRequest) {
    this.#search = search
    this.#ranking = ranking
    this.#request = request
    this.#sort = request.keys.map(clauseOf)
  }

  /** In one request. */
  async page(low: Bound, skip: number): Promise<readonly Hit[]> {
    const { shown, size } = this.#request
    const body = { ...shown, sort: this.#sort, from: skip, size, track_total_hits: false }
    return (await this.#search.search(body, { without: this.#ranking.before(low) })).hits.hits
  }

  /** Behind a document that is found by passing those before it. */
  async after(low: Bound, skip: number): Promise<readonly Hit[]> {
    const sort = [...this.#sort, { _shard_doc: 'asc' }]
    const without = this.#ranking.before(low)
    const anchor = await this.#passed(sort, { without }, this.#ranking.anchor(low), skip)
    return this.#collected(sort, { without }, anchor)
  }

  /** Like `after`, from the end of the results, in reverse order. */
  async fromBehind(high: Bound, skip: number): Promise<readonly Hit[]> {
    const sort = [...this.#request.keys.map((key) => clauseOf(reversed(key))), { _shard_doc: 'desc' }]
    const filters = this.#ranking.before(high)
    const anchor = await this.#passed(sort, { filters }, undefined, skip)
    return (await this.#collected(sort, { filters }, anchor)).toReversed()
  }

  /** The sort values of the last of `skip` documents; undefined when none is passed. */
  async #passed(
    sort: readonly JsonObject[],
    narrowing: Parameters<PinnedSearch['search']>[1],
    start: readonly unknown[] | undefined,
    skip: number,
  ): Promise<readonly unknown[] | undefined> {
    const { window } = this.#request
    if (skip > maxWalk * window) throw new PageOutOfReach('too many documents have the same keys')
    let anchor = start
    for (let left = skip; left > 0; ) {
      const step = Math.min(left, window)
      // Without a document to start behind, those that are passed need not be sent.
      const where = anchor === undefined ? { from: step - 1, size: 1 } : { size: step, search_after: anchor }
      const body = { ...withoutFields, sort, ...where, track_total_hits: false }
      const { hits } = (await this.#search.search(body, narrowing)).hits
      anchor = hits.at(-1)?.sort
      if (anchor === undefined) throw new PageOutOfReach('the documents came to an end')
      left -= step
    }
    return anchor
  }

  async #collected(
    sort: readonly JsonObject[],
    narrowing: Parameters<PinnedSearch['search']>[1],
    start: readonly unknown[] | undefined,
  ): Promise<readonly Hit[]> {
    const { shown, size, window } = this.#request
    const found: Hit[] = []
    let anchor = start
    while (found.length < size) {
      const step = Math.min(size - found.length, window)
      const after = anchor === undefined ? {} : { search_after: anchor }
      const body = { ...shown, sort, ...after, size: step, track_total_hits: false }
      const { hits } = (await this.#search.search(body, narrowing)).hits
      found.push(...hits)
      if (hits.length < step) break
      anchor = hits.at(-1)?.sort
    }
    return found
  }
}
