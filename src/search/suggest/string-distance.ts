/** The `string_distance` measures: similarities of two words from 0 to 1. */

function edits(one: string, other: string, exchanges: boolean): number {
  const [a, b] = [Array.from(one), Array.from(other)]
  let twoAbove = new Int32Array(b.length + 1)
  let above = Int32Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i++) {
    const row = new Int32Array(b.length + 1)
    row[0] = i
    for (let j = 1; j <= b.length; j++) {
      const change = a[i - 1] === b[j - 1] ? 0 : 1
      row[j] = Math.min(above[j]! + 1, row[j - 1]! + 1, above[j - 1]! + change)
      if (exchanges && i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        row[j] = Math.min(row[j]!, twoAbove[j - 2]! + change)
      }
    }
    twoAbove = above
    above = row
  }
  return above[b.length]!
}

function byEdits(one: string, other: string): number {
  const longest = Math.max(Array.from(one).length, Array.from(other).length)
  return longest === 0 ? 1 : 1 - edits(one, other, false) / longest
}

/** Lucene's own measure, by which terms are found, too: edits count by the shorter word. */
function byLuceneEdits(one: string, other: string): number {
  const shortest = Math.min(Array.from(one).length, Array.from(other).length)
  return shortest === 0 ? 0 : 1 - edits(one, other, true) / shortest
}

/** Jaro-Winkler: matching characters within a window, with a bonus for a common prefix. */
function jaroWinkler(one: string, other: string): number {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one]
  const range = Math.max(Math.floor(long.length / 2) - 1, 0)
  const taken = new Uint8Array(long.length)
  const [left, right]: [string[], number[]] = [[], []]
  for (let i = 0; i < short.length; i++) {
    for (let j = Math.max(0, i - range); j < Math.min(i + range + 1, long.length); j++) {
      if (taken[j] === 1 || short[i] !== long[j]) continue
      taken[j] = 1
      left.push(short[i]!)
      break
    }
  }
  for (let j = 0; j < long.length; j++) if (taken[j] === 1) right.push(j)
  const matches = left.length
  if (matches === 0) return 0
  let moved = 0
  for (let i = 0; i < matches; i++) if (left[i] !== long[right[i]!]) moved++
  const jaro = (matches / one.length + matches / other.length + (matches - moved / 2) / matches) / 3
  let prefix = 0
  while (prefix < short.length && short[prefix] === long[prefix]) prefix++
  return jaro < 0.7 ? jaro : jaro + Math.min(0.1, 1 / long.length) * prefix * (1 - jaro)
}

/** The edit distance of bigrams (Kondrak 2005): a pair that differs in one letter costs half. */
function ngram(one: string, other: string): number {
  const [n, m] = [one.length, other.length]
  if (n < 2 || m < 2) {
    let equal = 0
    for (let i = 0; i < Math.min(n, m); i++) if (one[i] === other[i]) equal++
    return n === 0 && m === 0 ? 1 : equal / Math.max(n, m)
  }
  let above = Array.from({ length: n + 1 }, (_, i) => i)
  for (let j = 1; j <= m; j++) {
    const row = [j]
    for (let i = 1; i <= n; i++) {
      const isFirst = i === 1 && j === 1
      const differs = one[i - 1] === other[j - 1] ? 0 : 1
      // Before the first letter of either text stands the same mark, which counts for nothing when both have it.
      const before = isFirst ? 0 : i === 1 || j === 1 || one[i - 2] !== other[j - 2] ? 1 : 0
      const cost = (differs + before) / (isFirst ? 1 : 2)
      row.push(Math.min(row[i - 1]! + 1, above[i]! + 1, above[i - 1]! + cost))
    }
    above = row
  }
  return 1 - above[n]! / Math.max(n, m)
}

export const similarities = {
  damerau_levenshtein: byLuceneEdits,
  levenshtein: byEdits,
  jaro_winkler: jaroWinkler,
  ngram,
}
