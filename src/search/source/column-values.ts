/** Decodes the doc values of a field for one document. */
import type { MappedField, PrintValue } from '../mapping/mapped-field.ts'
import type { Segment } from '../segment/segment.ts'

type ColumnItem = Parameters<PrintValue>[0]

/** Returns the values that the column has for a document. */
export function columnValues(segment: Segment, { name, type }: MappedField, doc: number): ColumnItem[] {
  const field = segment.fields.get(name)
  if (field === undefined || (field.present !== null && !field.present.has(doc))) return []
  const { numbers, ordinals, points } = field
  const column = numbers ?? ordinals ?? points
  if (column === null) return []
  const { starts } = column
  const [from, to] = starts === null ? [doc, doc + 1] : [starts[doc]!, starts[doc + 1]!]
  const values: ColumnItem[] = []
  for (let at = from; at < to; at++) {
    if (numbers !== null) values.push(numberAt(numbers.values[at]!, numbers.exact?.[at], type))
    else if (ordinals !== null) {
      if (ordinals.values[at] !== 0) values.push(field.terms!.term(ordinals.values[at]! - 1))
    } else values.push([points!.latitudes[at]!, points!.longitudes[at]!])
  }
  return values
}

function numberAt(value: number, exact: bigint | undefined, type: string): number | bigint {
  if (exact === undefined) return value
  if (type === 'date_nanos') return exact
  return exactValue(type === 'unsigned_long' ? BigInt.asUintN(64, exact) : exact)
}

/** The largest integer that doubles represent without gaps. */
const safe = 9007199254740991n

/** Returns a number, or a bigint when the value is beyond 2^53. */
export function exactValue(value: bigint): number | bigint {
  return value >= -safe && value <= safe ? Number(value) : value
}
