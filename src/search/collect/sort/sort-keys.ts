/**
 * Binds a sort to all indices of a search. An index that does not support a key fails alone; values that are
 * not comparable between indices fail the search.
 */

import { metersOf } from '../../geo/distance-units.ts'
import { arcDistance, planeDistance } from '../../geo/geo-distance.ts'
import { type GeoPoint, parseGeoPoint } from '../../geo/geo-point.ts'
import { illegalArgument } from '../../request/errors.ts'
import { type DocumentScript, documentScript } from '../../script/documents/document-script.ts'
import { readScript } from '../../script/script.ts'
import type { FieldSort, GeoSort, SortRequest } from '../request/sort-request.ts'
import type { SearchIndex } from '../search-index.ts'
import { DistanceKey, DocKey, ScoreKey } from './computed-keys.ts'
import { FieldKey, type FieldSource } from './field-key.ts'
import { fieldSource } from './field-source.ts'
import { ScriptKey } from './script-key.ts'
import type { Scores, SearchLeaf, SortKey } from './sort-key.ts'
import { combineDoubles } from './sort-mode.ts'

/** The sources of one index; undefined for keys that are neither fields nor scripts. */
export type IndexSort = readonly (FieldSource | DocumentScript | undefined)[]

/** Throws SearchError when the index does not support a key. */
export function bindSort(requests: readonly SortRequest[], index: SearchIndex): IndexSort {
  return requests.map((request) => {
    if (request.kind === 'geo') checkGeo(request, index)
    if (request.kind === 'script')
      return documentScript(readScript(request.script, index.queries.scripts), index.queries, ['_score'])
    return request.kind === 'field' ? fieldSource(request, index) : undefined
  })
}

function checkGeo({ field, ignoreUnmapped }: GeoSort, index: SearchIndex): void {
  const mapped = index.mapping.field(field)
  if (mapped === undefined && !ignoreUnmapped) {
    throw illegalArgument(`failed to find mapper for [${field}] for geo distance based sort`)
  }
  if (mapped !== undefined && mapped.family !== 'geo_point') {
    throw illegalArgument(
      `Can't sort by geo distance on field [${field}] of type [${mapped.type}], only [geo_point] is supported`,
    )
  }
}

/** `bound` by index name. */
export function sortKeys(
  requests: readonly SortRequest[],
  bound: ReadonlyMap<string, IndexSort>,
  scores: Scores,
): SortKey[] {
  return requests.map((request, place) => {
    const sources = new Map([...bound].map(([index, sort]) => [index, sort[place]]))
    return sortKey(request, sources, scores)
  })
}

function sortKey(
  request: SortRequest,
  sources: ReadonlyMap<string, IndexSort[number]>,
  scores: Scores,
): SortKey {
  switch (request.kind) {
    case 'score':
      return new ScoreKey(scores, request.descending)
    case 'doc':
      return new DocKey(request.descending, false)
    case 'shard_doc':
      return new DocKey(request.descending, true)
    case 'geo':
      return distanceKey(request)
    case 'script': {
      const scripts = sources as ReadonlyMap<string, DocumentScript>
      return new ScriptKey(request.type, scripts, scores, request.descending)
    }
    case 'field': {
      const fields = sources as ReadonlyMap<string, FieldSource>
      checkKinds(request, fields)
      return new FieldKey(fields, request.descending, request.missing === '_first')
    }
  }
}

const kindNames = { number: 'LONG', term: 'STRING', constant: 'STRING', none: '' } as const

function checkKinds({ field }: FieldSort, sources: ReadonlyMap<string, FieldSource>): void {
  let first: string | undefined
  for (const { kind } of sources.values()) {
    const name = kindNames[kind]
    if (name === '') continue
    first ??= name
    if (name !== first) {
      throw illegalArgument(
        `Can't sort on field [${field}]; the field has incompatible sort types: [${first}] and [${name}] across shards!`,
      )
    }
  }
}

function pointsOf(value: unknown): GeoPoint[] {
  if (Array.isArray(value) && typeof value[0] !== 'number') return value.map((item) => parseGeoPoint(item))
  return [parseGeoPoint(value)]
}

function distanceKey(request: GeoSort): SortKey {
  const points = pointsOf(request.points)
  const unit = metersOf(request.unit)
  const mode = request.mode ?? (request.descending ? 'max' : 'min')
  // Lucene sorts the plain case itself, always by arcs.
  const isPlain =
    points.length === 1 && !request.descending && unit === 1 && mode === 'min' && request.nested === undefined
  const distance = request.isPlane && !isPlain ? planeDistance : arcDistance
  const { field } = request
  return new DistanceKey(request.descending, (leaf: SearchLeaf, doc: number) => {
    const segmentField = leaf.reader.segment.fields.get(leaf.index.mapping.field(field)?.name ?? field)
    const column = segmentField?.points
    if (column === null || column === undefined) return Number.NaN
    if (segmentField!.present !== null && !segmentField!.present.has(doc)) return Number.NaN
    const [from, to] =
      column.starts === null ? [doc, doc + 1] : [column.starts[doc]!, column.starts[doc + 1]!]
    const distances: number[] = []
    for (let at = from; at < to; at++) {
      for (const [latitude, longitude] of points) {
        distances.push(distance(latitude, longitude, column.latitudes[at]!, column.longitudes[at]!) / unit)
      }
    }
    return distances.length === 0
      ? Number.NaN
      : combineDoubles(
          distances.sort((a, b) => a - b),
          mode,
        )
  })
}
