/**
 * The lexer of Lucene's classic query syntax. The longest token wins, and of equally long ones the first in
 * the grammar. A caret and an opening bracket switch the lexical state: then only a number, or the words of a
 * range, may follow. Tokens are read lazily, since a text with two errors must report the first.
 */
export type TokenKind =
  | 'EOF'
  | 'AND'
  | 'OR'
  | 'NOT'
  | 'PLUS'
  | 'MINUS'
  | 'BAREOPER'
  | 'LPAREN'
  | 'RPAREN'
  | 'COLON'
  | 'STAR'
  | 'CARAT'
  | 'QUOTED'
  | 'TERM'
  | 'FUZZY_SLOP'
  | 'PREFIXTERM'
  | 'WILDTERM'
  | 'REGEXPTERM'
  | 'RANGEIN_START'
  | 'RANGEEX_START'
  | 'NUMBER'
  | 'RANGE_TO'
  | 'RANGEIN_END'
  | 'RANGEEX_END'
  | 'RANGE_QUOTED'
  | 'RANGE_GOOP'

export interface Token {
  readonly kind: TokenKind
  readonly image: string
  /** The column in errors, from 0. */
  readonly start: number
}

export class LexicalError extends Error {}

type State = 'boost' | 'range' | 'default'
/** The numbers of lexical states in error texts; 0 is not printed. */
const stateNumber: Record<State, number> = { boost: 0, range: 1, default: 2 }

const symbols: Partial<Record<string, TokenKind>> = {
  '(': 'LPAREN',
  ')': 'RPAREN',
  ':': 'COLON',
  '^': 'CARAT',
  '[': 'RANGEIN_START',
  '{': 'RANGEEX_START',
  '+': 'PLUS',
  '-': 'MINUS',
  '!': 'NOT',
}

const words = new Map<string, TokenKind>([
  ['AND', 'AND'],
  ['&&', 'AND'],
  ['OR', 'OR'],
  ['||', 'OR'],
  ['NOT', 'NOT'],
])

const blank = /[ \t\n\r\u3000]/
const notInTerms = new Set(' \t\n\r\u3000!():^[]"{}~/')

export class QueryStringLexer {
  readonly #text: string
  readonly #tokens: Token[] = []
  #at = 0
  #state: State = 'default'

  constructor(text: string) {
    this.#text = text
  }

  /** The n-th token, from 0; EOF is the last. */
  token(number: number): Token {
    while (this.#tokens.length <= number) {
      const last = this.#tokens.at(-1)
      if (last?.kind === 'EOF') return last
      this.#tokens.push(this.#read())
    }
    return this.#tokens[number]!
  }

  #read(): Token {
    if (this.#state === 'default') while (this.#isBlank(this.#at)) this.#at++
    else if (this.#state === 'range') this.#skipBlanksOfRange()
    if (this.#at >= this.#text.length) return { kind: 'EOF', image: '', start: this.#text.length }
    if (this.#state === 'boost') return this.#readNumber()
    return this.#state === 'range' ? this.#readOfRange() : this.#readDefault()
  }

  #take(kind: TokenKind, end: number): Token {
    const start = this.#at
    this.#at = end
    if (kind === 'CARAT') this.#state = 'boost'
    else if (kind === 'RANGEIN_START' || kind === 'RANGEEX_START') this.#state = 'range'
    else if (kind === 'NUMBER' || kind === 'RANGEIN_END' || kind === 'RANGEEX_END') this.#state = 'default'
    return { kind, image: this.#text.slice(start, end), start }
  }

  #isBlank(at: number): boolean {
    return at < this.#text.length && blank.test(this.#text[at]!)
  }

  #readNumber(): Token {
    const number = /\d+(?:\.\d+)?/y
    number.lastIndex = this.#at
    if (!number.test(this.#text)) throw this.#error(1)
    return this.#take('NUMBER', number.lastIndex)
  }

  // ------------------------------------------------------------------------------------------ ranges

  /** Inside a range only a space separates words; other blanks begin a word unless they stand alone. */
  #skipBlanksOfRange(): void {
    while (this.#isBlank(this.#at) && this.#endOfGoop(this.#at) - this.#at <= 1) this.#at++
  }

  #endOfGoop(at: number): number {
    while (at < this.#text.length && !' ]}'.includes(this.#text[at]!)) at++
    return at
  }

  #readOfRange(): Token {
    const text = this.#text
    const first = text[this.#at]!
    if (first === ']') return this.#take('RANGEIN_END', this.#at + 1)
    if (first === '}') return this.#take('RANGEEX_END', this.#at + 1)
    const end = this.#endOfGoop(this.#at)
    if (first === '"') {
      const quoted = this.#endOfQuote(true)
      if (quoted >= end && quoted > this.#at + 2) return this.#take('RANGE_QUOTED', quoted)
    }
    return this.#take(text.slice(this.#at, end) === 'TO' ? 'RANGE_TO' : 'RANGE_GOOP', end)
  }

  // ------------------------------------------------------------------------------------------ elsewhere

  #readDefault(): Token {
    const text = this.#text
    const first = text[this.#at]!
    if ('+-!'.includes(first) && this.#isBlank(this.#at + 1)) return this.#take('BAREOPER', this.#at + 2)
    const symbol = symbols[first]
    if (symbol !== undefined) return this.#take(symbol, this.#at + 1)
    if (first === '~') return this.#take('FUZZY_SLOP', this.#endOfWord(this.#at + 1, false))
    if (first === '"') return this.#take('QUOTED', this.#endOfQuote(false))
    if (first === '/') return this.#take('REGEXPTERM', this.#endOfRegexp())
    return this.#readWord()
  }

  #readWord(): Token {
    const end = this.#endOfWord(this.#at, true)
    if (end === this.#at) throw this.#error(1)
    const plainEnd = this.#endOfWord(this.#at, false)
    const image = this.#text.slice(this.#at, end)
    if (plainEnd === end) return this.#take(words.get(image) ?? 'TERM', end)
    if (image === '*') return this.#take('STAR', end)
    const isPrefix = plainEnd === end - 1 && plainEnd > this.#at && image.endsWith('*')
    return this.#take(isPrefix ? 'PREFIXTERM' : 'WILDTERM', end)
  }

  #endOfWord(at: number, wildcards: boolean): number {
    const text = this.#text
    while (at < text.length) {
      const character = text[at]!
      if (character === '\\') {
        if (at + 1 === text.length) break
        at += 2
      } else if (notInTerms.has(character)) break
      else if (!wildcards && (character === '*' || character === '?')) break
      else at++
    }
    return at
  }

  /**
   * The offset after the closing quote. Inside a range only quotes can be escaped, and the closing quote may
   * be missing.
   */
  #endOfQuote(inRange: boolean): number {
    const text = this.#text
    let fallback = -1
    for (let at = this.#at + 1; at < text.length; at++) {
      if (text[at] === '"') return at + 1
      if (text[at] !== '\\') continue
      if (!inRange) at++
      else if (text[at + 1] === '"') fallback = ++at + 1
    }
    if (inRange) return fallback
    throw this.#error(text.length - this.#at)
  }

  /** An escaped slash also ends the expression when no other slash follows. */
  #endOfRegexp(): number {
    const text = this.#text
    let fallback = -1
    for (let at = this.#at + 1; at < text.length; at++) {
      if (text[at] === '/') return at + 1
      if (text[at] === '\\' && text[at + 1] === '/') fallback = ++at + 1
    }
    if (fallback !== -1) return fallback
    throw this.#error(text.length - this.#at)
  }

  /** `read` characters were consumed before the lexer found no token. */
  #error(read: number): LexicalError {
    const end = this.#at + read
    const atEnd = end >= this.#text.length
    const prefix = read <= 1 ? '' : this.#text.slice(this.#at, end)
    const character = this.#text[end - 1]!
    return new LexicalError(
      `Lexical error at line 1, column ${atEnd ? end + 1 : end}.  Encountered: ${
        atEnd ? '<EOF>' : `'${javaEscapes(character)}' (${character.charCodeAt(0)}),`
      }${prefix === '' ? '' : ` after prefix "${javaEscapes(prefix)}"`}${
        this.#state === 'boost' ? '' : ` (in lexical state ${stateNumber[this.#state]})`
      }`,
    )
  }
}

const named: Partial<Record<string, string>> = {
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\f': '\\f',
  '\r': '\\r',
  '"': '\\"',
  "'": "\\'",
  '\\': '\\\\',
}

/** Escapes a text as Java source does. */
export function javaEscapes(text: string): string {
  return text.replace(
    /[^ !#-&(-[\]-~]/g,
    (character) => named[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
