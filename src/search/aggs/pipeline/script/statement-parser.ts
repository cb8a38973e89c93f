/** Statements of scripts: `return`, `if`/`else`, variables of one's own. The last expression is the answer as well. */
import { castTo, type Evaluate, ExpressionParser, type Scope } from './expression-parser.ts'
import { operators, type ScriptValue, truth } from './values.ts'

/** Undefined: goes on with the next statement. */
type Run = (scope: Scope) => ScriptValue | undefined

const types = new Set([
  'def',
  'int',
  'long',
  'short',
  'byte',
  'double',
  'float',
  'boolean',
  'String',
  'Double',
  'Integer',
  'Long',
  'Boolean',
  'Number',
])

export class StatementParser extends ExpressionParser {
  /** The whole script; null when it ends without an answer. */
  program(): Evaluate {
    const run = this.#list(() => this.token.kind === 'end')
    return (scope) => run(scope) ?? null
  }

  #list(isOver: () => boolean): Run {
    const statements: Run[] = []
    while (!isOver()) {
      if (this.accept(';')) continue
      statements.push(this.#statement())
    }
    return (scope) => {
      for (const run of statements) {
        const answer = run(scope)
        if (answer !== undefined) return answer
      }
      return undefined
    }
  }

  #block(): Run {
    if (!this.accept('{')) return this.#statement()
    const run = this.#list(() => {
      if (this.token.kind === 'end') throw this.unexpected()
      return this.isSign('}')
    })
    this.expect('}')
    return run
  }

  #statement(): Run {
    const { kind, text, at } = this.token
    const next = this.peek(1)
    if (kind === 'word') {
      if (text === 'if') return this.#condition()
      if (text === 'return') return this.#return()
      if (types.has(text) && next.kind === 'word') return this.#declaration()
      if (['for', 'while', 'do', 'try', 'throw', 'new'].includes(text)) {
        throw this.refuse(at, `[${text}] is not supported in the scripts of aggregations`)
      }
      if (next.kind === 'sign' && /^[-+*/%]?=$/.test(next.text)) return this.#assignment()
    }
    const evaluate = this.expression()
    if (this.token.kind === 'end') return evaluate
    if (!this.isSign(';') && !this.isSign('}')) throw this.unexpected()
    if (!this.#endsScript()) throw this.refuse(at, 'not a statement: result not used from expression')
    return evaluate
  }

  #endsScript(): boolean {
    let ended = false
    while (this.accept(';')) ended = true
    return ended && this.token.kind === 'end'
  }

  #end(): void {
    if (this.token.kind !== 'end' && !this.isSign('}')) this.expect(';')
  }

  #return(): Run {
    this.take()
    const evaluate = this.expression()
    this.#end()
    return evaluate
  }

  #condition(): Run {
    this.take()
    this.expect('(')
    const condition = this.expression()
    this.expect(')')
    const then = this.#block()
    let otherwise: Run = () => undefined
    if (this.token.kind === 'word' && this.token.text === 'else') {
      this.take()
      otherwise = this.#block()
    }
    return (scope) => (truth(condition(scope)) ? then(scope) : otherwise(scope))
  }

  #declaration(): Run {
    const cast = castTo(this.take().text)
    const name = this.take()
    if (this.localNames.has(name.text)) {
      throw this.refuse(name.at, `variable [${name.text}] is already defined`)
    }
    const initial: Evaluate = this.accept('=') ? this.expression() : () => null
    this.#end()
    const place = this.localNames.size
    this.localNames.set(name.text, place)
    return (scope) => {
      const value = initial(scope)
      scope.locals[place] = cast === undefined || value === null ? value : cast(value)
      return undefined
    }
  }

  #assignment(): Run {
    const name = this.take()
    const place = this.localNames.get(name.text)
    if (place === undefined) throw this.refuse(name.at, `cannot resolve symbol [${name.text}]`)
    const operator = operators.get(this.take().text.slice(0, -1))
    const evaluate = this.expression()
    this.#end()
    return (scope) => {
      const value = evaluate(scope)
      scope.locals[place] = operator === undefined ? value : operator(scope.locals[place] ?? null, value)
      return undefined
    }
  }
}
