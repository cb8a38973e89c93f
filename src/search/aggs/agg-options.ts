/**
 * Reads the body of one aggregation option by option. Options that were never read are unknown to the
 * aggregation, and `done` refuses them with Elasticsearch's texts.
 */

import { SourcePlaces } from '../query/dsl/source-place.ts'
import { didYouMean } from '../request/did-you-mean.ts'
import { contentError, illegalArgument } from '../request/errors.ts'
import { JsonNumber } from '../request/json-literals.ts'
import { bodyFlag, isObject, type JsonObject, scalarText, tokenKind } from '../request/request-values.ts'
import { SearchError, type SearchErrorOptions } from '../request/search-error.ts'

/** Positions of the aggregations in the request text, for errors. */
export class AggPlaces {
  readonly #places: SourcePlaces

  constructor(body: unknown, text?: string | (() => string)) {
    this.#places = new SourcePlaces(body, text)
  }

  text(node: unknown, key?: string): string {
    const { line, col } = this.#places.of(node, key)
    return `${line}:${col}`
  }

  endText(node: unknown): string {
    const { line, col } = this.#places.endOf(node)
    return `${line}:${col}`
  }

  error(reason: string, node: unknown, key?: string, options: SearchErrorOptions = {}): SearchError {
    const { line, col } = this.#places.of(node, key)
    return new SearchError('parsing_exception', reason, { ...options, details: { line, col } })
  }
}

export class AggOptions {
  /** The name of the aggregation, for errors. */
  readonly aggregation: string
  readonly kind: string
  readonly json: JsonObject
  readonly places: AggPlaces
  readonly #asked: string[] = []

  constructor(aggregation: string, kind: string, json: JsonObject, places: AggPlaces) {
    this.aggregation = aggregation
    this.kind = kind
    this.json = json
    this.places = places
  }

  /** Undefined when absent or null. */
  raw(name: string): unknown {
    this.#asked.push(name)
    const value = Object.hasOwn(this.json, name) ? this.json[name] : undefined
    return value === null ? undefined : value
  }

  /** Undefined when absent; null is refused. */
  #value(name: string): unknown {
    const value = this.raw(name)
    if (value === undefined && Object.hasOwn(this.json, name)) throw this.#wrongType(name, null)
    return value
  }

  #wrongType(name: string, value: unknown): SearchError {
    return this.xContent(`[${this.kind}] ${name} doesn't support values of type: ${tokenKind(value)}`, name)
  }

  xContent(reason: string, key?: string, cause?: Error): SearchError {
    const place = this.places.text(this.json, key)
    return contentError(`[${place}] ${reason}`, cause)
  }

  failed(name: string, cause?: Error): SearchError {
    return this.xContent(`[${this.kind}] failed to parse field [${name}]`, name, cause)
  }

  /** Like `failed`, at the end of the value. */
  failedAfter(name: string, cause: Error): SearchError {
    const place = this.places.endText(this.json[name])
    return contentError(`[${place}] [${this.kind}] failed to parse field [${name}]`, cause)
  }

  text(name: string): string | undefined {
    const value = this.#value(name)
    if (value === undefined) return undefined
    const text = scalarText(value)
    if (text === undefined) throw this.#wrongType(name, value)
    return text
  }

  number(name: string): number | undefined {
    const value = this.#value(name)
    if (value === undefined) return undefined
    if (typeof value === 'number') return value
    if (value instanceof JsonNumber) return value.value
    if (typeof value !== 'string') throw this.#wrongType(name, value)
    const number = value.trim() === '' ? Number.NaN : Number(value)
    if (Number.isNaN(number)) {
      const cause = new SearchError('number_format_exception', `For input string: "${value}"`)
      throw this.failed(name, cause)
    }
    return number
  }

  int(name: string): number | undefined {
    const number = this.number(name)
    return number === undefined ? undefined : Math.trunc(number)
  }

  flag(name: string): boolean | undefined {
    const value = this.#value(name)
    if (value === undefined) return undefined
    try {
      return bodyFlag(value)
    } catch (error) {
      throw this.failed(name, error instanceof Error ? error : undefined)
    }
  }

  object(name: string): JsonObject | undefined {
    const value = this.#value(name)
    if (value === undefined) return undefined
    if (!isObject(value)) throw this.#wrongType(name, value)
    return value
  }

  list(name: string): readonly unknown[] | undefined {
    const value = this.#value(name)
    if (value === undefined) return undefined
    return Array.isArray(value) ? (value as unknown[]) : [value]
  }

  /** Reads a nested body in the same way. */
  inner(json: JsonObject, kind = this.kind): AggOptions {
    return new AggOptions(this.aggregation, kind, json, this.places)
  }

  /** Throws when an option was not read. */
  done(): void {
    for (const name of Object.keys(this.json)) {
      if (this.#asked.includes(name)) continue
      throw this.xContent(`[${this.kind}] unknown field [${name}]${didYouMean(name, this.#asked)}`, name)
    }
  }
}

/** The error where scripts are not supported. */
export function noScripts(): SearchError {
  return illegalArgument('script_lang not supported [painless]')
}
