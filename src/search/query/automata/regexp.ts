/**
 * `regexp` patterns as matchers: compiled once to a DFA, then one table lookup per character of a term
 * (Lucene's RegExp and CharacterRunAutomaton).
 */
import { illegalArgument } from '../../request/errors.ts'
import { classOf, type Dfa, determinize, TooComplexError, workOf } from './dfa.ts'
import { Nfa } from './nfa.ts'
import { allRegexpFlags, parseRegexp } from './regexp-syntax.ts'
import type { TermMatcher } from './term-matcher.ts'

export interface RegexpSettings {
  /** From `parseRegexpFlags`; all of them when absent. */
  readonly flags?: number
  readonly caseInsensitive?: boolean
  /** 10,000 when absent. */
  readonly maxDeterminizedStates?: number
}

/** Throws SearchError for a pattern that is wrong or takes more work than allowed. */
export function regexpMatcher(pattern: string, settings: RegexpSettings = {}): TermMatcher {
  const { flags = allRegexpFlags, caseInsensitive = false, maxDeterminizedStates = 10_000 } = settings
  const tree = parseRegexp(pattern, flags, caseInsensitive)
  try {
    const work = workOf(maxDeterminizedStates)
    return new DfaMatcher(determinize(new Nfa(tree, caseInsensitive, work), work))
  } catch (error) {
    if (!(error instanceof TooComplexError)) throw error
    throw illegalArgument(`Determinizing ${pattern} would require more than ${maxDeterminizedStates} effort.`)
  }
}

class DfaMatcher implements TermMatcher {
  readonly prefix: string
  readonly exact: boolean
  readonly whole: boolean
  readonly #dfa: Dfa
  readonly #table: Int32Array
  readonly #classes: number
  readonly #accepting: Uint8Array
  readonly #ascii: Int32Array

  constructor(dfa: Dfa) {
    this.#dfa = dfa
    this.#table = dfa.table
    this.#classes = dfa.classes
    this.#accepting = dfa.accepting
    this.#ascii = Int32Array.from({ length: 128 }, (_, point) => classOf(dfa, point))
    const start = this.#beginning()
    this.prefix = start.prefix
    const ways = this.#ways(start.state)
    const ends = this.#accepting[start.state] === 1
    this.exact = ends && ways.every((target) => target === -1)
    this.whole = ends && ways.every((target) => target === start.state)
  }

  #ways(state: number): Int32Array {
    return this.#table.subarray(state * this.#classes, (state + 1) * this.#classes)
  }

  /** The literal prefix of all matches, and the state after it. */
  #beginning(): { prefix: string; state: number } {
    const { bounds } = this.#dfa
    let prefix = ''
    let state = 0
    for (let steps = 0; steps < this.#accepting.length && this.#accepting[state] === 0; steps++) {
      const ways = this.#ways(state)
      const way = ways.findIndex((target) => target !== -1)
      if (way === -1 || bounds[way + 1]! - bounds[way]! > 1) break
      if (ways.subarray(way + 1).some((target) => target !== -1)) break
      prefix += String.fromCodePoint(bounds[way]!)
      state = ways[way]!
    }
    return { prefix, state }
  }

  test(term: string): boolean {
    let state = 0
    for (let at = 0; at < term.length; at++) {
      let point = term.charCodeAt(at)
      let place: number
      if (point < 128) place = this.#ascii[point]!
      else {
        point = term.codePointAt(at)!
        if (point > 0xffff) at++
        place = classOf(this.#dfa, point)
      }
      state = this.#table[state * this.#classes + place]!
      if (state === -1) return false
    }
    return this.#accepting[state] === 1
  }
}
