/**
 * How OpenSearch prints and explains `function_score` and `script_score`: each function that applies, their combination,
 * and the limit on it. Functions are printed as Java objects; the number after `@` stands for the address of one.
 */
import { javaObject } from '../../../../text/java-hash.ts'
import type { LeafReader } from '../../../segment/segment.ts'
import { type Explanation, explained, floatText, unmatched } from '../explanation.ts'
import type { Query } from '../query.ts'
import type { BoostMode, FilteredFunction, FunctionScoreSettings, ScoreMode } from './function-score-query.ts'

export interface ShownFunction {
  /** The class of the function: `RandomScoreFunction`. */
  readonly className: string
  /** Explains the value of a document. */
  explain(leaf: LeafReader, doc: number, value: number): Explanation
}

const functionPackage = 'org.opensearch.common.lucene.search.function'

export function functionText(
  { filter, weight, scriptText, shown }: FilteredFunction,
  text: (query: Query) => string,
): string {
  const inside = filter === undefined ? '' : text(filter)
  const object = (name: string) => javaObject(name, `${inside} ${weight} ${scriptText} ${shown?.className}`)
  if (filter !== undefined) return object(`${functionPackage}.FunctionScoreQuery$FilterScoreFunction`)
  if (weight !== undefined) return object(`${functionPackage}.WeightFactorFunction`)
  if (scriptText !== undefined) return `script${scriptText}`
  return object(shown?.className ?? `${functionPackage}.WeightFactorFunction`)
}

/** The explanation with the `_name` of its query. */
export function withName(explanation: Explanation, name: string | undefined): Explanation {
  if (name === undefined || name === '') return explanation
  return { ...explanation, description: `${explanation.description} (_name: ${name})` }
}

interface Place {
  readonly leaf: LeafReader
  readonly doc: number
  /** Which functions apply to the document. */
  readonly applies: readonly boolean[]
}

export function functionScoreExplanation(
  settings: FunctionScoreSettings,
  inner: Explanation,
  boost: number,
  place: Place,
): Explanation {
  const { minScore, isScriptScore = false } = settings
  const whole = isScriptScore
    ? scriptScore(settings, inner, boost, place)
    : functionScore(settings, inner, place)
  if (minScore === undefined || minScore <= whole.value) return whole
  const reason = `Score value is too low, expected at least ${floatText(minScore)} but got ${floatText(whole.value)}`
  return unmatched(reason, [whole])
}

function scriptScore(
  { functions }: FunctionScoreSettings,
  inner: Explanation,
  boost: number,
  { leaf, doc }: Place,
): Explanation {
  const { scriptText = '', score } = functions[0]!
  const value = Math.fround(score?.(leaf)(doc, inner.value) ?? 1)
  const own = explained(inner.value, '_score: ', [inner])
  const plain = explained(value, scriptDescription(scriptText), scriptText.includes('_score') ? [own] : [])
  if (boost === 1) return plain
  return explained(Math.fround(boost * value), 'Boosted score, product of:', [
    explained(boost, 'boost'),
    plain,
  ])
}

function functionScore(
  { functions, scoreMode, boostMode, maxBoost }: FunctionScoreSettings,
  inner: Explanation,
  { leaf, doc, applies }: Place,
): Explanation {
  if (functions.length === 0) return inner
  const applied = functions.filter((_, at) => applies[at])
  const parts = applied.map((one) => {
    const part = functionExplanation(one, leaf, doc, inner)
    if (one.filter === undefined) return part
    const name = one.filterName === undefined ? '' : `(_name: ${one.filterName})`
    const matched = explained(1, `match filter${name}: ${one.filter.lucene}`)
    return explained(part.value, 'function score, product of:', [matched, part])
  })
  const isAlone = functions.length === 1 && functions[0]!.filter === undefined
  const values = parts.map(({ value }) => value)
  const factor = isAlone
    ? parts[0]!
    : parts.length === 0
      ? explained(1, 'No function matched')
      : explained(
          Math.fround(combined(values, applied, scoreMode)),
          `function score, score mode [${scoreMode}]`,
          parts,
        )
  const limit = Math.fround(maxBoost)
  const limited = explained(Math.min(factor.value, limit), 'min of:', [factor, explained(limit, 'maxBoost')])
  if (boostMode === 'replace') return limited
  const value = Math.fround(boosted(inner.value, limited.value, boostMode))
  return explained(value, combinations[boostMode], [inner, limited])
}

/** Java's `Float.MAX_VALUE`: the default of `max_boost`, and the most that it may be. */
export const maxFloat = 3.4028234663852886e38

const combinations: Readonly<Record<Exclude<BoostMode, 'replace'>, string>> = {
  multiply: 'function score, product of:',
  sum: 'sum of',
  avg: 'avg of',
  max: 'max of:',
  min: 'min of',
}

function scriptDescription(text: string): string {
  return `script score function, computed with script:"${text}"`
}

function functionExplanation(
  { score, weight, scriptText, shown }: FilteredFunction,
  leaf: LeafReader,
  doc: number,
  inner: Explanation,
): Explanation {
  const value = score === undefined ? 1 : Math.fround(score(leaf)(doc, inner.value))
  const own = explained(inner.value, '_score: ', [inner])
  const plain =
    score === undefined
      ? explained(1, 'constant score 1.0 - no function provided')
      : scriptText === undefined
        ? (shown?.explain(leaf, doc, value) ?? explained(value, 'function'))
        : explained(value, scriptDescription(scriptText), [own])
  if (weight === undefined) return plain
  return explained(Math.fround(value * Math.fround(weight)), 'product of:', [
    plain,
    explained(weight, 'weight'),
  ])
}

/** The factor of all functions that apply. */
function combined(values: readonly number[], applied: readonly FilteredFunction[], mode: ScoreMode): number {
  const [first = 1] = values
  if (mode === 'first') return first
  if (mode === 'max') return Math.max(...values)
  if (mode === 'min') return Math.min(...values)
  if (mode === 'multiply') return values.reduce((product, value) => product * value, 1)
  const sum = values.reduce((total, value) => total + value, 0)
  if (mode === 'sum') return sum
  const weights = applied.reduce((total, { weight }) => total + (weight ?? 1), 0)
  return weights === 0 ? sum : sum / weights
}

/** The score of a query and the factor of its functions as one. */
export function boosted(own: number, factor: number, mode: BoostMode): number {
  switch (mode) {
    case 'multiply':
      return own * factor
    case 'replace':
      return factor
    case 'sum':
      return own + factor
    case 'avg':
      return (own + factor) / 2
    case 'max':
      return Math.max(own, factor)
    case 'min':
      return Math.min(own, factor)
  }
}
