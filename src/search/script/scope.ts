/** The variables of a running script and its work limit, which follows Painless's loop counter. */
import { ScriptFailure, type ScriptValue } from './values.ts'

export interface Scope {
  /** By name: `params`, `doc`, `ctx` and others of the context. */
  readonly globals: ReadonlyMap<string, ScriptValue>
  readonly locals: ScriptValue[]
  /** The loop iterations left for the whole script. */
  readonly budget: { iterations: number }
  /** The depth of function calls. */
  readonly depth: number
  /** What runs now, for the errors of it. */
  readonly place: Place
}

interface Place {
  /** Where it stands in the script. */
  at: number
  /** True when the value was an `int` of the script; all others are longs. */
  isInt: boolean
}

const maxIterations = 1_000_000
/** The limit for one document of a search, which must not block other requests. */
export const maxIterationsPerDocument = 100_000
/** List members or characters that count as one iteration when all are visited. */
const membersPerIteration = 64

export function newScope(globals: ReadonlyMap<string, ScriptValue>, iterations = maxIterations): Scope {
  return { globals, locals: [], budget: { iterations }, depth: 0, place: { at: 0, isInt: false } }
}

/** The maximum depth of function calls. */
const maxDepth = 200

/** Runs a function of the script in a scope of its own. */
export function inFunction<Result>(
  scope: Scope,
  locals: ScriptValue[],
  run: (inner: Scope) => Result,
): Result {
  if (scope.depth >= maxDepth) throw new ScriptFailure('stack_overflow_error', 'called too deeply')
  countIterations(scope)
  const { globals, budget, place } = scope
  return run({ globals, locals, budget, depth: scope.depth + 1, place })
}

export function countIterations(scope: Scope, iterations = 1): void {
  scope.budget.iterations -= iterations
  if (scope.budget.iterations < 0)
    throw new ScriptFailure(
      'painless_error',
      'The maximum number of statements that can be executed in a loop has been reached.',
    )
}

/** Charges for an operation that visits all of a value. */
export function chargeForSize(scope: Scope, value: ScriptValue): void {
  const size = sizeOf(value)
  if (size > membersPerIteration) countIterations(scope, Math.floor(size / membersPerIteration))
}

function sizeOf(value: ScriptValue): number {
  if (typeof value === 'string' || Array.isArray(value)) return value.length
  return value instanceof Map || value instanceof Set ? value.size : 0
}
