/**
 * EDN, the data format of Clojure, as values of events: keywords and symbols are their names, lists and sets are
 * lists, `#inst` is a time, other tags are dropped. https://github.com/edn-format/edn describes the format.
 */
import { parseTimestamp } from '../../../event/parse-timestamp.ts'
import { type Fields, float, integer, putField, type Value } from '../../../event/value.ts'

const maxDepth = 200
const blank = /(?:[\s,]+|;[^\n]*(?:\n|$))*/y
const number = /[+-]?(?:\d+(?:\.\d*)?(?:[eE][+-]?\d+)?)[NM]?(?=[\s,;()[\]{}"]|$)/y
const symbol = /[^\s,;()[\]{}"`~@^\\]+/y
const character = /\\(newline|return|space|tab|formfeed|backspace|u[0-9A-Fa-f]{4}|\S)/y

const names: Readonly<Record<string, string>> = {
  newline: '\n',
  return: '\r',
  space: ' ',
  tab: '\t',
  formfeed: '\f',
  backspace: '\b',
}
const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', f: '\f', b: '\b' }

/** The first value of a text; throws on anything that is not EDN. */
export function readEdn(text: string): Value {
  return new Reader(text).value(0)
}

class Reader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  value(depth: number): Value {
    if (depth > maxDepth) throw this.#error('nested too deep')
    this.#skip(depth)
    const first = this.#text[this.#at]
    switch (first) {
      case undefined:
        throw this.#error('the text ends too early')
      case '{':
        this.#at += 1
        return this.#map(depth)
      case '[':
        this.#at += 1
        return this.#list(']', depth)
      case '(':
        this.#at += 1
        return this.#list(')', depth)
      case '"':
        return this.#string()
      case '\\':
        return this.#character()
      case '#':
        return this.#dispatch(depth)
      case '^':
        // Metadata of the value that follows.
        this.#at += 1
        this.value(depth + 1)
        return this.value(depth + 1)
      default:
        return this.#number() ?? this.#symbol()
    }
  }

  #error(message: string): Error {
    return new Error(`${message} at position ${this.#at}`)
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)
    if (found !== null) this.#at = pattern.lastIndex
    return found
  }

  /** Blanks, comments and discarded values. */
  #skip(depth: number): void {
    this.#match(blank)
    while (this.#text.startsWith('#_', this.#at)) {
      this.#at += 2
      this.value(depth + 1)
      this.#match(blank)
    }
  }

  #ends(closing: string, depth: number): boolean {
    this.#skip(depth)
    if (this.#text[this.#at] !== closing) return false
    this.#at += 1
    return true
  }

  #map(depth: number): Fields {
    const fields: Fields = {}
    while (!this.#ends('}', depth)) {
      const name = this.value(depth + 1)
      if (this.#ends('}', depth)) throw this.#error('a map has a key without a value')
      putField(fields, name === null ? '' : String(name), this.value(depth + 1))
    }
    return fields
  }

  #list(closing: string, depth: number): Value[] {
    const list: Value[] = []
    while (!this.#ends(closing, depth)) list.push(this.value(depth + 1))
    return list
  }

  #string(): string {
    const end = /"((?:[^"\\]|\\[\s\S])*)"/y
    const found = this.#match(end)
    if (found === null) throw this.#error('a string does not end')
    return found[1]!.replace(/\\(?:u([0-9A-Fa-f]{4})|([\s\S]))/g, (_, code, one: string) =>
      code === undefined ? (escapes[one] ?? one) : String.fromCharCode(Number.parseInt(code, 16)),
    )
  }

  #character(): string {
    const found = this.#match(character)
    if (found === null) throw this.#error('not a character')
    const name = found[1]!
    if (/^u[0-9A-Fa-f]{4}$/.test(name)) return String.fromCharCode(Number.parseInt(name.slice(1), 16))
    return names[name] ?? name
  }

  #dispatch(depth: number): Value {
    this.#at += 1
    if (this.#text[this.#at] === '{') {
      this.#at += 1
      return this.#list('}', depth)
    }
    const tag = this.#match(symbol)?.[0]
    if (tag === undefined) throw this.#error('a tag expected')
    const value = this.value(depth + 1)
    if (tag !== 'inst' || typeof value !== 'string') return value
    const time = parseTimestamp(value)
    if (time === undefined) throw this.#error('not a time')
    return time
  }

  #number(): Value | undefined {
    const text = this.#match(number)?.[0]
    if (text === undefined) return undefined
    const plain = text.replace(/[NM]$/, '')
    return /^[+-]?\d+$/.test(plain) && !text.endsWith('M') ? integer(BigInt(plain)) : float(Number(plain))
  }

  #symbol(): Value {
    const text = this.#match(symbol)?.[0]
    if (text === undefined) throw this.#error('a value expected')
    if (text === 'nil') return null
    if (text === 'true' || text === 'false') return text === 'true'
    if (text.startsWith(':')) {
      if (text.length === 1) throw this.#error('a keyword without a name')
      return text.slice(1)
    }
    if (/^[+-]?\d/.test(text)) throw this.#error('not a number')
    return text
  }
}
