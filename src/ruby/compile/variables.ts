/**
 * Variables and constants: reading, and writing as `write` functions that assignments of every form use.
 */
import {
  BackReferenceReadNode,
  CallTargetNode,
  ClassVariableReadNode,
  ClassVariableTargetNode,
  ConstantPathNode,
  ConstantReadNode,
  ConstantTargetNode,
  GlobalVariableReadNode,
  GlobalVariableTargetNode,
  ImplicitRestNode,
  IndexTargetNode,
  InstanceVariableReadNode,
  InstanceVariableTargetNode,
  ItLocalVariableReadNode,
  LocalVariableReadNode,
  LocalVariableTargetNode,
  MultiTargetNode,
  type Node,
  NumberedReferenceReadNode,
  RequiredParameterNode,
  SplatNode,
} from '@ruby/prism/src/nodes.js'
import { toList } from '../arguments.ts'
import { send } from '../dispatch.ts'
import { nameError, raise } from '../errors.ts'
import { RubyClass, type RubyValue, topConstants } from '../ruby-class.ts'
import { runtime } from '../runtime.ts'
import { compileList } from './literals.ts'
import { type Frame, frameAt, type Run, type Scope } from './scope.ts'
import { compile, on, type ProgramContext } from './unit.ts'

export type Write = (frame: Frame, value: RubyValue) => void

// ------------------------------------------------------------------------------------------ local variables

export function readLocal(scope: Scope, name: string, depth: number): Run {
  const place = scope.outer(depth).place(name)
  if (depth === 0) return (frame) => frame.vars[place]!
  if (depth === 1) return (frame) => frame.parent!.vars[place]!
  return (frame) => frameAt(frame, depth).vars[place]!
}

export function writeLocal(scope: Scope, name: string, depth: number): Write {
  const place = scope.outer(depth).place(name)
  if (depth === 0) {
    return (frame, value) => {
      frame.vars[place] = value
    }
  }
  return (frame, value) => {
    frameAt(frame, depth).vars[place] = value
  }
}

on(LocalVariableReadNode, (node, scope) => readLocal(scope, node.name, node.depth))

/** The parameter without a name; it belongs to the nearest block. */
export const itName = ' it'
on(ItLocalVariableReadNode, (_, scope) => {
  let depth = 0
  for (let at: Scope | null = scope; at !== null && !at.has(itName); at = at.parent) depth++
  return readLocal(scope, itName, depth)
})

// -------------------------------------------------------------------- instance, class and global variables

on(InstanceVariableReadNode, ({ name }, { unit }) => {
  const { variables } = unit.program.main
  return () => variables.get(name) ?? null
})

on(ClassVariableReadNode, ({ name }, { unit }) => {
  const { classVariables, main } = unit.program
  return () => {
    const value = classVariables.get(name)
    if (value === undefined)
      raise(nameError, `uninitialized class variable ${name} in ${main.rubyClass.name}`)
    return value
  }
})

const specialGlobals: Readonly<Record<string, () => RubyValue>> = {
  '$~': () => runtime.match,
  $LAST_MATCH_INFO: () => runtime.match,
  '$!': () => runtime.error,
  $ERROR_INFO: () => runtime.error,
  '$,': () => null,
  '$;': () => null,
  '$/': () => '\n',
}
/** Channels nobody reads under a service: code may print to them. */
const unsupportedGlobals = new Set([
  '$stdin',
  '$stdout',
  '$stderr',
  '$0',
  '$PROGRAM_NAME',
  '$:',
  '$LOAD_PATH',
  '$"',
  '$$',
  '$?',
  '$_',
  '$<',
  '$>',
])

on(GlobalVariableReadNode, (node, { unit }) => {
  const { name } = node
  const special = specialGlobals[name]
  if (special !== undefined) return special
  if (unsupportedGlobals.has(name)) return unit.unsupported(node, `variable \`${name}\``)
  const { globals } = unit.program
  return () => globals.get(name) ?? null
})

on(
  NumberedReferenceReadNode,
  ({ number }) =>
    () =>
      runtime.match?.group(number) ?? null,
)
on(BackReferenceReadNode, ({ name }) => {
  switch (name) {
    case '$&':
      return () => runtime.match?.whole ?? null
    case '$`':
      return () => runtime.match?.text.slice(0, runtime.match.start) ?? null
    case "$'":
      return () => runtime.match?.text.slice(runtime.match.end) ?? null
  }
  return () => runtime.match?.captures().findLast((text) => text !== null) ?? null
})

// ------------------------------------------------------------------------------------------------ constants

/** What a constant is when the code is compiled; undefined when the program sets it itself or nobody knows it. */
export function knownConstant(node: Node | null, program: ProgramContext): RubyValue | undefined {
  if (node instanceof ConstantReadNode) {
    return program.constantNames.has(node.name) ? undefined : topConstants.get(node.name)
  }
  if (node instanceof ConstantPathNode && node.name !== null) {
    if (node.parent === null) return topConstants.get(node.name)
    const parent = knownConstant(node.parent, program)
    return parent instanceof RubyClass ? constantIn(parent, node.name) : undefined
  }
  return undefined
}

function constantIn(owner: RubyClass, name: string): RubyValue | undefined {
  return (
    owner.constants.get(name) ?? (owner.superclass === null ? undefined : constantIn(owner.superclass, name))
  )
}

export function constantName(node: Node | null): string {
  if (node instanceof ConstantReadNode) return node.name
  if (node instanceof ConstantPathNode) {
    return `${node.parent === null ? '' : constantName(node.parent)}::${node.name ?? ''}`
  }
  return '…'
}

on(ConstantReadNode, (node, { unit }) => {
  const { name } = node
  const known = knownConstant(node, unit.program)
  if (known !== undefined) return () => known
  const { constants } = unit.program
  if (!unit.program.constantNames.has(name) && !constants.has(name)) {
    return unit.unsupported(node, `constant \`${name}\``)
  }
  return () =>
    constants.get(name) ?? topConstants.get(name) ?? raise(nameError, `uninitialized constant ${name}`)
})

on(ConstantPathNode, (node, scope) => {
  const known = knownConstant(node, scope.unit.program)
  if (known !== undefined) return () => known
  return scope.unit.unsupported(node, `constant \`${constantName(node)}\``)
})

export function writeConstant({ unit }: Scope, name: string): Write {
  const { constants } = unit.program
  return (_, value) => {
    constants.set(name, value)
  }
}

// -------------------------------------------------------------------------------------------------- targets

/** Variables that belong to the program rather than to a frame. */
export function writeShared(scope: Scope, name: string): Write {
  const { main, globals, classVariables } = scope.unit.program
  const table = name.startsWith('$') ? globals : name.startsWith('@@') ? classVariables : main.variables
  if (name === '$~') {
    return (_, value) => {
      if (value === null) runtime.match = null
    }
  }
  return (_, value) => {
    table.set(name, value)
  }
}

/** The left side of an assignment, in lists and parameters too. */
export function compileTarget(node: Node, scope: Scope): Write {
  if (node instanceof LocalVariableTargetNode) return writeLocal(scope, node.name, node.depth)
  if (node instanceof RequiredParameterNode) return writeLocal(scope, node.name, 0)
  if (
    node instanceof InstanceVariableTargetNode ||
    node instanceof GlobalVariableTargetNode ||
    node instanceof ClassVariableTargetNode
  ) {
    return writeShared(scope, node.name)
  }
  if (node instanceof ConstantTargetNode) return writeConstant(scope, node.name)
  if (node instanceof MultiTargetNode) return compileTargets(node, scope)
  if (node instanceof SplatNode) {
    if (node.expression === null) return () => undefined
    const write = compileTarget(node.expression, scope)
    return (frame, value) => write(frame, toList(value))
  }
  if (node instanceof IndexTargetNode) {
    const receiver = compile(node.receiver, scope)
    const args = compileList(node.arguments_?.arguments_ ?? [], scope)
    return (frame, value) => {
      send(receiver(frame), '[]=', [...args(frame), value])
    }
  }
  if (node instanceof CallTargetNode) {
    const receiver = compile(node.receiver, scope)
    const { name } = node
    return (frame, value) => {
      send(receiver(frame), name, [value])
    }
  }
  scope.unit.unsupported(node, 'this left side of an assignment')
  return () => undefined
}

interface Targets {
  lefts: Node[]
  rest: Node | null
  rights: Node[]
}

/** `a, (b, *c), d = …`: the list is spread over the targets, what is missing is nil. */
export function compileTargets({ lefts, rest, rights }: Targets, scope: Scope): Write {
  const before = lefts.map((node) => compileTarget(node, scope))
  const middle = rest === null || rest instanceof ImplicitRestNode ? null : compileTarget(rest, scope)
  const after = rights.map((node) => compileTarget(node, scope))
  return (frame, value) => {
    const list = spreadable(value)
    for (let i = 0; i < before.length; i++) before[i]!(frame, list[i] ?? null)
    const tail = Math.max(before.length, list.length - after.length)
    middle?.(frame, list.slice(before.length, tail))
    for (let i = 0; i < after.length; i++) after[i]!(frame, list[tail + i] ?? null)
  }
}

/** A value on the right of several targets: only lists and what has `to_ary` are spread. */
function spreadable(value: RubyValue): RubyValue[] {
  return Array.isArray(value) ? value : [value]
}
