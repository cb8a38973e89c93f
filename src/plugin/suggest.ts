/**
 * "Did you mean": the known name nearest to a misspelt one. Distance counts insertions, deletions,
 * replacements and swaps of neighbours; names too far off give no suggestion rather than a silly one.
 */
import { damerauLevenshtein } from '../text/edit-distance.ts'

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
    const distance = damerauLevenshtein(wanted, candidate.toLowerCase())
    if (distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}
