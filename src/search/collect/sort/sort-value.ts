/**
 * The values that documents are sorted by: a number, a 64-bit integer, a text, or null for none. Values of
 * one key are of one kind, where numbers and integers count as the same.
 */
import { compareUtf8 } from '../../../text/utf8-order.ts'

export type SortValue = number | bigint | string | null

/** The direction of one sort key. */
export interface Direction {
  readonly descending: boolean
  /** True when documents without a value come first in the result. */
  readonly missingFirst: boolean
}

/** Negative when `left` comes first. */
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
