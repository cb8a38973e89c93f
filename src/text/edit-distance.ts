/** How many edits turn one text into another, and the name nearest to a misspelt one. */

/** Levenshtein distance: insertions, deletions and replacements. */
export function levenshtein(left: string, right: string): number {
  return distance(left, right, false)
}

/** Damerau–Levenshtein distance (optimal string alignment): a swap of neighbours is one edit, too. */
export function damerauLevenshtein(left: string, right: string): number {
  return distance(left, right, true)
}

function distance(left: string, right: string, withSwaps: boolean): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: right.length + 1 }, (_, column) => column)
  for (let row = 1; row <= left.length; row++) {
    const current = [row]
    for (let column = 1; column <= right.length; column++) {
      const replaced = last[column - 1]! + (left[row - 1] === right[column - 1] ? 0 : 1)
      let cost = Math.min(last[column]! + 1, current[column - 1]! + 1, replaced)
      if (withSwaps && isSwap(left, right, row, column)) cost = Math.min(cost, beforeLast[column - 2]! + 1)
      current.push(cost)
    }
    beforeLast = last
    last = current
  }
  return last[right.length]!
}

/** Whether the last two characters of both beginnings are each other's. */
function isSwap(left: string, right: string, row: number, column: number): boolean {
  return row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1]
}

/** Returns the candidate with the smallest distance to the text, at most `max`; of equal ones the first. */
export function nearestText(
  text: string,
  candidates: Iterable<string>,
  max: number,
  distanceOf: (text: string, candidate: string) => number = levenshtein,
): string | undefined {
  let best: string | undefined
  let limit = max + 1
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - text.length) >= limit) continue
    const edits = distanceOf(text, candidate)
    if (edits >= limit) continue
    best = candidate
    limit = edits
  }
  return best
}
