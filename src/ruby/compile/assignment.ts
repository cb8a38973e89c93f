/**
 * Assignments: `=`, `+=` and the like, `||=`, `&&=`, several at once.
 */
import {
  type BlockArgumentNode,
  CallAndWriteNode,
  CallOperatorWriteNode,
  CallOrWriteNode,
  ClassVariableAndWriteNode,
  ClassVariableOperatorWriteNode,
  ClassVariableOrWriteNode,
  ClassVariableWriteNode,
  ConstantAndWriteNode,
  ConstantOperatorWriteNode,
  ConstantOrWriteNode,
  ConstantWriteNode,
  GlobalVariableAndWriteNode,
  GlobalVariableOperatorWriteNode,
  GlobalVariableOrWriteNode,
  GlobalVariableWriteNode,
  IndexAndWriteNode,
  IndexOperatorWriteNode,
  IndexOrWriteNode,
  InstanceVariableAndWriteNode,
  InstanceVariableOperatorWriteNode,
  InstanceVariableOrWriteNode,
  InstanceVariableWriteNode,
  LocalVariableAndWriteNode,
  LocalVariableOperatorWriteNode,
  LocalVariableOrWriteNode,
  LocalVariableWriteNode,
  MultiWriteNode,
  type Node,
} from '@ruby/prism/src/nodes.js'
import { send } from '../dispatch.ts'
import type { RubyValue } from '../ruby-class.ts'
import { truthy } from '../values.ts'
import { compileList } from './literals.ts'
import { operate } from './operators.ts'
import type { Run, Scope } from './scope.ts'
import { compile, on } from './unit.ts'
import { compileTargets, readLocal, type Write, writeConstant, writeLocal, writeShared } from './variables.ts'

function assign(write: Write, value: Run): Run {
  return (frame) => {
    const assigned = value(frame)
    write(frame, assigned)
    return assigned
  }
}

on(LocalVariableWriteNode, (node, scope) => {
  const value = compile(node.value, scope)
  const place = scope.outer(node.depth).place(node.name)
  if (node.depth === 0) return (frame) => (frame.vars[place] = value(frame))
  return assign(writeLocal(scope, node.name, node.depth), value)
})
on(InstanceVariableWriteNode, (node, scope) =>
  assign(writeShared(scope, node.name), compile(node.value, scope)),
)
on(GlobalVariableWriteNode, (node, scope) =>
  assign(writeShared(scope, node.name), compile(node.value, scope)),
)
on(ClassVariableWriteNode, (node, scope) => assign(writeShared(scope, node.name), compile(node.value, scope)))
on(ConstantWriteNode, (node, scope) => assign(writeConstant(scope, node.name), compile(node.value, scope)))

on(MultiWriteNode, (node, scope) => {
  const write = compileTargets(node, scope)
  return assign(write, compile(node.value, scope))
})

// ------------------------------------------------------------------------------- `||=`, `&&=`, `+=` on variables

/** A variable or constant that is read and written again. */
interface Place {
  readonly read: Run
  readonly write: Write
}

function either({ read, write }: Place, value: Run, replaces: (old: RubyValue) => boolean): Run {
  return (frame) => {
    const old = read(frame)
    if (!replaces(old)) return old
    const assigned = value(frame)
    write(frame, assigned)
    return assigned
  }
}

const falsy = (value: RubyValue): boolean => !truthy(value)

function operator({ read, write }: Place, node: OperatorNode, scope: Scope): Run {
  const apply = operate(node.binaryOperator, scope, node)
  const value = compile(node.value, scope)
  return (frame) => {
    const assigned = apply(read(frame), value(frame))
    write(frame, assigned)
    return assigned
  }
}

/** Without the error that reading an unset class variable or constant is. */
function readShared(scope: Scope, name: string): Run {
  const { main, globals, classVariables, constants } = scope.unit.program
  const table = name.startsWith('$')
    ? globals
    : name.startsWith('@@')
      ? classVariables
      : name.startsWith('@')
        ? main.variables
        : constants
  return () => table.get(name) ?? null
}

type NamedNode = Node & { name: string; value: Node }
type OperatorNode = NamedNode & { binaryOperator: string }

function local({ name, depth }: NamedNode & { depth: number }, scope: Scope): Place {
  return { read: readLocal(scope, name, depth), write: writeLocal(scope, name, depth) }
}

function shared({ name }: NamedNode, scope: Scope): Place {
  return { read: readShared(scope, name), write: writeShared(scope, name) }
}

function constant({ name }: NamedNode, scope: Scope): Place {
  return { read: readShared(scope, name), write: writeConstant(scope, name) }
}

on(LocalVariableOrWriteNode, (node, scope) => either(local(node, scope), compile(node.value, scope), falsy))
on(LocalVariableAndWriteNode, (node, scope) => either(local(node, scope), compile(node.value, scope), truthy))
on(LocalVariableOperatorWriteNode, (node, scope) => operator(local(node, scope), node, scope))

for (const type of [InstanceVariableOrWriteNode, GlobalVariableOrWriteNode, ClassVariableOrWriteNode]) {
  on<NamedNode>(type as never, (node, scope) =>
    either(shared(node, scope), compile(node.value, scope), falsy),
  )
}
for (const type of [InstanceVariableAndWriteNode, GlobalVariableAndWriteNode, ClassVariableAndWriteNode]) {
  on<NamedNode>(type as never, (node, scope) =>
    either(shared(node, scope), compile(node.value, scope), truthy),
  )
}
for (const type of [
  InstanceVariableOperatorWriteNode,
  GlobalVariableOperatorWriteNode,
  ClassVariableOperatorWriteNode,
]) {
  on<OperatorNode>(type as never, (node, scope) => operator(shared(node, scope), node, scope))
}
on(ConstantOrWriteNode, (node, scope) => either(constant(node, scope), compile(node.value, scope), falsy))
on(ConstantAndWriteNode, (node, scope) => either(constant(node, scope), compile(node.value, scope), truthy))
on(ConstantOperatorWriteNode, (node, scope) => operator(constant(node, scope), node, scope))

// -------------------------------------------------------------------------------- on elements and attributes

interface IndexNode {
  receiver: Node | null
  arguments_: { arguments_: Node[] } | null
  block: BlockArgumentNode | null
  value: Node
}

/** What becomes of an old value; undefined means: leave it. */
type Change = (old: RubyValue, value: () => RubyValue) => RubyValue | undefined

/** Receiver and index are evaluated once. */
function changeElement(node: IndexNode & Node, scope: Scope, change: Change): Run {
  const receiver = compile(node.receiver, scope)
  const args = compileList(node.arguments_?.arguments_ ?? [], scope)
  const value = compile(node.value, scope)
  return (frame) => {
    const owner = receiver(frame)
    const index = args(frame)
    const old = send(owner, '[]', [...index])
    const changed = change(old, () => value(frame))
    if (changed === undefined) return old
    send(owner, '[]=', [...index, changed])
    return changed
  }
}

const orWrite: Change = (old, value) => (truthy(old) ? undefined : value())
const andWrite: Change = (old, value) => (truthy(old) ? value() : undefined)

on(IndexOrWriteNode, (node, scope) => changeElement(node, scope, orWrite))
on(IndexAndWriteNode, (node, scope) => changeElement(node, scope, andWrite))
on(IndexOperatorWriteNode, (node, scope) => {
  const apply = operate(node.binaryOperator, scope, node)
  return changeElement(node, scope, (old, value) => apply(old, value()))
})

interface AttributeNode {
  receiver: Node | null
  readName: string
  writeName: string
  value: Node
  isSafeNavigation(): boolean
}

function changeAttribute(node: AttributeNode & Node, scope: Scope, change: Change): Run {
  const receiver = compile(node.receiver, scope)
  const value = compile(node.value, scope)
  const safe = node.isSafeNavigation()
  return (frame) => {
    const owner = receiver(frame)
    if (safe && owner === null) return null
    const old = send(owner, node.readName)
    const changed = change(old, () => value(frame))
    if (changed === undefined) return old
    send(owner, node.writeName, [changed])
    return changed
  }
}

on(CallOrWriteNode, (node, scope) => changeAttribute(node, scope, orWrite))
on(CallAndWriteNode, (node, scope) => changeAttribute(node, scope, andWrite))
on(CallOperatorWriteNode, (node, scope) => {
  const apply = operate(node.binaryOperator, scope, node)
  return changeAttribute(node, scope, (old, value) => apply(old, value()))
})
