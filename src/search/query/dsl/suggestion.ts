/** The `did you mean` of unknown names: those more than half alike, the likest first. */

/** 1 for equal words, 0 for words with nothing in common. */
function likeness(one: string, other: string): number {
  const length = Math.max(one.length, other.length)
  if (length === 0) return 1
  let above = Array.from({ length: other.length + 1 }, (_, i) => i)
  for (let i = 1; i <= one.length; i++) {
    const row = [i]
    for (let j = 1; j <= other.length; j++) {
      const same = one[i - 1] === other[j - 1] ? 0 : 1
      row[j] = Math.min(row[j - 1]! + 1, above[j]! + 1, above[j - 1]! + same)
    }
    above = row
  }
  return 1 - above[other.length]! / length
}

/** Begins with a space; empty when nothing is alike. */
export function didYouMean(unknown: string, candidates: Iterable<string>): string {
  const alike = [...candidates]
    .map((name) => ({ name, score: likeness(unknown, name) }))
    .filter(({ score }) => score > 0.5)
    .sort((a, b) => b.score - a.score || (a.name < b.name ? -1 : 1))
    .map(({ name }) => name)
  if (alike.length === 0) return ''
  return alike.length === 1 ? ` did you mean [${alike[0]}]?` : ` did you mean any of [${alike.join(', ')}]?`
}
