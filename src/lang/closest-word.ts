/**
 * "Did you mean": the candidate nearest to a misspelt word, by Damerau–Levenshtein distance without regard to case.
 * Returns undefined when nothing is near enough to be a typing error.
 */
import { damerauLevenshtein, nearestText } from '../text/edit-distance.ts'

const maxWordLength = 64

export function closestWord(word: string, candidates: Iterable<string>): string | undefined {
  const max = word.length < 4 ? 1 : word.length < 8 ? 2 : 3
  const wanted = word.toLowerCase()
  return nearestText(word, candidates, max, (_, candidate) =>
    candidate.length > maxWordLength
      ? Number.POSITIVE_INFINITY
      : damerauLevenshtein(wanted, candidate.toLowerCase()),
  )
}
