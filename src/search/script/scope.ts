/** What a script sees while it runs, and how much it may do: as many rounds as Painless lets a loop go. */
import { ScriptFailure, type ScriptValue } from './values.ts'

export interface Scope {
  /** By name: `params`, `doc`, `ctx` and whatever else there is where it runs. */
  readonly globals: ReadonlyMap<string, ScriptValue>
  readonly locals: ScriptValue[]
  /** Of the whole script: how often loops may still go round. */
  readonly budget: { rounds: number }
  /** Functions within functions. */
  readonly depth: number
}

const maxRounds = 1_000_000
/** In a search, for one document: nobody else is served meanwhile. */
export const roundsAtOnce = 100_000
/** Members of a list or characters of a text that count as one round when all are looked at. */
const perRound = 64

export function newScope(globals: ReadonlyMap<string, ScriptValue>, rounds = maxRounds): Scope {
  return { globals, locals: [], budget: { rounds }, depth: 0 }
}

/** Functions of a script may call each other this deep. */
const deepest = 200

/** Runs a function of the script, which has names of its own. */
export function inFunction<Result>(
  scope: Scope,
  locals: ScriptValue[],
  run: (inner: Scope) => Result,
): Result {
  if (scope.depth >= deepest) throw new ScriptFailure('stack_overflow_error', 'called too deeply')
  goRound(scope)
  return run({ globals: scope.globals, locals, budget: scope.budget, depth: scope.depth + 1 })
}

export function goRound(scope: Scope, rounds = 1): void {
  scope.budget.rounds -= rounds
  if (scope.budget.rounds < 0)
    throw new ScriptFailure(
      'painless_error',
      'The maximum number of statements that can be executed in a loop has been reached.',
    )
}

/** For what looks at all there is in a value. */
export function payFor(scope: Scope, value: ScriptValue): void {
  const size = sizeOf(value)
  if (size > perRound) goRound(scope, Math.floor(size / perRound))
}

function sizeOf(value: ScriptValue): number {
  if (typeof value === 'string' || Array.isArray(value)) return value.length
  return value instanceof Map || value instanceof Set ? value.size : 0
}
