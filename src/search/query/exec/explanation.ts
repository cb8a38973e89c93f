/** The answer of `explain`: a tree of values with Lucene's descriptions. */
import { shortestFloat } from '../../request/float-text.ts'

export interface Explanation {
  readonly matched: boolean
  readonly value: number
  /** The value, where it is a whole number that a double does not hold. */
  readonly exact?: bigint
  readonly description: string
  readonly details: readonly Explanation[]
}

export function explained(
  value: number,
  description: string,
  details: readonly Explanation[] = [],
): Explanation {
  return { matched: true, value: shortestFloat(value), description, details }
}

export function unmatched(description: string, details: readonly Explanation[] = []): Explanation {
  return { matched: false, value: 0, description, details }
}

/** Prints a float as Java does: `2.0`, `0.5`. */
export function floatText(value: number): string {
  const short = shortestFloat(value)
  return Number.isInteger(short) && Math.abs(short) < 1e7 ? `${short}.0` : String(short)
}
