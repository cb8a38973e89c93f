/**
 * "Did you mean": the candidate nearest to a misspelt word, by edit distance with swapped neighbours as one edit.
 * Silent when nothing is near enough to be a slip of the fingers.
 */
import { damerauLevenshtein } from '../text/edit-distance.ts'

const LONGEST = 64

export function closestWord(word: string, candidates: Iterable<string>): string | undefined {
  const limit = word.length < 4 ? 1 : word.length < 8 ? 2 : 3
  let best: string | undefined
  let min = limit + 1
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - word.length) >= min || candidate.length > LONGEST) continue
    const distance = damerauLevenshtein(word.toLowerCase(), candidate.toLowerCase())
    if (distance >= min) continue
    best = candidate
    min = distance
  }
  return best
}
