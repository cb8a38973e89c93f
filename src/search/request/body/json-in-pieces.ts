/**
 * Parses long JSON in pieces, so that a thread which serves others never stands still for it. Elements and members of a
 * long container are read in runs of about `pieceLength` characters, each by `JSON.parse`; what is inside of a run is
 * never looked at but to find its end. Only a single string is read at once, however long it is.
 */

import { jsonValueBytes } from '../../../memory/json-size.ts'
import {
  backslash,
  closeBrace,
  closeBracket,
  colon,
  comma,
  openBrace,
  openBracket,
  quote,
} from '../../../text/ascii.ts'
import { membersOfValue } from './duplicate-names.ts'
import { maxNesting } from './json-nesting.ts'

/** Shorter bodies are parsed at once, in a few milliseconds. */
export const minBytesForSteps = 512 * 1024
const pieceLength = 64 * 1024
/** A string that is longer is searched for its end by the runtime, which reads many bytes at a time. */
const shortString = 32

/** The text has to be read as a whole: it is not JSON, has a duplicate name, is nested too deeply or becomes too large. */
export class NotInPieces extends Error {
  override readonly name = 'NotInPieces'
}

interface PieceOptions {
  /** Reads a run, a valid JSON text in itself. */
  readonly parse: (text: string) => unknown
  /** Bytes that the values may take, as `memory/json-size.ts` estimates them. */
  readonly maxBytes: number
  readonly pieceLength?: number
}

/** The value of the text; a step for each run. Throws NotInPieces. */
export function* jsonInPieces(text: string, options: PieceOptions): Generator<void, unknown, void> {
  const reader = new PieceReader(text, options)
  const value = yield* reader.value(0)
  reader.expectEnd()
  return value
}

class PieceReader {
  readonly #text: string
  readonly #options: PieceOptions
  readonly #length: number
  #at = 0
  /** Counts of the text that was passed. */
  #values = 0
  #names = 0

  constructor(text: string, options: PieceOptions) {
    this.#text = text
    this.#options = options
    this.#length = options.pieceLength ?? pieceLength
  }

  *value(depth: number): Generator<void, unknown, void> {
    this.#skipSpace()
    const start = this.#at
    const names = this.#names
    if (this.#pass(start + this.#length, depth)) {
      yield
      return this.#run(this.#text.slice(start, this.#at), this.#names - names)
    }
    yield
    const bracket = this.#text.charCodeAt(start)
    if (depth >= maxNesting || (bracket !== openBrace && bracket !== openBracket)) throw new NotInPieces()
    return bracket === openBrace ? yield* this.#object(depth) : yield* this.#list(depth)
  }

  expectEnd(): void {
    this.#skipSpace()
    if (this.#at !== this.#text.length) throw new NotInPieces()
  }

  *#list(depth: number): Generator<void, unknown[], void> {
    const list: unknown[] = []
    this.#open()
    if (this.#isClosed(closeBracket)) return list
    for (;;) {
      const start = this.#at
      const names = this.#names
      const end = this.#elements(depth)
      if (end > start) {
        const run = this.#run(`[${this.#text.slice(start, end)}]`, this.#names - names) as unknown[]
        for (const element of run) list.push(element)
        yield
      }
      if (this.#isLongNext) list.push(yield* this.value(depth + 1))
      if (this.#isClosed(closeBracket)) return list
      this.#expect(comma)
    }
  }

  *#object(depth: number): Generator<void, object, void> {
    const object = {}
    this.#open()
    if (this.#isClosed(closeBrace)) return object
    for (;;) {
      const start = this.#at
      const names = this.#names
      let longName = ''
      const end = this.#elements(depth, () => {
        this.#skipSpace()
        const nameStart = this.#at
        if (this.#text.charCodeAt(nameStart) !== quote) throw new NotInPieces()
        this.#passString()
        longName = this.#text.slice(nameStart, this.#at)
        this.#expect(colon)
        this.#names++
      })
      if (end > start) {
        const isLong = this.#isLongNext ? 1 : 0
        const run = this.#run(`{${this.#text.slice(start, end)}}`, this.#names - names - isLong) as object
        for (const [name, value] of Object.entries(run)) addMember(object, name, value)
        yield
      }
      if (this.#isLongNext) addMember(object, this.#parsed(longName) as string, yield* this.value(depth + 1))
      if (this.#isClosed(closeBrace)) return object
      this.#expect(comma)
    }
  }

  /** The element at the place is too long for a run. */
  #isLongNext = false

  /**
   * Passes elements until they are enough for a run, the container ends or one is too long; returns where the last whole
   * one ends. `name` passes what stands before a value.
   */
  #elements(depth: number, name?: () => void): number {
    const start = this.#at
    let end = start
    this.#isLongNext = false
    for (;;) {
      name?.()
      this.#skipSpace()
      const valueStart = this.#at
      if (!this.#pass(valueStart + this.#length, depth + 1)) {
        this.#isLongNext = true
        this.#at = valueStart
        return end
      }
      end = this.#at
      this.#skipSpace()
      if (end - start >= this.#length || this.#text.charCodeAt(this.#at) !== comma) return end
      this.#at++
      this.#values++
    }
  }

  /** Parses a run; a name that stands twice in an object would be lost here. */
  #run(text: string, names: number): unknown {
    if (jsonValueBytes(this.#values, this.#names) > this.#options.maxBytes) throw new NotInPieces()
    const value = this.#parsed(text)
    if (membersOfValue(value) !== names) throw new NotInPieces()
    return value
  }

  #parsed(text: string): unknown {
    try {
      return this.#options.parse(text)
    } catch {
      throw new NotInPieces()
    }
  }

  #open(): void {
    this.#at++
    this.#values++
  }

  #isClosed(bracket: number): boolean {
    this.#skipSpace()
    if (this.#text.charCodeAt(this.#at) !== bracket) return false
    this.#at++
    return true
  }

  #expect(code: number): void {
    this.#skipSpace()
    if (this.#text.charCodeAt(this.#at) !== code) throw new NotInPieces()
    this.#at++
  }

  #skipSpace(): void {
    let at = this.#at
    for (;;) {
      const code = this.#text.charCodeAt(at)
      if (code !== 32 && code !== 10 && code !== 13 && code !== 9) break
      at++
    }
    this.#at = at
  }

  /** Passes a value; false, at its beginning, for a container that does not end before `limit`. */
  #pass(limit: number, depth: number): boolean {
    const text = this.#text
    const start = this.#at
    const names = this.#names
    const values = this.#values
    let open = 0
    for (; this.#at < text.length; this.#at++) {
      const code = text.charCodeAt(this.#at)
      if (code === quote) {
        this.#passString()
        if (open === 0) return true
        this.#at--
      } else if (code === openBracket || code === openBrace) {
        this.#values++
        open++
        if (depth + open > maxNesting) throw new NotInPieces()
      } else if (code === closeBracket || code === closeBrace) {
        // The end of the container in which a number or a word stands.
        if (open === 0) return this.#endsAfter(start)
        open--
        if (open === 0) {
          this.#at++
          return true
        }
      } else if (code === comma) {
        if (open === 0) return this.#endsAfter(start)
        this.#values++
      } else if (code === colon) this.#names++
      if (open > 0 && this.#at >= limit) {
        this.#at = start
        this.#names = names
        this.#values = values
        return false
      }
    }
    if (open > 0) throw new NotInPieces()
    return true
  }

  #endsAfter(start: number): true {
    if (this.#at === start) throw new NotInPieces()
    return true
  }

  /** From the opening quote to behind the closing one. */
  #passString(): void {
    const text = this.#text
    let at = this.#at + 1
    for (const near = at + shortString; at < near; at++) {
      const code = text.charCodeAt(at)
      if (code === quote) {
        this.#at = at + 1
        return
      }
      if (code === backslash) at++
    }
    for (let end = text.indexOf('"', at); end >= 0; end = text.indexOf('"', end + 1)) {
      let slashes = 0
      while (end - 1 - slashes >= at && text.charCodeAt(end - 1 - slashes) === backslash) slashes++
      if (slashes % 2 === 1) continue
      this.#at = end + 1
      return
    }
    throw new NotInPieces()
  }
}

/** Throws when the object has the name already. */
function addMember(object: object, name: string, value: unknown): void {
  if (Object.hasOwn(object, name)) throw new NotInPieces()
  // An assignment to `__proto__` would set the prototype.
  Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true })
}
