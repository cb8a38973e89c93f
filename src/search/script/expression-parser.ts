/**
 * Parses expressions of scripts directly into closures: operators, conditionals, members, methods and
 * functions. User text is never run as JavaScript, and only allow-listed names can be called.
 */
import {
  boxed,
  combined,
  constant,
  type Evaluate,
  type Expression,
  elementOf,
  memberOf,
  methodOf,
} from './expression.ts'
import {
  type ClassFunctions,
  classConstants,
  classFunctions,
  constructors,
  expressionFunctions,
  type ScriptFunction,
} from './functions.ts'
import { callPlan, castPlan, conditionalPlan, operatorPlan, signPlan } from './numeric-plan.ts'
import { countIterations, type Scope } from './scope.ts'
import type { ScriptText } from './script-error.ts'
import { TokenCursor } from './token-cursor.ts'
import type { Token } from './tokens.ts'
import { castTo, classTest, isType } from './types.ts'
import {
  Lambda,
  numeric,
  operators,
  ScriptFailure,
  type ScriptMap,
  type ScriptValue,
  toDouble,
  toInteger,
  truth,
} from './values.ts'

/** A function that the script declares. */
export interface OwnFunction {
  readonly arity: number
  /** Set once its body is parsed. */
  run?: (scope: Scope, values: ScriptValue[]) => ScriptValue
}

/** Binary operators by precedence, lowest first. */
const levels: readonly (readonly string[])[] = [
  ['|'],
  ['^'],
  ['&'],
  ['==', '!=', '===', '!=='],
  ['<', '<=', '>', '>=', 'instanceof'],
  ['<<', '>>'],
  ['+', '-'],
  ['*', '/', '%'],
]
const comparisons = new Set([3, 4])

export class ExpressionParser extends TokenCursor {
  readonly #globals: ReadonlySet<string>
  readonly #classes: ClassFunctions | undefined
  protected localNames = new Map<string, number>()
  protected localCount = 0
  /** The functions that the script declares. */
  protected readonly functions = new Map<string, OwnFunction>()
  /** The error of the first unresolved name. */
  #unknown: Error | undefined
  /** True when a part may run more than once. */
  mayLoop = false
  /** The globals that the script uses. */
  readonly names = new Set<string>()

  /** `globals` are the predefined variables; `more` adds functions to the standard ones. */
  constructor(script: ScriptText, globals: readonly string[], more?: ClassFunctions) {
    super(script)
    this.#globals = new Set(globals)
    this.#classes = more
  }

  get #isLucene(): boolean {
    return this.script.lang === 'expression'
  }

  protected declare(name: Token): number {
    if (name.kind !== 'word') throw this.unexpected(name)
    if (this.localNames.has(name.text))
      throw this.refuse(name.at, `variable [${name.text}] is already defined`)
    const place = this.localCount++
    this.localNames.set(name.text, place)
    return place
  }

  expression(): Expression {
    return this.nested(() => this.#assignment())
  }

  #assignment(): Expression {
    const { at: place } = this.token
    const target = this.#conditional()
    const { at, text, kind } = this.token
    if (kind !== 'sign' || !/^[-+*/%&|^]?=$/.test(text)) return target
    const { set, get } = target
    if (set === undefined || this.#isLucene) throw this.refuse(at, 'cannot assign a value to this expression')
    this.take()
    const operator = operators.get(text.slice(0, -1))
    const { get: given } = this.expression()
    return {
      at: place,
      get: (scope) => {
        const value =
          operator === undefined ? given(scope) : combined(scope, place, operator, get(scope), given(scope))
        set(scope, value)
        return value
      },
      acts: true,
    }
  }

  #conditional(): Expression {
    const { at } = this.token
    const condition = this.#either()
    if (this.accept('?')) {
      const one = this.expression()
      this.expectOnly(':')
      const other = this.expression()
      const holds = this.#truthOf(condition.get)
      const whenTrue = boxed(one)
      const whenFalse = boxed(other)
      return {
        at,
        // The cast of the result follows the code of the second value without an instruction between them.
        ...(other.isReference === true && { resultAt: other.at }),
        get: (scope) => (holds(scope) ? whenTrue(scope) : whenFalse(scope)),
        plan: conditionalPlan(condition.plan, one.plan, other.plan),
      }
    }
    if (!this.accept('?:')) return condition
    const { get: otherwise } = this.expression()
    return { at, get: (scope) => condition.get(scope) ?? otherwise(scope) }
  }

  /** In Lucene expressions all values are doubles, and all but zero are true. */
  #truthOf(evaluate: Evaluate): (scope: Scope) => boolean {
    if (this.#isLucene) return (scope) => toDouble(evaluate(scope), 'condition') !== 0
    return (scope) => truth(evaluate(scope))
  }

  #logical(at: number, holds: (scope: Scope) => boolean): Expression {
    return { at, get: this.#isLucene ? (scope) => (holds(scope) ? 1 : 0) : holds }
  }

  #either(): Expression {
    const { at } = this.token
    let left = this.#both()
    while (this.accept('||')) {
      const right = this.#both()
      const one = this.#truthOf(left.get)
      const other = this.#truthOf(right.get)
      left = {
        ...this.#logical(at, (scope) => one(scope) || other(scope)),
        plan: operatorPlan('||', left.plan, right.plan),
      }
    }
    return left
  }

  #both(): Expression {
    const { at } = this.token
    let left = this.#binary(0)
    while (this.accept('&&')) {
      const right = this.#binary(0)
      const one = this.#truthOf(left.get)
      const other = this.#truthOf(right.get)
      left = {
        ...this.#logical(at, (scope) => one(scope) && other(scope)),
        plan: operatorPlan('&&', left.plan, right.plan),
      }
    }
    return left
  }

  #binary(level: number): Expression {
    const signs = levels[level]
    if (signs === undefined) return this.nested(() => this.#unary())
    const { at } = this.token
    let left = this.#binary(level + 1)
    while (this.token.kind !== 'text' && this.token.kind !== 'number' && signs.includes(this.token.text)) {
      const sign = this.take().text
      const { get: one } = left
      if (sign === 'instanceof') {
        left = this.#instanceOf(one, at)
        continue
      }
      const operator = operators.get(sign)!
      const { plan } = left
      const { get: other, plan: otherPlan } = this.#binary(level + 1)
      left = {
        at,
        plan: operatorPlan(sign, plan, otherPlan),
        get:
          comparisons.has(level) && this.#isLucene
            ? (scope) => (operator(one(scope), other(scope)) === true ? 1 : 0)
            : (scope) => combined(scope, at, operator, one(scope), other(scope)),
      }
    }
    return left
  }

  #instanceOf(value: Evaluate, at: number): Expression {
    const name = this.take()
    const test = classTest(name.text)
    if (test === undefined) throw this.refuse(name.at, `cannot resolve type [${name.text}]`)
    return { at, get: (scope) => test(value(scope)) }
  }

  #unary(): Expression {
    const { at } = this.token
    if (this.accept('!')) {
      const { get, plan } = this.nested(() => this.#unary())
      const holds = this.#truthOf(get)
      return { ...this.#logical(at, (scope) => !holds(scope)), plan: signPlan('!', plan) }
    }
    if (this.isSign('++') || this.isSign('--')) {
      const sign = this.take()
      return this.#stepped(
        this.nested(() => this.#unary()),
        sign,
        true,
      )
    }
    for (const sign of ['-', '+', '~']) {
      if (!this.accept(sign)) continue
      const { get, plan } = this.nested(() => this.#unary())
      if (sign === '-') return { at, get: (scope) => -numeric(get(scope), '-'), plan: signPlan('-', plan) }
      if (sign === '+') return { at, get: (scope) => numeric(get(scope), '+') }
      return { at, get: (scope) => ~toInteger(get(scope), 64) }
    }
    const type = this.peek(1)
    if (this.isSign('(') && type.kind === 'word' && isType(type.text) && this.isSign(')', this.peek(2))) {
      this.skip(3)
      const cast = castTo(type.text)
      const { get, plan } = this.nested(() => this.#unary())
      return cast === undefined
        ? { at, get }
        : { at, get: (scope) => cast(get(scope)), plan: castPlan(type.text, plan) }
    }
    const value = this.#postfix(this.#primary())
    return this.isSign('++') || this.isSign('--') ? this.#stepped(value, this.take(), false) : value
  }

  /** `++` and `--`. */
  #stepped({ get, set, at: place }: Expression, { text, at }: Token, isBefore: boolean): Expression {
    if (set === undefined) throw this.refuse(at, 'cannot assign a value to this expression')
    const operator = operators.get(text.charAt(0))!
    return {
      at: place,
      get: (scope) => {
        const before = get(scope)
        const after = operator(before, 1n)
        set(scope, after)
        return isBefore ? after : before
      },
      acts: true,
    }
  }

  #primary(): Expression {
    const token = this.take()
    const { at } = token
    if (token.kind === 'number') {
      const isInt = /^\d+$/.test(token.text) && !this.#isLucene
      return { ...constant(at, this.#literal(token)), isInt }
    }
    if (token.kind === 'text') return { ...constant(at, token.text), isReference: true }
    if (token.kind === 'word') return this.#word(token)
    if (token.kind === 'sign' && token.text === '(') {
      if (this.#isLambda()) return this.#lambda(at, this.#parameters())
      const inner = this.expression()
      this.expect(')')
      return inner
    }
    if (token.kind === 'sign' && token.text === '[' && !this.#isLucene)
      return { ...this.#collection(at), isReference: true }
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

  /** `[1, 2]` and `['a': 1]`; `[:]` is an empty map. */
  #collection(at: number): Expression {
    if (this.accept(':')) {
      this.expect(']')
      return { at, get: () => new Map() }
    }
    if (this.accept(']')) return { at, get: () => [] }
    const first = this.expression()
    if (!this.isSign(':')) {
      const items = [first.get]
      while (this.accept(',')) items.push(this.expression().get)
      this.expect(']')
      return { at, get: (scope) => items.map((item) => item(scope)) }
    }
    const members: [Evaluate, Evaluate][] = []
    let key = first
    for (;;) {
      this.expect(':')
      members.push([key.get, this.expression().get])
      if (!this.accept(',')) break
      key = this.expression()
    }
    this.expect(']')
    return { at, get: (scope) => new Map(members.map(([name, value]) => [name(scope), value(scope)])) }
  }

  #word(token: Token): Expression {
    const { text, at } = token
    if (this.#isLucene) return this.#luceneWord(token)
    if (text === 'true' || text === 'false') return constant(at, text === 'true')
    if (text === 'null') return constant(at, null)
    if (text === 'new') return this.#made(at)
    if (this.isSign('->')) return this.#lambda(at, [token])
    const own = this.functions.get(text)
    if (own !== undefined && this.isSign('(')) return this.#callOwn(own, token)
    const local = this.localNames.get(text)
    if (local !== undefined) {
      return {
        at,
        get: (scope) => scope.locals[local]!,
        set: (scope, value) => {
          scope.locals[local] = value
        },
      }
    }
    if (this.#globals.has(text)) {
      this.names.add(text)
      if (this.isSign('(')) return this.#given(text, at)
      return {
        at,
        isReference: true,
        get: (scope) => scope.globals.get(text) ?? null,
        plan: { kind: 'global', name: text },
      }
    }
    if (this.isSign('.') && this.peek(1).kind === 'word') {
      const name = this.peek(1).text
      const constantValue = classConstants.get(`${text}.${name}`)
      const functions = this.#classes?.get(text) ?? classFunctions.get(text)
      const called = functions?.get(name)
      const isCall = this.isSign('(', this.peek(2))
      if (isCall ? called !== undefined : constantValue !== undefined) {
        const dot = this.token.at
        this.skip(2)
        if (!isCall) return constant(dot, constantValue!)
        return this.#call(`${text}, ${name}`, called!, dot, text === 'Math' ? name : undefined)
      }
      if (functions !== undefined)
        throw this.refuse(this.peek(1).at, `static method [${text}, ${name}] not found`)
    }
    return this.#unresolved(text, at)
  }

  /**
   * Names with dots between them might be those of a class: the error names all of them, at the last dot. It is thrown
   * when the whole script was read, as errors of the grammar come first.
   */
  #unresolved(text: string, at: number): Expression {
    let name = text
    let place = at
    while (this.isSign('.') && this.peek(1).kind === 'word' && !this.isSign('(', this.peek(2))) {
      place = this.peek(0).at
      name = `${name}.${this.peek(1).text}`
      this.skip(2)
    }
    if (this.isSign('(')) {
      this.#unknown ??= this.refuse(
        at,
        `Unknown call [${text}] with [${this.#arguments().length}] arguments.`,
      )
    } else this.#unknown ??= this.refuse(place, `cannot resolve symbol [${name}]`)
    return { at, get: () => null, set: () => {}, acts: true }
  }

  /** To be called at the end of the script. */
  protected checkNames(): void {
    if (this.#unknown !== undefined) throw this.#unknown
  }

  #callOwn(own: OwnFunction, { text, at }: Token): Expression {
    const values = this.#arguments()
    if (values.length !== own.arity)
      throw this.refuse(at, `Unknown call [${text}] with [${values.length}] arguments.`)
    return {
      at,
      get: (scope) =>
        own.run!(
          scope,
          values.map((value) => value(scope)),
        ),
      acts: true,
    }
  }

  /** A function of the script's context: `saturation(1, 2)`. */
  #given(name: string, at: number): Expression {
    const values = this.#arguments()
    return {
      at,
      get: (scope) => {
        const called = scope.globals.get(name)
        const given = values.map((value) => value(scope))
        scope.place.at = at
        if (called instanceof Lambda) return called.run(given)
        throw new ScriptFailure(
          'illegal_argument_exception',
          `Unknown call [${name}] with [${values.length}] arguments.`,
        )
      },
      acts: true,
    }
  }

  /** `new ArrayList()` */
  #made(at: number): Expression {
    const name = this.take()
    const make = constructors.get(name.text)
    if (make === undefined) throw this.refuse(name.at, `cannot resolve type [${name.text}]`)
    const values = this.#arguments()
    return { at, isReference: true, get: (scope) => make(values.map((value) => value(scope))), acts: true }
  }

  /** True when the opening parenthesis begins the parameters of a lambda. */
  #isLambda(): boolean {
    for (let ahead = 0; ; ahead++) {
      const token = this.peek(ahead)
      if (this.isSign(')', token)) return this.isSign('->', this.peek(ahead + 1))
      if (token.kind !== 'word' && !this.isSign(',', token)) return false
    }
  }

  #parameters(): Token[] {
    const names: Token[] = []
    while (!this.accept(')')) {
      if (names.length > 0) this.expect(',')
      const first = this.take()
      names.push(this.token.kind === 'word' ? this.take() : first)
    }
    return names
  }

  #lambda(at: number, names: readonly Token[]): Expression {
    this.expect('->')
    this.mayLoop = true
    const outer = this.localNames
    this.localNames = new Map(outer)
    const places = names.map((name) => this.declare(name))
    const run = this.lambdaBody()
    this.localNames = outer
    return {
      at,
      get: (scope) =>
        new Lambda((values) => {
          countIterations(scope)
          for (let i = 0; i < places.length; i++) scope.locals[places[i]!] = values[i] ?? null
          return run(scope)
        }),
    }
  }

  /** An expression; the statement parser also accepts blocks. */
  protected lambdaBody(): Evaluate {
    return this.expression().get
  }

  #luceneWord({ text, at }: Token): Expression {
    if (this.isSign('(')) {
      const called = expressionFunctions.get(text)
      if (called === undefined) throw this.refuse(at, `Unrecognized function call (${text}).`)
      return this.#call(text, called, at)
    }
    let name = text
    while (this.isSign('.') && this.peek(1).kind === 'word') {
      this.skip(1)
      name += `.${this.take().text}`
    }
    if (this.#globals.has(name)) {
      this.names.add(name)
      return { at, get: (scope) => scope.globals.get(name) ?? Number.NaN }
    }
    return {
      at,
      get: (scope) => {
        const value = (scope.globals.get('params') as ScriptMap).get(name)
        if (value !== undefined) return value === null ? Number.NaN : toDouble(value, name)
        throw new ScriptFailure('illegal_argument_exception', `Unable to find variable [${name}]`)
      },
    }
  }

  #arguments(): readonly Evaluate[] {
    return this.#expressions().map(({ get }) => get)
  }

  #expressions(): readonly Expression[] {
    this.expect('(')
    const values: Expression[] = []
    if (!this.isSign(')')) {
      do values.push(this.expression())
      while (this.accept(','))
    }
    this.expect(')')
    return values
  }

  /** `ofMath` is the name of a function that a plan may call. */
  #call(name: string, called: ScriptFunction, at: number, ofMath?: string): Expression {
    const given = this.#expressions()
    const values = given.map(({ get }) => get)
    if (values.length !== called.arity) {
      throw this.refuse(at, `static method [${name}/${values.length}] not found`)
    }
    return {
      at,
      get: (scope) => {
        const given = values.map((evaluate) => evaluate(scope))
        scope.place.at = at
        return called.call(given)
      },
      acts: true,
      plan:
        ofMath === undefined
          ? undefined
          : callPlan(
              ofMath,
              given.map(({ plan }) => plan),
            ),
    }
  }

  /** Member access, method calls and indexing. */
  #postfix(start: Expression): Expression {
    let value = start
    for (;;) {
      const { at } = this.token
      if (this.accept('[')) {
        const key = this.expression()
        this.expect(']')
        value = elementOf(value, key, at)
      } else if (this.isSign('.') || (this.isSign('?.') && !this.#isLucene)) {
        value = this.#member(value, this.take().text === '?.', at)
      } else if (this.#isPlace()) {
        const name = this.take().text.slice(1)
        value = memberOf(value, name, at, false)
      } else return value
    }
  }

  /** `list.0` is tokenized as a word and a number that begins with the dot. */
  #isPlace(): boolean {
    return !this.#isLucene && this.token.kind === 'number' && /^\.\d+$/.test(this.token.text)
  }

  #member(owner: Expression, nullSafe: boolean, at: number): Expression {
    const { kind, text: name } = this.token
    if (kind !== 'word' && kind !== 'number') throw this.unexpected()
    this.take()
    if (this.isSign('(')) return methodOf(owner, name, this.#arguments(), at, nullSafe)
    return memberOf(owner, name, at, nullSafe)
  }
}
