/** One HDR histogram: sparse counts by the lower bound of their bucket. */

/** Buckets per group: one large map would take long to grow and to sort. */
export const subBucketsPerGroup = 1024

class Group {
  /** Counts by lower bound. */
  readonly counts = new Map<number, number>()
  total = 0

  add(lower: number, count: number): void {
    this.counts.set(lower, (this.counts.get(lower) ?? 0) + count)
    this.total += count
  }

  inOrder(): number[] {
    return [...this.counts.keys()].sort((one, other) => one - other)
  }
}

export class HdrHistogram {
  total = 0
  minAboveZero = Infinity
  readonly #groupOf: (lower: number) => number
  /** Holds all counts while there are few. */
  readonly #few = new Group()
  /** By the lower bound of their first bucket; undefined while there are few counts. */
  #groups: Map<number, Group> | undefined

  /** `groupOf` returns the lower bound of the group that a bucket belongs to. */
  constructor(groupOf: (lower: number) => number) {
    this.#groupOf = groupOf
  }

  count(lower: number, count: number): void {
    this.total += count
    if (this.#groups !== undefined) return this.#group(this.#groups, lower).add(lower, count)
    const { counts } = this.#few
    this.#few.add(lower, count)
    if (counts.size <= subBucketsPerGroup) return
    this.#groups = new Map()
    for (const [each, counted] of counts) this.#group(this.#groups, each).add(each, counted)
    counts.clear()
  }

  addAll(other: HdrHistogram): void {
    this.minAboveZero = Math.min(this.minAboveZero, other.minAboveZero)
    for (const { counts } of other.#inOrder()) {
      for (const [lower, count] of counts) this.count(lower, count)
    }
  }

  /** The cumulative count up to and including a bucket. */
  upTo(end: number): number {
    const last = this.#groups === undefined ? this.#few : this.#groups.get(this.#groupOf(end))
    let seen = 0
    for (const [start, group] of this.#groups ?? []) {
      if (start <= end && group !== last) seen += group.total
    }
    for (const [lower, count] of last?.counts ?? []) if (lower <= end) seen += count
    return seen
  }

  /** Returns a function from rank to the lower bound of the bucket that contains it. */
  byRank(): (rank: number) => number {
    const groups = this.#inOrder()
    const lowers = new Map<Group, number[]>()
    return (rank) => {
      let seen = 0
      let at = 0
      while (at < groups.length - 1 && seen + groups[at]!.total < rank) seen += groups[at++]!.total
      const group = groups[at]!
      let inOrder = lowers.get(group)
      if (inOrder === undefined) lowers.set(group, (inOrder = group.inOrder()))
      return inOrder.find((lower) => (seen += group.counts.get(lower)!) >= rank) ?? inOrder.at(-1)!
    }
  }

  #group(groups: Map<number, Group>, lower: number): Group {
    const start = this.#groupOf(lower)
    let group = groups.get(start)
    if (group === undefined) groups.set(start, (group = new Group()))
    return group
  }

  #inOrder(): readonly Group[] {
    const groups = this.#groups
    if (groups === undefined) return [this.#few]
    const starts = [...groups.keys()].sort((one, other) => one - other)
    return starts.map((start) => groups.get(start)!)
  }
}
