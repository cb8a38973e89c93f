/**
 * A 32-bit float as the number with the fewest digits that rounds to it: scores print as `0.2876821`, not as
 * the double `0.28768208622932434`.
 */
export function shortestFloat(value: number): number {
  if (!Number.isFinite(value) || Number.isInteger(value)) return value
  // Nine digits always name a float; most need seven or eight.
  for (let digits = 6; digits < 9; digits++) {
    const shorter = Number(value.toPrecision(digits))
    if (Math.fround(shorter) === value) return shorter
  }
  return Number(value.toPrecision(9))
}
