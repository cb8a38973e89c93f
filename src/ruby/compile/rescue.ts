/**
 * `begin … rescue … else … ensure … end`, in methods and blocks too. Jumps are no exceptions: they pass through
 * `rescue`, and `ensure` runs on their way.
 */
import { type BeginNode, type RescueNode, SplatNode } from '@ruby/prism/src/nodes.js'
import { toList } from '../arguments.ts'
import { caseEqual } from '../compare.ts'
import { asException, type RubyException, standardError } from '../errors.ts'
import type { RubyValue } from '../ruby-class.ts'
import { runtime, tick } from '../runtime.ts'
import { jump, retrySignal, Signal } from './jump.ts'
import type { Frame, Run, Scope } from './scope.ts'
import { compile } from './unit.ts'
import { compileTarget, type Write } from './variables.ts'

interface Clause {
  readonly classes: (frame: Frame) => RubyValue[]
  readonly write: Write | null
  readonly body: Run
}

export function isStandard(error: unknown): boolean {
  return asException(error)?.rubyClass.inherits(standardError) === true
}

export function compileRescue(node: BeginNode, scope: Scope, signals: boolean): Run {
  const before = scope.signals
  const rescues = node.rescueClause !== null
  const body = scope.unit.tolerating(rescues, () => compile(node.statements, scope, signals))
  const bodyJumps = scope.signals > before
  const clauses = compileClauses(node.rescueClause, scope, signals)
  const otherwise = node.elseClause === null ? null : compile(node.elseClause, scope, signals)
  let run = body
  if (clauses.length > 0 || otherwise !== null) run = withRescue(body, bodyJumps, clauses, otherwise)
  if (node.ensureClause !== null) run = withEnsure(run, compile(node.ensureClause.statements, scope, signals))
  return run
}

function compileClauses(first: RescueNode | null, scope: Scope, signals: boolean): Clause[] {
  const clauses: Clause[] = []
  for (let node = first; node !== null; node = node.subsequent) {
    const runs = node.exceptions.map((one) => ({
      spreads: one instanceof SplatNode,
      run: compile(one instanceof SplatNode ? one.expression : one, scope),
    }))
    clauses.push({
      classes:
        runs.length === 0
          ? () => [standardError]
          : (frame) => runs.flatMap(({ spreads, run }) => (spreads ? toList(run(frame)) : [run(frame)])),
      write: node.reference === null ? null : compileTarget(node.reference, scope),
      body: compile(node.statements, scope, signals),
    })
  }
  return clauses
}

function withRescue(body: Run, bodyJumps: boolean, clauses: Clause[], otherwise: Run | null): Run {
  return (frame) => {
    for (;;) {
      let result: RubyValue
      try {
        result = body(frame)
      } catch (error) {
        const exception = asException(error)
        if (exception === undefined) throw error
        const handled = handle(frame, exception, clauses)
        if (handled === undefined) throw error
        if (handled !== retrySignal) return handled
        tick()
        continue
      }
      if (otherwise === null || (bodyJumps && result instanceof Signal)) return result
      return otherwise(frame)
    }
  }
}

function handle(frame: Frame, exception: RubyException, clauses: Clause[]): RubyValue | undefined {
  for (const { classes, write, body } of clauses) {
    if (!classes(frame).some((one) => caseEqual(one, exception))) continue
    const outer = runtime.error
    runtime.error = exception
    try {
      write?.(frame, exception)
      return body(frame)
    } finally {
      runtime.error = outer
    }
  }
  return undefined
}

function withEnsure(body: Run, cleanup: Run): Run {
  return (frame) => {
    let result: RubyValue
    try {
      result = body(frame)
    } catch (error) {
      const signal = cleanup(frame)
      if (signal instanceof Signal) return signal
      throw error
    }
    const { value } = jump
    const signal = cleanup(frame)
    if (signal instanceof Signal) return signal
    jump.value = value
    return result
  }
}
