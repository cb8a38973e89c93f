/**
 * Conditions to JavaScript: a boolean expression over the event variable `e`, with field names as string
 * literals and everything else bound. Meaning: condition-runtime.ts. `t` is a scratch variable that the
 * surrounding code declares; it is always read right after it was written.
 */
import { compileGetOf, literal } from '../../event/accessors.ts'
import { fromPath } from '../../event/field-reference.ts'
import { valueText } from '../../event/sprintf.ts'
import { inheritedNames, LsFloat, type Value } from '../../event/value.ts'
import { foldCondition } from '../../lang/association.ts'
import type {
  BooleanOperator,
  Condition,
  Expression,
  Place,
  Rvalue,
  SelectorNode,
  ValueNode,
} from '../../lang/ast.ts'
import { compileLatePattern } from '../../regex/late-pattern.ts'
import type { CodeScope } from './code-scope.ts'
import * as runtime from './condition-runtime.ts'
import { ConfigurationError } from './configuration-error.ts'
import { numberValue, unescapeText } from './literals.ts'

export interface ConditionOptions {
  /** `compat.conditions` */
  mode: 'logstash' | 'fixed'
  supportEscapes: boolean
  /** `${VAR}` when it is the whole string literal. */
  substitute: (text: string) => string
}

interface CompiledCondition {
  source: string
  /** True when evaluating can fail for some event, so that the caller needs a try block. */
  mayFail: boolean
}

export function compileCondition(
  condition: Condition,
  scope: CodeScope,
  options: ConditionOptions,
): CompiledCondition {
  const compiler = new ConditionCompiler(scope, options)
  const source = compiler.condition(condition)
  return { source, mayFail: compiler.mayFail }
}

type Constant = { constant: Value }
type Operand = Constant | { list: Value[] } | { field: SelectorNode } | { regexp: string }

const mirrored = { '<': '>', '>': '<', '<=': '>=', '>=': '<=', '==': '==', '!=': '!=' } as const

function join(operator: BooleanOperator, left: string, right: string): string {
  switch (operator) {
    case 'and':
      return `(${left} && ${right})`
    case 'or':
      return `(${left} || ${right})`
    case 'xor':
      return `(${left} !== ${right})`
    case 'nand':
      return `!(${left} && ${right})`
  }
}

class ConditionCompiler {
  mayFail = false
  #scope: CodeScope
  #options: ConditionOptions

  constructor(scope: CodeScope, options: ConditionOptions) {
    this.#scope = scope
    this.#options = options
  }

  condition(condition: Condition): string {
    if (condition.rest.length > 1 && this.#options.mode === 'logstash') this.#refuseMixedOperators(condition)
    const combined = condition.rest.length > 0
    return foldCondition<string>(
      condition,
      this.#options.mode,
      (expression) => this.#expression(expression, combined),
      join,
    )
  }

  #refuseMixedOperators(condition: Condition): void {
    const odd = condition.rest.find(({ operator }) => operator === 'xor' || operator === 'nand')
    if (odd === undefined) return
    throw new ConfigurationError(`Unexpected operator ${odd.operator}`, odd.operand.place, {
      hint: `Put parentheses around each side of \`${odd.operator}\`, or set compat.conditions: fixed.`,
    })
  }

  #expression(expression: Expression, combined: boolean): string {
    switch (expression.kind) {
      case 'group':
        return this.condition(expression.condition)
      case 'not':
        return expression.operand.kind === 'selector'
          ? `!${this.#truthy(expression.operand)}`
          : `!${this.condition(expression.operand)}`
      case 'in': {
        const test = this.#contains(
          this.#operand(expression.left),
          this.#operand(expression.right),
          expression.place,
        )
        return expression.negated ? `!${test}` : test
      }
      case 'compare':
        return this.#compare(expression)
      case 'match':
        return this.#match(expression)
      case 'value':
        return this.#bare(expression.value, combined)
    }
  }

  #bare(value: Rvalue, combined: boolean): string {
    const operand = this.#operand(value)
    if ('field' in operand) return this.#truthy(operand.field)
    if ('constant' in operand && !combined) return String(runtime.truthy(operand.constant))
    throw new ConfigurationError(
      'Unexpected conditional input combination: a constant cannot be an operand of and/or',
      value.place,
      { hint: 'Compare it with a field, e.g. `[type] == "x" or [type] == "y"`.' },
    )
  }

  #operand(node: Rvalue): Operand {
    switch (node.kind) {
      case 'selector':
        return { field: node }
      case 'string':
        return { constant: this.#text(node.text) }
      case 'number':
        return { constant: this.#number(node) }
      case 'regexp':
        return { regexp: node.text }
      case 'array':
        return { list: node.items.map((item) => this.#item(item)) }
      case 'method':
        throw new ConfigurationError(
          `Method calls are not supported in conditions: ${node.name}()`,
          node.place,
        )
    }
  }

  #number(node: Extract<Rvalue, { kind: 'number' }>): Value {
    const value = numberValue(node)
    if (typeof value === 'bigint' && (value > 9223372036854775807n || value < -9223372036854775808n)) {
      throw new ConfigurationError(`Invalid eValue ${value} with class java.math.BigInteger`, node.place)
    }
    return value
  }

  #text(text: string): string {
    const plain = this.#options.supportEscapes ? unescapeText(text) : text
    return this.#options.substitute(plain)
  }

  #item(node: ValueNode): Value {
    switch (node.kind) {
      case 'string':
        return this.#text(node.text)
      case 'bareword':
        return node.text
      case 'number':
        return numberValue(node)
      case 'array':
        return node.items.map((item) => this.#item(item))
      default:
        throw new ConfigurationError(
          'Only strings, numbers and lists may stand in a list of a condition',
          node.place,
        )
    }
  }

  /** An expression for the value of a field. */
  #read(selector: SelectorNode): string {
    const reference = fromPath(selector.path.map((name) => `[${name}]`).join(''), selector.path)
    const [only] = reference.path
    if (
      !reference.metadata &&
      reference.path.length === 1 &&
      only !== undefined &&
      !inheritedNames.has(only)
    ) {
      return `e.data[${literal(only)}]`
    }
    return `${this.#scope.bind(compileGetOf(reference), 'get')}(e)`
  }

  #call(operation: (...operands: never[]) => boolean | number, ...args: string[]): string {
    return `${this.#scope.bind(operation, 'fn')}(${args.join(', ')})`
  }

  #constant(value: Value): string {
    if (typeof value === 'string') return literal(value)
    return this.#scope.bind(value)
  }

  #truthy(selector: SelectorNode): string {
    return `((t = ${this.#read(selector)}) !== undefined && t !== null && t !== false && t !== "" && t !== "false")`
  }

  #compare(expression: Extract<Expression, { kind: 'compare' }>): string {
    const left = this.#operand(expression.left)
    const right = this.#operand(expression.right)
    const { operator, place } = expression
    if (operator === '==') return this.#equals(left, right)
    if (operator === '!=') return `!${this.#equals(left, right)}`
    if ('field' in left && 'field' in right) {
      this.mayFail = true
      return `(${this.#call(runtime.compare, this.#read(left.field), this.#read(right.field))} ${operator} 0)`
    }
    if ('field' in left && 'constant' in right) return this.#order(left.field, operator, right.constant)
    if ('constant' in left && 'field' in right)
      return this.#order(right.field, mirrored[operator], left.constant)
    if ('constant' in left && 'constant' in right)
      return this.#constantOrder(left.constant, operator, right.constant, place)
    throw new ConfigurationError(`Unexpected conditional input combination for ${operator}`, place)
  }

  #order(field: SelectorNode, operator: '<' | '>' | '<=' | '>=', constant: Value): string {
    this.mayFail = true
    const slow = `${this.#call(runtime.compare, 't', this.#constant(constant))} ${operator} 0`
    if (typeof constant !== 'number') return `(t = ${this.#read(field)}, ${slow})`
    return `(typeof (t = ${this.#read(field)}) === "number" ? t ${operator} ${this.#constant(constant)} : ${slow})`
  }

  #constantOrder(left: Value, operator: '<' | '>' | '<=' | '>=', right: Value, place: Place): string {
    let sign: number
    try {
      sign = runtime.compare(left, right)
    } catch {
      throw new ConfigurationError(`Cannot compare constants of different types with ${operator}`, place)
    }
    return String(
      operator === '<' ? sign < 0 : operator === '>' ? sign > 0 : operator === '<=' ? sign <= 0 : sign >= 0,
    )
  }

  #equals(left: Operand, right: Operand): string {
    if ('field' in left && 'field' in right) {
      return this.#call(runtime.equal, this.#read(left.field), this.#read(right.field))
    }
    if ('constant' in left && 'constant' in right) return String(runtime.equal(left.constant, right.constant))
    const [field, other] = 'field' in left ? [left.field, right] : 'field' in right ? [right.field, left] : []
    if (field === undefined || other === undefined || !('constant' in other)) return 'false'
    if (other.constant instanceof LsFloat)
      return this.#call(runtime.equal, this.#read(field), this.#constant(other.constant))
    return `(${this.#read(field)} === ${this.#constant(other.constant)})`
  }

  #match(expression: Extract<Expression, { kind: 'match' }>): string {
    const pattern = this.#pattern(expression.pattern.text, expression.pattern.place)
    const left = this.#operand(expression.left)
    let test: string
    if ('field' in left) test = `(typeof (t = ${this.#read(left.field)}) === "string" && ${pattern}.test(t))`
    else if ('constant' in left && typeof left.constant === 'string')
      test = `${pattern}.test(${literal(left.constant)})`
    else
      throw new ConfigurationError(
        'Expected a regexp: the left side must be a field or a string',
        expression.place,
      )
    this.mayFail = true
    return expression.negated ? `!${test}` : test
  }

  #pattern(source: string, place: Place): string {
    try {
      return this.#scope.bind(compileLatePattern(source), 'pattern')
    } catch (error) {
      throw new ConfigurationError((error as Error).message, place)
    }
  }

  #contains(left: Operand, right: Operand, place: Place): string {
    if ('field' in left) {
      const field = this.#read(left.field)
      if ('field' in right) {
        if (this.#options.mode === 'fixed' && isQuoted(right.field))
          return this.#inTexts(field, [unquote(right.field)])
        return this.#call(runtime.fieldInField, field, this.#read(right.field))
      }
      if ('list' in right) return this.#inTexts(field, right.list)
      if ('constant' in right)
        return this.#call(runtime.fieldInText, field, literal(valueText(right.constant)))
    } else if ('constant' in left) {
      if ('field' in right) {
        const search = typeof left.constant === 'string' ? runtime.textInField : runtime.numberInField
        return this.#call(search, this.#constant(left.constant), this.#read(right.field))
      }
      if ('constant' in right) return String(runtime.equal(left.constant, right.constant))
      if ('list' in right) {
        const { constant } = left
        return String(
          this.#options.mode === 'fixed' && right.list.some((item) => runtime.equal(constant, item)),
        )
      }
    }
    // A list is part of no field and of no text; beside another list it counts as a whole.
    if ('list' in left) return String('list' in right && sameItems(left.list, right.list))
    throw new ConfigurationError('Unexpected operands of `in`', place)
  }

  #inTexts(field: string, list: Value[]): string {
    const texts = list.filter((item) => !Array.isArray(item)).map(valueText)
    return this.#call(runtime.fieldInTexts, field, this.#scope.bind(new Set(texts)))
  }
}

/** `["x"]` parses as a selector whose name carries the quotes. */
function isQuoted(selector: SelectorNode): boolean {
  const [only] = selector.path
  return selector.path.length === 1 && only !== undefined && /^\s*(["']).*\1\s*$/s.test(only)
}

function unquote(selector: SelectorNode): string {
  return selector.path[0]!.trim().slice(1, -1)
}

function sameItems(a: readonly Value[], b: readonly Value[]): boolean {
  return a.length === b.length && a.every((item, i) => runtime.equal(item, b[i]!))
}
