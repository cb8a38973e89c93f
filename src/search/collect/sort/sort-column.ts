/**
 * Sort columns: one value per document from doc values that may have several, reduced by the sort mode. They
 * are computed once per segment, field and mode, and cached with the field under the memory budget of decoded
 * data.
 */

import { type CachedValue, decodedCache } from '../../segment/decoded-cache.ts'
import { BitSet } from '../../segment/encoding/bit-set.ts'
import { mapOf } from '../../segment/map-of-maps.ts'
import type { NumberColumn, SegmentField, TermIndex, Terms } from '../../segment/segment.ts'
import { combineDoubles, combineLongs, type SortMode } from './sort-mode.ts'

export interface SortColumn {
  /** By document: numbers, or term ordinals. */
  readonly values: Float64Array | Uint32Array
  /** By document: exact 64-bit integers, when doubles do not represent them all. */
  readonly exact: BigInt64Array | BigUint64Array | null
  /** Set when `values` are ordinals. */
  readonly terms: Terms | null
  /** The documents with a value; null when all have one. */
  readonly present: BitSet | null
}

/** How the numbers of a field are interpreted. */
export interface NumberInterpretation {
  /** Integers: sums wrap around, averages are rounded. */
  readonly isInteger: boolean
  readonly isUnsigned: boolean
  /** The scaling factor of a `scaled_float`; 1 otherwise. */
  readonly factor: number
  /** The conversion that `numeric_type` asks for. */
  readonly change: 'none' | 'to_nanos' | 'to_millis' | 'to_long' | 'to_double'
}

const cache = new WeakMap<SegmentField, Map<string, CachedValue<SortColumn> | null>>()

function cached(field: SegmentField, key: string, make: () => SortColumn | null): SortColumn | null {
  const columns = mapOf(cache, field)
  const held = columns.get(key)
  if (held === null) return null
  const known = held?.value
  if (known !== undefined) return known
  const column = make()
  columns.set(key, column === null ? null : decodedCache.hold(column, bytesOf(column)))
  return column
}

function bytesOf({ values, exact, present }: SortColumn): number {
  return values.byteLength + (exact?.byteLength ?? 0) + (present?.words.byteLength ?? 0)
}

/** Null when no document of the segment has a term. */
export function termColumn(field: SegmentField, docCount: number, mode: 'min' | 'max'): SortColumn | null {
  return cached(field, mode, () => {
    const { ordinals, terms } = field
    if (terms === null) return null
    if (ordinals === null) return uninverted(terms, docCount, mode)
    const values = new Uint32Array(docCount)
    const present = new BitSet(docCount)
    const { starts } = ordinals
    for (let doc = 0; doc < docCount; doc++) {
      let ordinal = 0
      if (starts === null) ordinal = ordinals.values[doc]!
      else if (starts[doc + 1]! > starts[doc]!) {
        ordinal = ordinals.values[mode === 'min' ? starts[doc]! : starts[doc + 1]! - 1]!
      }
      if (ordinal === 0) continue
      values[doc] = ordinal - 1
      present.add(doc)
    }
    return { values, exact: null, terms, present: present.count === docCount ? null : present }
  })
}

/** Uninverts the postings into ordinals per document, for text fields with `fielddata`. */
function uninverted(terms: TermIndex, docCount: number, mode: 'min' | 'max'): SortColumn {
  const values = new Uint32Array(docCount)
  const present = new BitSet(docCount)
  for (let ordinal = 0; ordinal < terms.size; ordinal++) {
    for (const doc of terms.postings(ordinal).docs) {
      if (mode === 'max' || !present.has(doc)) values[doc] = ordinal
      present.add(doc)
    }
  }
  return { values, exact: null, terms, present }
}

/** Sort columns whose values are those of the field. They go with it, and are not counted a second time. */
const sharing = new WeakMap<NumberColumn, SortColumn>()

/** Null when no document of the segment has a number. */
export function numberColumn(
  field: SegmentField,
  docCount: number,
  mode: SortMode,
  reading: NumberInterpretation,
): SortColumn | null {
  const { isInteger, isUnsigned, factor, change } = reading
  const { numbers } = field
  if (numbers === null) return null
  const isShared =
    numbers.starts === null &&
    numbers.exact === null &&
    factor === 1 &&
    change !== 'to_nanos' &&
    change !== 'to_long'
  if (isShared) {
    let column = sharing.get(numbers)
    if (column === undefined) {
      column = { values: numbers.values, exact: null, terms: null, present: field.present }
      sharing.set(numbers, column)
    }
    return column
  }
  return cached(field, `${mode} ${isInteger} ${isUnsigned} ${factor} ${change}`, () => {
    const single = numbers.starts === null ? numbers : combined(numbers, docCount, mode, reading)
    return { ...converted(single.values, single.exact, reading), terms: null, present: field.present }
  })
}

interface Single {
  readonly values: Float64Array
  readonly exact: BigInt64Array | null
}

function combined(
  column: NumberColumn,
  docCount: number,
  mode: SortMode,
  reading: NumberInterpretation,
): Single {
  const starts = column.starts!
  const values = new Float64Array(docCount)
  const exact = column.exact === null ? null : new BigInt64Array(docCount)
  for (let doc = 0; doc < docCount; doc++) {
    const from = starts[doc]!
    const to = starts[doc + 1]!
    if (from === to) continue
    if (to - from === 1 || mode === 'min' || mode === 'max') {
      const at = mode === 'max' ? to - 1 : from
      values[doc] = column.values[at]!
      if (exact !== null) exact[doc] = column.exact![at]!
    } else if (exact !== null) {
      const all = Array.from(column.exact!.subarray(from, to), (value) =>
        reading.isUnsigned ? BigInt.asUintN(64, value) : value,
      )
      exact[doc] = combineLongs(all, mode, reading.isUnsigned)
      values[doc] = Number(reading.isUnsigned ? BigInt.asUintN(64, exact[doc]!) : exact[doc]!)
    } else {
      const value = combineDoubles(column.values.subarray(from, to), mode)
      // Rounds half up, as Java's Math.round does.
      values[doc] = reading.isInteger && reading.factor === 1 ? Math.floor(value + 0.5) : value
    }
  }
  return { values, exact }
}

function converted(
  values: Float64Array,
  exact: BigInt64Array | null,
  { isUnsigned, factor, change }: NumberInterpretation,
): Pick<SortColumn, 'values' | 'exact'> {
  if (factor !== 1) return { values: values.map((value) => value * factor), exact: null }
  if (change === 'to_nanos') {
    const nanos = new BigInt64Array(values.length)
    for (let i = 0; i < nanos.length; i++) nanos[i] = BigInt(Math.trunc(values[i]!)) * 1_000_000n
    return { values: Float64Array.from(nanos, Number), exact: nanos }
  }
  if (change === 'to_millis' && exact !== null) {
    return {
      values: Float64Array.from(exact, (value) => Math.floor(Number(value / 1000n) / 1000)),
      exact: null,
    }
  }
  if (change === 'to_long' && exact === null) return { values: values.map(Math.trunc), exact }
  if (exact === null) return { values, exact }
  const view = isUnsigned ? new BigUint64Array(exact.buffer, exact.byteOffset, exact.length) : exact
  return { values: Float64Array.from(view, Number), exact: change === 'to_double' ? null : view }
}
