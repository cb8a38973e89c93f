/**
 * The matches of a search ordered by all sort keys. The first key alone locates a page; only runs of equal
 * first values that touch the page are ordered by the remaining keys: short runs by comparison, long ones by
 * a ranking of their own. The cost of a page does not depend on its depth.
 */

import { DocSet } from '../../query/exec/doc-set.ts'
import { maxTopDocs } from '../../query/exec/pruning/block-max-pruning.ts'
import { retrySteps, retryWork, type Steps } from '../../scheduling/steps.ts'
import type { SearchLeaf, SortKey } from '../sort/sort-key.ts'
import { compareValues, type SortValue } from '../sort/sort-value.ts'
import { KWayMerge, splitAtRank, totalOf } from './rank-selection.ts'
import type { RankedList } from './ranked-list.ts'

/** Matches of one segment. */
export interface LeafMatches {
  readonly leaf: SearchLeaf
  readonly docs: DocSet
}

export interface RankedHit {
  readonly leaf: SearchLeaf
  readonly doc: number
}

/** Runs up to this length are sorted by comparison. */
const maxSortedRun = 2048
/** Rankings of longer runs that are cached for the next page. */
const maxCachedRuns = 4
/** Hits taken per step. */
const stepHits = 512

interface Run {
  readonly before: Float64Array
  readonly past: Float64Array
  readonly start: number
  readonly length: number
}

export class Ranking {
  readonly total: number
  readonly #matches: readonly LeafMatches[]
  readonly #key: SortKey
  readonly #rest: readonly SortKey[]
  readonly #lists: readonly RankedList[]
  readonly #runs = new Map<number, Ranking>()

  /** `lists` of the segments with matches, if they exist already. */
  constructor(
    matches: readonly LeafMatches[],
    keys: readonly [SortKey, ...SortKey[]],
    lists?: readonly RankedList[],
  ) {
    this.#matches = matches.filter(hasMatches)
    const [key, ...rest] = keys
    this.#key = key
    this.#rest = rest
    this.#lists = lists ?? this.#matches.map(({ leaf, docs }) => key.list(leaf, docs))
    this.total = totalOf(this.#lists)
  }

  /** Builds the lists in steps, one segment after the other. */
  static *steps(matches: readonly LeafMatches[], keys: readonly [SortKey, ...SortKey[]]): Steps<Ranking> {
    const lists: RankedList[] = []
    for (const { leaf, docs } of matches.filter(hasMatches)) {
      for (const key of keys) if (key.ready !== undefined) yield* retrySteps(() => key.ready!(leaf))
      const [first] = keys
      const steps = first.listSteps?.bind(first, leaf, docs)
      lists.push(
        steps === undefined ? yield* retryWork(() => first.list(leaf, docs)) : yield* retrySteps(steps),
      )
      yield
    }
    return new Ranking(matches, keys, lists)
  }

  /** The first key's value of the first match; undefined without matches. */
  get firstValue(): SortValue | undefined {
    const merge = new KWayMerge(this.#lists, this.#key, new Float64Array(this.#lists.length))
    return merge.isAtEnd ? undefined : merge.value
  }

  *pageSteps(from: number, size: number): Steps<RankedHit[]> {
    const hits: RankedHit[] = []
    if (from >= this.total || size <= 0) return hits
    // The first ranks are walked to, not selected, as lists may only know their top k.
    const isNear = this.#rest.length === 0 && from + size < maxTopDocs
    let ranks = yield* splitAtRank(this.#lists, isNear ? 0 : from, this.#key)
    if (this.#rest.length > 0) ranks = yield* this.#firstRun(ranks, from, size, hits)
    const merge = new KWayMerge(this.#lists, this.#key, ranks)
    if (isNear) for (let skipped = 0; skipped < from; skipped++) merge.next()
    for (let taken = 0; hits.length < size && !merge.isAtEnd; ) {
      if (this.#rest.length > 0) yield* this.#nextRun(merge, size, hits)
      else {
        hits.push({ leaf: this.#matches[merge.list]!.leaf, doc: merge.doc })
        merge.next()
      }
      if (hits.length - taken < stepHits) continue
      taken = hits.length
      yield
    }
    return hits
  }

  /** The number of matches up to and including these values: the rank where `search_after` continues. */
  *rankAfter(values: readonly SortValue[]): Steps<number> {
    const run = this.#run(values[0]!)
    if (this.#rest.length === 0 || run.length === 0) return run.start + run.length
    return run.start + (yield* (yield* this.#ranked(run)).rankAfter(values.slice(1)))
  }

  #run(value: SortValue): Run {
    const before = Float64Array.from(this.#lists, (list) => list.before(value, false))
    const past = Float64Array.from(this.#lists, (list) => list.before(value, true))
    const start = sum(before)
    return { before, past, start, length: sum(past) - start }
  }

  /** Orders the run in which the page begins; returns the ranks after it. */
  *#firstRun(ranks: Float64Array, from: number, size: number, hits: RankedHit[]): Steps<Float64Array> {
    const { value } = new KWayMerge(this.#lists, this.#key, ranks)
    const run = this.#run(value)
    const skipped = from - run.start
    if (run.length > maxSortedRun) addAll(hits, yield* (yield* this.#ranked(run)).pageSteps(skipped, size))
    else addAll(hits, this.#sorted(this.#hitsOf(run)).slice(skipped, skipped + size))
    yield
    return run.past
  }

  /** Takes the next run of equal matches off the merge. */
  *#nextRun(merge: KWayMerge, size: number, hits: RankedHit[]): Steps<void> {
    const { value } = merge
    const run: RankedHit[] = []
    do {
      run.push({ leaf: this.#matches[merge.list]!.leaf, doc: merge.doc })
      merge.next()
    } while (
      run.length <= maxSortedRun &&
      !merge.isAtEnd &&
      compareValues(merge.value, value, this.#key) === 0
    )
    const wanted = size - hits.length
    if (run.length <= maxSortedRun) {
      addAll(hits, run.length === 1 ? run : this.#sorted(run).slice(0, wanted))
      return
    }
    const whole = this.#run(value)
    yield
    addAll(hits, yield* (yield* this.#ranked(whole)).pageSteps(0, wanted))
    merge.moveTo(whole.past)
  }

  #hitsOf(run: Run): RankedHit[] {
    const hits: RankedHit[] = []
    this.#lists.forEach((list, i) => {
      const { leaf } = this.#matches[i]!
      for (let rank = run.before[i]!; rank < run.past[i]!; rank++) hits.push({ leaf, doc: list.doc(rank) })
    })
    return hits
  }

  #sorted(hits: RankedHit[]): RankedHit[] {
    if (hits.length < 2) return hits
    const rows = hits.map((hit) => ({ hit, values: this.#rest.map((key) => key.value(hit.leaf, hit.doc)) }))
    rows.sort((left, right) => {
      for (let i = 0; i < this.#rest.length; i++) {
        const order = compareValues(left.values[i]!, right.values[i]!, this.#rest[i]!)
        if (order !== 0) return order
      }
      return left.hit.leaf.number - right.hit.leaf.number || left.hit.doc - right.hit.doc
    })
    return rows.map(({ hit }) => hit)
  }

  /** Ranks the matches of a run by the remaining keys. */
  *#ranked(run: Run): Steps<Ranking> {
    const known = this.#runs.get(run.start)
    if (known !== undefined) return known
    const matches: LeafMatches[] = []
    for (const [i, list] of this.#lists.entries()) {
      const { leaf, docs } = this.#matches[i]!
      const [before, past] = [run.before[i]!, run.past[i]!]
      if (past - before === docs.count) matches.push({ leaf, docs })
      else {
        const equal = yield* docsOf(list, before, past)
        matches.push({ leaf, docs: DocSet.ofSorted(docs.size, equal) })
      }
    }
    const ranked = yield* Ranking.steps(matches, this.#rest as [SortKey, ...SortKey[]])
    if (this.#runs.size >= maxCachedRuns) this.#runs.delete(this.#runs.keys().next().value!)
    this.#runs.set(run.start, ranked)
    return ranked
  }
}

/** Documents looked up per step. */
const stepDocs = 8 * 1024

/** The documents of a run, which are in index order. */
function* docsOf(list: RankedList, from: number, to: number): Steps<Uint32Array> {
  const docs = new Uint32Array(to - from)
  for (let i = 0; i < docs.length; i++) {
    docs[i] = list.doc(from + i)
    if (i % stepDocs === stepDocs - 1) yield
  }
  return docs
}

/** Avoids spreading a large array into call arguments. */
function addAll(hits: RankedHit[], more: readonly RankedHit[]): void {
  for (const hit of more) hits.push(hit)
}

function hasMatches({ docs }: LeafMatches): boolean {
  return !docs.isEmpty
}

function sum(numbers: Float64Array): number {
  let total = 0
  for (let i = 0; i < numbers.length; i++) total += numbers[i]!
  return total
}
