/**
 * Binds a query to one index: its fields, analyzers and limits. A `Binding` also collects what clauses
 * declare on the way: names, inner hits and the nested level they are in.
 */
import type { Analyzer } from '../../analysis/analyzer.ts'
import type { JoinField } from '../../mapping/fields/join-field.ts'
import type { MappedField } from '../../mapping/mapped-field.ts'
import type { Mapping } from '../../mapping/mapping.ts'
import { SearchError } from '../../request/search-error.ts'
import type { StoredScripts } from '../../script/script.ts'
import { openSearchDateText } from '../../time/nanos-format-name.ts'
import type { InnerHitsQuery, NamedQuery, Percolation } from '../exec/compiled-query.ts'
import { MatchNoneQuery } from '../exec/compound/simple-queries.ts'
import type { Query } from '../exec/query.ts'

/** The address of another document, for lookups. */
export interface DocumentPlace {
  readonly index: string
  readonly id: string
  readonly routing: string | undefined
}

export interface QueryLimits {
  /** `indices.query.bool.max_clause_count` */
  readonly maxClauses: number
  /** `index.max_terms_count` */
  readonly maxTerms: number
  /** `index.max_regex_length` */
  readonly maxRegexLength: number
}

export const defaultLimits: QueryLimits = { maxClauses: 1024, maxTerms: 65_536, maxRegexLength: 1000 }

export interface QueryContext {
  readonly index: string
  readonly indexUuid: string
  /** The aliases of the index, for `_index`. */
  readonly aliases: readonly string[]
  /** Milliseconds; read once per request, so that all uses of `now` agree. */
  readonly now: number
  readonly limits: QueryLimits
  /** `search.allow_expensive_queries` */
  readonly allowExpensive: boolean
  /** The factor of BM25 scores; 2.2 when absent. */
  readonly scoreFactor?: number | undefined
  /** Keyword terms score 1, and error texts follow OpenSearch 3. */
  readonly isOpenSearch?: boolean | undefined
  /** Refuses all that the product refuses (`compat.strict`). */
  readonly isStrict?: boolean | undefined
  /** `index.query.default_field` */
  readonly defaultFields: readonly string[]
  readonly scripts: StoredScripts
  /** True for queries that are stored to be percolated. */
  readonly isStored?: boolean | undefined
  /** Reads documents as the index would. */
  readonly mapping?: Mapping | undefined
  /** The `join` field of the index. */
  readonly join?: JoinField | undefined
  /** Resolves field aliases. */
  field(path: string): MappedField | undefined
  /** The names of all fields, including multi-fields, that match a pattern. */
  fieldsMatching(pattern: string): readonly string[]
  /** The names of the fields below an object; empty when there is no such object. */
  fieldsUnder(path: string): readonly string[]
  /** True for the path of a nested object. */
  isNested(path: string): boolean
  /** True for the path of any object. */
  isObject(path: string): boolean
  /** A custom or built-in analyzer; undefined for unknown names. */
  analyzer(name: string): Analyzer | undefined
  /** The source paths that a field's values come from. */
  sourcePaths(field: MappedField): readonly string[]
  /** Fetches another document's source; undefined when it does not exist. */
  lookUp?(place: DocumentPlace): unknown
}

export class Binding {
  readonly context: QueryContext
  readonly named: NamedQuery[] = []
  readonly innerHits: InnerHitsQuery[] = []
  readonly percolations: Percolation[] = []
  /** The path of the nested objects the clause runs over; undefined for root documents. */
  nestedPath: string | undefined

  constructor(context: QueryContext) {
    this.context = context
  }

  field(path: string): MappedField | undefined {
    return this.context.field(path)
  }

  analyzer(name: string, clause: string): Analyzer {
    const found = this.context.analyzer(name)
    if (found === undefined) throw this.refusal(`[${clause}] analyzer [${name}] not found`)
    return found
  }

  /** An error in the form that shards of this index report. */
  refusal(reason: string, cause?: Error): SearchError {
    const { index, indexUuid } = this.context
    return new SearchError('query_shard_exception', reason, {
      cause,
      details: { index, index_uuid: indexUuid },
    })
  }

  requireCheap(queries: string, more = ''): void {
    if (this.context.allowExpensive) return
    throw new SearchError(
      'exception',
      `${queries} cannot be executed when 'search.allow_expensive_queries' is set to false.${more}`,
      { status: 400 },
    )
  }
}

/** The reason of a refusal as a lenient query shows it. */
export function lenientReason({ context }: Binding, { type, message }: SearchError): string {
  const shown = context.isOpenSearch === true ? openSearchDateText(message) : message
  return `${type}:[${shown}]`
}

export function unmapped(field: string): Query {
  return new MatchNoneQuery(`unmapped field [${field}]`)
}
