/**
 * Sets of code points as sorted, disjoint ranges: flat pairs `[from, to, from, to, ...]`.
 */

const lastCode = 0x10ffff

function normalized(ranges: readonly (readonly [number, number])[]): number[] {
  const flat: number[] = []
  for (const [from, to] of [...ranges].sort((a, b) => a[0] - b[0])) {
    const last = flat.length - 1
    if (flat.length > 0 && from <= flat[last]! + 1) flat[last] = Math.max(flat[last]!, to)
    else flat.push(from, to)
  }
  return flat
}

export function joined(sets: readonly number[][]): number[] {
  return normalized(sets.flatMap(pairs))
}

export function complement(flat: readonly number[]): number[] {
  const result: number[] = []
  let next = 0
  for (const [from, to] of pairs(flat)) {
    if (from > next) result.push(next, from - 1)
    next = to + 1
  }
  if (next <= lastCode) result.push(next, lastCode)
  return result
}

/** Intersects sets by De Morgan's law, as the complement of the union of their complements. */
export function intersected(sets: readonly number[][]): number[] {
  return complement(joined(sets.map(complement)))
}

export function pairs(flat: readonly number[]): [number, number][] {
  const result: [number, number][] = []
  for (let i = 0; i + 1 < flat.length; i += 2) result.push([flat[i]!, flat[i + 1]!])
  return result
}
