/** Reads the query string of a search, which overrides the body. */
import { illegalArgument } from '../../request/errors.ts'
import { commaSeparated, parameterFlag, parameterInt } from '../../request/request-values.ts'
import { parseTime } from '../../request/units/units.ts'
import { checkedTotalHits, negativeSize } from './body-reader.ts'
import { checkedSource, readStoredFields } from './fetch-readers.ts'
import type { SearchDraft } from './search-request.ts'
import { parseSortParameter } from './sort-request.ts'

type ReadParameter = (draft: SearchDraft, text: string, name: string) => void

function atLeast(min: number, reason: string): ReadParameter {
  return (_draft, text, name) => {
    if (parameterInt(name, text) < min) throw illegalArgument(reason)
  }
}

const readers: ReadonlyMap<string, ReadParameter> = new Map<string, ReadParameter>([
  [
    'from',
    (draft, text, name) => {
      draft.from = parameterInt(name, text)
      draft.isFromGiven = true
      if (draft.from < 0) throw negativeSize('from', draft.from)
    },
  ],
  [
    'size',
    (draft, text, name) => {
      draft.size = parameterInt(name, text)
      if (draft.size < 0) throw negativeSize('size', draft.size)
    },
  ],
  ['sort', (draft, text) => void (draft.sort = parseSortParameter(text))],
  ['stored_fields', (draft, text) => void (draft.storedFields = readStoredFields(commaSeparated(text)))],
  [
    'docvalue_fields',
    (draft, text) => {
      const fields = commaSeparated(text)
      draft.docvalueFields = fields.map((field) => ({ field, format: undefined, includeUnmapped: false }))
    },
  ],
  [
    'track_total_hits',
    (draft, text, name) => {
      const isFlag = text === '' || text === 'true' || text === 'false'
      draft.trackTotalHits = checkedTotalHits(isFlag ? parameterFlag(text) : parameterInt(name, text))
    },
  ],
  ['track_scores', (draft, text) => void (draft.trackScores = parameterFlag(text))],
  ['rest_total_hits_as_int', (draft, text) => void (draft.totalAsNumber = parameterFlag(text))],
  ['typed_keys', (draft, text) => void (draft.typedKeys = parameterFlag(text))],
  ['explain', (draft, text) => void (draft.explain = parameterFlag(text))],
  ['version', (draft, text) => void (draft.version = text !== '' && parameterFlag(text))],
  ['seq_no_primary_term', (draft, text) => void (draft.seqNoPrimaryTerm = parameterFlag(text))],
  ['include_named_queries_score', (draft, text) => void (draft.namedQueriesScore = parameterFlag(text))],
  ['allow_partial_search_results', (draft, text) => void (draft.allowPartial = parameterFlag(text))],
  [
    'terminate_after',
    (draft, text, name) => {
      draft.terminateAfter = parameterInt(name, text)
      if (draft.terminateAfter < 0) throw illegalArgument('terminateAfter must be > 0')
    },
  ],
  [
    'timeout',
    (draft, text, name) => {
      const millis = parseTime(text, name)
      draft.timeout = millis < 0 ? undefined : millis
    },
  ],
  ['scroll', (draft, text, name) => void (draft.scroll = parseTime(text, name))],
  [
    'search_type',
    (draft, text) => {
      if (text !== 'query_then_fetch' && text !== 'dfs_query_then_fetch') {
        throw illegalArgument(`No search type for [${text}]`)
      }
      draft.isGlobal = text === 'dfs_query_then_fetch'
    },
  ],
  [
    'batched_reduce_size',
    (draft, text, name) => {
      draft.reduceSize = parameterInt(name, text)
      if (draft.reduceSize < 2) throw illegalArgument('batchedReduceSize must be >= 2')
    },
  ],
  ['max_concurrent_shard_requests', atLeast(1, 'maxConcurrentShardRequests must be >= 1')],
  [
    'pre_filter_shard_size',
    (draft, text, name) => {
      draft.prefilter = parameterInt(name, text)
      if (draft.prefilter < 1) throw illegalArgument('preFilterShardSize must be >= 1')
    },
  ],
])

export type Parameters = ReadonlyMap<string, string>

export function readParameters(draft: SearchDraft, parameters: Parameters): void {
  for (const [name, text] of parameters) readers.get(name)?.(draft, text, name)
  const query = queryOf(parameters)
  if (query !== undefined) draft.query = query
  readSourceParameters(draft, parameters)
}

/** `q` and its companion parameters as a `query_string` query; undefined without `q`. */
export function queryOf(parameters: Parameters): Readonly<Record<string, unknown>> | undefined {
  const text = parameters.get('q')
  if (text === undefined) return undefined
  const options: Record<string, unknown> = { query: text }
  const put = (name: string, option: string, value: string | boolean | undefined) => {
    if (parameters.has(name)) options[option] = value
  }
  put('df', 'default_field', parameters.get('df'))
  put('analyzer', 'analyzer', parameters.get('analyzer'))
  put('analyze_wildcard', 'analyze_wildcard', parameterFlag(parameters.get('analyze_wildcard') ?? ''))
  put('lenient', 'lenient', parameterFlag(parameters.get('lenient') ?? ''))
  put('default_operator', 'default_operator', parameters.get('default_operator'))
  return { query_string: options }
}

function readSourceParameters(draft: SearchDraft, parameters: Parameters): void {
  const source = parameters.get('_source')
  const includes = parameters.get('_source_includes') ?? parameters.get('_source_include')
  const excludes = parameters.get('_source_excludes') ?? parameters.get('_source_exclude')
  if (source === undefined && includes === undefined && excludes === undefined) return
  const isFlag = source === 'true' || source === 'false' || source === ''
  draft.source = checkedSource({
    isWanted: source !== 'false',
    includes:
      includes !== undefined
        ? commaSeparated(includes)
        : source === undefined || isFlag
          ? []
          : commaSeparated(source),
    excludes: excludes === undefined ? [] : commaSeparated(excludes),
  })
}
