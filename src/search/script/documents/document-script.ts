/**
 * Scripts that run per document: in queries, scores, sorts, fields and aggregations. They see `doc`, `params`
 * with `_source`, and further variables of their context.
 */
import type { LeafReader } from '../../segment/segment.ts'
import type { ResultType } from '../result-type.ts'
import { maxIterationsPerDocument } from '../scope.ts'
import { compileProgram, type Script } from '../script.ts'
import type { ScriptMap, ScriptValue } from '../values.ts'
import { type Current, DocFields, type FieldLookup } from './doc-fields.ts'
import { ExpressionDoc } from './expression-fields.ts'
import { needsGeneral, numericCondition, numericScript } from './numeric-script.ts'
import { scoreFunctionNames, scoreFunctions } from './score-functions.ts'
import { SourceFields } from './source-fields.ts'
import { vectorScript } from './vector-script.ts'

interface NumberOfDocument {
  (doc: number, score: number): number
  /** Writes the numbers of many documents; NaN for those that have to be asked one by one. */
  all?(docs: Uint32Array, scores: Float32Array, results: Float64Array): void
}

/** Runs for one document; `more` are the values of the further variables, in order. */
type RunForDocument = (doc: number, ...more: readonly ScriptValue[]) => ScriptValue
type RunTyped = (doc: number, result: ResultType | undefined, ...more: readonly ScriptValue[]) => ScriptValue

export interface DocumentScript {
  readonly script: Script
  /** True when it has loops, so that one document may take milliseconds. */
  readonly isSlow: boolean
  /** True when it reads `_score`. */
  readonly needsScore: boolean
  /** `result` is the type that the result must have. */
  open(leaf: LeafReader, result?: ResultType): RunForDocument
  /** Like `open`, for a result that must be a number; `score` is that of the document. */
  openNumber(leaf: LeafReader): NumberOfDocument
  /** Like `open`, for a result that must be a condition. */
  openCondition(leaf: LeafReader): (doc: number) => boolean
}

/** `more` are the variables besides `doc` and `params`. */
export function documentScript(
  script: Script,
  context: FieldLookup,
  more: readonly string[] = [],
): DocumentScript {
  const makesScores = more.includes('_score')
  const names = ['doc', 'params', ...more, ...(makesScores ? scoreFunctionNames : [])]
  const program = compileProgram(script, names, maxIterationsPerDocument)
  const opened = new WeakMap<LeafReader, RunTyped>()
  const openOn = (leaf: LeafReader): RunTyped => {
    const current: Current = { doc: 0 }
    const doc = new DocFields(context, leaf, current)
    const params: ScriptMap = new Map(script.params)
    params.set('_source', new SourceFields(leaf.segment, current))
    const globals = new Map<string, ScriptValue>([
      ['doc', script.lang === 'expression' ? new ExpressionDoc(doc) : doc],
      ['params', params],
      ...(makesScores ? scoreFunctions(leaf, context, current) : []),
    ])
    return (number, result, ...values) => {
      current.doc = number
      for (let i = 0; i < more.length; i++) globals.set(more[i]!, values[i] ?? null)
      return program.run(globals, result)
    }
  }
  const openTyped = (leaf: LeafReader): RunTyped => {
    let run = opened.get(leaf)
    if (run === undefined) opened.set(leaf, (run = openOn(leaf)))
    return run
  }
  const { plan } = program
  const numbers = new WeakMap<LeafReader, NumberOfDocument>()
  const openNumberOn = (leaf: LeafReader): NumberOfDocument => {
    const runGeneral = openTyped(leaf)
    const general = (doc: number, score: number) => Number(runGeneral(doc, 'double', score))
    if (plan === undefined) return general
    const score = { value: 0 }
    const { params } = script
    const values = { leaf, fields: context, params, score: makesScores ? score : undefined }
    const compute = numericScript(plan, values)
    if (compute === undefined) return general
    const run = (doc: number, own: number): number => {
      score.value = own
      try {
        return compute(doc)
      } catch (error) {
        if (error !== needsGeneral) throw error
        return general(doc, own)
      }
    }
    const all = vectorScript(plan, values)
    return all === undefined ? run : Object.assign(run, { all })
  }
  return {
    script,
    isSlow: program.mayLoop,
    needsScore: program.names.has('_score'),
    open(leaf, result) {
      const run = openTyped(leaf)
      return (doc, ...values) => run(doc, result, ...values)
    },
    openNumber(leaf) {
      let run = numbers.get(leaf)
      if (run === undefined) numbers.set(leaf, (run = openNumberOn(leaf)))
      return run
    },
    openCondition(leaf) {
      const run = openTyped(leaf)
      const general = (doc: number) => run(doc, 'boolean') === true
      const values = { leaf, fields: context, params: script.params, score: undefined }
      const compute = plan === undefined ? undefined : numericCondition(plan, values)
      if (compute === undefined) return general
      return (doc) => {
        try {
          return compute(doc) !== 0
        } catch (error) {
          if (error !== needsGeneral) throw error
          return general(doc)
        }
      }
    },
  }
}
