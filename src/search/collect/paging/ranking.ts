/**
 * The matches of a search in the order of all its sort keys. The first key decides where a page begins; only
 * matches equal in it, around the page, are ordered by the others: few of them by comparing, many by ranking
 * them anew. What a page costs does not depend on how deep it lies.
 */

import { DocSet } from '../../query/exec/doc-set.ts'
import { bestCount } from '../../query/exec/pruning/maxscore.ts'
import { again, finish, onceReady, type Steps } from '../../scheduling/steps.ts'
import type { SearchLeaf, SortKey } from '../sort/sort-key.ts'
import { compareValues, type SortValue } from '../sort/sort-value.ts'
import type { RankedList } from './ranked-list.ts'
import { cutSteps, Merge, totalOf } from './selection.ts'

/** Matches of one segment. */
export interface LeafMatches {
  readonly leaf: SearchLeaf
  readonly docs: DocSet
}

export interface RankedHit {
  readonly leaf: SearchLeaf
  readonly doc: number
}

/** Runs of equal matches up to this length are sorted by comparing. */
const shortRun = 2048
/** Longer ones that were ranked, kept for the next page. */
const keptRuns = 4
/** Hits taken in one step. */
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

  /** `lists`: of the segments with matches, when they were made before. */
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

  /** The same, a step for each segment. */
  static *steps(matches: readonly LeafMatches[], keys: readonly [SortKey, ...SortKey[]]): Steps<Ranking> {
    const lists: RankedList[] = []
    for (const { leaf, docs } of matches.filter(hasMatches)) {
      for (const key of keys) if (key.ready !== undefined) yield* again(() => key.ready!(leaf))
      const [first] = keys
      const steps = first.listSteps?.bind(first, leaf, docs)
      lists.push(steps === undefined ? yield* onceReady(() => first.list(leaf, docs)) : yield* again(steps))
      yield
    }
    return new Ranking(matches, keys, lists)
  }

  page(from: number, size: number): RankedHit[] {
    return finish(this.pageSteps(from, size))
  }

  *pageSteps(from: number, size: number): Steps<RankedHit[]> {
    const hits: RankedHit[] = []
    if (from >= this.total || size <= 0) return hits
    // Walked to: lists may know no more than their best.
    const isNear = this.#rest.length === 0 && from + size < bestCount
    let cut = yield* cutSteps(this.#lists, isNear ? 0 : from)
    if (this.#rest.length > 0) cut = yield* this.#firstRun(cut, from, size, hits)
    const merge = new Merge(this.#lists, this.#key, cut)
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

  /** How many matches do not come behind these values: the rank at which `search_after` begins. */
  *rankAfter(values: readonly SortValue[]): Steps<number> {
    const run = this.#run(values[0]!)
    if (this.#rest.length === 0 || run.length === 0) return run.start + run.length
    return run.start + (yield* (yield* this.#ranked(run)).rankAfter(values.slice(1)))
  }

  /** How many matches come before these values: where the page in front of them ends. */
  *rankBefore(values: readonly SortValue[]): Steps<number> {
    const run = this.#run(values[0]!)
    if (this.#rest.length === 0 || run.length === 0) return run.start
    return run.start + (yield* (yield* this.#ranked(run)).rankBefore(values.slice(1)))
  }

  #run(value: SortValue): Run {
    const before = Float64Array.from(this.#lists, (list) => list.before(value, false))
    const past = Float64Array.from(this.#lists, (list) => list.before(value, true))
    const start = sum(before)
    return { before, past, start, length: sum(past) - start }
  }

  /** The run that the page begins in; returns the cut behind it. */
  *#firstRun(cut: Float64Array, from: number, size: number, hits: RankedHit[]): Steps<Float64Array> {
    const { value } = new Merge(this.#lists, this.#key, cut)
    const run = this.#run(value)
    const skipped = from - run.start
    if (run.length > shortRun) addAll(hits, yield* (yield* this.#ranked(run)).pageSteps(skipped, size))
    else addAll(hits, this.#sorted(this.#hitsOf(run)).slice(skipped, skipped + size))
    yield
    return run.past
  }

  /** Takes the next run of equal matches off a merge. */
  *#nextRun(merge: Merge, size: number, hits: RankedHit[]): Steps<void> {
    const { value } = merge
    const run: RankedHit[] = []
    do {
      run.push({ leaf: this.#matches[merge.list]!.leaf, doc: merge.doc })
      merge.next()
    } while (run.length <= shortRun && !merge.isAtEnd && compareValues(merge.value, value, this.#key) === 0)
    const wanted = size - hits.length
    if (run.length <= shortRun) {
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

  /** The matches of a run by the other keys. */
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
    if (this.#runs.size >= keptRuns) this.#runs.delete(this.#runs.keys().next().value!)
    this.#runs.set(run.start, ranked)
    return ranked
  }
}

/** Documents looked up in one step. */
const stepDocs = 8 * 1024

/** Equal matches, which stand in the order of documents. */
function* docsOf(list: RankedList, from: number, to: number): Steps<Uint32Array> {
  const docs = new Uint32Array(to - from)
  for (let i = 0; i < docs.length; i++) {
    docs[i] = list.doc(from + i)
    if (i % stepDocs === stepDocs - 1) yield
  }
  return docs
}

/** As one call with as many arguments could be too many. */
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
