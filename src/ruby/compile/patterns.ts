/**
 * `case … in`, `value => pattern`, `value in pattern`, and named groups that become variables.
 */
import {
  AlternationPatternNode,
  ArrayPatternNode,
  AssocNode,
  AssocSplatNode,
  CapturePatternNode,
  CaseMatchNode,
  FindPatternNode,
  HashPatternNode,
  IfNode,
  ImplicitNode,
  type InNode,
  LocalVariableTargetNode,
  MatchPredicateNode,
  MatchRequiredNode,
  MatchWriteNode,
  type Node,
  NoKeywordsParameterNode,
  ParenthesesNode,
  PinnedExpressionNode,
  PinnedVariableNode,
  SplatNode,
  StatementsNode,
  SymbolNode,
  UnlessNode,
} from '@ruby/prism/src/nodes.js'
import { caseEqual } from '../compare.ts'
import { send } from '../dispatch.ts'
import { noMatchingPatternError, raise } from '../errors.ts'
import { RubyHash } from '../hash.ts'
import { inspect } from '../inspect.ts'
import { classOf, type RubyValue } from '../ruby-class.ts'
import { runtime } from '../runtime.ts'
import { RubySymbol, truthy } from '../values.ts'
import { literalText } from './literals.ts'
import type { Frame, Scope } from './scope.ts'
import { compile, on } from './unit.ts'
import { compileTarget, type Write } from './variables.ts'

type Matches = (frame: Frame, value: RubyValue) => boolean

function compilePattern(node: Node, scope: Scope): Matches {
  if (node instanceof IfNode || node instanceof UnlessNode) {
    const pattern = compilePattern(node.statements!.body[0]!, scope)
    const guard = compile(node.predicate, scope)
    const wanted = node instanceof IfNode
    return (frame, value) => pattern(frame, value) && truthy(guard(frame)) === wanted
  }
  if (node instanceof ParenthesesNode && node.body instanceof StatementsNode)
    return compilePattern(node.body.body[0]!, scope)
  if (node instanceof LocalVariableTargetNode) {
    const write = compileTarget(node, scope)
    return (frame, value) => {
      write(frame, value)
      return true
    }
  }
  if (node instanceof CapturePatternNode) {
    const pattern = compilePattern(node.value, scope)
    const write = compileTarget(node.target, scope)
    return (frame, value) => {
      if (!pattern(frame, value)) return false
      write(frame, value)
      return true
    }
  }
  if (node instanceof AlternationPatternNode) {
    const left = compilePattern(node.left, scope)
    const right = compilePattern(node.right, scope)
    return (frame, value) => left(frame, value) || right(frame, value)
  }
  if (node instanceof PinnedVariableNode) return equals(node.variable, scope)
  if (node instanceof PinnedExpressionNode) return equals(node.expression, scope)
  if (node instanceof ImplicitNode) return compilePattern(node.value, scope)
  if (node instanceof ArrayPatternNode) return listPattern(node, scope)
  if (node instanceof FindPatternNode) return findPattern(node, scope)
  if (node instanceof HashPatternNode) return hashPattern(node, scope)
  return equals(node, scope)
}

function equals(node: Node, scope: Scope): Matches {
  const run = compile(node, scope)
  return (frame, value) => caseEqual(run(frame), value)
}

const always: Matches = () => true

function ofClass(constant: Node | null, scope: Scope): Matches {
  return constant === null ? always : equals(constant, scope)
}

/** Where `*rest` goes; a rest without a name is dropped. */
function restTarget(rest: Node | null, scope: Scope): Write | null {
  if (!(rest instanceof SplatNode) || rest.expression === null) return null
  return compileTarget(rest.expression, scope)
}

function itemsToMatch(value: RubyValue): RubyValue[] | undefined {
  if (Array.isArray(value)) return value
  if (value === null || classOf(value).find('deconstruct') === undefined) return undefined
  return send(value, 'deconstruct') as RubyValue[]
}

function listPattern(node: ArrayPatternNode, scope: Scope): Matches {
  const isOf = ofClass(node.constant, scope)
  const before = node.requireds.map((one) => compilePattern(one, scope))
  const after = node.posts.map((one) => compilePattern(one, scope))
  const hasRest = node.rest !== null
  const rest = restTarget(node.rest, scope)
  const size = before.length + after.length
  return (frame, value) => {
    if (!isOf(frame, value)) return false
    const items = itemsToMatch(value)
    if (items === undefined || (hasRest ? items.length < size : items.length !== size)) return false
    const tail = items.length - after.length
    if (!before.every((matches, i) => matches(frame, items[i]!))) return false
    rest?.(frame, items.slice(before.length, tail))
    return after.every((matches, i) => matches(frame, items[tail + i]!))
  }
}

function findPattern(node: FindPatternNode, scope: Scope): Matches {
  const isOf = ofClass(node.constant, scope)
  const wanted = node.requireds.map((one) => compilePattern(one, scope))
  const left = restTarget(node.left, scope)
  const right = restTarget(node.right, scope)
  return (frame, value) => {
    if (!isOf(frame, value)) return false
    const items = itemsToMatch(value)
    if (items === undefined) return false
    for (let at = 0; at + wanted.length <= items.length; at++) {
      if (!wanted.every((matches, i) => matches(frame, items[at + i]!))) continue
      left?.(frame, items.slice(0, at))
      right?.(frame, items.slice(at + wanted.length))
      return true
    }
    return false
  }
}

function hashPattern(node: HashPatternNode, scope: Scope): Matches {
  const isOf = ofClass(node.constant, scope)
  const entries = node.elements.flatMap((element) => {
    if (!(element instanceof AssocNode) || !(element.key instanceof SymbolNode)) return []
    return [
      {
        key: new RubySymbol(literalText(element.key.unescaped)),
        matches: compilePattern(element.value, scope),
      },
    ]
  })
  const { rest } = node
  const target =
    rest instanceof AssocSplatNode && rest.value !== null ? compileTarget(rest.value, scope) : null
  const exact = rest instanceof NoKeywordsParameterNode || (entries.length === 0 && rest === null)
  return (frame, value) => {
    if (!isOf(frame, value)) return false
    const hash =
      value instanceof RubyHash
        ? value
        : value !== null && classOf(value).find('deconstruct_keys') !== undefined
          ? send(value, 'deconstruct_keys', [null])
          : null
    if (!(hash instanceof RubyHash)) return false
    for (const { key, matches } of entries) {
      const item = hash.own(key)
      if (item === undefined || !matches(frame, item)) return false
    }
    if (exact && hash.size !== entries.length) return false
    if (target !== null) {
      const others = hash.copy()
      for (const { key } of entries) others.delete(key)
      target(frame, others)
    }
    return true
  }
}

on(CaseMatchNode, (node, scope, signals) => {
  const predicate = compile(node.predicate, scope)
  const branches = node.conditions.map((branch) => {
    const { pattern, statements } = branch as InNode
    return { matches: compilePattern(pattern, scope), body: compile(statements, scope, signals) }
  })
  const otherwise = node.elseClause === null ? null : compile(node.elseClause, scope, signals)
  return (frame) => {
    const value = predicate(frame)
    for (const { matches, body } of branches) if (matches(frame, value)) return body(frame)
    if (otherwise === null) raise(noMatchingPatternError, inspect(value))
    return otherwise(frame)
  }
})

on(MatchPredicateNode, (node, scope) => {
  const value = compile(node.value, scope)
  const matches = compilePattern(node.pattern, scope)
  return (frame) => matches(frame, value(frame))
})

on(MatchRequiredNode, (node, scope) => {
  const value = compile(node.value, scope)
  const matches = compilePattern(node.pattern, scope)
  return (frame) => {
    const given = value(frame)
    if (!matches(frame, given)) raise(noMatchingPatternError, inspect(given))
    return null
  }
})

/** `/(?<name>…)/ =~ text` sets the variable `name`. */
on(MatchWriteNode, (node, scope) => {
  const call = compile(node.call, scope)
  const targets = node.targets.map((target) => ({
    name: (target as LocalVariableTargetNode).name,
    write: compileTarget(target, scope),
  }))
  return (frame) => {
    const result = call(frame)
    for (const { name, write } of targets)
      write(frame, result === null ? null : (runtime.match?.named(name) ?? null))
    return result
  }
})
