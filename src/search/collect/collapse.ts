/**
 * `collapse`: of all matches with the same value of a field only the first in sort order is a hit. One pass
 * over the ranking finds the head of every group; the heads become a ranking of their own, which pages like
 * any other. Sorted by score alone, each segment's best match per ordinal is found without sorting first.
 */

import { DocSet } from '../query/exec/doc-set.ts'
import { illegalArgument } from '../request/errors.ts'
import { SearchError } from '../request/search-error.ts'
import { inRanges } from '../scheduling/step-size.ts'
import { retryWork, type Steps } from '../scheduling/steps.ts'
import type { Ordinals } from '../segment/encoding/ordinals.ts'
import { mapOf } from '../segment/map-of-maps.ts'
import { columnValues } from '../source/column-values.ts'
import { firstMultiValuedDoc } from './collapse-first-pass.ts'
import type { HitPlace } from './fetch/hit-fetcher.ts'
import { placeOf, placesOf } from './paging/page.ts'
import { type LeafMatches, Ranking } from './paging/ranking.ts'
import type { PreparedSearch } from './prepared-search.ts'
import type { SearchRequest } from './request/search-request.ts'
import type { SearchIndex } from './search-index.ts'
import type { SearchLeaf, SortKey } from './sort/sort-key.ts'

interface Heads {
  readonly ranking: Ranking
  /** True when a match has several values; it is no head. */
  readonly hasMultiValued: boolean
}

const cache = new WeakMap<PreparedSearch, Map<string, Heads>>()

function groupValues(leaf: SearchLeaf, doc: number, field: string): readonly unknown[] {
  return columnValues(leaf.reader.segment, leaf.index.mapping.field(field)!, doc)
}

function notSingleValued(doc: number): SearchError {
  return new SearchError(
    'illegal_state_exception',
    `failed to collapse ${doc}, the collapse field must be single valued`,
    { status: 500 },
  )
}

function checkField(index: SearchIndex, name: string): void {
  const field = index.mapping.field(name)
  if (field === undefined) {
    throw illegalArgument(`no mapping found for \`${name}\` in order to collapse on`)
  }
  const isJoin = field.type === 'join' || field.type === 'parent'
  if (isJoin || (field.family !== 'keyword' && field.family !== 'number')) {
    throw illegalArgument(
      index.queries.isOpenSearch
        ? `unknown type for collapse field \`${name}\`, only keywords and numbers are accepted`
        : `collapse is not supported for the field [${name}] of the type [${field.type}]`,
    )
  }
  if (!field.hasDocValues) {
    throw illegalArgument(`cannot collapse on field \`${name}\` without \`doc_values\``)
  }
}

/**
 * Returns a test that is true when a document's ordinal is new in the segment, so that each term is resolved
 * once.
 */
function newTerms(leaf: SearchLeaf, field: string): (doc: number) => boolean {
  const column = leaf.reader.segment.fields.get(leaf.index.mapping.field(field)!.name)
  const ordinals = column?.ordinals
  if (!ordinals || ordinals.starts !== null || !column?.terms) return () => true
  const { values } = ordinals
  const seen = new Uint8Array(column.terms.size + 1)
  return (doc) => {
    const ordinal = values[doc]!
    if (seen[ordinal] === 1) return false
    seen[ordinal] = 1
    return true
  }
}

/** The ordinals of a field with at most one value per document. */
function singleOrdinals(leaf: SearchLeaf, field: string): { values: Ordinals; size: number } | undefined {
  const column = leaf.reader.segment.fields.get(leaf.index.mapping.field(field)!.name)
  if (!column?.ordinals || column.ordinals.starts !== null || !column.terms) return undefined
  return { values: column.ordinals.values, size: column.terms.size + 1 }
}

/**
 * Returns the best match of every group in each segment; undefined when the sort is not by falling score alone, or a
 * segment has no ordinals to group by.
 */
function* bestOfGroups(search: PreparedSearch, field: string): Steps<LeafMatches[] | undefined> {
  const { keys, hits, scores, scorePlace, guard } = search
  if (keys.length !== 1 || scorePlace !== 0 || !keys[0]!.descending) return undefined
  const found: LeafMatches[] = []
  for (const { leaf, docs: matches } of hits) {
    if (matches.isEmpty) continue
    const ordinals = yield* retryWork(() => singleOrdinals(leaf, field))
    if (ordinals === undefined) return undefined
    guard.check()
    const { values, size } = ordinals
    const constant = scores.constant(leaf)
    const scored = constant === undefined ? scores.of(leaf, matches) : undefined
    const docs = scored?.docs ?? matches.array()
    const points = scored?.scores
    // Document numbers plus one; 0 for a group without matches.
    const heads = new Uint32Array(size)
    const highest = new Float32Array(size)
    yield* inRanges(docs.length, (from, to) => {
      for (let i = from; i < to; i++) {
        const doc = docs[i]!
        const group = values[doc]!
        const score = points === undefined ? 0 : points[i]!
        if (heads[group] !== 0 && !(score > highest[group]!)) continue
        heads[group] = doc + 1
        highest[group] = score
      }
    })
    let count = 0
    for (let group = 0; group < size; group++) if (heads[group] !== 0) heads[count++] = heads[group]! - 1
    const best = heads.slice(0, count).sort()
    found.push({ leaf, docs: DocSet.ofSorted(matches.size, best) })
  }
  return found
}

function* headsOf(search: PreparedSearch, field: string): Steps<Heads> {
  const known = mapOf(cache, search)
  const found = known.get(field)
  if (found !== undefined) return found
  for (const { index } of search.shards) checkField(index, field)
  const seen = new Set<unknown>()
  const heads = new Map<number, { leaf: SearchLeaf; docs: number[] }>()
  const isNew = new Map<SearchLeaf, (doc: number) => boolean>()
  let hasMultiValued = false
  const best = yield* bestOfGroups(search, field)
  const candidates =
    best === undefined ? search.ranking : yield* Ranking.steps(best, search.keys as [SortKey, ...SortKey[]])
  for (let from = 0; from < candidates.total; from += stepMatches) {
    search.guard.check()
    yield
    for (const { leaf, doc } of yield* candidates.pageSteps(from, stepMatches)) {
      let mayBeNew = isNew.get(leaf)
      if (mayBeNew === undefined) isNew.set(leaf, (mayBeNew = newTerms(leaf, field)))
      if (!mayBeNew(doc)) continue
      const values = groupValues(leaf, doc, field)
      const value = values[0]
      if (values.length > 1) hasMultiValued = true
      if (values.length > 1 || seen.has(value)) continue
      seen.add(value)
      const own = heads.get(leaf.number)
      if (own === undefined) heads.set(leaf.number, { leaf, docs: [doc] })
      else own.docs.push(doc)
    }
  }
  const matches: LeafMatches[] = []
  for (const { leaf, docs } of [...heads.values()].sort((a, b) => a.leaf.number - b.leaf.number)) {
    yield
    matches.push({
      leaf,
      docs: DocSet.ofSorted(leaf.reader.segment.docCount, Uint32Array.from(docs).sort()),
    })
  }
  const ranking = yield* Ranking.steps(matches, search.keys as [SortKey, ...SortKey[]])
  known.set(field, { ranking, hasMultiValued })
  return { ranking, hasMultiValued }
}

/**
 * Returns a ranking whose first match has the `max_score`: the heads of the groups, or all matches when documents with
 * several values are in no group.
 */
export function* rankingForMaxScore(search: PreparedSearch, field: string): Steps<Ranking> {
  const { ranking, hasMultiValued } = yield* headsOf(search, field)
  return hasMultiValued ? search.ranking : ranking
}

/** Matches processed per step. */
const stepMatches = 4096

export function* collapseSteps(search: PreparedSearch, request: SearchRequest): Steps<HitPlace[]> {
  const { field } = request.collapse!
  if (search.shards.length === 0) return []
  const heads = yield* headsOf(search, field)
  if (heads.hasMultiValued) {
    const groups = request.size === 0 ? 0 : request.from + request.size
    const refused = yield* firstMultiValuedDoc(search, groups, (leaf, doc) => groupValues(leaf, doc, field))
    if (refused !== undefined) throw notSingleValued(refused)
  }
  return yield* placesOf(search, request, heads.ranking, (hit) => {
    const value = groupValues(hit.leaf, hit.doc, field)[0] as string | number | bigint | undefined
    const mapped = hit.leaf.index.mapping.field(field)!
    const place = placeOf(search, request, hit)
    if (value === undefined) return place
    return { ...place, collapsed: { field, values: [mapped.printer()(value)] } }
  })
}
