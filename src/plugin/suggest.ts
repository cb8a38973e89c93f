/**
 * "Did you mean": the known name nearest to a misspelt one, by Damerau–Levenshtein distance without regard to case.
 * Names that are too far off give no suggestion rather than a silly one.
 */
import { damerauLevenshtein, nearestText } from '../text/edit-distance.ts'

const maxNameLength = 64

export function suggest(name: string, known: Iterable<string>): string | undefined {
  if (name.length === 0 || name.length > maxNameLength) return undefined
  const max = Math.max(1, Math.floor(name.length / 3))
  const wanted = name.toLowerCase()
  return nearestText(name, known, max, (_, candidate) =>
    candidate === name || candidate.length > maxNameLength
      ? Number.POSITIVE_INFINITY
      : damerauLevenshtein(wanted, candidate.toLowerCase()),
  )
}
