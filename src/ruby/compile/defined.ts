/**
 * `defined?(…)`: what an expression is, without running it.
 */
import {
  CallNode,
  ClassVariableReadNode,
  ConstantPathNode,
  ConstantReadNode,
  DefinedNode,
  FalseNode,
  GlobalVariableReadNode,
  InstanceVariableReadNode,
  LocalVariableReadNode,
  LocalVariableWriteNode,
  NilNode,
  type Node,
  ParenthesesNode,
  SelfNode,
  StatementsNode,
  TrueNode,
  YieldNode,
} from '@ruby/prism/src/nodes.js'
import { functions } from '../core/kernel.ts'
import { findMethod } from '../dispatch.ts'
import { asException } from '../errors.ts'
import type { Run, Scope } from './scope.ts'
import { compile, on } from './unit.ts'
import { knownConstant } from './variables.ts'

on(DefinedNode, (node, scope) => describe(node.value, scope))

function describe(node: Node, scope: Scope): Run {
  const { program } = scope.unit
  if (node instanceof ParenthesesNode && node.body instanceof StatementsNode && node.body.body.length === 1) {
    return describe(node.body.body[0]!, scope)
  }
  if (node instanceof LocalVariableReadNode) return () => 'local-variable'
  if (node instanceof LocalVariableWriteNode) return () => 'assignment'
  if (node instanceof NilNode || node instanceof TrueNode || node instanceof FalseNode)
    return () => 'expression'
  if (node instanceof SelfNode) return () => 'self'
  if (node instanceof YieldNode) return (frame) => (frame.activation.block === null ? null : 'yield')
  if (node instanceof InstanceVariableReadNode) {
    return () => (program.main.variables.has(node.name) ? 'instance-variable' : null)
  }
  if (node instanceof ClassVariableReadNode) {
    return () => (program.classVariables.has(node.name) ? 'class variable' : null)
  }
  if (node instanceof GlobalVariableReadNode)
    return () => (program.globals.has(node.name) ? 'global-variable' : null)
  if (node instanceof ConstantReadNode || node instanceof ConstantPathNode) {
    const known = knownConstant(node, program) !== undefined
    return () => (known || (node.name !== null && program.constants.has(node.name)) ? 'constant' : null)
  }
  if (node instanceof CallNode) return describeCall(node, scope)
  return () => 'expression'
}

function describeCall(node: CallNode, scope: Scope): Run {
  const { main } = scope.unit.program
  const { name } = node
  if (node.receiver === null) {
    return () => (functions.has(name) || findMethod(main, name) !== undefined ? 'method' : null)
  }
  const before = scope.unit.problems.length
  const receiver = compile(node.receiver, scope)
  // What cannot be compiled is not defined.
  if (scope.unit.problems.length > before) {
    scope.unit.problems.length = before
    return () => null
  }
  return (frame) => {
    try {
      return findMethod(receiver(frame), name) === undefined ? null : 'method'
    } catch (error) {
      if (asException(error) === undefined) throw error
      return null
    }
  }
}
