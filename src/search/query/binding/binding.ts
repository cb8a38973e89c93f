/**
 * What a query is bound to: the fields, analyzers and limits of one index. `Binding` is one such act; it also
 * gathers what clauses leave behind on the way (names, inner hits, the nested level they stand in).
 */
import type { Analyzer } from '../../analysis/analyzer.ts'
import type { MappedField } from '../../mapping/mapped-field.ts'
import { SearchError } from '../../request/search-error.ts'
import type { StoredScripts } from '../../script/script.ts'
import type { InnerHitsQuery, NamedQuery } from '../exec/compiled-query.ts'
import { MatchNoneQuery } from '../exec/compound/simple-queries.ts'
import type { Query } from '../exec/query.ts'

/** Where another document stands. */
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
  /** Other names of the index, for `_index`. */
  readonly aliases: readonly string[]
  /** Milliseconds; one reading for the whole request. */
  readonly now: number
  readonly limits: QueryLimits
  /** `search.allow_expensive_queries` */
  readonly allowExpensive: boolean
  /** What BM25 scores are multiplied by; 2.2 unless given. */
  readonly scoreFactor?: number | undefined
  /** Terms of keywords score 1, and texts of errors are those of OpenSearch 3. */
  readonly isOpenSearch?: boolean | undefined
  /** `index.query.default_field` */
  readonly defaultFields: readonly string[]
  readonly scripts: StoredScripts
  /** Aliases are followed. */
  field(path: string): MappedField | undefined
  /** Names of all fields, multi-fields too, that fit a pattern. */
  fieldsMatching(pattern: string): readonly string[]
  /** Names of the fields below an object; none when there is no such object. */
  fieldsUnder(path: string): readonly string[]
  /** True for the path of a nested object. */
  isNested(path: string): boolean
  /** True for the path of any object. */
  isObject(path: string): boolean
  /** An analyzer of the index or a built-in one; undefined when there is none of that name. */
  analyzer(name: string): Analyzer | undefined
  /** Paths in documents that the values of a field come from. */
  sourcePaths(field: MappedField): readonly string[]
  /** Another document, as it is now; undefined when there is none. */
  lookUp?(place: DocumentPlace): unknown
}

export class Binding {
  readonly context: QueryContext
  readonly named: NamedQuery[] = []
  readonly innerHits: InnerHitsQuery[] = []
  /** Path of the nested objects the clause runs over; undefined for documents proper. */
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

  /** An error of this index, as shards report it. */
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

export function unmapped(field: string): Query {
  return new MatchNoneQuery(`unmapped field [${field}]`)
}
