/**
 * Tests whether a term is within a Levenshtein distance of a text, with transpositions (Damerau, optimal
 * string alignment) unless switched off. Lucene builds a Levenshtein automaton (Schulz and Mihov 2002); we
 * compute the diagonal band of the dynamic programming table and stop at a row in which every entry exceeds
 * the limit.
 */
import { exactTerm, type TermMatcher } from './term-matcher.ts'

export interface FuzzyMatcher extends TermMatcher {
  /** The edit distance, or -1 when it exceeds the limit; the boost falls with it. */
  distance(term: string): number
}

interface FuzzySettings {
  readonly edits: number
  /** The number of leading characters that must be equal. */
  readonly prefixLength?: number
  readonly transpositions?: boolean
}

export function fuzzyMatcher(text: string, settings: FuzzySettings): FuzzyMatcher {
  const { edits, prefixLength = 0, transpositions = true } = settings
  if (edits === 0) {
    return { ...exactTerm(text), distance: (term) => (term === text ? 0 : -1) }
  }
  const points = Array.from(text, (character) => character.codePointAt(0)!)
  const prefix = Array.from(text).slice(0, prefixLength).join('')
  const fixed = Math.min(prefixLength, points.length)
  const table = new EditTable(points.slice(fixed), edits, transpositions)
  const distance = (term: string): number => {
    if (!term.startsWith(prefix)) return -1
    return table.distance(term, prefix.length)
  }
  return { prefix, exact: false, whole: false, distance, test: (term) => distance(term) !== -1 }
}

class EditTable {
  readonly #text: readonly number[]
  readonly #limit: number
  readonly #transpositions: boolean
  #twoAbove: Int32Array
  #above: Int32Array
  #row: Int32Array
  readonly #term: number[] = []

  constructor(text: readonly number[], limit: number, transpositions: boolean) {
    this.#text = text
    this.#limit = limit
    this.#transpositions = transpositions
    this.#twoAbove = new Int32Array(text.length + 1)
    this.#above = new Int32Array(text.length + 1)
    this.#row = new Int32Array(text.length + 1)
  }

  /** -1 when it exceeds the limit. */
  distance(term: string, start: number): number {
    const text = this.#text
    const width = text.length
    const limit = this.#limit
    if (term.length - start > 2 * (width + limit)) return -1
    const read = this.#term
    const length = readPoints(term, start, read)
    if (Math.abs(length - width) > limit) return -1
    for (let column = 0; column <= width; column++) this.#above[column] = column
    for (let line = 1; line <= length; line++) {
      const from = Math.max(1, line - limit)
      const to = Math.min(width, line + limit)
      const row = this.#row
      const above = this.#above
      row[from - 1] = from === 1 ? line : limit + 1
      let min = row[from - 1]!
      const point = read[line - 1]!
      for (let column = from; column <= to; column++) {
        const same = text[column - 1] === point ? 0 : 1
        let cost = Math.min(above[column - 1]! + same, row[column - 1]! + 1)
        // Above the band every entry exceeds the limit.
        if (column < line + limit) cost = Math.min(cost, above[column]! + 1)
        if (
          this.#transpositions &&
          line > 1 &&
          column > 1 &&
          point === text[column - 2] &&
          read[line - 2] === text[column - 1]
        ) {
          cost = Math.min(cost, this.#twoAbove[column - 2]! + 1)
        }
        row[column] = cost
        if (cost < min) min = cost
      }
      if (min > limit) return -1
      this.#row = this.#twoAbove
      this.#twoAbove = above
      this.#above = row
    }
    const found = this.#above[width]!
    return found > limit ? -1 : found
  }
}

function readPoints(term: string, start: number, into: number[]): number {
  let length = 0
  for (let at = start; at < term.length; at++) {
    const point = term.codePointAt(at)!
    if (point > 0xffff) at++
    into[length++] = point
  }
  return length
}
