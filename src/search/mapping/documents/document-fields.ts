/**
 * What one document, or one nested object of it, has in its fields: the values fields have made of the JSON,
 * collected for the segment builder.
 */

import type { TokenBuffer } from '../../analysis/token-buffer.ts'
import { JsonNumber, locateToken, numbersArePlain } from '../../request/json-literals.ts'
import { plainText } from '../../request/plain-text.ts'
import { SearchError } from '../../request/search-error.ts'
import type { FieldInput, FieldSpec, TokenList } from '../../segment/document.ts'
import type { LongTexts } from './long-texts.ts'
import { ManyTokens } from './many-tokens.ts'

/** Thrown when a document must be read again with its numbers as they are spelled. */
export const spellingNeeded = new Error('a number must be read by its spelling')

class CollectedTokens implements TokenList {
  readonly terms: string[] = []
  readonly positions: number[] = []
  length = 0
  nextPosition = 0

  push(term: string, position: number): void {
    this.terms.push(term)
    this.positions.push(position)
  }

  *entries(): Iterable<readonly [term: string, position: number]> {
    for (let i = 0; i < this.terms.length; i++) yield [this.terms[i]!, this.positions[i]!]
  }
}

export class CollectedField implements FieldInput {
  readonly spec: FieldSpec
  terms: string[] | undefined
  tokens: CollectedTokens | ManyTokens | undefined
  numbers: number[] | undefined
  exact: bigint[] | undefined
  points: (readonly [number, number])[] | undefined
  ranges: (readonly [number, number])[] | undefined

  constructor(spec: FieldSpec) {
    this.spec = spec
    this.terms = undefined
    this.tokens = undefined
    this.numbers = undefined
    this.exact = undefined
    this.points = undefined
    this.ranges = undefined
  }

  addTerm(term: string): void {
    if (this.terms === undefined) this.terms = [term]
    else this.terms.push(term)
  }

  addNumber(value: number): void {
    if (this.numbers === undefined) this.numbers = [value]
    else this.numbers.push(value)
    if (this.exact !== undefined) this.exact.push(BigInt(Math.trunc(value)))
  }

  /** The number and what it is exactly; those before it were exact as they are. */
  addExact(value: number, exact: bigint): void {
    this.exact ??= (this.numbers ?? []).map((earlier) => BigInt(Math.trunc(earlier)))
    this.numbers ??= []
    this.numbers.push(value)
    this.exact.push(exact)
  }

  /** Another value of the text begins `gap` positions after the last. `areMany`: each term is kept once. */
  addTokens(buffer: TokenBuffer, gap: number, areMany = false): void {
    let tokens = this.tokens
    let start = 0
    if (tokens === undefined) {
      tokens = areMany ? new ManyTokens() : new CollectedTokens()
      this.tokens = tokens
    } else start = tokens.nextPosition + gap
    const { terms, positions, length } = buffer
    for (let index = 0; index < length; index++) tokens.push(terms[index]!, start + positions[index]!)
    tokens.length += buffer.fieldLength()
    tokens.nextPosition = start + buffer.endPosition
  }

  addPoint(latitude: number, longitude: number): void {
    this.points ??= []
    this.points.push([latitude, longitude])
  }

  addRange(from: number, to: number): void {
    this.ranges ??= []
    this.ranges.push([from, to])
  }

  /** All values of the same field of another document. */
  addAll(other: CollectedField): void {
    for (const term of other.terms ?? []) this.addTerm(term)
    other.numbers?.forEach((value, index) => {
      if (other.exact === undefined) this.addNumber(value)
      else this.addExact(value, other.exact[index]!)
    })
    for (const [latitude, longitude] of other.points ?? []) this.addPoint(latitude, longitude)
    for (const [from, to] of other.ranges ?? []) this.addRange(from, to)
    if (other.tokens === undefined) return
    const start = this.tokens?.nextPosition ?? 0
    this.tokens ??= other.tokens instanceof ManyTokens ? new ManyTokens() : new CollectedTokens()
    for (const [term, position] of other.tokens.entries()) this.tokens.push(term, start + position)
    this.tokens.length += other.tokens.length
    this.tokens.nextPosition = start + other.tokens.nextPosition
  }
}

/** One reading of one document. */
export class DocumentReading {
  readonly id: string
  readonly raw: Uint8Array | undefined
  /** Numbers that print otherwise than they are spelled are JsonNumber. */
  readonly isExact: boolean
  readonly ignored = new Set<string>()
  /** Values that documents give to `constant_keyword` fields which have none yet. */
  readonly constants = new Map<string, string>()
  nestedCount = 0
  /** Where texts wait to be analysed in steps; undefined: they are analysed at once. */
  readonly longTexts: LongTexts | undefined
  #isPlain: boolean | undefined

  constructor(id: string, raw: Uint8Array | undefined, isExact: boolean, longTexts?: LongTexts) {
    this.longTexts = longTexts
    this.id = id
    this.raw = raw
    this.isExact = isExact
  }

  /** Throws `spellingNeeded` unless numbers are known as they are spelled. */
  requireSpelling(): void {
    if (this.isExact || this.raw === undefined) return
    this.#isPlain ??= numbersArePlain(this.raw)
    if (!this.#isPlain) throw spellingNeeded
  }
}

export class DocumentFields {
  readonly reading: DocumentReading
  /** Nested object it is; empty for the document proper. */
  readonly path: string
  readonly parent: DocumentFields | undefined
  readonly fields = new Map<string, CollectedField>()

  constructor(reading: DocumentReading, path = '', parent?: DocumentFields) {
    this.reading = reading
    this.path = path
    this.parent = parent
  }

  of(name: string, spec: FieldSpec): CollectedField {
    let field = this.fields.get(name)
    if (field === undefined) {
      field = new CollectedField(spec)
      this.fields.set(name, field)
    }
    return field
  }

  ignore(name: string): void {
    this.reading.ignored.add(name)
  }

  /** The text of a value that is not a string: as it is spelled in the document. */
  textOf(value: unknown, field: string): string {
    if (typeof value === 'number') {
      this.reading.requireSpelling()
      return plainText(value)
    }
    if (value instanceof JsonNumber) return value.text
    if (typeof value === 'object') {
      const isArray = Array.isArray(value)
      const place = this.reading.raw && locateToken(this.reading.raw, field, isArray ? '[' : '{')
      const token = isArray ? 'START_ARRAY' : 'START_OBJECT'
      throw new SearchError(
        'illegal_state_exception',
        `Can't get text on a ${token} at ${place === undefined ? '1:1' : `${place.line}:${place.column}`}`,
      )
    }
    return plainText(value)
  }

  includeFrom(other: DocumentFields): void {
    for (const [name, field] of other.fields) this.of(name, field.spec).addAll(field)
  }
}
