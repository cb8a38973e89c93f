/**
 * Finds the document for which Lucene refuses to collapse. Lucene visits the matches in index order, keeps the best
 * groups of the page (FirstPassGroupingCollector), and reads the field of a document only where its sort values can
 * still enter the page. So a document with several values fails a search or not, depending on the page and the sort.
 */
import type { Steps } from '../scheduling/steps.ts'
import type { PreparedSearch } from './prepared-search.ts'
import type { SearchLeaf, SortKey } from './sort/sort-key.ts'
import { compareValues, type SortValue } from './sort/sort-value.ts'

/** The best match of a group so far. */
interface Head {
  readonly group: unknown
  readonly values: readonly SortValue[]
  /** The document number in the shard. */
  readonly place: number
  /** A better match of the group was found. */
  isReplaced: boolean
}

type Order = (one: Head, other: Head) => number

/** A binary heap with the worst head on top. */
class WorstFirst {
  readonly #heads: Head[] = []
  readonly #order: Order

  constructor(order: Order) {
    this.#order = order
  }

  push(head: Head): void {
    const heads = this.#heads
    let at = heads.push(head) - 1
    while (at > 0) {
      const above = (at - 1) >> 1
      if (this.#order(heads[at]!, heads[above]!) <= 0) return
      this.#swap(at, above)
      at = above
    }
  }

  /** Returns the worst head that still counts. */
  top(): Head | undefined {
    while (this.#heads[0]?.isReplaced === true) this.pop()
    return this.#heads[0]
  }

  pop(): void {
    const heads = this.#heads
    const last = heads.pop()
    if (last === undefined || heads.length === 0) return
    heads[0] = last
    for (let at = 0; ; ) {
      let worst = at
      for (const below of [2 * at + 1, 2 * at + 2])
        if (below < heads.length && this.#order(heads[below]!, heads[worst]!) > 0) worst = below
      if (worst === at) return
      this.#swap(at, worst)
      at = worst
    }
  }

  #swap(one: number, other: number): void {
    const heads = this.#heads
    const head = heads[one]!
    heads[one] = heads[other]!
    heads[other] = head
  }
}

/** The best groups of one shard. */
class FirstPass {
  readonly #keys: readonly SortKey[]
  readonly #max: number
  readonly #heads = new Map<unknown, Head>()
  readonly #worst: WorstFirst

  constructor(keys: readonly SortKey[], max: number) {
    this.#keys = keys
    this.#max = max
    this.#worst = new WorstFirst(
      (one, other) => this.#compare(one.values, other.values) || one.place - other.place,
    )
  }

  #compare(one: readonly SortValue[], other: readonly SortValue[]): number {
    for (const [i, key] of this.#keys.entries()) {
      const order = compareValues(one[i]!, other[i]!, key)
      if (order !== 0) return order
    }
    return 0
  }

  /** True where a match with these values can enter the page, whatever its group. */
  isCompetitive(values: readonly SortValue[]): boolean {
    if (this.#heads.size < this.#max) return true
    return this.#compare(values, this.#worst.top()!.values) < 0
  }

  add(group: unknown, values: readonly SortValue[], place: number): void {
    const known = this.#heads.get(group)
    if (known !== undefined) {
      if (this.#compare(values, known.values) >= 0) return
      known.isReplaced = true
    } else if (this.#heads.size === this.#max) {
      this.#heads.delete(this.#worst.top()!.group)
      this.#worst.pop()
    }
    const head: Head = { group, values, place, isReplaced: false }
    this.#heads.set(group, head)
    this.#worst.push(head)
  }
}

/**
 * Returns the first document with several values of the field that Lucene would read, by its number in its segment.
 * `groups` is the number of groups up to the end of the page.
 */
export function* firstMultiValuedDoc(
  { hits, keys, guard }: PreparedSearch,
  groups: number,
  valuesOf: (leaf: SearchLeaf, doc: number) => readonly unknown[],
): Steps<number | undefined> {
  if (groups === 0) return undefined
  const passes = new Map<number, FirstPass>()
  for (const { leaf, docs } of hits) {
    let pass = passes.get(leaf.shardNumber)
    if (pass === undefined) passes.set(leaf.shardNumber, (pass = new FirstPass(keys, groups)))
    for (const [i, doc] of docs.array().entries()) {
      if (i % stepMatches === 0) {
        guard.check()
        yield
      }
      const values = keys.map((key) => key.value(leaf, doc))
      if (!pass.isCompetitive(values)) continue
      const found = valuesOf(leaf, doc)
      if (found.length > 1) return doc
      pass.add(found[0], values, leaf.reader.base + doc)
    }
  }
  return undefined
}

/** Matches visited per step. */
const stepMatches = 1024
