/**
 * Values of nested objects lifted to their root documents, for sorting. Objects are stored right before their
 * root, so the next root document is the owner.
 */

import type { DocSet } from '../../query/exec/doc-set.ts'
import { inRanges } from '../../scheduling/step-size.ts'
import type { Steps } from '../../scheduling/steps.ts'
import { BitSet } from '../../segment/encoding/bit-set.ts'
import type { NumberColumn, OrdinalColumn, Segment, SegmentField } from '../../segment/segment.ts'
import { buildZoneMap } from '../../segment/zone-map.ts'

/** Documents processed per step. */
const stepDocs = 8192

/**
 * Returns the field as if the values of its nested objects were the root documents' own; null when there are
 * none.
 */
export function* liftSteps(
  segment: Segment,
  field: SegmentField,
  path: string,
  filter: DocSet | null,
): Steps<SegmentField | null> {
  const { roots, docCount } = segment
  if (roots === null) return null
  const column = field.numbers ?? field.ordinals
  if (column === null) return null
  const starts = new Uint32Array(docCount + 1)
  const places: number[] = []
  const present = new BitSet(docCount)
  let pending: number[] = []
  for (let doc = 0; doc < docCount; doc++) {
    if (doc % stepDocs === stepDocs - 1) yield
    starts[doc] = places.length
    if (roots.has(doc)) {
      if (pending.length > 0) present.add(doc)
      if (pending.length > 1) pending.sort((a, b) => compareAt(column, a, b))
      for (const place of pending) places.push(place)
      pending = []
    } else if (hasValue(field, doc) && segment.nestedPath(doc) === path && (filter?.has(doc) ?? true)) {
      const [from, to] =
        column.starts === null ? [doc, doc + 1] : [column.starts[doc]!, column.starts[doc + 1]!]
      for (let at = from; at < to; at++) pending.push(at)
    }
  }
  starts[docCount] = places.length
  if (places.length === 0) return null
  yield
  const numbers = field.numbers === null ? null : yield* liftNumbers(field.numbers, places, starts)
  return {
    ...plain(field),
    present,
    numbers,
    zones: numbers === null ? null : buildZoneMap(numbers, present, docCount),
    ordinals: field.ordinals === null ? null : yield* liftOrdinals(field.ordinals, places, starts),
  }
}

function hasValue(field: SegmentField, doc: number): boolean {
  return field.present === null || field.present.has(doc)
}

function compareAt(column: NumberColumn | OrdinalColumn, a: number, b: number): number {
  if ('exact' in column && column.exact !== null) {
    return column.exact[a]! < column.exact[b]! ? -1 : column.exact[a]! > column.exact[b]! ? 1 : 0
  }
  return column.values[a]! - column.values[b]!
}

function* liftNumbers(
  column: NumberColumn,
  places: readonly number[],
  starts: Uint32Array,
): Steps<NumberColumn> {
  const values = new Float64Array(places.length)
  const exact = column.exact === null ? null : new BigInt64Array(places.length)
  yield* inRanges(places.length, (from, to) => {
    for (let i = from; i < to; i++) {
      values[i] = column.values[places[i]!]!
      if (exact !== null) exact[i] = column.exact![places[i]!]!
    }
  })
  return { starts, values, exact, sorted: () => column.sorted() }
}

function* liftOrdinals(
  column: OrdinalColumn,
  places: readonly number[],
  starts: Uint32Array,
): Steps<OrdinalColumn> {
  const values = new Uint32Array(places.length)
  yield* inRanges(places.length, (from, to) => {
    for (let i = from; i < to; i++) values[i] = column.values[places[i]!]!
  })
  return { starts, values }
}

function plain(field: SegmentField): SegmentField {
  const { name, terms, docCount, termDocs, sumDocFreq, sumTotalFreq } = field
  return {
    name,
    terms,
    docCount,
    termDocs,
    sumDocFreq,
    sumTotalFreq,
    ordinals: null,
    numbers: null,
    zones: null,
    points: null,
    ranges: null,
    norms: null,
    present: null,
  }
}
