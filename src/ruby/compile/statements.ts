/**
 * Statements in a row, conditions, loops, jumps, `begin … rescue … ensure`.
 */
import {
  AndNode,
  type ArgumentsNode,
  BeginNode,
  BreakNode,
  CallNode,
  CaseNode,
  DefinedNode,
  ElseNode,
  ForNode,
  IfNode,
  NextNode,
  type Node,
  OrNode,
  ProgramNode,
  RescueModifierNode,
  RetryNode,
  ReturnNode,
  SplatNode,
  StatementsNode,
  UnlessNode,
  UntilNode,
  type WhenNode,
  WhileNode,
} from '@ruby/prism/src/nodes.js'
import { toList } from '../arguments.ts'
import { caseEqual } from '../compare.ts'
import { itemsOf } from '../core/items.ts'
import { asException } from '../errors.ts'
import type { RubyValue } from '../ruby-class.ts'
import { runtime, tick } from '../runtime.ts'
import { truthy } from '../values.ts'
import { breakSignal, Jump, jump, nextSignal, retrySignal, returnSignal, Signal } from './jump.ts'
import { compileList } from './literals.ts'
import { compileRescue, isStandard } from './rescue.ts'
import type { Frame, Run, Scope } from './scope.ts'
import { compile, on } from './unit.ts'
import { compileTarget } from './variables.ts'

on(ProgramNode, (node, scope, signals) => compile(node.statements, scope, signals))

on(StatementsNode, (node, scope, signals) => sequence(node.body, scope, signals))
on(ElseNode, (node, scope, signals) => compile(node.statements, scope, signals))

/** Only statements that can end in a signal are looked at. */
function sequence(body: Node[], scope: Scope, signals: boolean): Run {
  const steps = body.map((node) => {
    const before = scope.signals
    const run = compile(node, scope, signals)
    return { run, line: scope.unit.source.lineOf(node), mayJump: scope.signals > before }
  })
  const [first, second] = steps
  if (first === undefined) return () => null
  if (second === undefined) {
    const { run, line } = first
    return (frame) => {
      runtime.line = line
      return run(frame)
    }
  }
  const jumps = steps.some(({ mayJump }) => mayJump)
  const last = steps.length - 1
  if (!jumps) {
    return (frame) => {
      for (let i = 0; i < last; i++) {
        const step = steps[i]!
        runtime.line = step.line
        step.run(frame)
      }
      runtime.line = steps[last]!.line
      return steps[last]!.run(frame)
    }
  }
  return (frame) => {
    for (let i = 0; i < last; i++) {
      const { run, line, mayJump } = steps[i]!
      runtime.line = line
      const result = run(frame)
      if (mayJump && result instanceof Signal) return result
    }
    runtime.line = steps[last]!.line
    return steps[last]!.run(frame)
  }
}

// ----------------------------------------------------------------------------------------------- conditions

/** `x.respond_to?(:y)` or `defined?(y)` stands before the branches. */
function asksForMethods(node: Node): boolean {
  if (node instanceof DefinedNode) return true
  if (node instanceof CallNode && node.name === 'respond_to?') return true
  return node.compactChildNodes().some((child) => asksForMethods(child as Node))
}

on(IfNode, (node, scope, signals) => {
  const condition = compile(node.predicate, scope)
  const asks = asksForMethods(node.predicate)
  const yes = scope.unit.tolerating(asks, () => compile(node.statements, scope, signals))
  const no = scope.unit.tolerating(asks, () => compile(node.subsequent, scope, signals))
  return (frame) => {
    const value = condition(frame)
    return value !== null && value !== false ? yes(frame) : no(frame)
  }
})

on(UnlessNode, (node, scope, signals) => {
  const condition = compile(node.predicate, scope)
  const asks = asksForMethods(node.predicate)
  const yes = scope.unit.tolerating(asks, () => compile(node.statements, scope, signals))
  const no = scope.unit.tolerating(asks, () => compile(node.elseClause, scope, signals))
  return (frame) => (truthy(condition(frame)) ? no(frame) : yes(frame))
})

on(AndNode, (node, scope, signals) => {
  const left = compile(node.left, scope)
  const right = scope.unit.tolerating(asksForMethods(node.left), () => compile(node.right, scope, signals))
  return (frame) => {
    const value = left(frame)
    return value !== null && value !== false ? right(frame) : value
  }
})

on(OrNode, (node, scope, signals) => {
  const left = compile(node.left, scope)
  const right = compile(node.right, scope, signals)
  return (frame) => {
    const value = left(frame)
    return value !== null && value !== false ? value : right(frame)
  }
})

type Test = (frame: Frame, value: RubyValue) => boolean

function compileTests(conditions: Node[], scope: Scope, hasValue: boolean): Test[] {
  return conditions.map((condition): Test => {
    if (condition instanceof SplatNode) {
      const list = compile(condition.expression, scope)
      return (frame, value) =>
        toList(list(frame)).some((pattern) => (hasValue ? caseEqual(pattern, value) : truthy(pattern)))
    }
    const run = compile(condition, scope)
    return hasValue ? (frame, value) => caseEqual(run(frame), value) : (frame) => truthy(run(frame))
  })
}

on(CaseNode, (node, scope, signals) => {
  const predicate = compile(node.predicate, scope)
  const hasValue = node.predicate !== null
  const branches = node.conditions.map((branch) => {
    const when = branch as WhenNode
    return {
      tests: compileTests(when.conditions, scope, hasValue),
      body: compile(when.statements, scope, signals),
    }
  })
  const otherwise = compile(node.elseClause, scope, signals)
  return (frame) => {
    const value = predicate(frame)
    for (const { tests, body } of branches) {
      for (const test of tests) if (test(frame, value)) return body(frame)
    }
    return otherwise(frame)
  }
})

// ---------------------------------------------------------------------------------------------------- loops

/** Compiles the body of a `while` or `for`, whose `break` and `next` are its own. */
function loopBody(statements: Node | null, scope: Scope, signals: boolean): { body: Run; throws: boolean } {
  const kept = { ...scope.thrown }
  scope.thrown.next = false
  scope.thrown.break = false
  scope.loops++
  const outer = scope.throwsReturn
  scope.throwsReturn ||= !signals
  const body = compile(statements, scope, true)
  scope.throwsReturn = outer
  scope.loops--
  const throws = scope.thrown.next || scope.thrown.break
  scope.thrown.next = kept.next
  scope.thrown.break = kept.break
  return { body, throws }
}

/** One turn: a signal, or any value to go on. */
function turnOf({ body, throws }: { body: Run; throws: boolean }): Run {
  if (!throws) return body
  return (frame) => {
    try {
      return body(frame)
    } catch (error) {
      if (!(error instanceof Jump) || error.target !== frame) throw error
      if (error.kind === 'next') return null
      if (error.kind !== 'break') throw error
      jump.value = error.value
      return breakSignal
    }
  }
}

function compileWhile(node: WhileNode | UntilNode, scope: Scope, wanted: boolean, signals: boolean): Run {
  const condition = compile(node.predicate, scope)
  const turn = turnOf(loopBody(node.statements, scope, signals))
  const testsLast = node.isBeginModifier()
  return (frame) => {
    let first = testsLast
    for (;;) {
      if (!first && truthy(condition(frame)) !== wanted) return null
      first = false
      tick()
      const result = turn(frame)
      if (result === breakSignal) return jump.value
      if (result === returnSignal || result === retrySignal) return result
    }
  }
}

on(WhileNode, (node, scope, signals) => compileWhile(node, scope, true, signals))
on(UntilNode, (node, scope, signals) => compileWhile(node, scope, false, signals))

on(ForNode, (node, scope, signals) => {
  const write = compileTarget(node.index, scope)
  const collection = compile(node.collection, scope)
  const turn = turnOf(loopBody(node.statements, scope, signals))
  return (frame) => {
    const value = collection(frame)
    const items = itemsOf(value)
    for (let i = 0; i < items.length; i++) {
      tick()
      write(frame, items[i]!)
      const result = turn(frame)
      if (result === breakSignal) return jump.value
      if (result === returnSignal || result === retrySignal) return result
    }
    return value
  }
})

// ---------------------------------------------------------------------------------------------------- jumps

/** Several values are a list, none is nil. */
function jumpValue(args: ArgumentsNode | null, scope: Scope): Run {
  const nodes = args?.arguments_ ?? []
  if (nodes.length === 1 && !(nodes[0] instanceof SplatNode)) return compile(nodes[0]!, scope)
  return nodes.length === 0 ? () => null : compileList(nodes, scope)
}

function signal(scope: Scope, value: Run, what: Signal): Run {
  scope.signals++
  return (frame) => {
    jump.value = value(frame)
    return what
  }
}

on(NextNode, (node, scope, signals) => {
  const value = jumpValue(node.arguments_, scope)
  if (signals) return signal(scope, value, nextSignal)
  scope.thrown.next = true
  return (frame) => {
    throw new Jump('next', frame, value(frame))
  }
})

on(BreakNode, (node, scope, signals) => {
  const value = jumpValue(node.arguments_, scope)
  if (scope.loops > 0) {
    if (signals) return signal(scope, value, breakSignal)
    scope.thrown.break = true
    return (frame) => {
      throw new Jump('break', frame, value(frame))
    }
  }
  // Out of a block: the call that was given it ends.
  scope.thrown.break = true
  return (frame) => {
    throw new Jump('break', frame.proc ?? frame, value(frame))
  }
})

on(ReturnNode, (node, scope, signals) => {
  const value = jumpValue(node.arguments_, scope)
  if (signals && scope.kind !== 'block' && !scope.throwsReturn) return signal(scope, value, returnSignal)
  scope.home.thrown.return = true
  return (frame) => {
    throw new Jump('return', frame.activation, value(frame))
  }
})

on(RetryNode, (node, scope, signals) => {
  if (signals) {
    scope.signals++
    return () => retrySignal
  }
  return scope.unit.unsupported(node, '`retry` inside an expression')
})

// ------------------------------------------------------------------------------------------ begin and rescue

on(BeginNode, (node, scope, signals) => compileRescue(node, scope, signals))

on(RescueModifierNode, (node, scope, signals) => {
  const body = scope.unit.tolerating(true, () => compile(node.expression, scope))
  const rescue = compile(node.rescueExpression, scope, signals)
  return rescuing(body, rescue)
})

function rescuing(body: Run, rescue: Run): Run {
  return (frame) => {
    try {
      return body(frame)
    } catch (error) {
      if (!isStandard(error)) throw error
      const outer = runtime.error
      runtime.error = asException(error) ?? null
      try {
        return rescue(frame)
      } finally {
        runtime.error = outer
      }
    }
  }
}
