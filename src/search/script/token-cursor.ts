/** Walks over the tokens of a script: what every parser of scripts needs, and the errors that name a place. */
import { compileError, type ScriptText } from './script-error.ts'
import { type Token, tokensOf } from './tokens.ts'

const maxDepth = 100

export class TokenCursor {
  protected readonly script: ScriptText
  readonly #tokens: readonly Token[]
  #next = 0
  #depth = 0

  constructor(script: ScriptText) {
    this.script = script
    this.#tokens = tokensOf(script)
  }

  protected get position(): number {
    return this.#next
  }

  protected skip(count: number): void {
    this.#next += count
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

  protected isWord(text: string, token = this.token): boolean {
    return token.kind === 'word' && token.text === text
  }

  protected accept(text: string): boolean {
    if (!this.isSign(text)) return false
    this.#next++
    return true
  }

  /** For signs inside of expressions: what stands there instead fits no rule of the grammar. */
  protected expect(text: string): void {
    if (!this.accept(text)) throw this.unexpected()
  }

  /** For signs of statements, which the grammar knows to be the only ones here. */
  protected expectOnly(text: string): void {
    if (!this.accept(text)) throw this.notOneOf(`'${text}'`)
  }

  protected unexpected(token = this.token): Error {
    const reason =
      token.kind === 'end'
        ? 'unexpected end of script.'
        : `invalid sequence of tokens near ['${token.text}'].`
    return compileError(this.script, token.at, reason, 'no_viable_alt_exception')
  }

  protected notOneOf(expected: string): Error {
    const { kind, text, at } = this.token
    const found = kind === 'end' ? '<EOF>' : text
    return this.refuse(at, `unexpected token ['${found}'] was expecting one of [${expected}].`)
  }

  protected refuse(at: number, reason: string): Error {
    return compileError(this.script, at, reason)
  }

  /** Limits the recursion depth of the parser. */
  protected nested<Result>(read: () => Result): Result {
    if (++this.#depth > maxDepth) throw this.refuse(this.token.at, 'Scripts may not be nested this deeply.')
    const result = read()
    this.#depth--
    return result
  }
}
