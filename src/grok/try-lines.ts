/**
 * Tries a grok expression on lines for somebody who is writing it: what each capture took and where, or how far the line
 * matches and which piece fails. All of it has one time budget; lines that are not reached are said to be skipped.
 */

import { PatternTimeout } from '../regex/pattern.ts'
import { type Danger, lintPattern } from '../regex/tree/lint.ts'
import { type CompiledGrok, compileGrok } from './compile.ts'
import { expandGrok } from './expand.ts'
import { type Explanation, GrokExplainer } from './explain.ts'
import { grokLibrary, type PatternSet } from './library/index.ts'
import { suggest } from './suggest.ts'

export interface TryRequest {
  readonly expression: string
  readonly lines: readonly string[]
  readonly set: PatternSet
  /** Patterns of one's own by name. */
  readonly definitions: ReadonlyMap<string, string>
}

interface TriedCapture {
  readonly field: string
  readonly cast: 'int' | 'float' | null
  readonly text: string
  readonly start: number
  readonly end: number
}

type TriedLine =
  | {
      readonly kind: 'match'
      readonly start: number
      readonly end: number
      readonly captures: TriedCapture[]
      readonly micros: number
    }
  | {
      readonly kind: 'failure'
      /** The line matches from here to there. */
      readonly start: number
      readonly stop: number
      /** The failed piece, the failed piece of its definition, and so on inwards. */
      readonly failed: string[]
      readonly suggestion?: { readonly kind: string; readonly expression: string; readonly text: string }
    }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'skipped' }

interface TryResult {
  readonly lines: TriedLine[]
  readonly dangers: readonly Pick<Danger, 'explanation' | 'part' | 'exponential'>[]
}

/** Milliseconds of one search, of one explanation, and of all of it. */
const searchTimeout = 250
const explainBudget = 500
const wholeBudget = 4000
const foundLength = 60

/** Throws a `GrokError` or a `PatternError` for an expression that cannot be used. */
export function tryLines(
  { expression, lines, set, definitions }: TryRequest,
  now = () => performance.now(),
): TryResult {
  const known = new Map([...grokLibrary(set), ...definitions])
  const compiled = compileGrok(expression, known, { timeout: searchTimeout })
  const dangers = lintPattern(expandGrok(expression, known)).map(({ explanation, part, exponential }) => ({
    explanation,
    part: part.slice(0, foundLength),
    exponential,
  }))
  let explainer: GrokExplainer | undefined
  const end = now() + wholeBudget
  const tried = lines.map((line): TriedLine => {
    if (now() > end) return { kind: 'skipped' }
    try {
      const match = matchOf(compiled, line, now)
      if (match !== undefined) return match
    } catch (error) {
      if (error instanceof PatternTimeout) return { kind: 'timeout' }
      throw error
    }
    explainer ??= new GrokExplainer(expression, known, { timeout: searchTimeout, budget: explainBudget })
    return failureOf(explainer, explainer.explain(line), line)
  })
  return { lines: tried, dangers }
}

function matchOf({ pattern }: CompiledGrok, line: string, now: () => number): TriedLine | undefined {
  const places = pattern.offsets(line)
  if (places === null) return undefined
  // A second time: the engine compiles an expression when it first runs, and a filter runs it again and again.
  const before = now()
  pattern.search(line)
  const micros = Math.round((now() - before) * 1000)
  const captures: TriedCapture[] = []
  for (const [name, numbers] of pattern.names) {
    const [first = '', second, type] = name.replace(/:+$/, '').split(':')
    numbers.forEach((number, occurrence) => {
      const place = places[number]
      if (place === undefined) return
      const cast = occurrence === 0 && (type === 'int' || type === 'float') ? type : null
      captures.push({
        field: second ?? first,
        cast,
        text: line.slice(...place),
        start: place[0],
        end: place[1],
      })
    })
  }
  captures.sort((a, b) => a.start - b.start || b.end - a.end)
  const [start, end] = places[0] ?? [0, 0]
  return { kind: 'match', start, end, captures, micros }
}

function failureOf(explainer: GrokExplainer, explanation: Explanation, line: string): TriedLine {
  const { start, stop, failed, culprit } = explanation
  const suggestion = suggest(explainer, explanation, line)
  return {
    kind: 'failure',
    start,
    stop,
    failed: failed.slice(0, culprit + 1).map(({ piece }) => piece.text.slice(0, 500)),
    ...(suggestion !== undefined && {
      suggestion: {
        kind: suggestion.kind,
        expression: suggestion.expression,
        text: suggestion.text.slice(0, foundLength),
      },
    }),
  }
}
