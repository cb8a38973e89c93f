/**
 * Checks the body of a clause in the order of its text, before the clause is read: the first mistake of a text is the
 * one that is reported, as by a parser that reads token by token. Queries inside are parsed when their turn comes.
 */

import { checkObject } from '../../request/object-shape.ts'
import { isObject as isJson, scalarText, tokenKind } from '../../request/request-values.ts'
import { SearchError } from '../../request/search-error.ts'
import type { SourcePlaces } from '../../request/source-place.ts'
import { stopOf, stoppedAt } from '../../request/stop-place.ts'
import { checkReading, noText, type Reading } from '../../request/token-reads.ts'
import type { Clause, Json } from './clause.ts'
import {
  type FieldShape,
  fieldShapes,
  innerHitsShape,
  type Other,
  type ParsedShape,
  parsedShapes,
  rankShapes,
  scriptShape,
  type TokenLoopShape,
  tokenLoopShapes,
} from './clause-shapes.ts'

/** The parser of queries, as far as it is needed here. */
interface Queries {
  parse(json: unknown, owner?: unknown, key?: string | number): Clause
  error(reason: string, node: unknown, key?: string | number): SearchError
  errorAfter(reason: string, node: unknown): SearchError
}

/** Returns the body without what is ignored. Throws SearchError. */
export function checkedBody(clause: string, body: Json, parser: Queries, places: SourcePlaces): Json {
  const check = new ShapeCheck(clause, parser, places)
  const fields = fieldShapes.get(clause)
  if (fields !== undefined) return check.field(fields, body)
  const shape = tokenLoopShapes.get(clause)
  if (shape !== undefined) return check.loop(shape, body)
  const parsed = parsedShapes.get(clause)
  if (parsed !== undefined) check.parsed(parsed, body)
  return body
}

/** Checks a script that is an object or a text. */
export function checkScript(script: unknown, places: SourcePlaces): void {
  if (isJson(script)) checkObject(scriptShape, script, places)
}

class ShapeCheck {
  readonly #clause: string
  readonly #parser: Queries
  readonly #places: SourcePlaces

  constructor(clause: string, parser: Queries, places: SourcePlaces) {
    this.#clause = clause
    this.#parser = parser
    this.#places = places
  }

  loop(shape: TokenLoopShape, body: Json): Json {
    return mapMembers(body, (name, value) => this.#value(shape, body, name, value))
  }

  /** Returns the value that counts, undefined when it is ignored. */
  #value(
    shape: TokenLoopShape,
    node: unknown,
    name: string,
    value: unknown,
    key: string | number = name,
  ): unknown {
    const at = { node, key }
    if (isScalar(value)) {
      const reading = own(shape.values, name)
      if (reading === undefined) throw this.#unsupported(shape, name, at, shape.nameText)
      this.#read(reading, value, at)
      return value
    }
    if (isJson(value)) {
      const expected = own(shape.objects, name)
      if (expected === 'query') this.#parser.parse(value)
      if (name === 'inner_hits') checkObject(innerHitsShape, value, this.#places)
      return expected === undefined ? this.#other(shape.object, shape, name, value, at) : value
    }
    if (Array.isArray(value)) {
      const expected = own(shape.lists, name)
      if (expected === undefined) return this.#other(shape.list, shape, name, value, at)
      if (expected === 'texts')
        for (const [index, item] of value.entries()) this.#read('text', item, { node: value, key: index })
      if (expected === 'queries') this.#queries(value)
      return value
    }
    // `multi_match` says that `fields` is not supported when it is neither a text nor a list.
    if (name === 'fields' && own(shape.lists, name) !== undefined && own(shape.values, name) !== undefined)
      throw this.#unsupported(shape, name, at)
    return this.#other(shape.null, shape, name, value, at)
  }

  /** The bracket of the list takes the place of a first query that is none. */
  #queries(list: readonly unknown[]): void {
    const reason = '[_na] query malformed, must start with start_object'
    if (list.length === 0) throw this.#parser.errorAfter(reason, list)
    if (!isJson(list[0])) throw this.#error(reason, { node: list, key: 0 })
    for (const [index, item] of list.entries()) this.#parser.parse(item, list, index)
  }

  #other(what: Other, shape: TokenLoopShape, name: string, value: unknown, at: At): unknown {
    switch (what) {
      case 'name':
        throw this.#unsupported(shape, name, at)
      case 'token': {
        if (name === 'fields' && own(shape.values, name) !== undefined)
          throw this.#unsupported(shape, name, at)
        const text = shape.tokenText ?? 'unknown token'
        throw this.#error(
          `[${shape.label ?? this.#clause}] ${text} [${tokenKind(value)}] after [${name}]`,
          at,
        )
      }
      case 'bare':
        throw this.#error(`unexpected token [${tokenKind(value)}]`, at)
      case 'ignored':
        return undefined
      case 'value': {
        const reading = own(shape.values, name)
        if (reading === undefined) throw this.#unsupported(shape, name, at)
        if (this.#clause === 'range' && Array.isArray(value) && reading === 'scalar') {
          const reason = `invalid ${/^[gf]/.test(name) ? 'lower' : 'upper'} bound for [range] query`
          throw value.length === 0
            ? this.#parser.errorAfter(reason, value)
            : this.#error(reason, { node: value, key: 0 })
        }
        if (reading === 'scalar' && value !== null)
          throw this.#error(`[${this.#clause}] unknown token [${tokenKind(value)}] after [${name}]`, at)
        this.#read(reading, value, at)
        return value
      }
      case 'inline': {
        let last: unknown
        for (const [index, item] of (value as readonly unknown[]).entries())
          last = this.#value(shape, value, name, item, index) ?? last
        return last
      }
    }
  }

  field(shape: FieldShape, body: Json): Json {
    let field: string | undefined
    return mapMembers(body, (name, value) => {
      const found = this.#field(shape, body, name, value, field)
      if (found !== undefined) field = name
      return found
    })
  }

  #field(
    shape: FieldShape,
    node: unknown,
    name: string,
    value: unknown,
    field: string | undefined,
    key: string | number = name,
  ): unknown {
    const at = { node, key }
    if (value === null && shape.null === 'ignored') return undefined
    if (Array.isArray(value) && shape.list === 'inline') {
      let last: unknown
      for (const [index, item] of value.entries())
        last = this.#field(shape, value, name, item, last === undefined ? field : name, index) ?? last
      return last
    }
    if (Array.isArray(value) && shape.list === 'own') return value
    if (isScalar(value) && shape.short === 'none') throw this.#unsupported(shape.inner, name, at)
    if (field !== undefined)
      throw this.#error(
        `[${this.#clause}] query doesn't support multiple fields, found [${field}] and [${name}]`,
        at,
      )
    if (isJson(value)) return this.loop(shape.inner, value)
    if (Array.isArray(value)) throw noText(value, { places: this.#places, ...at })
    if (shape.short !== 'none') this.#read(shape.short, value, at)
    return value
  }

  parsed(shape: ParsedShape, body: Json): void {
    try {
      checkObject(shape, body, this.#places, (name, value) => this.#parsedField(shape, body, name, value))
    } catch (error) {
      throw shape.isRewrapped === true && error instanceof SearchError ? rewrapped(error) : error
    }
  }

  #parsedField(shape: ParsedShape, body: Json, name: string, value: unknown): void {
    if (shape.queries?.includes(name) === true) {
      if (Array.isArray(value))
        for (const [index, item] of value.entries()) this.#parser.parse(item, value, index)
      else if (value !== null) this.#parser.parse(value, body, name)
    }
    const rank = shape.parser === 'feature' ? rankShapes.get(name) : undefined
    if (rank !== undefined) checkObject(rank, value as Json, this.#places)
    if (shape.parser === 'script_score' && name === 'script') checkScript(value, this.#places)
  }

  #read(reading: Reading, value: unknown, at: At): void {
    checkReading(reading, value, { places: this.#places, ...at })
  }

  #unsupported(shape: TokenLoopShape, name: string, at: At, text = 'query does not support'): SearchError {
    return this.#error(`[${shape.label ?? this.#clause}] ${text} [${name}]`, at)
  }

  #error(reason: string, { node, key }: At): SearchError {
    return this.#parser.error(reason, node, key)
  }
}

function isScalar(value: unknown): boolean {
  return scalarText(value) !== undefined
}

interface At {
  readonly node: unknown
  readonly key: string | number
}

function own<T>(record: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined
}

function rewrapped(error: SearchError): SearchError {
  const { line = 1, col = 1 } = stopOf(error) ?? {}
  return stoppedAt(
    new SearchError('parsing_exception', error.message, { cause: error, details: { line, col } }),
    { line, col },
  )
}

/** Replaces members, and leaves out those that become undefined; copies only when something changes. */
function mapMembers(body: Json, change: (name: string, value: unknown) => unknown): Json {
  let changed: Record<string, unknown> | undefined
  for (const [name, value] of Object.entries(body)) {
    const kept = change(name, value)
    if (kept === value) continue
    changed ??= { ...body }
    if (kept === undefined) delete changed[name]
    else changed[name] = kept
  }
  return changed ?? body
}
