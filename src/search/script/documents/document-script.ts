/**
 * Scripts that look at documents: those of queries, scores, sorting, fields and aggregations. They see `doc`, `params`
 * with the document under `_source`, and what else there is where they run.
 */
import type { LeafReader } from '../../segment/segment.ts'
import { roundsAtOnce } from '../scope.ts'
import { compileProgram, type Script } from '../script.ts'
import type { ScriptMap, ScriptValue } from '../values.ts'
import { type Current, DocFields, type FieldLookup } from './doc-fields.ts'
import { ExpressionDoc } from './expression-fields.ts'
import { scoreFunctionNames, scoreFunctions } from './score-functions.ts'
import { SourceFields } from './source-fields.ts'

/** Runs for one document; `more` are the values of the further names, in their order. */
export type RunForDocument = (doc: number, ...more: readonly ScriptValue[]) => ScriptValue

export interface DocumentScript {
  readonly script: Script
  /** It has loops, so that one document may take milliseconds. */
  readonly isSlow: boolean
  /** It looks at `_score`. */
  readonly needsScore: boolean
  /** The same function whenever it is asked for a segment. */
  open(leaf: LeafReader): RunForDocument
}

/** `more` are names beside `doc` and `params`. */
export function documentScript(
  script: Script,
  context: FieldLookup,
  more: readonly string[] = [],
): DocumentScript {
  const makesScores = more.includes('_score')
  const names = ['doc', 'params', ...more, ...(makesScores ? scoreFunctionNames : [])]
  const program = compileProgram(script, names, roundsAtOnce)
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
