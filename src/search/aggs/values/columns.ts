/**
 * Doc values as aggregations read them, including metadata columns (`_id`, `_index`, `_seq_no`, `_version`).
 */
import { metadataColumn } from '../../collect/sort/metadata-columns.ts'
import type { SearchLeaf } from '../../collect/sort/sort-key.ts'
import { ScaledFloatField } from '../../mapping/fields/number-field.ts'
import type { MappedField } from '../../mapping/mapped-field.ts'
import { finish, type Steps } from '../../scheduling/steps.ts'
import type { BitSet } from '../../segment/encoding/bit-set.ts'
import type { Ordinals } from '../../segment/encoding/ordinals.ts'
import type { OrdinalColumn, SegmentField, TermIndex } from '../../segment/segment.ts'
import type { BoundField } from './value-field.ts'

export interface NumberColumnView {
  readonly values: Float64Array
  readonly exact: BigInt64Array | null
  readonly starts: Uint32Array | null
  /** Read only when `starts` is null. */
  readonly present: BitSet | null
  /** What stored values are multiplied by (`scaled_float`). */
  readonly scale: number
}

/** Null when no document of the segment has a value. */
export function openNumbers(leaf: SearchLeaf, { name, fields }: BoundField): NumberColumnView | null {
  const field = fields.get(leaf.index.name)
  if (field === undefined) return null
  const { segment } = leaf.reader
  if (field === 'hidden') {
    const column = metadataColumn(segment, name)
    if (column === undefined || column.terms !== null) return null
    return {
      values: column.values as Float64Array,
      exact: null,
      starts: null,
      present: column.present,
      scale: 1,
    }
  }
  const stored = segment.fields.get(field.name)
  if (stored === undefined || stored.numbers === null) return null
  const { values, exact, starts } = stored.numbers
  const scale = field instanceof ScaledFloatField ? 1 / field.scalingFactor : 1
  const isLong = field.type === 'long' || field.type === 'unsigned_long'
  return { values, exact: isLong ? exact : null, starts, present: stored.present, scale }
}

export interface TermColumnView {
  readonly size: number
  term(ordinal: number): string
  /** The ordinal of a term, -1 when it has none; defined when terms are sorted. */
  find?(term: string): number
  /** Ordinals plus one; 0 for none. */
  readonly values: Ordinals
  readonly starts: Uint32Array | null
  docFreq(ordinal: number): number
  /** What the ordinals belong to, where that is the same in every search. */
  readonly dictionary?: object
}

export function openTerms(leaf: SearchLeaf, { name, fields }: BoundField): TermColumnView | null {
  const field = fields.get(leaf.index.name)
  if (field === undefined) return null
  const { segment } = leaf.reader
  if (field === 'hidden') return name === '_index' ? indexColumn(leaf) : hiddenTerms(leaf, name)
  const stored = segment.fields.get(field.name)
  if (stored === undefined || stored.terms === null) return null
  const { terms } = stored
  const { values, starts } = stored.ordinals ?? finish(uninverted(stored, terms, segment.docCount))
  return {
    size: terms.size,
    term: (ordinal) => terms.term(ordinal),
    find: (term) => terms.find(term),
    values,
    starts,
    docFreq: (ordinal) => terms.docFreq(ordinal),
    dictionary: terms,
  }
}

/** Loads what `openTerms` needs, in steps. */
export function* prepareTerms(leaf: SearchLeaf, bound: BoundField): Steps<void> {
  const field = mapped(leaf, bound)
  const { segment } = leaf.reader
  const stored = field === undefined ? undefined : segment.fields.get(field.name)
  if (stored === undefined || stored.terms === null || stored.ordinals !== null) return
  yield* uninverted(stored, stored.terms, segment.docCount)
}

const turned = new WeakMap<SegmentField, OrdinalColumn>()
/** Approximate postings read per step; each term costs as much as `perTerm` of them. */
const stepPostings = 16 * 1024
const perTerm = 64

/** Uninverts the postings into ordinals per document, for text fields with `fielddata`. */
function* uninverted(field: SegmentField, terms: TermIndex, docCount: number): Steps<OrdinalColumn> {
  const known = turned.get(field)
  if (known !== undefined) return known
  const starts = new Uint32Array(docCount + 1)
  let read = 0
  for (let ordinal = 0; ordinal < terms.size; ordinal++) {
    const { docs } = terms.postings(ordinal)
    for (let i = 0; i < docs.length; i++) starts[docs[i]! + 1]! += 1
    read += docs.length + perTerm
    if (read < stepPostings) continue
    read = 0
    yield
  }
  for (let doc = 0; doc < docCount; doc++) starts[doc + 1]! += starts[doc]!
  const values = new Uint32Array(starts[docCount]!)
  const next = starts.slice()
  for (let ordinal = 0; ordinal < terms.size; ordinal++) {
    const { docs } = terms.postings(ordinal)
    for (let i = 0; i < docs.length; i++) values[next[docs[i]!]!++] = ordinal + 1
    read += docs.length + perTerm
    if (read < stepPostings) continue
    read = 0
    yield
  }
  const column = { values, starts }
  turned.set(field, column)
  return column
}

function indexColumn({ index, reader: { segment } }: SearchLeaf): TermColumnView {
  return {
    size: 1,
    term: () => index.name,
    values: new Uint32Array(segment.docCount).fill(1),
    starts: null,
    docFreq: () => segment.docCount,
  }
}

function hiddenTerms({ reader: { segment } }: SearchLeaf, name: string): TermColumnView | null {
  const column = metadataColumn(segment, name)
  if (column === undefined || column.terms === null) return null
  const { terms, present } = column
  const values = new Uint32Array(column.values.length)
  for (let doc = 0; doc < values.length; doc++) {
    if (present === null || present.has(doc)) values[doc] = column.values[doc]! + 1
  }
  return { size: terms.size, term: (ordinal) => terms.term(ordinal), values, starts: null, docFreq: () => 1 }
}

function mapped(leaf: SearchLeaf, { fields }: BoundField): MappedField | undefined {
  const field = fields.get(leaf.index.name)
  return field === 'hidden' ? undefined : field
}

function storedField(leaf: SearchLeaf, bound: BoundField): SegmentField | undefined {
  const field = mapped(leaf, bound)
  return field === undefined ? undefined : leaf.reader.segment.fields.get(field.name)
}

/** Two numbers per value; the values of a document are those from its start on, or the one at its own place. */
export interface PairColumn {
  readonly first: Float64Array
  readonly second: Float64Array
  readonly starts: Uint32Array | null
  readonly present: BitSet | null
}

export function openPoints(leaf: SearchLeaf, bound: BoundField): PairColumn | null {
  const stored = storedField(leaf, bound)
  if (stored === undefined || stored.points === null) return null
  const { latitudes, longitudes, starts } = stored.points
  return { first: latitudes, second: longitudes, starts, present: stored.present }
}

export function openRanges(leaf: SearchLeaf, bound: BoundField): PairColumn | null {
  const stored = storedField(leaf, bound)
  if (stored === undefined || stored.ranges === null) return null
  const { from, to, starts } = stored.ranges
  return { first: from, second: to, starts, present: stored.present }
}

/** The documents with a value in any column; null when all have one, undefined when none has. */
export function presence(leaf: SearchLeaf, bound: BoundField): BitSet | null | undefined {
  const field = bound.fields.get(leaf.index.name)
  if (field === undefined) return undefined
  if (field === 'hidden') return null
  const stored = leaf.reader.segment.fields.get(field.name)
  return stored === undefined ? undefined : stored.present
}
