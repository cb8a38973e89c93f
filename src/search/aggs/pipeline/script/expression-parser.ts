/**
 * Expressions of scripts, read straight into closures: operators, conditions, `params.name`, functions by name.
 * Nothing a user wrote is ever run as JavaScript, and there are no loops, so a script is as bounded as its text.
 */
import {
  classConstants,
  classFunctions,
  expressionFunctions,
  methods,
  type ScriptFunction,
} from './functions.ts'
import { compileError, type ScriptText } from './script-error.ts'
import { type Token, tokensOf } from './tokens.ts'
import { numeric, operators, ScriptFailure, type ScriptValue, toDouble, toInteger, truth } from './values.ts'

/** What a script sees while it runs. */
export interface Scope {
  readonly params: ReadonlyMap<string, ScriptValue>
  readonly locals: ScriptValue[]
}

export type Evaluate = (scope: Scope) => ScriptValue

const deepest = 100

/** Binary operators, loosest first. */
const levels: readonly (readonly string[])[] = [
  ['==', '!=', '===', '!=='],
  ['<', '<=', '>', '>='],
  ['+', '-'],
  ['*', '/', '%'],
]

const casts: ReadonlyMap<string, (value: ScriptValue) => ScriptValue> = new Map<
  string,
  (value: ScriptValue) => ScriptValue
>([
  ['int', (value) => toInteger(value, 32)],
  ['long', (value) => toInteger(value, 64)],
  ['short', (value) => toInteger(value, 16)],
  ['byte', (value) => toInteger(value, 8)],
  ['double', (value) => toDouble(value, 'cast')],
  ['float', (value) => Math.fround(toDouble(value, 'cast'))],
  ['def', (value) => value],
  ['boolean', truth],
])

export function castTo(type: string): ((value: ScriptValue) => ScriptValue) | undefined {
  return casts.get(type)
}

export class ExpressionParser {
  protected readonly script: ScriptText
  readonly #tokens: readonly Token[]
  /** Names that stand for themselves, without `params.`. */
  readonly #bare: ReadonlySet<string>
  protected readonly localNames = new Map<string, number>()
  #next = 0
  #depth = 0

  constructor(script: ScriptText, bare: readonly string[]) {
    this.script = script
    this.#tokens = tokensOf(script)
    this.#bare = new Set(bare)
  }

  get #isLucene(): boolean {
    return this.script.lang === 'expression'
  }

  protected get token(): Token {
    return this.#tokens[this.#next]!
  }

  protected peek(ahead: number): Token {
    return this.#tokens[Math.min(this.#next + ahead, this.#tokens.length - 1)]!
  }

  protected take(): Token {
    const { token } = this
    if (token.kind !== 'end') this.#next++
    return token
  }

  protected isSign(text: string, token = this.token): boolean {
    return token.kind === 'sign' && token.text === text
  }

  protected accept(text: string): boolean {
    if (!this.isSign(text)) return false
    this.#next++
    return true
  }

  protected expect(text: string): void {
    if (!this.accept(text)) throw this.unexpected()
  }

  protected unexpected(token = this.token): Error {
    const reason = token.kind === 'end' ? 'unexpected end of script.' : `unexpected token ['${token.text}'].`
    return this.refuse(token.at, reason)
  }

  protected refuse(at: number, reason: string): Error {
    return compileError(this.script, at, reason)
  }

  expression(): Evaluate {
    if (++this.#depth > deepest) throw this.refuse(this.token.at, 'Scripts may not be nested this deeply.')
    const condition = this.#either()
    let result = condition
    if (this.accept('?')) {
      const whenTrue = this.expression()
      this.expect(':')
      const whenFalse = this.expression()
      const holds = this.#truthOf(condition)
      result = (scope) => (holds(scope) ? whenTrue(scope) : whenFalse(scope))
    } else if (this.accept('?:')) {
      const otherwise = this.expression()
      result = (scope) => condition(scope) ?? otherwise(scope)
    }
    this.#depth--
    return result
  }

  /** Of Lucene's expressions all values are doubles, and every one but zero is true. */
  #truthOf(evaluate: Evaluate): (scope: Scope) => boolean {
    if (this.#isLucene) return (scope) => toDouble(evaluate(scope), 'condition') !== 0
    return (scope) => truth(evaluate(scope))
  }

  #logical(holds: (scope: Scope) => boolean): Evaluate {
    return this.#isLucene ? (scope) => (holds(scope) ? 1 : 0) : holds
  }

  #either(): Evaluate {
    let left = this.#both()
    while (this.accept('||')) {
      const one = this.#truthOf(left)
      const other = this.#truthOf(this.#both())
      left = this.#logical((scope) => one(scope) || other(scope))
    }
    return left
  }

  #both(): Evaluate {
    let left = this.#binary(0)
    while (this.accept('&&')) {
      const one = this.#truthOf(left)
      const other = this.#truthOf(this.#binary(0))
      left = this.#logical((scope) => one(scope) && other(scope))
    }
    return left
  }

  #binary(level: number): Evaluate {
    const signs = levels[level]
    if (signs === undefined) return this.#unary()
    let left = this.#binary(level + 1)
    while (this.token.kind === 'sign' && signs.includes(this.token.text)) {
      const operator = operators.get(this.take().text)!
      const one = left
      const other = this.#binary(level + 1)
      const isComparison = level < 2 && this.#isLucene
      left = isComparison
        ? (scope) => (operator(one(scope), other(scope)) === true ? 1 : 0)
        : (scope) => operator(one(scope), other(scope))
    }
    return left
  }

  #unary(): Evaluate {
    if (++this.#depth > deepest) throw this.refuse(this.token.at, 'Scripts may not be nested this deeply.')
    const result = this.#signed()
    this.#depth--
    return result
  }

  #signed(): Evaluate {
    if (this.accept('!')) {
      const holds = this.#truthOf(this.#unary())
      return this.#logical((scope) => !holds(scope))
    }
    if (this.accept('-')) {
      const inner = this.#unary()
      return (scope) => -numeric(inner(scope), '-')
    }
    if (this.accept('+')) {
      const inner = this.#unary()
      return (scope) => numeric(inner(scope), '+')
    }
    const type = this.peek(1)
    if (this.isSign('(') && type.kind === 'word' && casts.has(type.text) && this.isSign(')', this.peek(2))) {
      this.#next += 3
      const cast = casts.get(type.text)!
      const inner = this.#unary()
      return (scope) => cast(inner(scope))
    }
    return this.#postfix(this.#primary())
  }

  #primary(): Evaluate {
    const token = this.take()
    if (token.kind === 'number') return constant(this.#literal(token))
    if (token.kind === 'text') return constant(token.text)
    if (token.kind === 'word') return this.#word(token)
    if (token.text === '(' && token.kind === 'sign') {
      const inner = this.expression()
      this.expect(')')
      return inner
    }
    throw this.unexpected(token)
  }

  #literal({ text, at }: Token): ScriptValue {
    if (this.#isLucene) return Number(text)
    const digits = text.replace(/[lLdDfF]$/, '')
    if (/^\d+[lL]?$/.test(text)) {
      const value = BigInt(digits)
      const isLong = digits !== text
      if (!isLong && value > 2_147_483_647n) throw this.refuse(at, `Invalid int constant [${text}].`)
      return BigInt.asIntN(64, value)
    }
    return /[fF]$/.test(text) ? Math.fround(Number(digits)) : Number(digits)
  }

  #word(token: Token): Evaluate {
    const { text, at } = token
    if (this.#isLucene) return this.#luceneWord(token)
    if (text === 'true' || text === 'false') return constant(text === 'true')
    if (text === 'null') return constant(null)
    const local = this.localNames.get(text)
    if (local !== undefined) return (scope) => scope.locals[local]!
    if (text === 'params') return this.#param()
    if (this.#bare.has(text)) return (scope) => scope.params.get(text) ?? null
    if (this.isSign('.') && this.peek(1).kind === 'word') {
      const constantValue = classConstants.get(`${text}.${this.peek(1).text}`)
      const called = classFunctions.get(text)?.get(this.peek(1).text)
      const isCall = this.isSign('(', this.peek(2))
      if (isCall ? called !== undefined : constantValue !== undefined) {
        const name = this.peek(1).text
        this.#next += 2
        return isCall ? this.#call(`${text}, ${name}`, called!, at) : constant(constantValue!)
      }
      if (classFunctions.has(text)) {
        throw this.refuse(this.peek(1).at, `static method [${text}, ${this.peek(1).text}] not found`)
      }
    }
    throw this.refuse(at, `cannot resolve symbol [${text}]`)
  }

  #luceneWord({ text, at }: Token): Evaluate {
    if (this.isSign('(')) {
      const called = expressionFunctions.get(text)
      if (called === undefined) throw this.refuse(at, `Unrecognized function call (${text}).`)
      return this.#call(text, called, at)
    }
    let name = text
    while (this.isSign('.') && this.peek(1).kind === 'word') {
      this.#next++
      name += `.${this.take().text}`
    }
    return (scope) => {
      const value = scope.params.get(name)
      if (value !== undefined) return value === null ? Number.NaN : Number(value)
      throw new ScriptFailure('illegal_argument_exception', `Unable to find variable [${name}]`)
    }
  }

  /** `params.name`, `params['name']`, `params.get('name')`, `params.containsKey('name')`. */
  #param(): Evaluate {
    if (this.accept('[')) {
      const name = this.take()
      if (name.kind !== 'text') throw this.unexpected(name)
      this.expect(']')
      return readParam(name.text)
    }
    if (!this.accept('.') && !this.accept('?.')) throw this.unexpected()
    const name = this.take()
    if (name.kind !== 'word' && name.kind !== 'number') throw this.unexpected(name)
    if (!this.isSign('(')) return readParam(name.text)
    this.expect('(')
    const key = this.take()
    if (key.kind !== 'text') throw this.unexpected(key)
    if (name.text === 'getOrDefault') {
      this.expect(',')
      const otherwise = this.expression()
      this.expect(')')
      return (scope) => (scope.params.has(key.text) ? scope.params.get(key.text)! : otherwise(scope))
    }
    this.expect(')')
    if (name.text === 'get') return readParam(key.text)
    if (name.text === 'containsKey') return (scope) => scope.params.has(key.text)
    throw this.refuse(name.at, `dynamic method [java.util.HashMap, ${name.text}/1] not found`)
  }

  #call(name: string, called: ScriptFunction, at: number): Evaluate {
    this.expect('(')
    const values: Evaluate[] = []
    if (!this.isSign(')')) {
      do values.push(this.expression())
      while (this.accept(','))
    }
    this.expect(')')
    if (values.length !== called.arity) {
      throw this.refuse(at, `static method [${name}/${values.length}] not found`)
    }
    return (scope) => called.call(values.map((evaluate) => evaluate(scope)))
  }

  /** Places of a window, its length, methods of numbers. */
  #postfix(start: Evaluate): Evaluate {
    let value = start
    for (;;) {
      if (this.accept('[')) {
        value = element(value, this.expression())
        this.expect(']')
      } else if ((this.isSign('.') || this.isSign('?.')) && !this.#isLucene) {
        value = this.#member(value, this.take().text === '?.')
      } else return value
    }
  }

  #member(owner: Evaluate, nullSafe: boolean): Evaluate {
    const name = this.take()
    if (name.kind !== 'word') throw this.unexpected(name)
    if (name.text === 'length' && !this.isSign('(')) {
      return (scope) => BigInt(windowOf(owner(scope)).length)
    }
    const method = methods.get(name.text)
    if (method === undefined || !this.isSign('(')) {
      throw this.refuse(name.at, `dynamic method [java.lang.Double, ${name.text}] not found`)
    }
    this.expect('(')
    this.expect(')')
    return (scope) => {
      const value = owner(scope)
      return nullSafe && value === null ? null : method(value)
    }
  }
}

function constant(value: ScriptValue): Evaluate {
  return () => value
}

function readParam(name: string): Evaluate {
  return (scope) => scope.params.get(name) ?? null
}

function windowOf(value: ScriptValue): readonly number[] {
  if (typeof value === 'object' && value !== null) return value
  throw new ScriptFailure('illegal_argument_exception', 'Attempting to address a non-array type as an array.')
}

function element(owner: Evaluate, index: Evaluate): Evaluate {
  return (scope) => {
    const window = windowOf(owner(scope))
    const given = Number(numeric(index(scope), '[]'))
    // Places below zero count from the end.
    const at = given < 0 ? given + window.length : given
    const value = window[at]
    if (value !== undefined) return value
    throw new ScriptFailure(
      'array_index_out_of_bounds_exception',
      `Index ${given} out of bounds for length ${window.length}`,
    )
  }
}
