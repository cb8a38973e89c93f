/** A search request: body and query string combined, validated as far as possible without an index. */
import type { ScriptField } from '../fetch/script-fields.ts'
import type { SortRequest } from './sort-request.ts'

export interface SourceSelection {
  readonly isWanted: boolean
  readonly includes: readonly string[]
  readonly excludes: readonly string[]
}

export interface FieldSelection {
  /** A field name or a pattern. */
  readonly field: string
  readonly format: string | undefined
  readonly includeUnmapped: boolean
}

export interface SliceRequest {
  readonly id: number
  readonly max: number
  readonly field: string
}

export interface RescoreRequest {
  readonly windowSize: number
  readonly query: unknown
  readonly queryWeight: number
  readonly rescoreWeight: number
  readonly scoreMode: 'total' | 'multiply' | 'avg' | 'max' | 'min'
}

export interface CollapseRequest {
  readonly field: string
  readonly innerHits: readonly Readonly<Record<string, unknown>>[]
}

/** The fetch options: what is shown of each hit. */
export interface FetchRequest {
  /** Undefined: shown unless other fields are requested. */
  readonly source: SourceSelection | undefined
  readonly fields: readonly FieldSelection[]
  readonly docvalueFields: readonly FieldSelection[]
  /** Undefined when absent; `none` omits `_id` and the source. */
  readonly storedFields: readonly string[] | 'none' | undefined
  readonly scriptFields: readonly ScriptField[]
  readonly highlight: unknown
  readonly explain: boolean
  readonly version: boolean
  readonly seqNoPrimaryTerm: boolean
}

export interface SearchRequest extends FetchRequest {
  /** Undefined: match_all. */
  readonly query: unknown
  readonly postFilter: unknown
  readonly from: number
  readonly isFromGiven: boolean
  readonly size: number
  /** Undefined: by score. */
  readonly sort: readonly SortRequest[] | undefined
  readonly searchAfter: readonly unknown[] | undefined
  /** Counts all hits, none, or up to a number. */
  readonly trackTotalHits: boolean | number
  readonly trackScores: boolean
  readonly minScore: number | undefined
  readonly terminateAfter: number
  /** In milliseconds; undefined for no limit. */
  readonly timeout: number | undefined
  readonly aggregations: unknown
  readonly suggest: unknown
  readonly collapse: CollapseRequest | undefined
  readonly rescore: readonly RescoreRequest[]
  readonly slice: SliceRequest | undefined
  readonly pit: { readonly id: string; readonly keepAlive: number | undefined } | undefined
  /** Patterns of index names with their boosts; the first that matches applies. */
  readonly indicesBoost: readonly (readonly [pattern: string, boost: number])[]
  readonly profile: boolean
  /** In milliseconds; undefined without a scroll. */
  readonly scroll: number | undefined
  /** Use global term statistics (`dfs_query_then_fetch`). */
  readonly isGlobal: boolean
  readonly totalAsNumber: boolean
  readonly typedKeys: boolean
  readonly namedQueriesScore: boolean
  /** `batched_reduce_size`. */
  readonly reduceSize: number
  /**
   * `pre_filter_shard_size`: the number of shards from which on those that cannot match count as skipped;
   * undefined when absent.
   */
  readonly prefilter: number | undefined
  /** False: a failing shard fails the search. */
  readonly allowPartial: boolean
  /** Elasticsearch's defaults apply: the result window ends at 10,000 and totals are counted up to there. */
  readonly isStrict: boolean
}

/** A request while it is parsed. */
export type SearchDraft = { -readonly [Name in keyof SearchRequest]: SearchRequest[Name] }

export function emptyDraft(isStrict: boolean): SearchDraft {
  return {
    query: undefined,
    postFilter: undefined,
    from: 0,
    isFromGiven: false,
    size: 10,
    sort: undefined,
    searchAfter: undefined,
    trackTotalHits: isStrict ? 10_000 : true,
    trackScores: false,
    minScore: undefined,
    terminateAfter: 0,
    timeout: undefined,
    aggregations: undefined,
    suggest: undefined,
    collapse: undefined,
    rescore: [],
    slice: undefined,
    pit: undefined,
    indicesBoost: [],
    profile: false,
    scroll: undefined,
    isGlobal: false,
    totalAsNumber: false,
    typedKeys: false,
    namedQueriesScore: false,
    reduceSize: 512,
    prefilter: undefined,
    allowPartial: true,
    isStrict,
    source: undefined,
    fields: [],
    docvalueFields: [],
    storedFields: undefined,
    scriptFields: [],
    highlight: undefined,
    explain: false,
    version: false,
    seqNoPrimaryTerm: false,
  }
}
