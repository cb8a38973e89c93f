/**
 * How many documents sort before a tuple of keys, and random samples of tuples in sort order. By fields, the documents
 * before a tuple are a query. By score they are counted with `min_score`, and left out by `search_after`.
 */
import type { JsonObject } from '../../../search/request/json-object.ts'
import { beforeTuple, type KeyRange, type Query } from './key-range.ts'
import type { PinnedSearch } from './pinned-search.ts'
import { clauseOf, plainKey, type SortKey } from './sort-keys.ts'

/** The leading sort values of a document. */
type Tuple = readonly unknown[]

export interface Bound {
  /** How many documents sort before. */
  readonly rank: number
  /** Undefined at both ends of the order. */
  readonly tuple: Tuple | undefined
}

export interface Ranking {
  /** True when a query can exclude the documents before a bound. */
  readonly canExclude: boolean
  rank(tuple: Tuple): Promise<number>
  /** Tuples of a random share of the documents between two bounds, in sort order. */
  sample(low: Bound, high: Bound, share: number, size: number): Promise<readonly Tuple[]>
  /** Matches the documents before a bound. */
  before(bound: Bound): readonly Query[]
  /** What `search_after` has to be to begin at a bound; undefined where a query does that. */
  anchor(bound: Bound): readonly unknown[] | undefined
}

/** Each document is in with this probability. */
function random(share: number): readonly Query[] {
  if (share >= 1) return []
  // A filter that scores: documents with less than the minimum are out.
  const score = { query: { match_all: {} }, random_score: {}, boost_mode: 'replace', min_score: 1 - share }
  return [{ function_score: score }]
}

async function sampled(
  search: PinnedSearch,
  keys: readonly SortKey[],
  size: number,
  narrowing: Parameters<PinnedSearch['search']>[1],
  more: JsonObject = {},
): Promise<readonly Tuple[]> {
  const body = {
    ...more,
    _source: false,
    stored_fields: '_none_',
    sort: keys.map(plainKey).map(clauseOf),
    size: Math.floor(size),
    track_total_hits: false,
  }
  const { hits } = (await search.search(body, narrowing)).hits
  return hits.map(({ sort = [] }) => sort.slice(0, keys.length))
}

/** Ranks by fields. `ranges` belong to the leading keys; the keys behind them make no difference here. */
export class FieldRanking implements Ranking {
  readonly canExclude = true
  readonly #search: PinnedSearch
  readonly #keys: readonly SortKey[]
  readonly #ranges: readonly KeyRange[]

  constructor(search: PinnedSearch, keys: readonly SortKey[], ranges: readonly KeyRange[]) {
    this.#search = search
    this.#keys = keys.slice(0, ranges.length)
    this.#ranges = ranges
  }

  async rank(tuple: Tuple): Promise<number> {
    const before = beforeTuple(this.#ranges, tuple)
    return before === undefined ? 0 : await this.#search.count([before])
  }

  async sample(low: Bound, high: Bound, share: number, size: number): Promise<readonly Tuple[]> {
    if (this.#ranges.length === 0) return []
    const filters = [...this.before(high), ...random(share)]
    return sampled(this.#search, this.#keys, size, { filters, without: this.before(low) })
  }

  before({ tuple }: Bound): readonly Query[] {
    const before = tuple === undefined ? undefined : beforeTuple(this.#ranges, tuple)
    return before === undefined ? [] : [before]
  }

  anchor(): undefined {
    return undefined
  }
}

/** Ranks by score first. `ranges` belong to all keys behind it. */
export class ScoreRanking implements Ranking {
  readonly canExclude = false
  readonly #search: PinnedSearch
  readonly #keys: readonly SortKey[]
  readonly #ranges: readonly KeyRange[]
  readonly #total: number

  constructor(search: PinnedSearch, keys: readonly SortKey[], ranges: readonly KeyRange[], total: number) {
    this.#search = search
    this.#keys = keys
    this.#ranges = ranges
    this.#total = total
  }

  async rank([score, ...rest]: Tuple): Promise<number> {
    const own = Math.fround(Number(score))
    const above = nextFloat(own)
    const before = beforeTuple(this.#ranges, rest)
    const ties =
      before === undefined ? [] : [this.#search.count([before], own), this.#search.count([before], above)]
    const isAscending = this.#keys[0]!.isAscending
    const counted = this.#search.count([], isAscending ? own : above)
    const [count, withOwn = 0, withAbove = 0] = await Promise.all([counted, ...ties])
    return (isAscending ? this.#total - count : count) + withOwn - withAbove
  }

  async sample(low: Bound, _: Bound, share: number, size: number): Promise<readonly Tuple[]> {
    const after = this.anchor(low)
    const keys: readonly SortKey[] = [...this.#keys, { name: '_shard_doc', isAscending: true, options: {} }]
    const more = after === undefined ? {} : { search_after: after }
    const tuples = await sampled(this.#search, keys, size, { filters: random(share) }, more)
    return tuples.map((tuple) => tuple.slice(0, this.#keys.length))
  }

  before(): readonly Query[] {
    return []
  }

  /** Before the first document of these keys: no shard has a lower place than the one in front of its first. */
  anchor({ tuple }: Bound): readonly unknown[] | undefined {
    return tuple === undefined ? undefined : [...tuple, -1]
  }
}

const float = new Float32Array(1)
const bits = new Int32Array(float.buffer)

/** The next larger number of 32 bits; scores are never negative. */
export function nextFloat(value: number): number {
  float[0] = value
  bits[0]! += 1
  return float[0]!
}
