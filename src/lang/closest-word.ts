/**
 * "Did you mean": the candidate nearest to a misspelt word, by edit distance with swapped neighbours as one edit.
 * Silent when nothing is near enough to be a slip of the fingers.
 */
const LONGEST = 64

export function closestWord(word: string, candidates: Iterable<string>): string | undefined {
  const limit = word.length < 4 ? 1 : word.length < 8 ? 2 : 3
  let best: string | undefined
  let least = limit + 1
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - word.length) >= least || candidate.length > LONGEST) continue
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase())
    if (distance >= least) continue
    best = candidate
    least = distance
  }
  return best
}

function editDistance(a: string, b: string): number {
  let older: number[] = []
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      let cost = Math.min(previous[j]! + 1, row[j - 1]! + 1, previous[j - 1]! + (same ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, older[j - 2]! + 1)
      row.push(cost)
    }
    older = previous
    previous = row
  }
  return previous[b.length]!
}
