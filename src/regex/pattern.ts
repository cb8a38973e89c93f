/**
 * The door to regular expressions from configs: `compilePattern` gives a guarded pattern with Ruby's
 * meaning. A search first looks for the literals every match needs, then runs with a backtrack limit; a
 * "no match" that may be the limit is repeated under a clock and ends in an answer or a `PatternTimeout`.
 */

import { compileGuarded, compileTrusted, hasBacktrackLimit } from './guarded-regexp.ts'
import { PatternError, type PatternFlags, PatternTimeout } from './pattern-error.ts'
import { maxTextAtOnce, replaceEach } from './replace-each.ts'
import { compileReplacement, groupText, type Replacement } from './ruby/ruby-replacement.ts'
import { runWithin, TimeLimitReached } from './slow-lane.ts'
import { type Translation, translate } from './translate.ts'
import { safeLength } from './tree/cost.ts'
import { type Danger, findDangers } from './tree/lint.ts'
import { containsInOrder, type RequiredLiterals, requiredLiterals } from './tree/required-literal.ts'
import { multipleLines, textTraits } from './tree/traits.ts'
import { children, type Node, some } from './tree/tree.ts'

export { PatternError, type PatternFlags, PatternTimeout } from './pattern-error.ts'

export interface PatternOptions extends PatternFlags {
  /** Backtracks after which a search is taken to the slow lane; a million are about 30 ms. */
  backtrackLimit?: number
  /** Milliseconds one search may take in the slow lane; 0 for no limit. */
  timeout?: number
}

export interface PatternMatch {
  /** Offset of the match. */
  index: number
  /** Texts by group number, the whole match first; undefined for a group that took no part. */
  groups: (string | undefined)[]
}

const defaultBacktrackLimit = 1_000_000
/** Conditions and `gsub` have no time-out option in Logstash; a second is far beyond any sane search. */
const defaultTimeout = 1000
/** No machine does a backtrack in less time than this (four are usual), so a quicker search has not met the limit. */
const minMillisPerBacktrack = 1e-6
/**
 * V8 does not count the steps of lazy loops, nor of loops that are not entered again (look-arounds, atomic
 * groups), nor the steps back of a greedy loop over single characters, such as `\s+` in `\s+$`: each backtrack may
 * stand for a walk over the whole text. Patterns with such loops get half the limit for a text of twice the length, so
 * that the limit still means some 0.1 s.
 */
const halvedFrom = 256
/** Nearly every pattern has a greedy loop, whose steps back are so quick that shorter texts take some milliseconds. */
const halvedForGreedyFrom = 4096
const maxHalvings = 10
const maxCached = 10_000
/** Characters of all cached sources: events bring long ones, and a pattern takes many times its source. */
const maxCachedLength = 4_000_000
/** Compiling takes the engine long; expressions up to this length are known to fit and wait for their first text. */
const surelySmall = 10_000
/** The engine takes none that is as long; reading one of ten million, which an event may hold, takes minutes. */
const maxSource = 1_000_000
const maxReplacements = 64

/** A further flag of the RegExp, by what it is for. */
const purposes = { search: '', replace: 'g', offsets: 'd' } as const
type Purpose = keyof typeof purposes

/** When the clock was last read, by any pattern of this thread. */
let clockReading = 0

const runTest = (expression: RegExp, text: string): boolean => expression.test(text)
const runExec = (expression: RegExp, text: string): RegExpExecArray | null => expression.exec(text)

export class Pattern {
  readonly source: string
  readonly flags: PatternFlags
  readonly groupCount: number
  /** Names in the order of their first group. */
  readonly groupNames: readonly string[]
  readonly names: ReadonlyMap<string, readonly number[]>
  /** For each group the capturing groups of the RegExp that can hold it; the last that took part counts. */
  readonly groups: readonly (readonly number[])[]
  /** Where JavaScript's answer may differ from Ruby's. */
  readonly notes: readonly string[]
  readonly #translation: Translation
  readonly #limit: number
  readonly #timeout: number
  readonly #suspicious: number
  readonly #mask: number
  #studied: Study | undefined
  #dangers: readonly Danger[] | undefined
  /** The RegExp objects made so far, by text traits. */
  readonly #limited: Record<Purpose, (RegExp | undefined)[][]> = { search: [], replace: [], offsets: [] }
  readonly #unlimited: Record<Purpose, (RegExp | undefined)[]> = { search: [], replace: [], offsets: [] }
  readonly #replacements = new Map<string, Replacement>()

  constructor(source: string, options: PatternOptions = {}) {
    if (source.length > maxSource)
      throw new PatternError('too big pattern', `${source.slice(0, 100)}...`, options)
    const translation = translate(source, options)
    this.source = source
    this.flags = options
    this.groupCount = translation.groupCount
    this.groupNames = [...translation.names.keys()]
    this.names = translation.names
    this.groups = translation.groups
    this.notes = translation.notes
    this.#translation = translation
    this.#limit = options.backtrackLimit ?? defaultBacktrackLimit
    this.#timeout = options.timeout ?? defaultTimeout
    this.#suspicious = this.#limit * minMillisPerBacktrack
    this.#mask = translation.sensitivity
    try {
      // The engine checks the syntax now and compiles on first use, which can fail for a huge pattern.
      const expression = this.#expression(0, 'search')
      if (expression.source.length > surelySmall) expression.test('')
    } catch (error) {
      throw this.#refusal(error)
    }
  }

  /** Where a search may take time out of all proportion. */
  get dangers(): readonly Danger[] {
    this.#dangers ??= findDangers(this.#translation.tree)
    return this.#dangers
  }

  /** Before the first search, not before: a config check makes patterns and searches nothing. */
  get #study(): Study {
    this.#studied ??= study(this.#translation, this.#limit)
    return this.#studied
  }

  test(text: string): boolean {
    const { whole, chain } = this.#study.literals
    if (whole !== null) return text.includes(whole)
    if (!containsInOrder(text, chain)) return false
    return this.#guard(text, 'search', runTest)
  }

  exec(text: string): PatternMatch | null {
    const match = this.search(text)
    if (match === null) return null
    const groups: (string | undefined)[] = [match[0]]
    for (let group = 1; group <= this.groupCount; group++) groups.push(groupText(match, this.groups[group]!))
    return { index: match.index, groups }
  }

  /** Start and end of each group, the whole match first; costs a second search. */
  offsets(text: string): ([number, number] | undefined)[] | null {
    const match = this.#guard(text, 'offsets', runExec)
    if (match === null) return null
    const places: ([number, number] | undefined)[] = [match.indices?.[0]]
    for (let group = 1; group <= this.groupCount; group++) {
      places.push(
        this.groups[group]!.map((number) => match.indices?.[number]).findLast((place) => place !== undefined),
      )
    }
    return places
  }

  /** The raw result of the first match; `timeout` in place of the pattern's own. */
  search(text: string, timeout = this.#timeout): RegExpExecArray | null {
    if (!containsInOrder(text, this.#study.literals.chain)) return null
    return this.#guard(text, 'search', runExec, timeout)
  }

  /** The raw result of the first match at or after a place. */
  searchFrom(text: string, from: number): RegExpExecArray | null {
    if (from > text.length || !containsInOrder(text, this.#study.literals.chain)) return null
    return this.#guard(text, 'replace', (expression) => {
      expression.lastIndex = from
      return expression.exec(text)
    })
  }

  /** All matches from left to right, empty ones too; `timeout` in place of the pattern's own. */
  matchAll(text: string, timeout = this.#timeout): PatternMatch[] {
    const { whole, chain } = this.#study.literals
    if (whole !== null ? !text.includes(whole) : !containsInOrder(text, chain)) return []
    const all = (expression: RegExp): PatternMatch[] => {
      const matches: PatternMatch[] = []
      for (let match = expression.exec(text); match !== null; match = expression.exec(text)) {
        const groups: (string | undefined)[] = [match[0]]
        for (let group = 1; group <= this.groupCount; group++)
          groups.push(groupText(match, this.groups[group]!))
        matches.push({ index: match.index, groups })
        if (match[0] === '') expression.lastIndex += 1
      }
      return matches
    }
    return this.#guard(text, 'replace', all, timeout)
  }

  /** Ruby's `gsub`. */
  replaceAll(text: string, rubyReplacement: string): string {
    const { whole, chain } = this.#study.literals
    if (whole !== null ? !text.includes(whole) : !containsInOrder(text, chain)) return text
    const { parts, template } = this.#replacement(rubyReplacement)
    return this.#guard(text, 'replace', (expression) =>
      template === null || text.length > maxTextAtOnce
        ? replaceEach(text, expression, parts)
        : text.replace(expression, template),
    )
  }

  /** The engine compiles an expression on its first text, and only then throws a SyntaxError for one that is too large. */
  #refusal(error: unknown): unknown {
    return error instanceof SyntaxError || error instanceof RangeError
      ? new PatternError(error.message, this.source, this.flags)
      : error
  }

  #guard<T>(
    text: string,
    purpose: Purpose,
    run: (expression: RegExp, text: string) => T,
    timeout = this.#timeout,
  ): T {
    try {
      return this.#guarded(text, purpose, run, timeout)
    } catch (error) {
      throw error instanceof SyntaxError ? this.#refusal(error) : error
    }
  }

  /** Runs one search; what took long enough to have met the limit is run again without it, under a clock. */
  #guarded<T>(
    text: string,
    purpose: Purpose,
    run: (expression: RegExp, text: string) => T,
    timeout: number,
  ): T {
    const traits = textTraits(text, this.#mask)
    const { safeLength, safeLines, uncountedFrom } = this.#study
    if (text.length <= ((traits & multipleLines) === 0 ? safeLength : safeLines)) {
      const expression = this.#expression(traits, purpose)
      expression.lastIndex = 0
      return run(expression, text)
    }
    const halvings = text.length <= uncountedFrom ? 0 : halvingsFor(text.length)
    if (halvings > maxHalvings) return this.#slowly(text, purpose, run, timeout)
    const expression = this.#expression(traits, purpose, halvings)
    expression.lastIndex = 0
    const suspicious = this.#suspicious / 2 ** halvings
    if (!hasBacktrackLimit())
      return this.dangers.length > 0 ? this.#slowly(text, purpose, run, timeout) : run(expression, text)
    if (purpose === 'replace') return this.#timed(expression, text, purpose, run, timeout, suspicious)
    const result = this.#bounded(expression, text, run, timeout)
    if (result !== null && result !== false) return result
    // The clock is read for failures only. If it was read shortly before, the search was short, too;
    // otherwise the search is repeated between two looks at it.
    const before = clockReading
    clockReading = performance.now()
    if (clockReading - before < suspicious) return result
    return this.#timed(expression, text, purpose, run, timeout, suspicious)
  }

  #timed<T>(
    expression: RegExp,
    text: string,
    purpose: Purpose,
    run: (expression: RegExp, text: string) => T,
    timeout: number,
    suspicious: number,
  ): T {
    const start = performance.now()
    expression.lastIndex = 0
    const result = this.#bounded(expression, text, run, timeout)
    if (purpose !== 'replace' && result !== null && result !== false) return result
    clockReading = performance.now()
    const spent = clockReading - start
    return spent < suspicious ? result : this.#slowly(text, purpose, run, timeout, spent)
  }

  #bounded<T>(
    expression: RegExp,
    text: string,
    run: (expression: RegExp, text: string) => T,
    timeout: number,
  ): T {
    try {
      return run(expression, text)
    } catch (error) {
      if (error instanceof RangeError) throw new PatternTimeout(this.source, timeout, error)
      throw error
    }
  }

  #slowly<T>(
    text: string,
    purpose: Purpose,
    run: (expression: RegExp, text: string) => T,
    timeout: number,
    /** Milliseconds that count as used, up to half of the time. */
    spent = 0,
  ): T {
    const traits = textTraits(text, this.#mask)
    const expression = (this.#unlimited[purpose][traits] ??= this.#compile(traits, purpose, null))
    expression.lastIndex = 0
    try {
      return runWithin(Math.max(timeout / 2, timeout - spent), () => run(expression, text))
    } catch (error) {
      if (error instanceof TimeLimitReached) throw new PatternTimeout(this.source, timeout)
      if (error instanceof RangeError) throw new PatternTimeout(this.source, timeout, error)
      throw error
    }
  }

  #expression(traits: number, purpose: Purpose, halvings = 0): RegExp {
    const made = this.#limited[purpose]
    return ((made[halvings] ??= [])[traits] ??= this.#compile(traits, purpose, this.#limit / 2 ** halvings))
  }

  #compile(traits: number, purpose: Purpose, limit: number | null): RegExp {
    const { source, flags } = this.#translation.form(traits, purpose !== 'replace')
    const allFlags = flags + purposes[purpose]
    return limit === null
      ? compileTrusted(source, allFlags)
      : compileGuarded(source, allFlags, Math.ceil(limit))
  }

  #replacement(rubyReplacement: string): Replacement {
    let replacement = this.#replacements.get(rubyReplacement)
    if (replacement === undefined) {
      // Replacements may be built per event, so only so many are kept.
      if (this.#replacements.size >= maxReplacements) this.#replacements.clear()
      replacement = compileReplacement(rubyReplacement, this)
      this.#replacements.set(rubyReplacement, replacement)
    }
    return replacement
  }
}

/** What a search wants to know about its pattern. */
interface Study {
  readonly literals: RequiredLiterals
  /** Up to this length no search meets the limit; `safeLines` for texts of several lines. */
  readonly safeLength: number
  readonly safeLines: number
  readonly uncountedFrom: number
}

function study({ tree, start, sticky }: Translation, limit: number): Study {
  return {
    literals: sticky ? { whole: null, chain: [] } : requiredLiterals(tree),
    safeLength: safeLength(tree, start, limit, true),
    safeLines: safeLength(tree, start, limit, false),
    uncountedFrom: uncountedFrom(tree),
  }
}

function halvingsFor(length: number): number {
  return 32 - Math.clz32((length - 1) / halvedFrom)
}

function uncountedFrom(tree: Node): number {
  if (hasUncountedLoop(tree)) return halvedFrom
  return hasGreedyLoopBefore(tree, false) ? halvedForGreedyFrom : Number.POSITIVE_INFINITY
}

/** Whether a greedy loop without end stands before something that may fail. */
function hasGreedyLoopBefore(node: Node, isFollowed: boolean): boolean {
  switch (node.type) {
    case 'sequence': {
      const last = node.items.length - 1
      return node.items.some((item, at) => hasGreedyLoopBefore(item, isFollowed || at < last))
    }
    case 'repeat': {
      const isEndless = node.max === Number.POSITIVE_INFINITY && !node.lazy
      return (isFollowed && isEndless) || hasGreedyLoopBefore(node.body, true)
    }
    default:
      return children(node).some((child) => hasGreedyLoopBefore(child, isFollowed))
  }
}

function hasUncountedLoop(root: Node): boolean {
  const isEndless = (node: Node) => node.type === 'repeat' && node.max === Infinity
  return some(
    root,
    (node) =>
      (node.type === 'repeat' && node.lazy && node.max === Infinity) ||
      ((node.type === 'look' || node.type === 'atomic') && some(node.body, isEndless)),
  )
}

/** Not `matchAll`: it would work on a copy of the RegExp, and copies have no backtrack limit. */

const cache = new Map<string, Pattern>()
let cachedLength = 0

/** The pattern for a Ruby source; the same source and options give the same object while it is in use. */
export function compilePattern(source: string, options: PatternOptions = {}): Pattern {
  const letters = `${options.ignoreCase ? 'i' : ''}${options.multiline ? 'm' : ''}${options.extended ? 'x' : ''}`
  const key = `${letters},${options.backtrackLimit ?? ''},${options.timeout ?? ''}/${source}`
  let pattern = cache.get(key)
  if (pattern === undefined) {
    pattern = new Pattern(source, options)
    cachedLength += source.length
    forgetOldest()
  } else {
    // Back to the young end: a Map keeps the order of insertion.
    cache.delete(key)
  }
  cache.set(key, pattern)
  return pattern
}

function forgetOldest(): void {
  for (const [key, { source }] of cache) {
    if (cache.size < maxCached && cachedLength <= maxCachedLength) return
    cache.delete(key)
    cachedLength -= source.length
  }
}
