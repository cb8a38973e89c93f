/**
 * "Did you mean": the known name nearest to a misspelt one. Distance counts insertions, deletions,
 * replacements and swaps of neighbours; names too far off give no suggestion rather than a silly one.
 */
const maxNameLength = 64

export function suggest(name: string, known: Iterable<string>): string | undefined {
  if (name.length === 0 || name.length > maxNameLength) return undefined
  const wanted = name.toLowerCase()
  const allowed = Math.max(1, Math.floor(name.length / 3))
  let best: string | undefined
  let bestDistance = allowed + 1
  for (const candidate of known) {
    if (candidate === name || candidate.length > maxNameLength) continue
    if (Math.abs(candidate.length - name.length) >= bestDistance) continue
    const distance = editDistance(wanted, candidate.toLowerCase())
    if (distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

/** Damerau–Levenshtein distance (optimal string alignment). */
export function editDistance(left: string, right: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: right.length + 1 }, (_, column) => column)
  for (let row = 1; row <= left.length; row++) {
    const current = [row]
    for (let column = 1; column <= right.length; column++) {
      const same = left[row - 1] === right[column - 1]
      let cost = Math.min(last[column]! + 1, current[column - 1]! + 1, last[column - 1]! + (same ? 0 : 1))
      const swapped =
        row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1]
      if (swapped) cost = Math.min(cost, beforeLast[column - 2]! + 1)
      current.push(cost)
    }
    beforeLast = last
    last = current
  }
  return last[right.length]!
}
