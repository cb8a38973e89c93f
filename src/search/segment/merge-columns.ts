/** Columns of several segments in a row. */
import { GrowingUint32 } from './growing-array.ts'
import { dropped, type FieldPart } from './merge-part.ts'
import type { ColumnStarts, SegmentField } from './segment.ts'

export type NumbersOf = (field: SegmentField) => (ColumnStarts & { readonly values: Float64Array }) | null

interface Merged<Values> {
  readonly values: Values
  readonly starts: Uint32Array | null
}

/** By value that stays: the part it is in, its place there and its new document. */
function eachValue(
  parts: readonly FieldPart[],
  columnOf: (field: SegmentField) => ColumnStarts | null,
  visit: (part: number, at: number, to: number) => void,
): void {
  parts.forEach(({ field, base, numbers, segment }, part) => {
    const column = columnOf(field)
    if (column === null) return
    const { starts } = column
    const { present } = field
    for (let doc = 0; doc < segment.docCount; doc++) {
      const to = numbers === null ? base + doc : numbers[doc]!
      if (to === dropped) continue
      if (starts === null) {
        if (present === null || present.has(doc)) visit(part, doc, to)
      } else for (let at = starts[doc]!; at < starts[doc + 1]!; at++) visit(part, at, to)
    }
  })
}

function startsOf(docs: Uint32Array, docCount: number): Uint32Array {
  const starts = new Uint32Array(docCount + 1)
  for (let i = 0; i < docs.length; i++) starts[docs[i]! + 1]! += 1
  for (let i = 1; i < starts.length; i++) starts[i]! += starts[i - 1]!
  return starts
}

/** Where values come to stand: by document, or in a row when some document has several. */
function targets(
  parts: readonly FieldPart[],
  docCount: number,
  columnOf: (field: SegmentField) => ColumnStarts | null,
): { count: number; starts: Uint32Array | null } {
  if (parts.every(({ field }) => (columnOf(field)?.starts ?? null) === null)) {
    return { count: docCount, starts: null }
  }
  const docs = new GrowingUint32()
  let isMultiple = false
  eachValue(parts, columnOf, (_part, _at, to) => {
    if (docs.length > 0 && docs.at(docs.length - 1) === to) isMultiple = true
    docs.push(to)
  })
  if (!isMultiple) return { count: docCount, starts: null }
  return { count: docs.length, starts: startsOf(docs.view(), docCount) }
}

export function mergedNumbers(
  parts: readonly FieldPart[],
  docCount: number,
  columnOf: NumbersOf,
): Merged<Float64Array> {
  const { count, starts } = targets(parts, docCount, columnOf)
  const values = new Float64Array(count)
  const columns = parts.map(({ field }) => columnOf(field)?.values)
  let next = 0
  let filled = 0
  eachValue(parts, columnOf, (part, at, to) => {
    const value = columns[part]![at]!
    // Documents without a value get one that is there anyway, so that the column packs well.
    if (starts === null && to > filled) values.fill(filled === 0 ? value : values[filled - 1]!, filled, to)
    filled = to + 1
    values[starts === null ? to : next++] = value
  })
  if (starts === null && filled > 0 && filled < count) values.fill(values[filled - 1]!, filled)
  return { values, starts }
}

export function mergedOrdinals(
  parts: readonly FieldPart[],
  docCount: number,
  ordinals: readonly Uint32Array[],
): Merged<Uint32Array> {
  const columnOf = ({ ordinals: column }: SegmentField) => column
  const { count, starts } = targets(parts, docCount, columnOf)
  const values = new Uint32Array(count)
  const columns = parts.map(({ field }) => field.ordinals?.values)
  let next = 0
  eachValue(parts, columnOf, (part, at, to) => {
    const value = columns[part]![at]!
    if (value === 0) return
    values[starts === null ? to : next++] = ordinals[part]![value - 1]! + 1
  })
  return { values, starts }
}

export function mergedExact(parts: readonly FieldPart[], docCount: number): BigInt64Array {
  const columnOf = ({ numbers }: SegmentField) => numbers
  const { count, starts } = targets(parts, docCount, columnOf)
  const values = new BigInt64Array(count)
  let next = 0
  eachValue(parts, columnOf, (part, at, to) => {
    const column = parts[part]!.field.numbers!
    values[starts === null ? to : next++] = column.exact?.[at] ?? BigInt(Math.trunc(column.values[at]!))
  })
  return values
}
