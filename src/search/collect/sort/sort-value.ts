/**
 * What documents are ordered by, one value per key: a number, an exact integer, a text, or null for a document
 * without a value. Values of one key are of one kind, numbers and exact integers counting as the same.
 */
import { compareUtf8 } from '../../segment/encoding/utf8-order.ts'

export type SortValue = number | bigint | string | null

/** How values of one key follow each other. */
export interface Direction {
  readonly descending: boolean
  /** Where documents without a value stand, in the order of the result. */
  readonly missingFirst: boolean
}

/** Below zero when `left` comes first. */
export function compareValues(left: SortValue, right: SortValue, direction: Direction): number {
  if (left === right) return 0
  if (left === null) return direction.missingFirst ? -1 : 1
  if (right === null) return direction.missingFirst ? 1 : -1
  let sign: number
  if (typeof left === 'string') sign = typeof right === 'string' ? compareUtf8(left, right) : 1
  else if (typeof right === 'string') sign = -1
  else sign = left < right ? -1 : left > right ? 1 : 0
  return direction.descending ? -sign : sign
}
