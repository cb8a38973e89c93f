/**
 * Many patterns for the same names, as a request with thousands of field patterns has them: names are found by the
 * rarest run of three characters of a pattern, as a wildcard field finds its terms, instead of being matched each.
 */
import { isPattern, simpleMatch } from './simple-match.ts'

/** The length of the runs by which names are found. */
const gramLength = 3
/** Up to here patterns are matched against all names, which costs less than the grams do. */
const minPatterns = 64
/** The grams of what a name begins and ends with hold these, which no pattern has. */
const begin = '\u0002'
const end = '\u0003'

export class NameIndex {
  /** In the order in which they are returned. */
  readonly names: readonly string[]
  readonly #matches: typeof simpleMatch
  #asked = 0
  /** Positions of names by gram, rising. */
  #grams: Map<string, number[]> | undefined

  constructor(names: readonly string[], matches = simpleMatch) {
    this.names = names
    this.#matches = matches
  }

  /** Returns the names that match a pattern with `*`. */
  matching(pattern: string): readonly string[] {
    if (pattern === '*') return this.names
    if (this.#asked < minPatterns) {
      this.#asked++
      return this.names.filter((name) => this.#matches(pattern, name))
    }
    this.#grams ??= gramsOf(this.names)
    const candidates = this.#candidates(pattern, this.#grams)
    if (candidates === undefined) return this.names.filter((name) => this.#matches(pattern, name))
    const found: string[] = []
    for (const at of candidates) {
      const name = this.names[at]!
      if (this.#matches(pattern, name)) found.push(name)
    }
    return found
  }

  /** The names that have the rarest gram of a pattern; undefined for a pattern without grams. */
  #candidates(pattern: string, grams: ReadonlyMap<string, readonly number[]>): readonly number[] | undefined {
    let rarest: readonly number[] | undefined
    const padded = begin + pattern + end
    // The last star of the runs before `at` counts: a gram goes over none.
    let star = -1
    for (let at = 0; at < padded.length; at++) {
      if (padded[at] === '*') star = at
      if (at - star < gramLength) continue
      const having = grams.get(padded.slice(at - gramLength + 1, at + 1)) ?? []
      if (rarest === undefined || having.length < rarest.length) rarest = having
      if (rarest.length === 0) break
    }
    return rarest
  }
}

function gramsOf(names: readonly string[]): Map<string, number[]> {
  const grams = new Map<string, number[]>()
  names.forEach((name, position) => {
    const padded = begin + name + end
    for (let at = gramLength; at <= padded.length; at++) {
      const gram = padded.slice(at - gramLength, at)
      const having = grams.get(gram)
      if (having === undefined) grams.set(gram, [position])
      else if (having.at(-1) !== position) having.push(position)
    }
  })
  return grams
}

/** Returns which of the names one of the patterns matches. */
export function namesMatchingAny(names: readonly string[], patterns: readonly string[]): ReadonlySet<string> {
  const index = new NameIndex(names)
  const found = new Set<string>()
  const known = new Set(names)
  for (const pattern of new Set(patterns)) {
    if (found.size === known.size) break
    if (isPattern(pattern)) for (const name of index.matching(pattern)) found.add(name)
    else if (known.has(pattern)) found.add(pattern)
  }
  return found
}
