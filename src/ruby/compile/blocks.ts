/**
 * Blocks, lambdas and methods: a body with parameters becomes a proc that makes a frame for each call.
 */
import { BlockNode, DefNode, LambdaNode, type Node, YieldNode } from '@ruby/prism/src/nodes.js'
import { localJumpError, raise } from '../errors.ts'
import { Proc } from '../proc.ts'
import type { RubyValue } from '../ruby-class.ts'
import { runtime, tick } from '../runtime.ts'
import { RubySymbol } from '../values.ts'
import { breakSignal, Jump, jump, Signal } from './jump.ts'
import { compileList } from './literals.ts'
import { compileParameters } from './parameters.ts'
import { Activation, Frame, type Run, Scope } from './scope.ts'
import { compile, on } from './unit.ts'

export interface CompiledBlock {
  /** The block for one call. */
  make(frame: Frame): Proc
  /** Whether the call has to catch a `break`. */
  readonly breaks: boolean
}

interface BlockLike {
  locals: string[]
  parameters: Node | null
  body: Node | null
}

export function compileBlock(node: BlockLike, outer: Scope, isLambda: boolean): CompiledBlock {
  const scope = new Scope(isLambda ? 'lambda' : 'block', outer.unit, outer, node.locals)
  const { bind, arity, simple } = compileParameters(node.parameters, scope, isLambda)
  const body = settle(compile(node.body, scope, true), scope)
  // Parameters may have declared further places.
  const only = simple?.length === 1 && !isLambda ? simple[0]! : null
  const enter = (parent: Frame, self: Proc | null): Frame => {
    tick()
    const frame = new Frame(
      scope.size,
      parent,
      isLambda ? new Activation(parent.activation.block) : parent.activation,
    )
    frame.proc = self
    return frame
  }
  return {
    breaks: scope.thrown.break,
    make: (parent) => {
      const invoke = (args: RubyValue[], block: Proc | null): RubyValue => {
        const frame = enter(parent, proc)
        bind(frame, args, block)
        return body(frame)
      }
      const proc: Proc = new Proc(
        invoke,
        arity,
        isLambda,
        only === null
          ? undefined
          : (value) => {
              const frame = enter(parent, proc)
              frame.vars[only] = value
              return body(frame)
            },
      )
      return proc
    },
  }
}

/** Ends jumps that go to this scope: `next` in a block, `return` in a lambda or method. */
export function settle(body: Run, scope: Scope): Run {
  const { thrown } = scope
  const ends = scope.signals > 0 ? endSignals(body) : body
  const isHome = scope.kind !== 'block'
  if (!thrown.next && !(isHome && thrown.return) && !(scope.kind === 'lambda' && thrown.break)) return ends
  return (frame) => {
    try {
      return ends(frame)
    } catch (error) {
      if (!(error instanceof Jump)) throw error
      if (error.kind === 'next' && error.target === frame) return error.value
      if (isHome && error.kind === 'return' && error.target === frame.activation) return error.value
      if (scope.kind === 'lambda' && error.kind === 'break' && error.target === frame.proc) return error.value
      throw error
    }
  }
}

function endSignals(body: Run): Run {
  return (frame) => {
    const result = body(frame)
    if (!(result instanceof Signal)) return result
    if (result === breakSignal) raise(localJumpError, 'break from proc-closure')
    return jump.value
  }
}

on(LambdaNode, (node, scope) => {
  const { make } = compileBlock(node, scope, true)
  return make
})

on(DefNode, (node, scope) => {
  const { unit } = scope
  if (node.receiver !== null)
    return unit.unsupported(node, `a method of one object (\`def self.${node.name}\`)`)
  const { name } = node
  const inner = new Scope('method', unit, null, node.locals, name)
  const { bind } = compileParameters(node.parameters, inner, true)
  const body = settle(compile(node.body, inner, true), inner)
  const { rubyClass } = unit.program.main
  const method = {
    name,
    min: 0,
    max: Number.POSITIVE_INFINITY,
    call: (_: RubyValue, args: RubyValue[], block: Proc | null): RubyValue => {
      tick()
      const frame = new Frame(inner.size, null, new Activation(block))
      const { match } = runtime
      bind(frame, args, block)
      try {
        return body(frame)
      } finally {
        runtime.match = match
      }
    },
  }
  const symbol = new RubySymbol(name)
  return () => {
    rubyClass.add(method)
    return symbol
  }
})

on(YieldNode, (node, scope) => {
  const args = compileList(node.arguments_?.arguments_ ?? [], scope)
  return (frame) => {
    const { block } = frame.activation
    if (block === null) raise(localJumpError, 'no block given (yield)')
    const values = args(frame)
    return values.length === 1 ? block.one(values[0]!) : block.invoke(values, null)
  }
})

export function blockOf(node: Node | null): BlockNode | null {
  return node instanceof BlockNode ? node : null
}
