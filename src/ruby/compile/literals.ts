/**
 * Literals: numbers, strings, symbols, lists, hashes, ranges, patterns.
 */
import {
  ArrayNode,
  AssocNode,
  AssocSplatNode,
  EmbeddedStatementsNode,
  EmbeddedVariableNode,
  FalseNode,
  FloatNode,
  HashNode,
  ImplicitNode,
  IntegerNode,
  InterpolatedRegularExpressionNode,
  InterpolatedStringNode,
  InterpolatedSymbolNode,
  KeywordHashNode,
  NilNode,
  type Node,
  ParenthesesNode,
  RangeNode,
  RegularExpressionNode,
  type RubyString,
  SelfNode,
  SourceFileNode,
  SourceLineNode,
  SplatNode,
  StringNode,
  SymbolNode,
  TrueNode,
} from '@ruby/prism/src/nodes.js'
import { float, integer } from '../../event/value.ts'
import { toList } from '../arguments.ts'
import { textOfBytes } from '../bytes.ts'
import { compare } from '../compare.ts'
import { argumentError, raise } from '../errors.ts'
import { RubyHash } from '../hash.ts'
import { toText } from '../inspect.ts'
import { extended, ignoreCase, multiLine, RubyRegexp } from '../regexp.ts'
import type { RubyValue } from '../ruby-class.ts'
import { MutableString, RubyRange, RubySymbol } from '../values.ts'
import type { Run, Scope } from './scope.ts'
import { compile, on } from './unit.ts'

on(NilNode, () => () => null)
on(TrueNode, () => () => true)
on(FalseNode, () => () => false)
on(SelfNode, (_, scope) => {
  const { main } = scope.unit.program
  return () => main
})

/** Read from the text: the parser's own number is wrong beyond 64 bits. */
on(IntegerNode, (node, { unit }) => {
  const text = unit.source.textAt(node.location).replaceAll('_', '').toLowerCase()
  const negative = text.startsWith('-')
  const digits = text.replace(/^[+-]/, '')
  const plain = digits.startsWith('0d')
    ? digits.slice(2)
    : /^0\d/.test(digits)
      ? `0o${digits.slice(1)}`
      : digits
  const magnitude = BigInt(plain)
  const value = integer(negative ? -magnitude : magnitude)
  return () => value
})

on(FloatNode, (node) => {
  const value = float(node.value)
  return () => value
})

/** Escapes like `\xff` make bytes that are no UTF-8; the parser gives those as one character a byte. */
export function literalText({ value, validEncoding }: RubyString): string {
  return validEncoding ? value : textOfBytes(Buffer.from(value, 'latin1'))
}

on(StringNode, (node, scope) => {
  const text = literalText(node.unescaped)
  return scope.unit.program.changesStrings ? () => new MutableString(text) : () => text
})

on(SymbolNode, (node) => {
  const symbol = new RubySymbol(literalText(node.unescaped))
  return () => symbol
})

on(SourceLineNode, (node, { unit }) => {
  const line = unit.source.lineOf(node)
  return () => line
})
on(
  SourceFileNode,
  (_, { unit }) =>
    () =>
      unit.fileName,
)

on(ParenthesesNode, (node, scope, signals) => compile(node.body, scope, signals))
on(EmbeddedStatementsNode, (node, scope) => compile(node.statements, scope))
on(EmbeddedVariableNode, (node, scope) => compile(node.variable, scope))
on(ImplicitNode, (node, scope) => compile(node.value, scope))

/** Adjacent literals and `#{…}`; the pieces of text are known. */
function joined(
  parts: Node[],
  scope: Scope,
  piece: (value: RubyValue) => string,
): (frame: Parameters<Run>[0]) => string {
  const pieces = parts.map((part): string | Run =>
    part instanceof StringNode ? literalText(part.unescaped) : compile(part, scope),
  )
  const [first, second, third] = pieces
  if (pieces.length === 2 && typeof first === 'string' && typeof second === 'function') {
    return (frame) => first + piece(second(frame))
  }
  if (
    pieces.length === 3 &&
    typeof first === 'string' &&
    typeof second === 'function' &&
    typeof third === 'string'
  ) {
    return (frame) => first + piece(second(frame)) + third
  }
  return (frame) => {
    let text = ''
    for (const one of pieces) text += typeof one === 'string' ? one : piece(one(frame))
    return text
  }
}

on(InterpolatedStringNode, (node, scope) => {
  const text = joined(node.parts, scope, toText)
  return scope.unit.program.changesStrings ? (frame) => new MutableString(text(frame)) : text
})

on(InterpolatedSymbolNode, (node, scope) => {
  const text = joined(node.parts, scope, toText)
  return (frame) => new RubySymbol(text(frame))
})

interface PatternNode {
  isIgnoreCase(): boolean
  isExtended(): boolean
  isMultiLine(): boolean
}

function optionsOf(node: PatternNode): number {
  return (
    (node.isIgnoreCase() ? ignoreCase : 0) |
    (node.isExtended() ? extended : 0) |
    (node.isMultiLine() ? multiLine : 0)
  )
}

/** The source as written: what the parser unescapes in patterns are line ends only. */
on(RegularExpressionNode, (node, scope) => {
  try {
    const regexp = new RubyRegexp(literalText(node.unescaped), optionsOf(node))
    return () => regexp
  } catch (error) {
    return scope.unit.unsupported(node, `the pattern /${node.unescaped.value}/ (${(error as Error).message})`)
  }
})

on(InterpolatedRegularExpressionNode, (node, scope) => {
  const options = optionsOf(node)
  const source = joined(node.parts, scope, (value) =>
    value instanceof RubyRegexp ? value.embedded : toText(value),
  )
  // `/o` keeps the first pattern.
  let once: RubyRegexp | undefined
  let last: RubyRegexp | undefined
  const keeps = node.isOnce()
  return (frame) => {
    if (once !== undefined) return once
    const text = source(frame)
    if (last?.source !== text) last = new RubyRegexp(text, options)
    if (keeps) once = last
    return last
  }
})

on(ArrayNode, (node, scope) => {
  const items = compileList(node.elements, scope)
  if (!node.elements.some((element) => element instanceof KeywordHashNode)) return items
  return (frame) => {
    const list = items(frame)
    const last = list[list.length - 1]
    if (last instanceof RubyHash) last.isKeywords = false
    return list
  }
})

/** Values in a row, with `*list` spread and `key: value` as one hash. */
export function compileList(nodes: Node[], scope: Scope): (frame: Parameters<Run>[0]) => RubyValue[] {
  if (nodes.some((node) => node instanceof SplatNode)) {
    const parts = nodes.map((node) => ({
      spreads: node instanceof SplatNode,
      run: compile(node instanceof SplatNode ? node.expression : node, scope),
    }))
    return (frame) => {
      const list: RubyValue[] = []
      for (const { spreads, run } of parts) {
        if (spreads) for (const item of toList(run(frame))) list.push(item)
        else list.push(run(frame))
      }
      return list
    }
  }
  const runs = nodes.map((node) => compile(node, scope))
  const [first, second, third] = runs
  switch (runs.length) {
    case 0:
      return () => []
    case 1:
      return (frame) => [first!(frame)]
    case 2:
      return (frame) => [first!(frame), second!(frame)]
    case 3:
      return (frame) => [first!(frame), second!(frame), third!(frame)]
  }
  return (frame) => runs.map((run) => run(frame))
}

type Fill = (frame: Parameters<Run>[0], hash: RubyHash) => void

function compileHash(elements: Node[], scope: Scope, isKeywords: boolean): Run {
  const fills = elements.map((element): Fill => {
    if (element instanceof AssocNode) {
      const key = compile(element.key, scope)
      const value = compile(element.value, scope)
      return (frame, hash) => hash.put(key(frame), value(frame))
    }
    if (element instanceof AssocSplatNode) {
      const all = compile(element.value, scope)
      return (frame, hash) => {
        const other = all(frame)
        if (!(other instanceof RubyHash)) {
          if (other === null) return
          raise(argumentError, 'no implicit conversion into Hash')
        }
        for (const [key, value] of other.pairs()) hash.put(key, value)
      }
    }
    scope.unit.unsupported(element, 'this element of a hash')
    return () => undefined
  })
  return (frame) => {
    const hash = new RubyHash()
    for (const fill of fills) fill(frame, hash)
    hash.isKeywords = isKeywords
    return hash
  }
}

on(HashNode, (node, scope) => compileHash(node.elements, scope, false))
on(KeywordHashNode, (node, scope) => compileHash(node.elements, scope, true))

on(RangeNode, (node, scope) => {
  const left = compile(node.left, scope)
  const right = compile(node.right, scope)
  const excludesEnd = node.isExcludeEnd()
  const make = (first: RubyValue, last: RubyValue): RubyRange => {
    if (first !== null && last !== null && compare(first, last) === undefined)
      raise(argumentError, 'bad value for range')
    return new RubyRange(first, last, excludesEnd)
  }
  if ([node.left, node.right].every((end) => end === null || end instanceof IntegerNode)) {
    const range = new RubyRange((left as () => RubyValue)(), (right as () => RubyValue)(), excludesEnd)
    return () => range
  }
  return (frame) => make(left(frame), right(frame))
})
