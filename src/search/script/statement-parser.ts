/**
 * Statements of scripts: `return`, `if`/`else`, loops, variables of one's own. The last expression is the answer as
 * well. Loops of a script together go round as often as Painless lets one.
 */
import { castTo, type Evaluate, ExpressionParser, isType } from './expression-parser.ts'
import { itemsOf } from './methods.ts'
import { goRound, type Scope } from './scope.ts'
import { ScriptFailure, type ScriptValue, textOf, truth } from './values.ts'

const broken = Symbol('break')
const continued = Symbol('continue')
type Left = typeof broken | typeof continued
/** Undefined: goes on with the next statement. */
type Run = (scope: Scope) => ScriptValue | Left | undefined

export class StatementParser extends ExpressionParser {
  #loops = 0

  /** The whole script; null when it ends without an answer. */
  program(): Evaluate {
    const run = this.#list(() => this.token.kind === 'end')
    return (scope) => answerOf(run(scope))
  }

  #list(isOver: () => boolean): Run {
    const statements: Run[] = []
    while (!isOver()) {
      if (this.accept(';')) continue
      statements.push(this.nested(() => this.#statement()))
    }
    return (scope) => {
      for (const run of statements) {
        const answer = run(scope)
        if (answer !== undefined) return answer
      }
      return undefined
    }
  }

  /** Names declared inside are known inside only. */
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
      if (['try', 'switch', 'catch', 'function'].includes(text))
        throw this.refuse(at, `[${text}] is not supported`)
      if (this.#isDeclaration()) {
        const run = this.#declarations()
        this.#end()
        return run
      }
    }
    const { get, acts } = this.expression()
    if (this.token.kind !== 'end' && !this.isSign(';') && !this.isSign('}')) throw this.unexpected()
    // What a loop does last is not yet the answer.
    if (this.#endsScript() && this.#loops === 0) return get
    if (acts !== true) throw this.refuse(at, 'not a statement: result not used from expression')
    return (scope) => {
      get(scope)
      return undefined
    }
  }

  #endsScript(): boolean {
    while (this.accept(';'));
    return this.token.kind === 'end'
  }

  #end(): void {
    if (this.token.kind !== 'end' && !this.isSign('}')) this.expect(';')
  }

  #return(): Run {
    this.take()
    if (this.isSign(';') || this.isSign('}') || this.token.kind === 'end') {
      this.#end()
      return () => null
    }
    const { get } = this.expression()
    this.#end()
    return get
  }

  #truth(): (scope: Scope) => boolean {
    this.expect('(')
    const { get } = this.expression()
    this.expect(')')
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
    if (!this.isWord('while')) throw this.unexpected()
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

  /** `for (x : list)`, `for (def x in list)` and the one with three parts. */
  #for(): Run {
    this.take()
    this.expect('(')
    const typed = this.#isDeclaration() ? 1 : 0
    const divider = this.peek(typed + 1)
    if (this.peek(typed).kind === 'word' && (this.isSign(':', divider) || this.isWord('in', divider)))
      return this.#forEach(typed === 1)
    const begin = this.isSign(';') ? undefined : typed === 1 ? this.#declarations() : this.#effects()
    this.expect(';')
    const { get: condition } = this.isSign(';') ? { get: () => true } : this.expression()
    this.expect(';')
    const step = this.isSign(')') ? undefined : this.#effects()
    this.expect(')')
    const run = looping((scope) => truth(condition(scope)), this.#body(), step)
    return (scope) => {
      begin?.(scope)
      return run(scope)
    }
  }

  #forEach(isTyped: boolean): Run {
    if (isTyped) this.take()
    const place = this.declare(this.take())
    this.take()
    const { get: list } = this.expression()
    this.expect(')')
    const body = this.#body()
    return (scope) => {
      for (const item of [...itemsOf(list(scope))]) {
        goRound(scope)
        scope.locals[place] = item
        const answer = body(scope)
        if (answer === broken) break
        if (answer !== undefined && answer !== continued) return answer
      }
      return undefined
    }
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

  /** `throw new IllegalArgumentException('why')` */
  #throw(): Run {
    this.take()
    if (!this.isWord('new')) throw this.unexpected()
    this.take()
    const name = this.take()
    const type = /^(\w+?)Exception$/.exec(name.text)?.[1]
    if (type === undefined) throw this.refuse(name.at, `cannot resolve type [${name.text}]`)
    this.expect('(')
    const reason = this.isSign(')') ? undefined : this.expression().get
    this.expect(')')
    this.#end()
    const spelled = `${type.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase()}_exception`
    return (scope) => {
      throw new ScriptFailure(spelled, reason === undefined ? 'null' : textOf(reason(scope)))
    }
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

  #declaration(cast: ((value: ScriptValue) => ScriptValue) | undefined): Run {
    const name = this.take()
    const initial: Evaluate = this.accept('=') ? this.expression().get : () => null
    const place = this.declare(name)
    return (scope) => {
      const value = initial(scope)
      scope.locals[place] = cast === undefined || value === null ? value : cast(value)
      return undefined
    }
  }
}

function looping(holds: (scope: Scope) => boolean, body: Run, step?: Run): Run {
  return (scope) => {
    while (holds(scope)) {
      goRound(scope)
      const answer = body(scope)
      if (answer === broken) break
      if (answer !== undefined && answer !== continued) return answer
      step?.(scope)
    }
    return undefined
  }
}

function answerOf(answer: ReturnType<Run>): ScriptValue {
  return answer === undefined || typeof answer === 'symbol' ? null : answer
}
