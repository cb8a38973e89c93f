/** Sort columns of the metadata fields that every document has: `_id`, `_seq_no`, `_version`. */

import { compareUtf8 } from '../../../text/utf8-order.ts'
import { sortedSteps } from '../../scheduling/merge-sort.ts'
import { finish, type Steps } from '../../scheduling/steps.ts'
import { partitionPoint } from '../../segment/encoding/binary-search.ts'
import { mapOf } from '../../segment/map-of-maps.ts'
import type { Segment, Terms } from '../../segment/segment.ts'
import type { SortColumn } from './sort-column.ts'

const cache = new WeakMap<Segment, Map<string, SortColumn>>()

/** Undefined for other names. */
export function metadataColumn(segment: Segment, name: string): SortColumn | undefined {
  return finish(metadataColumnSteps(segment, name))
}

/** Does what `metadataColumn` does, with cooperative yields. */
export function* metadataColumnSteps(segment: Segment, name: string): Steps<SortColumn | undefined> {
  if (!isMetadataColumn(name)) return undefined
  const columns = mapOf(cache, segment)
  let column = columns.get(name)
  if (column === undefined) {
    column = name === '_id' ? yield* idColumn(segment) : numberColumn(segment, name)
    columns.set(name, column)
  }
  return column
}

export function isMetadataColumn(name: string): boolean {
  return name === '_id' || name === '_seq_no' || name === '_version'
}

function numberColumn({ seqNos, versions }: Segment, name: string): SortColumn {
  return { values: name === '_seq_no' ? seqNos : versions, exact: null, terms: null, present: null }
}

/** Documents processed per step. */
const stepDocs = 8192

function* idColumn(segment: Segment): Steps<SortColumn> {
  const { docCount, roots } = segment
  // An id may occur twice in a segment, once deleted.
  const places = new Map<string, number>()
  const placeOf = new Uint32Array(docCount)
  // Nested objects come before their document and have its id.
  let first = 0
  for (let doc = 0; doc < docCount; doc++) {
    if (doc % stepDocs === stepDocs - 1) yield
    if (roots?.has(doc) === false) continue
    const id = segment.id(doc)
    let place = places.get(id)
    if (place === undefined) places.set(id, (place = places.size))
    placeOf.fill(place, first, doc + 1)
    first = doc + 1
  }
  const sorted = yield* sortedSteps([...places.keys()], compareUtf8)
  const ordinals = new Uint32Array(sorted.length)
  for (let ordinal = 0; ordinal < sorted.length; ordinal++) {
    if (ordinal % stepDocs === stepDocs - 1) yield
    ordinals[places.get(sorted[ordinal]!)!] = ordinal
  }
  const values = placeOf.map((place) => ordinals[place]!)
  return { values, exact: null, terms: new IdTerms(sorted), present: null }
}

class IdTerms implements Terms {
  readonly size: number
  readonly #ids: readonly string[]

  constructor(ids: readonly string[]) {
    this.size = ids.length
    this.#ids = ids
  }

  term(ordinal: number): string {
    return this.#ids[ordinal]!
  }

  find(term: string): number {
    const at = this.lowerBound(term)
    return this.#ids[at] === term ? at : -1
  }

  lowerBound(term: string): number {
    return partitionPoint(0, this.size, (ordinal) => compareUtf8(this.#ids[ordinal]!, term) < 0)
  }
}
