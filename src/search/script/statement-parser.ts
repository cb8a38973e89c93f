/**
 * Parses statements: `return`, `if`/`else`, loops, variables, functions and exceptions. The last expression
 * is the result as well. All loops of a script share one iteration limit; outermost loops can run in steps.
 */
import { finish, type Steps } from '../scheduling/steps.ts'
import { CaughtException, exceptionType, isCaught } from './exceptions.ts'
import type { Evaluate, Expression } from './expression.ts'
import { ExpressionParser, type OwnFunction } from './expression-parser.ts'
import { itemsOf } from './methods.ts'
import type { NumericPlan } from './numeric-plan.ts'
import { countIterations, inFunction, type Scope } from './scope.ts'
import { type Cast, castTo, isType } from './types.ts'
import { ScriptFailure, type ScriptValue, textOf, truth } from './values.ts'

/** What may follow a statement, as the grammar prints it. */
const statementEnd = "{<EOF>, ';'}"

const broken = Symbol('break')
const continued = Symbol('continue')
type Left = typeof broken | typeof continued
/** Undefined: continue with the next statement. */
type Answer = ScriptValue | Left | undefined
interface Run {
  (scope: Scope): Answer
  /** Runs loops and their enclosing blocks in steps. */
  readonly steps?: (scope: Scope) => Steps<Answer>
}

/** A parsed script, to run synchronously or in steps. */
export interface Program {
  readonly run: Evaluate
  /** Defined when the script is one expression that may run over plain numbers. */
  readonly plan: NumericPlan | undefined
  readonly steps: (scope: Scope) => Steps<ScriptValue>
}

export class StatementParser extends ExpressionParser {
  #loops = 0
  /** All statements that were parsed, also those inside of others. */
  #statements = 0
  /** The plan of the last expression that was a result. */
  #plan: NumericPlan | undefined

  /** Parses the whole script; its result is null when it ends without one. */
  program(): Program {
    while (this.#isFunction()) this.#function()
    const run = this.#list(() => this.token.kind === 'end')
    this.checkNames()
    const plan = this.#statements === 1 ? this.#plan : undefined
    return {
      plan,
      run: (scope) => answerOf(run(scope)),
      *steps(scope) {
        return answerOf(yield* stepsOf(run, scope))
      },
    }
  }

  #list(isOver: () => boolean): Run {
    const statements: Run[] = []
    while (!isOver()) {
      if (this.accept(';')) continue
      statements.push(this.nested(() => this.#statement()))
    }
    const all = (scope: Scope): Answer => {
      for (const run of statements) {
        const answer = run(scope)
        if (answer !== undefined) return answer
      }
      return undefined
    }
    return Object.assign(all, {
      *steps(scope: Scope): Steps<Answer> {
        for (const run of statements) {
          const answer = yield* stepsOf(run, scope)
          if (answer !== undefined) return answer
        }
        return undefined
      },
    })
  }

  /** Parses with a new block scope. */
  #within<Result>(read: () => Result): Result {
    const outer = this.localNames
    this.localNames = new Map(outer)
    const result = read()
    this.localNames = outer
    return result
  }

  #block(): Run {
    return this.#within(() => {
      if (!this.accept('{')) return this.nested(() => this.#statement())
      const run = this.#list(() => {
        if (this.token.kind === 'end') throw this.unexpected()
        return this.isSign('}')
      })
      this.expect('}')
      return run
    })
  }

  protected override lambdaBody(): Evaluate {
    if (!this.isSign('{')) return super.lambdaBody()
    const run = this.#block()
    return (scope) => answerOf(run(scope))
  }

  #statement(): Run {
    this.#statements++
    const { kind, text, at } = this.token
    if (this.isSign('{')) return this.#block()
    if (kind === 'word') {
      if (text === 'if') return this.#condition()
      if (text === 'return') return this.#return()
      if (text === 'for') return this.#within(() => this.#for())
      if (text === 'while') return this.#while()
      if (text === 'do') return this.#do()
      if (text === 'break' || text === 'continue') return this.#leave()
      if (text === 'throw') return this.#throw()
      if (text === 'try') return this.#try()
      if (this.#isDeclaration()) {
        const run = this.#declarations()
        this.#end()
        return run
      }
    }
    const namesEnd = this.position + this.#nameLength()
    const value = this.expression()
    const { get, acts, plan } = value
    this.#plan = plan
    if (this.token.kind !== 'end' && !this.isSign(';') && !this.isSign('}')) {
      // A name alone might be the type of a declaration.
      throw this.position === namesEnd ? this.unexpected() : this.notOneOf(statementEnd)
    }
    // The last expression of a loop body is not the result.
    if (this.#endsScript() && this.#loops === 0) return resultOf(value)
    if (acts !== true) throw this.refuse(at, 'not a statement: result not used from expression')
    return (scope) => {
      get(scope)
      return undefined
    }
  }

  /** The tokens of `name.name`. */
  #nameLength(): number {
    if (this.token.kind !== 'word') return 0
    let length = 1
    while (this.isSign('.', this.peek(length)) && this.peek(length + 1).kind === 'word') length += 2
    return length
  }

  #endsScript(): boolean {
    while (this.accept(';'));
    return this.token.kind === 'end'
  }

  #end(): void {
    if (this.token.kind !== 'end' && !this.isSign('}') && !this.accept(';')) throw this.notOneOf(statementEnd)
  }

  #return(): Run {
    this.take()
    if (this.isSign(';') || this.isSign('}') || this.token.kind === 'end') {
      this.#end()
      return () => null
    }
    const value = this.expression()
    this.#plan = value.plan
    this.#end()
    return resultOf(value)
  }

  #truth(): (scope: Scope) => boolean {
    this.expectOnly('(')
    const { get } = this.expression()
    this.expectOnly(')')
    return (scope) => truth(get(scope))
  }

  #condition(): Run {
    this.take()
    const holds = this.#truth()
    const then = this.#block()
    let otherwise: Run = () => undefined
    if (this.isWord('else')) {
      this.take()
      otherwise = this.#block()
    }
    return (scope) => (holds(scope) ? then(scope) : otherwise(scope))
  }

  #body(): Run {
    this.#loops++
    this.mayLoop = true
    const run = this.#block()
    this.#loops--
    return run
  }

  #while(): Run {
    this.take()
    const holds = this.#truth()
    return looping(holds, this.#body())
  }

  #do(): Run {
    this.take()
    const body = this.#body()
    if (!this.isWord('while')) throw this.notOneOf("'while'")
    this.take()
    const holds = this.#truth()
    this.#end()
    return (scope) => {
      let isFirst = true
      return looping(() => {
        const goesOn = isFirst || holds(scope)
        isFirst = false
        return goesOn
      }, body)(scope)
    }
  }

  /** `for (x : list)`, `for (def x in list)` and the three-part form. */
  #for(): Run {
    this.take()
    this.expectOnly('(')
    const typed = this.#isDeclaration() ? 1 : 0
    const divider = this.peek(typed + 1)
    if (this.peek(typed).kind === 'word' && (this.isSign(':', divider) || this.isWord('in', divider)))
      return this.#forEach(typed === 1)
    const begin = this.isSign(';') ? undefined : typed === 1 ? this.#declarations() : this.#effects()
    this.expectOnly(';')
    const { get: condition } = this.isSign(';') ? { get: () => true } : this.expression()
    this.expectOnly(';')
    const step = this.isSign(')') ? undefined : this.#effects()
    this.expectOnly(')')
    const run = looping((scope) => truth(condition(scope)), this.#body(), step)
    return stepped(function* (scope) {
      begin?.(scope)
      return yield* stepsOf(run, scope)
    })
  }

  #forEach(isTyped: boolean): Run {
    if (isTyped) this.take()
    const place = this.declare(this.take())
    this.take()
    const { get: list } = this.expression()
    this.expect(')')
    const body = this.#body()
    return stepped(function* (scope) {
      let iterations = 0
      for (const item of [...itemsOf(list(scope))]) {
        countIterations(scope)
        scope.locals[place] = item
        const answer = body(scope)
        if (answer === broken) break
        if (answer !== undefined && answer !== continued) return answer
        if (++iterations % iterationsPerStep === 0) yield
      }
      return undefined
    })
  }

  /** `i++, j--` */
  #effects(): Run {
    const effects: Evaluate[] = []
    do effects.push(this.expression().get)
    while (this.accept(','))
    return (scope) => {
      for (const run of effects) run(scope)
      return undefined
    }
  }

  #leave(): Run {
    const { text, at } = this.take()
    if (this.#loops === 0) throw this.refuse(at, `invalid ${text} statement: not inside loop`)
    this.#end()
    const left = text === 'break' ? broken : continued
    return () => left
  }

  /** `throw new IllegalArgumentException('why')`, or rethrowing a caught exception. */
  #throw(): Run {
    this.take()
    const { at } = this.token
    if (!this.isWord('new')) return this.#throwAgain()
    this.take()
    const name = this.take()
    const type = exceptionType(name.text)
    if (type === undefined) throw this.refuse(name.at, `cannot resolve type [${name.text}]`)
    this.expect('(')
    const reason = this.isSign(')') ? undefined : this.expression().get
    this.expect(')')
    this.#end()
    return (scope) => {
      scope.place.at = at
      throw new ScriptFailure(type, reason === undefined ? 'null' : textOf(reason(scope)))
    }
  }

  #throwAgain(): Run {
    const { at } = this.token
    const { get } = this.expression()
    this.#end()
    return (scope) => {
      const value = get(scope)
      if (value instanceof CaughtException) throw value.failure
      throw this.refuse(at, 'only exceptions can be thrown')
    }
  }

  /** `try { } catch (Exception e) { }` */
  #try(): Run {
    this.take()
    const body = this.#braces()
    const handlers: { readonly name: string; readonly place: number; readonly run: Run }[] = []
    while (this.isWord('catch')) {
      this.take()
      this.expect('(')
      const type = this.take()
      if (exceptionType(type.text) === undefined)
        throw this.refuse(type.at, `cannot resolve type [${type.text}]`)
      this.#within(() => {
        const place = this.declare(this.take())
        this.expect(')')
        handlers.push({ name: type.text, place, run: this.#braces() })
      })
    }
    if (handlers.length === 0) throw this.notOneOf("'catch'")
    return (scope) => {
      try {
        return body(scope)
      } catch (error) {
        const caught =
          error instanceof ScriptFailure ? handlers.find(({ name }) => isCaught(error, name)) : undefined
        if (caught === undefined) throw error
        scope.locals[caught.place] = new CaughtException(error as ScriptFailure)
        return caught.run(scope)
      }
    }
  }

  #braces(): Run {
    if (!this.isSign('{')) throw this.unexpected()
    return this.#block()
  }

  #isFunction(): boolean {
    const { kind, text } = this.token
    return (
      kind === 'word' &&
      (isType(text) || text === 'void') &&
      this.peek(1).kind === 'word' &&
      this.isSign('(', this.peek(2))
    )
  }

  /** `int twice(int n) { return n * 2 }` */
  #function(): void {
    this.mayLoop = true
    const result = castTo(this.take().text)
    const name = this.take()
    if (this.functions.has(name.text))
      throw this.refuse(name.at, `Illegal duplicate functions [${name.text}].`)
    const { localNames, localCount } = this
    this.localNames = new Map()
    this.localCount = 0
    const casts = this.#parameterTypes()
    const own: OwnFunction = { arity: casts.length }
    this.functions.set(name.text, own)
    const run = this.#braces()
    this.localNames = localNames
    this.localCount = localCount
    own.run = (scope, values) => {
      const given = values.map((value, at) => converted(casts[at], value))
      return converted(
        result,
        inFunction(scope, given, (inner) => answerOf(run(inner))),
      )
    }
  }

  #parameterTypes(): (Cast | undefined)[] {
    const casts: (Cast | undefined)[] = []
    this.expect('(')
    while (!this.accept(')')) {
      if (casts.length > 0) this.expect(',')
      const type = this.take()
      if (!isType(type.text)) throw this.refuse(type.at, `cannot resolve type [${type.text}]`)
      casts.push(castTo(type.text))
      this.declare(this.take())
    }
    return casts
  }

  #isDeclaration(): boolean {
    return this.token.kind === 'word' && isType(this.token.text) && this.peek(1).kind === 'word'
  }

  /** `int i = 0, j = 1` */
  #declarations(): Run {
    const cast = castTo(this.take().text)
    const parts: Run[] = []
    do parts.push(this.#declaration(cast))
    while (this.accept(','))
    return (scope) => {
      for (const run of parts) run(scope)
      return undefined
    }
  }

  #declaration(cast: Cast | undefined): Run {
    const name = this.take()
    const initial: Evaluate = this.accept('=') ? this.expression().get : () => null
    const place = this.declare(name)
    return (scope) => {
      scope.locals[place] = converted(cast, initial(scope))
      return undefined
    }
  }
}

/** The value of an expression that is the result: when it is none of the script's type, the error is at its place. */
function resultOf({ get, at, resultAt = at }: Expression): Run {
  return (scope) => {
    const { place } = scope
    place.isInt = false
    const value = get(scope)
    place.at = resultAt
    return value
  }
}

function converted(cast: Cast | undefined, value: ScriptValue): ScriptValue {
  return cast === undefined || value === null ? value : cast(value)
}

function looping(holds: (scope: Scope) => boolean, body: Run, step?: Run): Run {
  return stepped(function* (scope) {
    let iterations = 0
    while (holds(scope)) {
      countIterations(scope)
      const answer = body(scope)
      if (answer === broken) break
      if (answer !== undefined && answer !== continued) return answer
      step?.(scope)
      if (++iterations % iterationsPerStep === 0) yield
    }
    return undefined
  })
}

const iterationsPerStep = 64

function stepped(steps: (scope: Scope) => Steps<Answer>): Run {
  return Object.assign((scope: Scope) => finish(steps(scope)), { steps })
}

function* stepsOf(run: Run, scope: Scope): Steps<Answer> {
  return run.steps === undefined ? run(scope) : yield* run.steps(scope)
}

function answerOf(answer: ReturnType<Run>): ScriptValue {
  return answer === undefined || typeof answer === 'symbol' ? null : answer
}
