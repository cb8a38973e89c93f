/**
 * A clause of the query DSL once its JSON is read: everything that can be wrong without knowing an index has
 * been checked; `bind` makes the query for one index.
 */
import type { Binding } from '../binding/binding.ts'
import type { Query } from '../exec/query.ts'
import type { QueryParser } from './parser.ts'

export interface Clause {
  bind(binding: Binding): Query
}

/** What the parser of one kind of clause returns; boost and name are put around it for all kinds. */
export interface ClauseBody extends Clause {
  readonly boost?: number | undefined
  readonly name?: string | undefined
}

export type Json = Readonly<Record<string, unknown>>

export type ParseClause = (body: Json, parser: QueryParser, clause: string) => ClauseBody
