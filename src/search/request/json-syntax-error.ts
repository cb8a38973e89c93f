/**
 * Words a JSON syntax error as Jackson, the parser of Elasticsearch, does: the first unexpected character, what was
 * expected there, line and column. Only called for texts that `JSON.parse` has refused.
 */
import { SearchError } from './search-error.ts'

const valueKinds = "(JSON String, Number, Array, Object or token 'null', 'true' or 'false')"
const space = /[ \t\r\n]*/y
const word = /[\w$]+/y
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y

/** What the grammar expects next, white space aside. */
type Expected = 'value' | 'member' | 'next'

class Problem {
  readonly at: number
  readonly words: string
  readonly isEnd: boolean

  constructor(at: number, words: string, isEnd = false) {
    this.at = at
    this.words = words
    this.isEnd = isEnd
  }
}

export function jsonSyntaxError(text: string): SearchError {
  const { at, words, isEnd } = new Scanner(text).problem()
  const before = text.slice(0, at)
  const line = before.split('\n').length
  const column = at - before.lastIndexOf('\n')
  const place = ` at [Source: REDACTED (\`StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION\` disabled); line: ${line}, column: ${column}]`
  return new SearchError(isEnd ? 'json_e_o_f_exception' : 'json_parse_exception', `${words}\n${place}`)
}

class Scanner {
  readonly #text: string
  /** The closing brackets of open containers. */
  readonly #open: ('}' | ']')[] = []
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  problem(): Problem {
    try {
      let expected: Expected = 'value'
      while (expected !== 'next' || this.#open.length > 0) expected = this.#take(expected)
    } catch (problem) {
      if (problem instanceof Problem) return problem
      throw problem
    }
    // Whatever follows is not part of the value.
    this.#skip()
    return this.#unexpected(`expected a valid value ${valueKinds}`)
  }

  #take(expected: Expected): Expected {
    this.#skip()
    if (expected === 'value') return this.#value()
    return expected === 'member' ? this.#member() : this.#next()
  }

  #peek(): string | undefined {
    return this.#text[this.#at]
  }

  #skip(): void {
    this.#matched(space)
  }

  #matched(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)?.[0]
    if (found !== undefined) this.#at += found.length
    return found
  }

  #unexpected(expected: string): Problem {
    const code = this.#text.codePointAt(this.#at)
    if (code === undefined) return this.#ended()
    const shown = code < 32 ? `(CTRL-CHAR, code ${code})` : `'${String.fromCodePoint(code)}' (code ${code})`
    return new Problem(this.#at, `Unexpected character (${shown}): ${expected}`)
  }

  #ended(): Problem {
    const close = this.#open.at(-1)
    if (close === undefined) return new Problem(this.#at, 'Unexpected end-of-input', true)
    const kind = close === '}' ? 'Object' : 'Array'
    return new Problem(this.#at, `Unexpected end-of-input: expected close marker for ${kind}`, true)
  }

  /** Reads to the end of a scalar, or into a container. */
  #value(): Expected {
    const character = this.#peek()
    if (character === '{') return this.#begin('}')
    if (character === '[') return this.#begin(']')
    if (character === '"') this.#string()
    else if (character !== undefined && /[-\d]/.test(character)) this.#number()
    else if (character !== undefined && /[a-zA-Z_$]/.test(character)) this.#literal()
    else throw this.#unexpected(`expected a valid value ${valueKinds}`)
    return 'next'
  }

  #begin(close: '}' | ']'): Expected {
    this.#at++
    this.#open.push(close)
    this.#skip()
    if (this.#peek() === close) return this.#end()
    return close === '}' ? 'member' : 'value'
  }

  #end(): Expected {
    this.#at++
    this.#open.pop()
    return 'next'
  }

  /** Reads what follows a value in a container: its end, or one more. */
  #next(): Expected {
    const close = this.#open.at(-1)!
    if (this.#peek() === close) return this.#end()
    if (this.#peek() !== ',') {
      const entries = close === '}' ? 'Object' : 'Array'
      throw this.#unexpected(`was expecting comma to separate ${entries} entries`)
    }
    this.#at++
    return close === '}' ? 'member' : 'value'
  }

  #member(): Expected {
    if (this.#peek() !== '"') throw this.#unexpected('was expecting double-quote to start field name')
    this.#string()
    this.#skip()
    if (this.#peek() !== ':') throw this.#unexpected('was expecting a colon to separate field name and value')
    this.#at++
    return 'value'
  }

  #literal(): void {
    const start = this.#at
    const found = this.#matched(word) ?? ''
    if (!['true', 'false', 'null'].includes(found))
      throw new Problem(start, `Unrecognized token '${found.slice(0, 256)}': was expecting ${valueKinds}`)
  }

  #number(): void {
    const start = this.#at
    const found = this.#matched(number)
    const next = this.#peek()
    if (found === undefined) {
      this.#at++
      throw this.#unexpected('expected digit (0-9) to follow minus sign, for valid numeric value')
    }
    if (/^-?0$/.test(found) && next !== undefined && /\d/.test(next))
      throw new Problem(start, 'Invalid numeric value: Leading zeroes not allowed')
    if (next === '.') {
      this.#at++
      throw this.#unexpected('Decimal point not followed by a digit')
    }
    if (next !== undefined && /[\w$]/.test(next))
      throw this.#unexpected('Expected space separating root-level values')
  }

  #string(): void {
    for (this.#at++; ; this.#at++) {
      const character = this.#peek()
      if (character === undefined)
        throw new Problem(
          this.#at,
          'Unexpected end-of-input: was expecting closing quote for a string value',
          true,
        )
      if (character === '"') break
      const code = character.charCodeAt(0)
      if (code < 32)
        throw new Problem(
          this.#at,
          `Illegal unquoted character ((CTRL-CHAR, code ${code})): has to be escaped using backslash to be included in string value`,
        )
      if (character === '\\') this.#escape()
    }
    this.#at++
  }

  #escape(): void {
    this.#at++
    const character = this.#peek()
    if (character === undefined || /["\\/bfnrt]/.test(character)) return
    if (character !== 'u')
      throw new Problem(
        this.#at,
        `Unrecognized character escape '${character}' (code ${character.charCodeAt(0)})`,
      )
    for (let digit = 0; digit < 4; digit++) {
      this.#at++
      if (!/^[\da-fA-F]$/.test(this.#peek() ?? ''))
        throw this.#unexpected('expected a hex-digit for character escape sequence')
    }
  }
}
