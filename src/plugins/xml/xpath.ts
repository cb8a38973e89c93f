/**
 * XPath 1.0 compiled to closures: paths with all axes people use, predicates, the functions of the core
 * library, unions, comparisons and sums. An expression is compiled once and
 * evaluated on many documents.
 */
import type { XmlDocument } from './parse.ts'
import { type Axis, axes, inOrder, type Surroundings, type XNode } from './xpath-axes.ts'
import { type Context, functions } from './xpath-functions.ts'
import { scanXPath, type Token, XPathError } from './xpath-scan.ts'
import { compare, toBoolean, toNumber, type XValue } from './xpath-values.ts'

interface Evaluation extends Surroundings {
  /** The namespace of a prefix; raises when there is none. */
  prefix(name: string): string
  /** Counts the nodes looked at. */
  spend(nodes: number): void
}

type Evaluate = (context: Context, run: Evaluation) => XValue
type NodeTest = (run: Evaluation) => (node: XNode) => boolean

export type XPath = (document: XmlDocument) => XValue

/** More than any expression needs; one over every pair of nodes of a large document would take minutes. */
const maxNodes = 5_000_000
const maxDepth = 100
const nodeTypes = new Set(['text', 'node', 'comment', 'processing-instruction'])

/** Prefixes are those given; when none are, those that the root of the document declares. */
export function compileXPath(expression: string, namespaces: ReadonlyMap<string, string> = new Map()): XPath {
  const compiler = new Compiler(expression)
  const evaluate = compiler.whole()
  return (document) => {
    let seen = 0
    const spend = (nodes: number): void => {
      seen += nodes
      if (seen > maxNodes) throw new RangeError('the expression looks at too many nodes')
    }
    const known = namespaces.size > 0 ? namespaces : rootNamespaces(document)
    const prefix = (name: string): string => {
      const uri = known.get(name)
      if (uri === undefined) throw new XPathError(expression, 'Undefined namespace prefix')
      return uri
    }
    return evaluate({ node: document, position: 1, size: 1 }, { document, prefix, spend })
  }
}

/** The default one is called `xmlns`. */
function rootNamespaces({ root }: XmlDocument): ReadonlyMap<string, string> {
  const namespaces = new Map(root?.namespaces)
  const usual = namespaces.get('')
  if (usual !== undefined && usual !== '') namespaces.set('xmlns', usual)
  namespaces.delete('')
  return namespaces
}

class Compiler {
  readonly #expression: string
  readonly #tokens: Token[]
  #at = 0
  #depth = 0

  constructor(expression: string) {
    this.#expression = expression
    this.#tokens = scanXPath(expression)
  }

  whole(): Evaluate {
    const evaluate = this.#or()
    if (this.#peek().kind !== 'end') throw this.#error()
    return evaluate
  }

  #error(): XPathError {
    return new XPathError(this.#expression)
  }

  #peek(ahead = 0): Token {
    return this.#tokens[Math.min(this.#at + ahead, this.#tokens.length - 1)]!
  }

  #is(text: string, ahead = 0): boolean {
    const token = this.#peek(ahead)
    return token.kind === 'symbol' && token.text === text
  }

  #take(text: string): boolean {
    if (!this.#is(text)) return false
    this.#at += 1
    return true
  }

  #expect(text: string): void {
    if (!this.#take(text)) throw this.#error()
  }

  #takeWord(...words: string[]): string | undefined {
    const { kind, text } = this.#peek()
    if (kind !== 'name' || !words.includes(text)) return undefined
    this.#at += 1
    return text
  }

  #or(): Evaluate {
    if (++this.#depth > maxDepth) throw this.#error()
    let left = this.#and()
    while (this.#takeWord('or') !== undefined) {
      const [a, b] = [left, this.#and()]
      left = (context, run) => toBoolean(a(context, run)) || toBoolean(b(context, run))
    }
    this.#depth -= 1
    return left
  }

  #and(): Evaluate {
    let left = this.#comparison(['=', '!='])
    while (this.#takeWord('and') !== undefined) {
      const [a, b] = [left, this.#comparison(['=', '!='])]
      left = (context, run) => toBoolean(a(context, run)) && toBoolean(b(context, run))
    }
    return left
  }

  #comparison(operators: readonly string[]): Evaluate {
    const next = () => (operators.includes('=') ? this.#comparison(['<', '<=', '>', '>=']) : this.#sum())
    let left = next()
    for (
      let operator = this.#operator(operators);
      operator !== undefined;
      operator = this.#operator(operators)
    ) {
      const [a, b, by] = [left, next(), operator]
      left = (context, run) => compare(by, a(context, run), b(context, run))
    }
    return left
  }

  #operator(operators: readonly string[]): string | undefined {
    const found = operators.find((operator) => this.#is(operator))
    if (found !== undefined) this.#at += 1
    return found
  }

  #sum(): Evaluate {
    let left = this.#product()
    for (
      let operator = this.#operator(['+', '-']);
      operator !== undefined;
      operator = this.#operator(['+', '-'])
    ) {
      const [a, b, sign] = [left, this.#product(), operator === '+' ? 1 : -1]
      left = (context, run) => toNumber(a(context, run)) + sign * toNumber(b(context, run))
    }
    return left
  }

  #product(): Evaluate {
    let left = this.#union()
    for (;;) {
      const operator = this.#takeWord('div', 'mod') ?? (this.#take('*') ? '*' : undefined)
      if (operator === undefined) return left
      const [a, b] = [left, this.#union()]
      left = (context, run) => {
        const [x, y] = [toNumber(a(context, run)), toNumber(b(context, run))]
        return operator === 'div' ? x / y : operator === 'mod' ? x % y : x * y
      }
    }
  }

  #union(): Evaluate {
    if (this.#take('-')) {
      const inner = this.#union()
      return (context, run) => -toNumber(inner(context, run))
    }
    let left = this.#path()
    while (this.#take('|')) {
      const [a, b] = [left, this.#path()]
      left = (context, run) => inOrder([...new Set([...nodes(a(context, run)), ...nodes(b(context, run))])])
    }
    return left
  }

  #path(): Evaluate {
    const { kind, text } = this.#peek()
    if (kind === 'text' || kind === 'number') {
      this.#at += 1
      const value = kind === 'number' ? Number(text) : text
      return () => value
    }
    if (this.#is('(') || (kind === 'name' && this.#is('(', 1) && !nodeTypes.has(text))) {
      const primary = this.#predicates(this.#is('(') ? this.#group() : this.#call())
      return this.#is('/') || this.#is('//') ? this.#steps(primary) : primary
    }
    if (this.#is('/') || this.#is('//')) {
      const start: Evaluate = (_, { document }) => [document]
      if (this.#is('/') && !this.#startsStep(1)) {
        this.#at += 1
        return start
      }
      return this.#steps(start)
    }
    return this.#steps(this.#step((context) => [context.node]))
  }

  #startsStep(ahead: number): boolean {
    const { kind, text } = this.#peek(ahead)
    return kind === 'name' || (kind === 'symbol' && ['@', '*', '.', '..'].includes(text))
  }

  #group(): Evaluate {
    this.#expect('(')
    const inner = this.#or()
    this.#expect(')')
    return inner
  }

  #call(): Evaluate {
    const called = functions.get(this.#peek().text)
    if (called === undefined) throw this.#error()
    const { min, max, call } = called
    this.#at += 2
    const args: Evaluate[] = []
    if (!this.#is(')')) {
      args.push(this.#or())
      while (this.#take(',')) args.push(this.#or())
    }
    this.#expect(')')
    if (args.length < min || args.length > max) throw this.#error()
    return (context, run) =>
      call(
        args.map((arg) => arg(context, run)),
        context,
        run.document,
      )
  }

  #steps(start: Evaluate): Evaluate {
    let from = start
    for (;;) {
      if (this.#take('//')) {
        const before = from
        from = walk(before, axes.get('descendant-or-self')!, anyNode, [])
      } else if (!this.#take('/')) return from
      from = this.#step(from)
    }
  }

  #step(from: Evaluate): Evaluate {
    if (this.#take('.')) return walk(from, axes.get('self')!, anyNode, [])
    if (this.#take('..')) return walk(from, axes.get('parent')!, anyNode, [])
    let axisName = 'child'
    if (this.#take('@')) axisName = 'attribute'
    else if (this.#peek().kind === 'name' && this.#is('::', 1)) {
      axisName = this.#peek().text
      this.#at += 2
    }
    const axis = axes.get(axisName)
    if (axis === undefined) throw this.#error()
    const test = this.#nodeTest(axisName === 'attribute' ? 'attribute' : 'element')
    const conditions: Evaluate[] = []
    while (this.#take('[')) {
      conditions.push(this.#or())
      this.#expect(']')
    }
    return walk(from, axis, test, conditions)
  }

  #nodeTest(principal: 'attribute' | 'element'): NodeTest {
    if (this.#take('*')) return () => (node) => node.kind === principal
    const { kind, text } = this.#peek()
    if (kind !== 'name') throw this.#error()
    this.#at += 1
    if (nodeTypes.has(text) && this.#take('(')) {
      const target = this.#peek().kind === 'text' ? this.#peek().text : undefined
      if (target !== undefined) this.#at += 1
      this.#expect(')')
      return typeTest(text, target)
    }
    const [prefix, local] = text.includes(':') ? (text.split(':') as [string, string]) : [undefined, text]
    return (run) => {
      const uri = prefix === undefined ? undefined : run.prefix(prefix)
      return (node) => node.kind === principal && (local === '*' || node.local === local) && node.uri === uri
    }
  }

  #predicates(primary: Evaluate): Evaluate {
    let result = primary
    while (this.#take('[')) {
      const [list, condition] = [result, this.#or()]
      this.#expect(']')
      result = (context, run) => filtered(nodes(list(context, run)), condition, run)
    }
    return result
  }
}

const anyNode: NodeTest = () => () => true

function typeTest(type: string, target: string | undefined): NodeTest {
  if (type === 'node') return anyNode
  if (type === 'text') return () => (node) => node.kind === 'text' || node.kind === 'cdata'
  if (type === 'comment') return () => (node) => node.kind === 'comment'
  return () => (node) => node.kind === 'instruction' && (target === undefined || node.target === target)
}

function nodes(value: XValue): XNode[] {
  return Array.isArray(value) ? value : []
}

function walk(from: Evaluate, axis: Axis, test: NodeTest, conditions: readonly Evaluate[]): Evaluate {
  return (context, run) => {
    const found = new Set<XNode>()
    const isWanted = test(run)
    for (const start of nodes(from(context, run))) {
      const around = axis(start, run)
      run.spend(around.length)
      let list = around.filter(isWanted)
      for (const condition of conditions) list = filtered(list, condition, run)
      for (const node of list) found.add(node)
    }
    return inOrder([...found])
  }
}

/** A number is a position. */
function filtered(list: readonly XNode[], condition: Evaluate, run: Evaluation): XNode[] {
  return list.filter((node, i) => {
    const value = condition({ node, position: i + 1, size: list.length }, run)
    return typeof value === 'number' ? value === i + 1 : toBoolean(value)
  })
}
