/**
 * Scripts that run per document: in queries, scores, sorts, fields and aggregations. They see `doc`, `params`
 * with `_source`, and further variables of their context.
 */
import type { LeafReader } from '../../segment/segment.ts'
import { maxRoundsPerDocument } from '../scope.ts'
import { compileProgram, type Script } from '../script.ts'
import type { ScriptMap, ScriptValue } from '../values.ts'
import { type Current, DocFields, type FieldLookup } from './doc-fields.ts'
import { ExpressionDoc } from './expression-fields.ts'
import { scoreFunctionNames, scoreFunctions } from './score-functions.ts'
import { SourceFields } from './source-fields.ts'

/** Runs for one document; `more` are the values of the further variables, in order. */
type RunForDocument = (doc: number, ...more: readonly ScriptValue[]) => ScriptValue

export interface DocumentScript {
  readonly script: Script
  /** True when it has loops, so that one document may take milliseconds. */
  readonly isSlow: boolean
  /** True when it reads `_score`. */
  readonly needsScore: boolean
  /** Returns the same function for every call with a segment. */
  open(leaf: LeafReader): RunForDocument
}

/** `more` are the variables besides `doc` and `params`. */
export function documentScript(
  script: Script,
  context: FieldLookup,
  more: readonly string[] = [],
): DocumentScript {
  const makesScores = more.includes('_score')
  const names = ['doc', 'params', ...more, ...(makesScores ? scoreFunctionNames : [])]
  const program = compileProgram(script, names, maxRoundsPerDocument)
  const opened = new WeakMap<LeafReader, RunForDocument>()
  const openOn = (leaf: LeafReader): RunForDocument => {
    const current: Current = { doc: 0 }
    const doc = new DocFields(context, leaf, current)
    const params: ScriptMap = new Map(script.params)
    params.set('_source', new SourceFields(leaf.segment, current))
    const globals = new Map<string, ScriptValue>([
      ['doc', script.lang === 'expression' ? new ExpressionDoc(doc) : doc],
      ['params', params],
      ...(makesScores ? scoreFunctions(leaf, context, current) : []),
    ])
    return (number, ...values) => {
      current.doc = number
      for (let i = 0; i < more.length; i++) globals.set(more[i]!, values[i] ?? null)
      return program.run(globals)
    }
  }
  return {
    script,
    isSlow: program.mayLoop,
    needsScore: program.names.has('_score'),
    open(leaf) {
      let run = opened.get(leaf)
      if (run === undefined) opened.set(leaf, (run = openOn(leaf)))
      return run
    },
  }
}
