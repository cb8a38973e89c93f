/**
 * Words a JSON syntax error as Jackson does, the parser of Elasticsearch and OpenSearch: the first unexpected
 * character, what was expected there, and the place. Elasticsearch has Jackson 2 (line and column), OpenSearch 3 has
 * Jackson 3 (byte offset, other words). Only called for texts that `JSON.parse` has refused.
 */
import { SearchError } from '../search-error.ts'

export type JsonDialect = 'jackson2' | 'jackson3'

const valueKinds = "(JSON String, Number, Array, Object or token 'null', 'true' or 'false')"
const tokens: ReadonlyMap<string, string> = new Map([
  ['{', 'START_OBJECT'],
  ['[', 'START_ARRAY'],
  ['"', 'VALUE_STRING'],
])
const space = /[ \t\r\n]*/y
const word = /[\w$]+/y
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y

/** What the grammar expects next, white space aside. */
type Expected = 'value' | 'element' | 'member' | 'next'

type Kind = 'text' | 'end' | 'extra'

class Problem {
  readonly at: number
  readonly words: string
  /** The text ends too early, or another value follows the first. */
  readonly kind: Kind

  constructor(at: number, words: string, kind: Kind = 'text') {
    this.at = at
    this.words = words
    this.kind = kind
  }
}

/** Another value follows the one that is the whole text. */
export class ExtraContent extends SearchError {
  /** `START_OBJECT` */
  readonly token: string

  constructor(token: string, { line, col }: { readonly line: number; readonly col: number }) {
    super('parsing_exception', `Unexpected token [${token}] found after the main object.`, {
      details: { line, col },
    })
    this.token = token
  }
}

export function jsonSyntaxError(text: string, dialect: JsonDialect = 'jackson2'): SearchError {
  const { at, words, kind } = new Scanner(text, dialect).problem()
  if (kind === 'extra') return new ExtraContent(words, lineAndColumn(text, at))
  return jsonError(text, dialect, at, words, kind === 'end')
}

/** `at` is the end of the name. */
export function duplicateName(text: string, dialect: JsonDialect, name: string, at: number): SearchError {
  const words = dialect === 'jackson3' ? `Duplicate Object property "${name}"` : `Duplicate field '${name}'`
  return jsonError(text, dialect, at, words, false)
}

/** Jackson's words for a source that it does not show. */
export const redacted = 'Source: REDACTED (`StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION` disabled)'

function jsonError(text: string, dialect: JsonDialect, at: number, words: string, isEnd: boolean) {
  if (dialect === 'jackson2') {
    const { line, col } = lineAndColumn(text, at)
    const reason = `${words}\n at [${redacted}; line: ${line}, column: ${col}]`
    return new SearchError(isEnd ? 'json_e_o_f_exception' : 'json_parse_exception', reason)
  }
  const reason = `${words}\n at [${redacted}; byte offset: #${Buffer.byteLength(text.slice(0, at))}]`
  const [type, inner] = isEnd
    ? ['unexpected_end_of_input_exception', 'unexpected_end_of_input_exception']
    : ['json_parse_exception', 'stream_read_exception']
  return new SearchError(type, reason, { cause: new SearchError(inner, reason) })
}

function lineAndColumn(text: string, at: number): { line: number; col: number } {
  const before = text.slice(0, at)
  return { line: before.split('\n').length, col: at - before.lastIndexOf('\n') }
}

class Scanner {
  readonly #text: string
  /** The closing brackets of open containers. */
  readonly #open: ('}' | ']')[] = []
  /** Jackson 3, not 2. */
  readonly #isNew: boolean
  #at = 0

  constructor(text: string, dialect: JsonDialect) {
    this.#text = text
    this.#isNew = dialect === 'jackson3'
  }

  problem(): Problem {
    try {
      let expected: Expected = 'value'
      while (expected !== 'next' || this.#open.length > 0) expected = this.#take(expected)
    } catch (problem) {
      if (problem instanceof Problem) return problem
      throw problem
    }
    return this.#extra()
  }

  /** Whatever follows is not part of the value. */
  #extra(): Problem {
    this.#skip()
    const start = this.#at
    const first = this.#peek()
    if (!this.#isNew || first === undefined) return this.#unexpected(`expected a valid value ${valueKinds}`)
    if (first === '}' || first === ']') {
      const kind = first === '}' ? 'Object' : 'Array'
      return new Problem(start, `Unexpected close marker '${first}': no open ${kind} to close`)
    }
    const token = tokens.get(first)
    if (token !== undefined) return new Problem(start, token, 'extra')
    try {
      this.#value()
    } catch (problem) {
      if (problem instanceof Problem) return problem
      throw problem
    }
    return new Problem(
      start,
      /[-\d]/.test(first) ? 'VALUE_NUMBER' : first === 'n' ? 'VALUE_NULL' : 'VALUE_BOOLEAN',
      'extra',
    )
  }

  #take(expected: Expected): Expected {
    this.#skip()
    if (expected === 'value' || expected === 'element') return this.#value(expected === 'element')
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
    if (close === undefined) return new Problem(this.#at, 'Unexpected end-of-input', 'end')
    const kind = close === '}' ? 'Object' : 'Array'
    const start = this.#isNew ? ` (start marker at [${redacted}; byte offset: #UNKNOWN])` : ''
    return new Problem(this.#at, `Unexpected end-of-input: expected close marker for ${kind}${start}`, 'end')
  }

  /** Jackson 3: the text ends between a name and its value, or after a comma. */
  #endedInside(isAfterComma: boolean): Problem {
    const kind = this.#open.at(-1) === '}' ? 'Object' : 'Array'
    const words = `Unexpected end-of-input within/between ${kind} entries`
    return new Problem(this.#at, words, isAfterComma ? 'text' : 'end')
  }

  #wrongClose(): Problem {
    const close = this.#open.at(-1)!
    const kind = close === '}' ? 'Object' : 'Array'
    const start = `for ${kind} starting at [${redacted}; byte offset: #UNKNOWN]`
    return new Problem(this.#at, `Unexpected close marker '${this.#peek()}': expected '${close}' (${start})`)
  }

  /** Jackson 3 has a wording of its own for an unexpected character in a number. */
  #unexpectedInNumber(expected: string): Problem {
    if (!this.#isNew) return this.#unexpected(expected)
    if (this.#peek() === undefined)
      return new Problem(this.#at, 'Unexpected end-of-input in PROPERTY_NAME', 'end')
    const { at, words } = this.#unexpected(expected)
    return new Problem(at, words.replace('): ', ') in numeric value: '))
  }

  #isWrongClose(): boolean {
    const next = this.#peek()
    return this.#isNew && (next === '}' || next === ']')
  }

  /** Reads to the end of a scalar, or into a container. */
  #value(isElement = false): Expected {
    const character = this.#peek()
    if (character === '{') return this.#begin('}')
    if (character === '[') return this.#begin(']')
    if (character === '"') this.#string()
    else if (character !== undefined && /[-\d]/.test(character)) this.#number()
    else if (character !== undefined && /[a-zA-Z_$]/.test(character)) this.#literal()
    else throw this.#noValue(isElement)
    return 'next'
  }

  #noValue(isAfterComma: boolean): Problem {
    const character = this.#peek()
    const isInArray = this.#open.at(-1) === ']'
    if (this.#isNew && this.#open.length > 0) {
      if (character === undefined)
        return isInArray && !isAfterComma ? this.#ended() : this.#endedInside(isAfterComma)
      if (isInArray && !isAfterComma && character === '}') return this.#wrongClose()
    }
    if (this.#isNew && (character === ',' || character === '}' || (character === ']' && isInArray)))
      return this.#unexpected('expected a value')
    if (this.#isNew && character === '+') {
      const words = `Unexpected character ('+' (code 43)) in numeric value: JSON spec does not allow numbers to have plus signs: enable \`JsonReadFeature.ALLOW_LEADING_PLUS_SIGN_FOR_NUMBERS\` to allow`
      return new Problem(this.#at + 1, words)
    }
    return this.#unexpected(`expected a valid value ${valueKinds}`)
  }

  #begin(close: '}' | ']'): Expected {
    this.#at++
    this.#open.push(close)
    this.#skip()
    if (this.#peek() === close) return this.#end()
    if (close === '}' && this.#isWrongClose()) throw this.#wrongClose()
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
    if (this.#isWrongClose()) throw this.#wrongClose()
    if (this.#peek() !== ',') {
      const entries = close === '}' ? 'Object' : 'Array'
      throw this.#unexpected(`was expecting comma to separate ${entries} entries`)
    }
    this.#at++
    this.#skip()
    if (this.#isNew && this.#peek() === undefined) throw this.#endedInside(true)
    return close === '}' ? 'member' : 'element'
  }

  #member(): Expected {
    const name = this.#isNew ? 'property' : 'field'
    if (this.#peek() !== '"') throw this.#unexpected(`was expecting double-quote to start ${name} name`)
    this.#string(true)
    this.#skip()
    if (this.#isNew && this.#peek() === undefined) throw this.#endedInside(false)
    if (this.#peek() !== ':')
      throw this.#unexpected(`was expecting a colon to separate ${name} name and value`)
    this.#at++
    return 'value'
  }

  #literal(): void {
    const start = this.#at
    const found = this.#matched(word) ?? ''
    if (this.#isNew && ['NaN', 'Infinity'].includes(found)) {
      const words = `Non-standard token '${found}': enable \`JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS\` to allow`
      throw new Problem(this.#at, words)
    }
    if (!['true', 'false', 'null'].includes(found))
      throw new Problem(start, `Unrecognized token '${found.slice(0, 256)}': was expecting ${valueKinds}`)
  }

  #number(): void {
    const start = this.#at
    const found = this.#matched(number)
    const next = this.#peek()
    if (found === undefined) {
      this.#at++
      throw this.#unexpectedInNumber('expected digit (0-9) to follow minus sign, for valid numeric value')
    }
    if (/^-?0$/.test(found) && next !== undefined && /\d/.test(next))
      throw new Problem(this.#isNew ? this.#at : start, 'Invalid numeric value: Leading zeroes not allowed')
    if (next === '.') {
      if (!this.#isNew || this.#text[this.#at + 1] !== undefined) this.#at++
      throw this.#unexpectedInNumber('Decimal point not followed by a digit')
    }
    if (!this.#isNew) {
      if (next !== undefined && /[\w$]/.test(next))
        throw this.#unexpected('Expected space separating root-level values')
      return
    }
    if (next !== 'e' && next !== 'E') return
    this.#at++
    this.#matched(/[+-]?/y)
    throw this.#unexpectedInNumber('Exponent indicator not followed by a digit')
  }

  #string(isName = false): void {
    for (this.#at++; ; this.#at++) {
      const character = this.#peek()
      if (character === undefined)
        throw new Problem(
          this.#at,
          this.#isNew
            ? `Unexpected end-of-input in ${isName ? 'property name' : 'VALUE_STRING'}`
            : 'Unexpected end-of-input: was expecting closing quote for a string value',
          'end',
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
    const ended = 'Unexpected end-of-input in character escape sequence'
    if (this.#isNew && character === undefined) throw new Problem(this.#at, ended, 'end')
    if (character === undefined || /["\\/bfnrt]/.test(character)) return
    if (character !== 'u')
      throw new Problem(
        this.#at,
        `Unrecognized character escape '${character}' (code ${character.charCodeAt(0)})`,
      )
    for (let digit = 0; digit < 4; digit++) {
      this.#at++
      if (this.#isNew && this.#peek() === undefined) throw new Problem(this.#at, ended, 'end')
      if (!/^[\da-fA-F]$/.test(this.#peek() ?? ''))
        throw this.#unexpected('expected a hex-digit for character escape sequence')
    }
  }
}
