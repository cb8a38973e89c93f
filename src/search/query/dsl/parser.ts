/**
 * Parses a query: an object with one key, the clause name, and the clause's body. Errors have Elasticsearch's
 * texts, types and positions.
 */

import { didYouMean } from '../../request/did-you-mean.ts'
import { illegalArgument } from '../../request/errors.ts'
import { JsonNumber } from '../../request/json-literals.ts'
import { failedField, unknownField } from '../../request/object-shape.ts'
import { SearchError, type SearchErrorOptions } from '../../request/search-error.ts'
import { type Place, SourcePlaces } from '../../request/source-place.ts'
import { stopOf, stoppedAt } from '../../request/stop-place.ts'
import { checkReading, type Reading } from '../../request/token-reads.ts'
import { Binding, type QueryContext } from '../binding/binding.ts'
import type { BoundQuery } from '../exec/compiled-query.ts'
import { boostedQuery, MatchNoneQuery } from '../exec/compound/simple-queries.ts'
import { RewriteError } from '../query-error.ts'
import { tooManyNestedClauses } from '../too-many-clauses.ts'
import type { Clause, Json, ParseClause } from './clause.ts'
import { checkedBody } from './shape-check.ts'

/** `indices.query.bool.max_nested_depth` */
const maxDepth = 30
/** So many clauses are parsed in less than a millisecond or two. */
const clausesPerStep = 256

export function isJson(value: unknown): value is Json {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof JsonNumber)
  )
}

/** A string, number or boolean. */
export function isScalar(value: unknown): boolean {
  return (
    typeof value === 'string' ||
    typeof value === 'number' ||
    typeof value === 'boolean' ||
    value instanceof JsonNumber
  )
}

/** The names of JSON tokens in errors. */
export function tokenOf(value: unknown): string {
  if (value === null || value === undefined) return 'VALUE_NULL'
  if (Array.isArray(value)) return 'START_ARRAY'
  if (isJson(value)) return 'START_OBJECT'
  if (typeof value === 'string') return 'VALUE_STRING'
  return typeof value === 'boolean' ? 'VALUE_BOOLEAN' : 'VALUE_NUMBER'
}

export class QueryParser {
  readonly #clauses: ReadonlyMap<string, ParseClause>
  readonly #places: SourcePlaces
  /** Queries that were parsed already: the check of the clause around them comes first. */
  readonly #parsed = new Map<Json, Clause>()
  /** Bodies without what is ignored in them, and what was sent. */
  readonly #sent = new Map<unknown, unknown>()
  #depth = 0

  constructor(clauses: ReadonlyMap<string, ParseClause>, places: SourcePlaces) {
    this.#clauses = clauses
    this.#places = places
  }

  get places(): SourcePlaces {
    return this.#places
  }

  /** Throws when the value under a key cannot be read in this way. */
  check(reading: Reading, node: Json, key: string): void {
    checkReading(reading, node[key], { places: this.#places, node, key })
  }

  #of(node: unknown, key?: string | number): Place {
    return this.#places.of(this.#sent.get(node) ?? node, key)
  }

  /** `[line:col]` of a node of the body. */
  placeText(node: unknown, key?: string): string {
    const { line, col } = this.#of(node, key)
    return `${line}:${col}`
  }

  error(reason: string, node: unknown, key?: string | number, options: SearchErrorOptions = {}): SearchError {
    const { line, col } = this.#of(node, key)
    return new SearchError('parsing_exception', reason, { ...options, details: { line, col } })
  }

  /** An error that Elasticsearch reports at the end of an object. */
  errorAfter(reason: string, node: unknown): SearchError {
    const { line, col } = this.#places.endOf(this.#sent.get(node) ?? node)
    return new SearchError('parsing_exception', reason, { details: { line, col } })
  }

  /** The error of clauses that Elasticsearch parses with ObjectParser. */
  unknownField(clause: string, node: Json, key: string, known: readonly string[]): SearchError {
    return unknownField(clause, node, key, known, this.#places)
  }

  /** The error of a field that ObjectParser reads, at the place where reading stopped. */
  inField(error: unknown, clause: string, node: Json, key: string): unknown {
    return failedField(error, clause, key, this.#of(node, key))
  }

  /** `key` is an index when the query is an element of a list. */
  parse(json: unknown, owner?: unknown, key?: string | number): Clause {
    if (!isJson(json)) throw this.#noQuery(json, owner, key)
    const known = this.#parsed.get(json)
    if (known !== undefined) return known
    const clause = this.#parse(json)
    this.#parsed.set(json, clause)
    return clause
  }

  /**
   * Parses the elements of the lists in a `bool` clause, in steps. `parse` finds them parsed afterwards. Throws where
   * `parse` throws, and is of no further use then.
   */
  *parseLists(json: unknown): Generator<void, void, void> {
    const bool = isJson(json) ? json['bool'] : undefined
    if (!isJson(bool) || this.#depth >= maxDepth) return
    this.#depth++
    for (const list of Object.values(bool)) {
      if (!Array.isArray(list)) continue
      for (const [index, item] of list.entries()) {
        yield* this.parseLists(item)
        this.parse(item, list, index)
        if (index % clausesPerStep === 0) yield
      }
    }
    this.#depth--
  }

  /** Parses a query that has a text of its own. */
  apart(json: unknown): Clause {
    return new QueryParser(this.#clauses, new SourcePlaces(json)).parse(json)
  }

  /** A scalar is passed over before the query is missed. */
  #noQuery(json: unknown, owner: unknown, key: string | number | undefined): SearchError {
    const reason = '[_na] query malformed, must start with start_object'
    if (typeof key !== 'number') return this.error(reason, owner ?? json, key)
    const { line, col } = this.#places.after(owner, key)
    return new SearchError('parsing_exception', reason, { details: { line, col } })
  }

  #parse(json: Json): Clause {
    const names = Object.keys(json)
    const name = names[0]
    if (name === undefined) {
      const place = this.#places.endOf(json)
      const reason = `query malformed, empty clause found at [${place.line}:${place.col}]`
      throw stoppedAt(illegalArgument(reason), place)
    }
    const body = json[name]
    if (!isJson(body))
      throw this.error(`[${name}] query malformed, no start_object after query name`, json, name)
    const read = this.#clauses.get(name)
    if (read === undefined) throw this.#unknownQuery(name, json)
    this.#depth++
    if (this.#depth > maxDepth) {
      throw illegalArgument(
        'The nested depth of the query exceeds the maximum nested depth for queries set in [indices.query.bool.max_nested_depth]',
      )
    }
    const clause = this.#read(name, read, body)
    this.#depth--
    if (names.length > 1) {
      const { line, col } = this.#places.ofName(json, names[1]!)
      const reason = `[${name}] malformed query, expected [END_OBJECT] but found [FIELD_NAME]`
      throw new SearchError('parsing_exception', reason, { details: { line, col } })
    }
    return clause
  }

  /** What is missing in a clause is found at its end. */
  #read(name: string, read: ParseClause, body: Json): Clause {
    try {
      const checked = checkedBody(name, body, this, this.#places)
      if (checked !== body) this.#sent.set(checked, body)
      return this.#named(read(checked, this, name), name)
    } catch (error) {
      if (error instanceof SearchError && stopOf(error) === undefined)
        stoppedAt(error, this.#places.endOf(body))
      throw error
    }
  }

  #unknownQuery(name: string, json: Json): SearchError {
    const cause = new SearchError(
      'named_object_not_found_exception',
      `[${this.placeText(json, name)}] unknown field [${name}]`,
    )
    const suggestion = didYouMean(name, this.#clauses.keys())
    return this.error(`unknown query [${name}]${suggestion}`, json, name, { cause })
  }

  #named(body: ReturnType<ParseClause>, clause: string): Clause {
    const { boost = 1, name } = body
    if (boost < 0) {
      throw illegalArgument(
        `negative [boost] are not allowed in [${clause}], use a value between 0 and 1 to deboost`,
      )
    }
    if (boost === 1 && name === undefined) return body
    return {
      name,
      bind(binding) {
        const plain = body.bind(binding)
        const query =
          plain instanceof MatchNoneQuery ? plain.boosted(boost) : boostedQuery(plain, Math.fround(boost))
        if (name !== undefined) binding.named.push({ name, query })
        return query
      },
    }
  }
}

const tooMany: ReadonlySet<string> = new Set(['too_many_clauses', 'too_many_nested_clauses'])

/** Binds a clause to an index; errors carry the index, as those of shards do. */
export function bindClause(clause: Clause, context: QueryContext): BoundQuery {
  const binding = new Binding(context)
  try {
    const query = clause.bind(binding)
    const { maxClauses } = context.limits
    // Lucene lets one more pass than it says.
    if (query.leafCount > maxClauses + 1) throw tooManyNestedClauses(maxClauses)
    const { named, innerHits, percolations } = binding
    return { query, named, innerHits, percolations }
  } catch (error) {
    if (!(error instanceof SearchError)) throw error
    if (error.type === 'query_shard_exception') {
      return rethrow(binding.refusal(error.message, error.causedBy))
    }
    const isWhole = error instanceof RewriteError || tooMany.has(error.type)
    if (error.type === 'parsing_exception' || isWhole) throw error
    throw binding.refusal(`failed to create query: ${error.message}`, error)
  }
}

function rethrow(error: Error): never {
  throw error
}
