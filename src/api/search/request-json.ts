/** Request bodies as bytes and JSON. Integers beyond 2^53 stay exact. */

import { promisify } from 'node:util'
import { shownBytes } from '../../memory/circuit-breakers.ts'
import { type JsonSize, jsonTooLarge, maxJsonBytes } from '../../memory/json-size.ts'
import { duplicateNameError, hasDuplicateNames } from '../../search/request/body/duplicate-names.ts'
import { jsonInPieces, minBytesForSteps, NotInPieces } from '../../search/request/body/json-in-pieces.ts'
import { checkNesting } from '../../search/request/body/json-nesting.ts'
import { type JsonDialect, jsonSyntaxError } from '../../search/request/body/json-syntax-error.ts'
import { parseError } from '../../search/request/errors.ts'
import { JsonNumber, parseExactJson } from '../../search/request/json-literals.ts'
import type { JsonObject } from '../../search/request/json-object.ts'
import { isObject } from '../../search/request/json-object.ts'
import { CircuitBreaking } from '../../search/request/memory-refused.ts'
import { maxRetainedBytes, rememberSource } from '../../search/request/request-source.ts'
import { SearchError } from '../../search/request/search-error.ts'

const stepMillis = 5
const nextIteration = promisify(setImmediate)

export class RequestJson {
  readonly bytes: Buffer
  readonly #dialect: JsonDialect
  #value: { readonly json: unknown } | undefined

  constructor(bytes: Buffer, dialect: JsonDialect = 'jackson2') {
    this.bytes = bytes
    this.#dialect = dialect
  }

  get isEmpty(): boolean {
    return this.bytes.length === 0
  }

  /** Throws for invalid JSON; undefined for an empty body. */
  get value(): unknown {
    if (this.isEmpty) return undefined
    this.#value ??= { json: parseJson(this.bytes, this.#dialect) }
    return this.#value.json
  }

  /** Parses a long body in steps, so that others are served in between; errors are left to whoever reads it. */
  async prepare(): Promise<void> {
    if (this.bytes.length < minBytesForSteps || this.#value !== undefined) return
    const text = this.bytes.toString('utf8')
    const steps = jsonInPieces(text, { parse: parsedRun, maxBytes: maxJsonBytes() })
    try {
      for (;;) {
        const until = performance.now() + stepMillis
        do {
          const step = steps.next()
          if (step.done !== true) continue
          this.#value = { json: step.value }
          return
        } while (performance.now() < until)
        await nextIteration()
      }
    } catch (error) {
      if (!(error instanceof NotInPieces)) throw error
    }
  }

  /** An object, or undefined without a body. */
  get object(): JsonObject | undefined {
    const { value } = this
    if (isObject(value) && this.bytes.length <= maxRetainedBytes)
      rememberSource(value, { body: value, text: () => this.bytes.toString('utf8') })
    if (value === undefined || isObject(value)) return value
    const kind = Array.isArray(value)
      ? 'START_ARRAY'
      : `VALUE_${value === null ? 'NULL' : (typeof value).toUpperCase()}`
    throw new SearchError('parsing_exception', `Expected [START_OBJECT] but found [${kind}]`, {
      details: { line: 1, col: 1 },
    })
  }

  /** An object that is read as a whole before it is looked at; a syntax error is the cause of another one. */
  get map(): JsonObject | undefined {
    try {
      return this.object
    } catch (error) {
      if (error instanceof SearchError && error.type !== 'parsing_exception')
        throw parseError('Failed to parse content to map', error)
      throw error
    }
  }

  get requiredMap(): JsonObject {
    const { map } = this
    if (map === undefined) throw parseError('request body is required')
    return map
  }

  /** Throws without a body. */
  get required(): JsonObject {
    const { object } = this
    if (object === undefined) throw parseError('request body is required')
    return object
  }

  /** Numbers keep their spelling here, for documents inside of a request. */
  get requiredExact(): JsonObject {
    return this.required && (parseExactJson(this.bytes) as JsonObject)
  }
}

/** Matches long integers outside of strings, and in strings after a blank or a comma. */
const longInteger = /(?:^|[\s:,[])-?\d{16}/

export function parseJson(bytes: Buffer, dialect: JsonDialect): unknown {
  checkNesting(bytes)
  const text = bytes.toString('utf8')
  const size = jsonTooLarge(text)
  if (size !== undefined) throw dataTooLarge(size)
  let plain: unknown
  try {
    plain = JSON.parse(text)
  } catch {
    throw jsonSyntaxError(text, dialect)
  }
  if (hasDuplicateNames(bytes, plain)) {
    const duplicate = duplicateNameError(text, dialect)
    if (duplicate !== undefined) throw duplicate
  }
  return withIntegersOf(text, plain)
}

/** The values of a body take more memory than there is. */
export function dataTooLarge({ bytes, limit }: JsonSize): CircuitBreaking {
  return new CircuitBreaking({
    message: `[request] Data too large, data for [<http_request>] would be [${shownBytes(bytes)}], which is larger than the limit of [${shownBytes(limit)}]`,
    bytesWanted: bytes,
    bytesLimit: limit,
    durability: 'PERMANENT',
  })
}

/** A part of a body, which has no name twice that its reader would not notice. */
function parsedRun(text: string): unknown {
  return withIntegersOf(text, JSON.parse(text))
}

function withIntegersOf(text: string, plain: unknown): unknown {
  return longInteger.test(text) ? withExactIntegers(parseExactJson(text)) : plain
}

/** Keeps the spelling only of numbers that would lose digits. */
function withExactIntegers(value: unknown): unknown {
  if (value instanceof JsonNumber)
    return value.isInteger && !Number.isSafeInteger(value.value) ? value : value.value
  if (Array.isArray(value)) return value.map(withExactIntegers)
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withExactIntegers(member)]))
}
