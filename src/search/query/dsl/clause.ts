/**
 * A parsed clause of the query DSL: everything that can be validated without an index has been; `bind` makes
 * the query for one index.
 */
import type { JsonObject } from '../../request/json-object.ts'
import type { Binding } from '../binding/binding.ts'
import type { Query } from '../exec/query.ts'
import type { QueryParser } from './parser.ts'

export interface Clause {
  /** The `_name` of the query. */
  readonly name?: string | undefined
  bind(binding: Binding): Query
}

/** What the parser of one clause type returns; the caller adds boost and name. */
interface ClauseBody extends Clause {
  readonly boost?: number | undefined
}

export type Json = JsonObject

export type ParseClause = (body: Json, parser: QueryParser, clause: string) => ClauseBody
