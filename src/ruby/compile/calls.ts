/**
 * Method calls. A name that no class of ours and no method of the program has is refused here, before anything
 * runs; whether the receiver has the method shows when it runs.
 */
import {
  BlockArgumentNode,
  CallNode,
  ConstantPathNode,
  ConstantReadNode,
  ForwardingArgumentsNode,
  type Node,
  SplatNode,
  StringNode,
} from '@ruby/prism/src/nodes.js'
import { emptyLibraries, functions, isLibrary } from '../core/kernel.ts'
import { raiseWith, toBlock } from '../core/object.ts'
import { wrongCount } from '../dispatch.ts'
import { nameError, noMethodError, raise } from '../errors.ts'
import type { Proc } from '../proc.ts'
import { kernel, knownNames, RubyClass, type RubyValue } from '../ruby-class.ts'
import { runtime } from '../runtime.ts'
import { RubySymbol, truthy } from '../values.ts'
import { blockOf, type CompiledBlock, compileBlock } from './blocks.ts'
import { CallSite } from './call-site.ts'
import { compileEventCall } from './event-calls.ts'
import { Jump } from './jump.ts'
import { compileList } from './literals.ts'
import { fast } from './operators.ts'
import { rubyFunctions } from './ruby-functions.ts'
import type { Frame, Run, Scope } from './scope.ts'
import { withIdentity } from './strings.ts'
import { compile, on } from './unit.ts'
import { constantName, knownConstant } from './variables.ts'

on(CallNode, (node, scope) => {
  const run = compileCall(node, scope)
  if (!scope.unit.program.changesStrings || node.isAttributeWrite()) return run
  return (frame) => withIdentity(run(frame))
})

function compileCall(node: CallNode, scope: Scope): Run {
  if (node.receiver === null) return compileFunction(node, scope)
  const { name, receiver } = node
  const constant = knownConstant(receiver, scope.unit.program)
  if (scope.unit.tolerates && constant === undefined && isForeign(receiver, scope)) {
    const missing = constantName(receiver)
    return () => raise(nameError, `uninitialized constant ${missing}`)
  }
  if (scope.unit.tolerates) return compileEventCall(node, scope) ?? compileMethod(node, scope)
  if (constant instanceof RubyClass) {
    if (constant.findStatic(name) === undefined) {
      return scope.unit.unsupported(node, `method \`${constantName(receiver)}.${name}\``)
    }
  } else if (constant === undefined && isForeign(receiver, scope)) {
    return scope.unit.unsupported(node, `method \`${constantName(receiver)}.${name}\``)
  } else if (!isKnown(name, scope)) {
    return scope.unit.unsupported(node, `method \`${name}\``)
  }
  const event = compileEventCall(node, scope)
  if (event !== null) return event
  return compileMethod(node, scope)
}

/** A constant that nobody sets. */
function isForeign(receiver: Node, scope: Scope): boolean {
  const { constantNames, constants } = scope.unit.program
  if (receiver instanceof ConstantPathNode) return true
  return (
    receiver instanceof ConstantReadNode && !constantNames.has(receiver.name) && !constants.has(receiver.name)
  )
}

function isKnown(name: string, scope: Scope): boolean {
  return knownNames.has(name) || scope.unit.program.methods.has(name)
}

function argumentNodes(node: CallNode): Node[] {
  return node.arguments_?.arguments_ ?? []
}

type BlockSource = (frame: Frame) => Proc | null

interface GivenBlock {
  readonly source: BlockSource | null
  readonly breaks: boolean
}

function compileGivenBlock(node: CallNode, scope: Scope, isLambda = false): GivenBlock {
  const literal = blockOf(node.block)
  if (literal !== null) {
    const block: CompiledBlock = compileBlock(literal, scope, isLambda)
    return { source: block.make, breaks: block.breaks && !isLambda }
  }
  if (node.block instanceof BlockArgumentNode) {
    const { expression } = node.block
    if (expression === null) return { source: (frame) => frame.activation.block, breaks: false }
    const value = compile(expression, scope)
    return { source: (frame) => toBlock(value(frame)), breaks: false }
  }
  return { source: null, breaks: false }
}

/** A `break` in the block ends the call, with its value. */
function catching(
  call: (frame: Frame, block: Proc | null) => RubyValue,
  { source, breaks }: GivenBlock,
): Run {
  if (source === null) return (frame) => call(frame, null)
  if (!breaks) return (frame) => call(frame, source(frame))
  return (frame) => {
    const block = source(frame)
    try {
      return call(frame, block)
    } catch (error) {
      if (error instanceof Jump && error.kind === 'break' && error.target === block) return error.value
      throw error
    }
  }
}

// --------------------------------------------------------------------------------------- calls on a receiver

function compileMethod(node: CallNode, scope: Scope): Run {
  const { name } = node
  const receiver = compile(node.receiver, scope)
  const nodes = argumentNodes(node)
  const safe = node.isSafeNavigation()
  const hasSplat = nodes.some((one) => one instanceof SplatNode || one instanceof ForwardingArgumentsNode)
  if (node.block === null && !hasSplat && !safe) {
    if (nodes.length === 0) return withoutArguments(name, receiver)
    if (nodes.length === 1) {
      const argument = compile(nodes[0]!, scope)
      if (name.endsWith('=') && node.isAttributeWrite()) {
        const site = new CallSite(name)
        return (frame) => {
          const owner = receiver(frame)
          const value = argument(frame)
          site.call(owner, [value], null)
          return value
        }
      }
      const apply = fast(name)
      return (frame) => apply(receiver(frame), argument(frame))
    }
  }
  const site = new CallSite(name)
  const args = compileList(nodes, scope)
  const given = compileGivenBlock(node, scope)
  const assigns = node.isAttributeWrite()
  return catching((frame, block) => {
    const owner = receiver(frame)
    if (safe && owner === null) return null
    const values = args(frame)
    const last = values[values.length - 1] ?? null
    const result = site.call(owner, values, block)
    return assigns ? last : result
  }, given)
}

const none: RubyValue[] = []

function withoutArguments(name: string, receiver: Run): Run {
  const site = new CallSite(name)
  switch (name) {
    case 'nil?':
      return (frame) => receiver(frame) === null
    case '!':
      return (frame) => !truthy(receiver(frame))
    case 'to_s':
      return (frame) => {
        const value = receiver(frame)
        return typeof value === 'string' ? value : site.call(value, [], null)
      }
  }
  return (frame) => {
    const owner = receiver(frame)
    const method = site.find(owner)
    if (method.min > 0) wrongCount(0, method.min, method.max)
    // A method that takes no arguments cannot keep or change the list.
    return method.call(owner, method.max === 0 ? none : [], null)
  }
}

// ------------------------------------------------------------------------------------ calls without a receiver

function compileRaise(node: CallNode, scope: Scope): Run {
  const args = compileList(argumentNodes(node), scope)
  return (frame) => raiseWith(args(frame), runtime.error)
}

/** Functions that need to know where they stand. */
const local: Readonly<Record<string, (node: CallNode, scope: Scope) => Run>> = {
  lambda: (node, scope) => {
    const { source } = compileGivenBlock(node, scope, true)
    return source === null
      ? scope.unit.unsupported(node, '`lambda` without a block')
      : (frame) => source(frame)
  },
  'block_given?': () => (frame) => frame.activation.block !== null,
  raise: compileRaise,
  fail: compileRaise,
  __method__: (_, scope) => {
    const name = scope.home.methodName
    const symbol = name === null ? null : new RubySymbol(name)
    return () => symbol
  },
  require: (node, scope) => {
    const [name] = argumentNodes(node)
    if (name instanceof StringNode && !isLibrary(name.unescaped.value)) {
      return scope.unit.unsupported(node, `library \`${name.unescaped.value}\``)
    }
    if (name instanceof StringNode && emptyLibraries.has(name.unescaped.value)) return () => true
    return callFunction(node, scope, 'require')
  },
}

function compileFunction(node: CallNode, scope: Scope): Run {
  const { name } = node
  const { methods, main } = scope.unit.program
  if (methods.has(name) || main.rubyClass.methods.has(name)) return callOwn(node, scope)
  const special = Object.hasOwn(local, name) ? local[name] : undefined
  if (special !== undefined) return special(node, scope)
  if (functions.has(name)) return callFunction(node, scope, name)
  if (kernel.methods.has(name)) return callOwn(node, scope)
  if (!scope.unit.tolerates && (rubyFunctions.has(name) || knownNames.has(name)))
    return scope.unit.unsupported(node, `method \`${name}\``)
  return missingFunction(node, scope)
}

/** A name that Ruby does not have either: it raises when the program comes there. */
function missingFunction(node: CallNode, scope: Scope): Run {
  const { name } = node
  const self = `#<${scope.unit.program.main.rubyClass.name}>`
  if (node.isVariableCall()) {
    return () => raise(nameError, `undefined local variable or method \`${name}' for ${self}`)
  }
  return () => raise(noMethodError, `undefined method \`${name}' for ${self}`)
}

function callOwn(node: CallNode, scope: Scope): Run {
  const { main } = scope.unit.program
  const { name } = node
  const args = compileList(argumentNodes(node), scope)
  return catching(
    (frame, block) => {
      const method = main.rubyClass.find(name)
      if (method === undefined) {
        return raise(nameError, `undefined local variable or method \`${name}' for #<${main.rubyClass.name}>`)
      }
      const values = args(frame)
      if (values.length < method.min || values.length > method.max)
        wrongCount(values.length, method.min, method.max)
      return method.call(main, values, block)
    },
    compileGivenBlock(node, scope),
  )
}

function callFunction(node: CallNode, scope: Scope, name: string): Run {
  const { main } = scope.unit.program
  const { min, max, call } = functions.get(name)!
  const args = compileList(argumentNodes(node), scope)
  return catching(
    (frame, block) => {
      const values = args(frame)
      if (values.length < min || values.length > max) wrongCount(values.length, min, max)
      return call(main, values, block)
    },
    compileGivenBlock(node, scope),
  )
}
