/**
 * A JSON parser that accepts what JSON.parse accepts, keeps the kind of every number, bounds the depth and
 * the length of integers, and says what is wrong where. Only texts that JSON.parse cannot read exactly, or
 * at all, come here.
 */

import { type Fields, float, integer, putField, type Value } from '../value.ts'
import { JsonParseError, locate } from './json-parse-error.ts'

const validValue = "(JSON String, Number, Array, Object or token 'null', 'true' or 'false')"
const number = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y
const word = /[\p{ID_Continue}$]{1,256}/uy
/** Longer integers are refused, as Logstash does: the time to read one grows faster than its length. */
const maxDigits = 1000

export class ExactParser {
  readonly #text: string
  readonly #maxDepth: number
  #at = 0

  constructor(text: string, maxDepth: number) {
    this.#text = text
    this.#maxDepth = maxDepth
  }

  parse(): Value {
    if (Number.isNaN(this.#next())) this.#fail('No content to map due to end-of-input')
    const value = this.#value(0)
    if (!Number.isNaN(this.#next())) this.#unexpected('expected end-of-input after the value')
    return value
  }

  /** The code of the next character that is not white space, NaN at the end. */
  #next(): number {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at)
      if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return code
      this.#at++
    }
  }

  #value(depth: number): Value {
    const code = this.#next()
    switch (code) {
      case 34:
        return this.#string('a string value')
      case 123:
        return this.#object(depth + 1)
      case 91:
        return this.#array(depth + 1)
      case 116:
        return this.#word('true', true)
      case 102:
        return this.#word('false', false)
      case 110:
        return this.#word('null', null)
      default:
        return code === 45 || (code >= 48 && code <= 57) ? this.#number() : this.#badValue(code)
    }
  }

  #object(depth: number): Fields {
    this.#checkDepth(depth)
    const start = this.#at++
    const fields: Fields = {}
    const first = this.#next()
    if (first === 125) {
      this.#at++
      return fields
    }
    if (Number.isNaN(first)) this.#unclosed('Object', start)
    for (;;) {
      if (this.#next() !== 34) this.#unexpected('was expecting double-quote to start field name')
      const name = this.#string('field name')
      this.#expect(58, 'was expecting a colon to separate field name and value', 'Object')
      putField(fields, name, this.#value(depth))
      if (this.#separator(125, 'Object', start)) return fields
    }
  }

  #array(depth: number): Value[] {
    this.#checkDepth(depth)
    const start = this.#at++
    const values: Value[] = []
    const first = this.#next()
    if (first === 93) {
      this.#at++
      return values
    }
    if (Number.isNaN(first)) this.#unclosed('Array', start)
    for (;;) {
      values.push(this.#value(depth))
      if (this.#separator(93, 'Array', start)) return values
    }
  }

  /** True after the closing bracket, false after a comma. */
  #separator(close: number, kind: string, start: number): boolean {
    const code = this.#next()
    if (code === close) {
      this.#at++
      return true
    }
    if (Number.isNaN(code)) this.#unclosed(kind, start)
    if (code === 93 || code === 125) this.#wrongBracket(close, kind, start)
    this.#expect(44, `was expecting comma to separate ${kind} entries`, kind)
    return false
  }

  #expect(code: number, problem: string, kind: string): void {
    const found = this.#next()
    if (Number.isNaN(found)) this.#fail(`Unexpected end-of-input within/between ${kind} entries`)
    if (found !== code) this.#unexpected(problem)
    this.#at++
    if (Number.isNaN(this.#next())) this.#fail(`Unexpected end-of-input within/between ${kind} entries`)
  }

  #string(what: string): string {
    const text = this.#text
    const start = this.#at
    let at = start + 1
    let escaped = false
    for (;;) {
      const code = text.charCodeAt(at)
      if (code === 34) break
      if (code === 92) {
        escaped = true
        this.#at = at
        at = this.#escape(what)
      } else if (code >= 32) at++
      else this.#badCharacter(code, at, what)
    }
    this.#at = at + 1
    return escaped ? (JSON.parse(text.slice(start, at + 1)) as string) : text.slice(start + 1, at)
  }

  /** Checks the escape sequence at the current place; where it ends. */
  #escape(what: string): number {
    const code = this.#text.charCodeAt(this.#at + 1)
    if (Number.isNaN(code)) this.#openString(what)
    if (code !== 117) {
      if ('"\\/bfnrt'.includes(this.#text[this.#at + 1]!)) return this.#at + 2
      this.#at++
      this.#fail(`Unrecognized character escape ${described(this.#character())}`, this.#at + 1)
    }
    const end = this.#at + 6
    for (this.#at += 2; this.#at < end; this.#at++) {
      if (this.#at >= this.#text.length) this.#openString(what)
      if (!/[\da-fA-F]/.test(this.#text[this.#at]!)) {
        this.#unexpected('expected a hex-digit for character escape sequence')
      }
    }
    return end
  }

  #number(): Value {
    const start = this.#at
    number.lastIndex = start
    const match = number.exec(this.#text)
    if (match === null) {
      this.#at++
      this.#badNumber('expected digit (0-9) to follow minus sign, for valid numeric value')
    }
    const [digits, fraction, exponent] = match
    this.#at = start + digits.length
    const code = this.#text.charCodeAt(this.#at)
    if (code >= 48 && code <= 57) this.#fail('Invalid numeric value: Leading zeroes not allowed')
    if (code === 46 && exponent === undefined && fraction === undefined) {
      this.#at++
      this.#badNumber('Decimal point not followed by a digit')
    }
    if ((code === 101 || code === 69) && exponent === undefined) {
      const sign = this.#text[this.#at + 1]
      this.#at += sign === '+' || sign === '-' ? 2 : 1
      this.#badNumber('Exponent indicator not followed by a digit')
    }
    if (fraction !== undefined || exponent !== undefined) return float(Number(digits))
    if (digits.length > maxDigits) this.#tooLong(digits.length)
    // Adding 0 makes the integer 0 of `-0`.
    return digits.length < 16 ? Number(digits) + 0 : integer(BigInt(digits))
  }

  #word(text: string, value: boolean | null): boolean | null {
    const start = this.#at
    const found = this.#readWord()
    if (found !== text) this.#unrecognized(found, start)
    return value
  }

  #readWord(): string {
    word.lastIndex = this.#at
    const found = word.exec(this.#text)?.[0] ?? ''
    this.#at += found.length
    return found
  }

  #checkDepth(depth: number): void {
    if (depth <= this.#maxDepth) return
    this.#fail(
      `Document nesting depth (${depth}) exceeds the maximum allowed (${this.#maxDepth}, ` +
        'from `StreamReadConstraints.getMaxNestingDepth()`)',
      this.#at + 1,
    )
  }

  #character(): string {
    return String.fromCharCode(this.#text.charCodeAt(this.#at))
  }

  #fail(problem: string, offset = this.#at): never {
    throw new JsonParseError(problem, this.#text, offset)
  }

  #unexpected(problem: string): never {
    this.#fail(`Unexpected character (${described(this.#character())}): ${problem}`, this.#at + 1)
  }

  #badValue(code: number): never {
    const start = this.#at
    const found = this.#readWord()
    if (Number.isNaN(code)) this.#fail('Unexpected end-of-input')
    if (found === 'NaN' || found === 'Infinity') {
      const feature = '`JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS`'
      this.#fail(`Non-standard token '${found}': enable ${feature} to allow`)
    }
    if (found !== '') this.#unrecognized(found, start)
    this.#unexpected(`expected a valid value ${validValue}`)
  }

  #unrecognized(found: string, start: number): never {
    this.#fail(`Unrecognized token '${found}': was expecting ${validValue}`, start + found.length)
  }

  #badNumber(problem: string): never {
    if (this.#at >= this.#text.length) this.#fail('Unexpected end-of-input in a Number value')
    this.#fail(
      `Unexpected character (${described(this.#character())}) in numeric value: ${problem}`,
      this.#at + 1,
    )
  }

  #tooLong(length: number): never {
    const limit = '`StreamReadConstraints.getMaxNumberLength()`'
    this.#fail(`Number value length (${length}) exceeds the maximum allowed (${maxDigits}, from ${limit})`)
  }

  #badCharacter(code: number, at: number, what: string): never {
    this.#at = at
    if (Number.isNaN(code)) this.#openString(what)
    const where = what === 'field name' ? 'name' : 'string value'
    this.#fail(
      `Illegal unquoted character (${described(this.#character())}): ` +
        `has to be escaped using backslash to be included in ${where}`,
      at + 1,
    )
  }

  #openString(what: string): never {
    const problem = what === 'field name' ? ' in field name' : `: was expecting closing quote for ${what}`
    this.#fail(`Unexpected end-of-input${problem}`, this.#text.length)
  }

  #unclosed(kind: string, start: number): never {
    const marker = locate(this.#text, start).text
    this.#fail(`Unexpected end-of-input: expected close marker for ${kind} (start marker at ${marker})`)
  }

  #wrongBracket(close: number, kind: string, start: number): never {
    const marker = locate(this.#text, start).text
    const expected = String.fromCharCode(close)
    const problem = `Unexpected close marker '${this.#character()}': expected '${expected}'`
    this.#fail(`${problem} (for ${kind} starting at ${marker})`, this.#at + 1)
  }
}

/** `'x' (code 120)`, `(CTRL-CHAR, code 10)` */
function described(character: string): string {
  const code = character.charCodeAt(0)
  if (code < 32) return `(CTRL-CHAR, code ${code})`
  return code > 255
    ? `'${character}' (code ${code} / 0x${code.toString(16)})`
    : `'${character}' (code ${code})`
}
