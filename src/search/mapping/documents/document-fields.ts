/** The field values of one document or nested object, collected for the segment builder. */

import type { TokenBuffer } from '../../analysis/token-buffer.ts'
import { JsonNumber, locateToken, numbersArePlain } from '../../request/json-literals.ts'
import { plainText } from '../../request/plain-text.ts'
import { SearchError } from '../../request/search-error.ts'
import type { FieldInput, FieldSpec, TokenList } from '../../segment/document.ts'
import type { DeferredAnalysis } from './deferred-analysis.ts'
import { InternedTokens } from './interned-tokens.ts'

/** Thrown when a document must be parsed again with the spelling of its numbers. */
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
  tokens: CollectedTokens | InternedTokens | undefined
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

  /** Adds a number and its exact value; earlier numbers were exact as they are. */
  addExact(value: number, exact: bigint): void {
    this.exact ??= (this.numbers ?? []).map((earlier) => BigInt(Math.trunc(earlier)))
    this.numbers ??= []
    this.numbers.push(value)
    this.exact.push(exact)
  }

  /** Adds tokens of another value, `gap` positions after the last. `areMany` interns the terms. */
  addTokens(buffer: TokenBuffer, gap: number, areMany = false): void {
    let tokens = this.tokens
    let start = 0
    if (tokens === undefined) {
      tokens = areMany ? new InternedTokens() : new CollectedTokens()
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

  /** Adds all values of the same field of another document (copy_to, include_in_parent). */
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
    this.tokens ??= other.tokens instanceof InternedTokens ? new InternedTokens() : new CollectedTokens()
    for (const [term, position] of other.tokens.entries()) this.tokens.push(term, start + position)
    this.tokens.length += other.tokens.length
    this.tokens.nextPosition = start + other.tokens.nextPosition
  }
}

/** A query that a document stores in a `percolator` field. */
export interface StoredQuery {
  readonly field: string
  readonly query: unknown
}

/** The state of parsing one document. */
export class DocumentReading {
  readonly id: string
  readonly routing: string | undefined
  readonly raw: Uint8Array | undefined
  /** Whether numbers that print differently than they are spelled are JsonNumber. */
  readonly isExact: boolean
  readonly ignored = new Set<string>()
  /** Values for `constant_keyword` fields that have none yet. */
  readonly constants = new Map<string, string>()
  /** Queries to be checked before the document is stored. */
  readonly queries: StoredQuery[] = []
  nestedCount = 0
  /** Collects texts to analyse in steps; undefined when they are analysed at once. */
  readonly deferredAnalysis: DeferredAnalysis | undefined
  #isPlain: boolean | undefined

  constructor(
    id: string,
    raw: Uint8Array | undefined,
    isExact: boolean,
    deferredAnalysis?: DeferredAnalysis,
    routing?: string,
  ) {
    this.routing = routing
    this.deferredAnalysis = deferredAnalysis
    this.id = id
    this.raw = raw
    this.isExact = isExact
  }

  /** Throws `spellingNeeded` unless numbers were parsed with their spelling. */
  requireSpelling(): void {
    if (this.isExact || this.raw === undefined) return
    this.#isPlain ??= numbersArePlain(this.raw)
    if (!this.#isPlain) throw spellingNeeded
  }
}

export class DocumentFields {
  readonly reading: DocumentReading
  /** The path of the nested object; empty for the root document. */
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

  /** Returns a scalar as text, as it is spelled in the document. */
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
