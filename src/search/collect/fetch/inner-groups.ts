/** The groups of a collapsed search: matches by the value of a field. */

import { DocSet } from '../../query/exec/doc-set.ts'
import { retrySteps, retryWork, type Steps } from '../../scheduling/steps.ts'
import { mapOf } from '../../segment/map-of-maps.ts'
import { columnValues } from '../../source/column-values.ts'
import type { LeafMatches, RankedHit, Ranking } from '../paging/ranking.ts'
import type { PreparedSearch } from '../prepared-search.ts'
import type { SearchLeaf } from '../sort/sort-key.ts'
import type { HitPlace } from './hit-fetcher.ts'

type GroupKey = string | number | bigint | undefined

/** Matches processed per step. */
const stepMatches = 1024

export function keyOf(leaf: SearchLeaf, doc: number, field: string): GroupKey {
  const mapped = leaf.index.mapping.field(field)
  return mapped === undefined ? undefined : (columnValues(leaf.reader.segment, mapped, doc)[0] as GroupKey)
}

export function collapsedValues(leaf: SearchLeaf, doc: number, field: string): HitPlace['collapsed'] {
  const mapped = leaf.index.mapping.field(field)
  const key = keyOf(leaf, doc, field)
  return mapped === undefined || key === undefined ? undefined : { field, values: [mapped.printer()(key)] }
}

/** Returns the first hit of each value, in ranking order. */
export function* headsIn(ranking: Ranking, field: string, max: number): Steps<RankedHit[]> {
  const seen = new Set<GroupKey>()
  const heads: RankedHit[] = []
  for (let from = 0; from < ranking.total && heads.length < max; from += stepMatches) {
    const hits = yield* ranking.pageSteps(from, stepMatches)
    const keys = yield* retryWork(() => hits.map((hit) => ({ hit, key: keyOf(hit.leaf, hit.doc, field) })))
    for (const { hit, key } of keys) {
      if (seen.has(key)) continue
      seen.add(key)
      heads.push(hit)
    }
    yield
  }
  return heads
}

const groups = new WeakMap<PreparedSearch, Map<string, ReadonlyMap<GroupKey, LeafMatches[]>>>()

/** Groups all matches by the value of a field. */
export function* groupsOf(
  search: PreparedSearch,
  field: string,
): Steps<ReadonlyMap<GroupKey, readonly LeafMatches[]>> {
  const known = mapOf(groups, search)
  const found = known.get(field)
  if (found !== undefined) return found
  const made = new Map<GroupKey, LeafMatches[]>()
  for (const { leaf, docs } of search.hits) {
    search.guard.check()
    const inLeaf = yield* retrySteps(() => docsByKey(leaf, docs, field))
    let added = 0
    for (const [key, list] of inLeaf) {
      const matches = { leaf, docs: DocSet.ofSorted(docs.size, Uint32Array.from(list)) }
      const group = made.get(key)
      if (group === undefined) made.set(key, [matches])
      else group.push(matches)
      if (++added % stepMatches === 0) yield
    }
  }
  known.set(field, made)
  return made
}

function* docsByKey(leaf: SearchLeaf, docs: DocSet, field: string): Steps<Map<GroupKey, number[]>> {
  const lists = new Map<GroupKey, number[]>()
  const all = docs.array()
  for (let at = 0; at < all.length; at++) {
    if (at % stepMatches === stepMatches - 1) yield
    const doc = all[at]!
    for (const key of keysOf(leaf, doc, field)) {
      const list = lists.get(key)
      if (list === undefined) lists.set(key, [doc])
      else list.push(doc)
    }
  }
  return lists
}

/** A document belongs to the group of each of its values, as a search for the value of a hit finds it. */
function keysOf(leaf: SearchLeaf, doc: number, field: string): Iterable<GroupKey> {
  const mapped = leaf.index.mapping.field(field)
  const values = mapped === undefined ? [] : columnValues(leaf.reader.segment, mapped, doc)
  return values.length === 0 ? [undefined] : new Set(values as GroupKey[])
}
