/** Suggests known names for an unknown one, by Levenshtein distance relative to the longer of the two. */
import { levenshtein } from '../../text/edit-distance.ts'

const defaultMinSimilarity = 0.5
const maxComparedLength = 256

/** Returns similar names, the closest first, then by name. */
export function similarNames(wrong: string, known: Iterable<string>, min = defaultMinSimilarity): string[] {
  if (wrong.length > maxComparedLength) return []
  const scored: { readonly name: string; readonly likeness: number }[] = []
  for (const name of known) {
    const likeness = 1 - levenshtein(wrong, name) / Math.max(wrong.length, name.length, 1)
    if (likeness > min) scored.push({ name, likeness })
  }
  scored.sort((a, b) => b.likeness - a.likeness || (a.name < b.name ? -1 : 1))
  return scored.map(({ name }) => name)
}

/** Returns ` did you mean [x]?`, with `any of` when there are several; empty when nothing is similar. */
export function didYouMean(wrong: string, known: Iterable<string>): string {
  const names = similarNames(wrong, known)
  if (names.length === 0) return ''
  return names.length === 1 ? ` did you mean [${names[0]}]?` : ` did you mean any of [${names.join(', ')}]?`
}

/** The same behind an arrow, as errors about parameters and settings print it. */
export function suggestion(wrong: string, known: Iterable<string>): string {
  const text = didYouMean(wrong, known)
  return text === '' ? '' : ` ->${text}`
}
