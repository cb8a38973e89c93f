/**
 * Numbers with their JSON spelling: `1.0` is a float and `1` an integer, and integers may exceed a double.
 * `JSON.parse` loses both, so a document is parsed again this way when the spelling matters.
 */
import { backslash, quote } from '../../text/ascii.ts'
import { SearchError } from './search-error.ts'

/** A number whose spelling differs from what JavaScript would print. */
export class JsonNumber {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  get value(): number {
    return Number(this.text)
  }

  get isInteger(): boolean {
    return /^-?\d+$/.test(this.text)
  }

  toString(): string {
    return this.text
  }

  toJSON(): number {
    return this.value
  }
}

const maxDepth = 1000

/** True when every number prints as it is spelled; may return false where that would take a closer look. */
export function numbersArePlain(source: Uint8Array): boolean {
  for (let at = 0; at < source.length; at++) {
    const byte = source[at]!
    if (byte === quote) at = stringEnd(source, at) - 1
    else if (byte >= 48 && byte <= 57) {
      const start = at
      while (at + 1 < source.length && isDigit(source[at + 1]!)) at++
      const isFloat = source[at + 1] === 46
      if (isFloat) {
        at++
        while (at + 1 < source.length && isDigit(source[at + 1]!)) at++
        const literal = latin1(source, start, at + 1)
        if (String(Number(literal)) !== literal) return false
      } else if (at - start >= 15 || (byte === 48 && source[start - 1] === 45)) return false
      const next = source[at + 1]
      if (next === 101 || next === 69) return false
    }
  }
  return true
}

function latin1(source: Uint8Array, start: number, end: number): string {
  let text = ''
  for (let at = start; at < end; at++) text += String.fromCharCode(source[at]!)
  return text
}

function isDigit(byte: number): boolean {
  return byte >= 48 && byte <= 57
}

/** Returns the offset behind the closing quote. */
function stringEnd(source: Uint8Array, start: number): number {
  for (let at = start + 1; at < source.length; at++) {
    if (source[at] === backslash) at++
    else if (source[at] === quote) return at + 1
  }
  return source.length
}

const space = /[ \t\r\n]*/y
const number = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y

/**
 * Like `JSON.parse`, with JsonNumber where the spelling says more than the value. The input must be valid JSON: a
 * SyntaxError means that bytes of ours are damaged, or that a caller did not check. What is nested too deeply is refused.
 */
export function parseExactJson(source: Uint8Array | string): unknown {
  const text = typeof source === 'string' ? source : Buffer.from(source).toString('utf8')
  let at = 0

  function skipSpace(): void {
    space.lastIndex = at
    space.test(text)
    at = space.lastIndex
  }

  function readString(): string {
    const start = at
    for (at++; text.charCodeAt(at) !== quote; at++) {
      if (text.charCodeAt(at) === backslash) at++
      if (at >= text.length) throw new SyntaxError('Unterminated string in JSON')
    }
    at++
    return JSON.parse(text.slice(start, at)) as string
  }

  function readValue(depth: number): unknown {
    if (depth > maxDepth) throw tooDeep()
    skipSpace()
    const first = text[at]
    if (first === '"') return readString()
    if (first === '{') return readObject(depth)
    if (first === '[') return readArray(depth)
    for (const [word, value] of words) {
      if (text.startsWith(word, at)) {
        at += word.length
        return value
      }
    }
    number.lastIndex = at
    const literal = number.exec(text)?.[0]
    if (literal === undefined) throw new SyntaxError(`Unexpected token in JSON at position ${at}`)
    at += literal.length
    const value = Number(literal)
    const isPlain = String(value) === literal && (!Number.isInteger(value) || Number.isSafeInteger(value))
    return isPlain ? value : new JsonNumber(literal)
  }

  function readObject(depth: number): Record<string, unknown> {
    const object: Record<string, unknown> = {}
    at++
    for (skipSpace(); text[at] !== '}'; skipSpace()) {
      if (text[at] === ',') {
        at++
        continue
      }
      const name = readString()
      skipSpace()
      at++
      const value = readValue(depth + 1)
      Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true })
    }
    at++
    return object
  }

  function readArray(depth: number): unknown[] {
    const array: unknown[] = []
    at++
    for (skipSpace(); text[at] !== ']'; skipSpace()) {
      if (text[at] === ',') at++
      else array.push(readValue(depth + 1))
    }
    at++
    return array
  }

  return readValue(0)
}

function tooDeep(): SearchError {
  return new SearchError('json_parse_exception', `JSON is nested deeper than ${maxDepth} levels`)
}

const words: readonly (readonly [string, unknown])[] = [
  ['true', true],
  ['false', false],
  ['null', null],
]

interface TokenPlace {
  readonly line: number
  readonly column: number
}

/**
 * Returns line and column, from 1 and in bytes, of the first object or array in a field, for error texts. Arrays on
 * the way do not count.
 */
export function locateToken(source: Uint8Array, field: string, opening: '{' | '['): TokenPlace | undefined {
  const wanted = opening.charCodeAt(0)
  for (const { start } of tokensIn(source, field)) if (source[start] === wanted) return placeOf(source, start)
  return undefined
}

/** Returns how many bytes are read when a value of a field was: through its last byte, or its opening bracket. */
export function endOfValue(source: Uint8Array, field: string, value: unknown): number | undefined {
  for (const { start, end } of tokensIn(source, field)) {
    const token = Buffer.from(source.subarray(start, end)).toString('utf8')
    const isSame =
      value instanceof JsonNumber
        ? token === value.text
        : typeof value === 'object'
          ? token === (Array.isArray(value) ? '[' : '{')
          : token !== '{' && token !== '[' && JSON.parse(token) === value
    if (isSame) return end
  }
  return undefined
}

/** The tokens that begin values of a field, which is named by its path with dots. */
function* tokensIn(source: Uint8Array, field: string): Generator<{ start: number; end: number }> {
  const open: { path: string; isArray: boolean }[] = []
  let path = ''
  let expectsName = false
  for (let at = 0; at < source.length; at++) {
    const byte = source[at]!
    const isHere = path === field && open.length > 0
    if (byte === quote) {
      const end = stringEnd(source, at)
      if (expectsName) {
        const name = JSON.parse(Buffer.from(source.subarray(at, end)).toString('utf8')) as string
        const parent = open.at(-1)!.path
        path = parent === '' ? name : `${parent}.${name}`
        expectsName = false
      } else if (isHere) yield { start: at, end }
      at = end - 1
    } else if (byte === 123 || byte === 91) {
      if (isHere) yield { start: at, end: at + 1 }
      open.push({ path, isArray: byte === 91 })
      expectsName = byte === 123
    } else if (byte === 125 || byte === 93) {
      path = open.pop()?.path ?? ''
    } else if (byte === 44) {
      expectsName = open.at(-1)?.isArray === false
      path = open.at(-1)?.path ?? ''
    } else if (byte > 32 && byte !== 58) {
      const start = at
      while (at + 1 < source.length && !isDelimiter(source[at + 1]!)) at++
      if (isHere) yield { start, end: at + 1 }
    }
  }
}

/** White space, a comma or a closing bracket. */
function isDelimiter(byte: number): boolean {
  return byte <= 32 || byte === 44 || byte === 93 || byte === 125
}

function placeOf(source: Uint8Array, offset: number): TokenPlace {
  let line = 1
  let start = 0
  for (let at = 0; at < offset; at++) {
    if (source[at] === 10) {
      line++
      start = at + 1
    }
  }
  return { line, column: offset - start + 1 }
}
