/** `_count`, `_explain` and `_validate/query`. */

import { RawJson } from '../answer/json-text.ts'
import { compileQuery, parseQuery } from '../query/dsl/parse-query.ts'
import type { BoundQuery } from '../query/exec/compiled-query.ts'
import type { Query, SearchScope } from '../query/exec/query.ts'
import { visible } from '../query/exec/visible-docs.ts'
import { RewriteError, uncreatable } from '../query/query-error.ts'
import { illegalArgument, parsingError } from '../request/errors.ts'
import { rememberSource } from '../request/request-source.ts'
import { isObject, parameterFlag, parameterInt } from '../request/request-values.ts'
import { SearchError } from '../request/search-error.ts'
import { retrySteps, retryWork, type Steps } from '../scheduling/steps.ts'
import type { LeafReader } from '../segment/segment.ts'
import { DocumentSource } from '../source/document-source.ts'
import { SourceFilter } from '../source/source-filter.ts'
import { detailedText } from './error-text.ts'
import { shardsJson } from './execute-search.ts'
import { explanationJson } from './fetch/hit-fetcher.ts'
import { type Cancellation, Guard } from './guard.ts'
import { explainedQuery, luceneText, rewrittenText, wholeExplanation } from './lucene-text.ts'
import { bindFiltered, orderedShards } from './prepared-search.ts'
import { emptyDraft } from './request/search-request.ts'
import { type Parameters, queryOf, readParameters } from './request/url-reader.ts'
import type { SearchIndex } from './search-index.ts'
import { type ShardFailure, searchFailed } from './shard-failures.ts'
import { shardQuery } from './shard-query.ts'

interface QuestionContext {
  readonly node: string
  readonly cancellation?: Cancellation | undefined
}

/** Returns the query of a body that may contain nothing else, or that of the URL; undefined means match_all. */
function onlyQuery(body: unknown, parameters: Parameters): unknown {
  const fromParameters = queryOf(parameters)
  if (body === undefined || !isObject(body) || body['query'] === undefined) {
    if (fromParameters !== undefined) return fromParameters
  }
  if (body === undefined) return undefined
  if (!isObject(body)) throw parsingError('Expected [START_OBJECT]')
  for (const name of Object.keys(body)) {
    if (name !== 'query') throw parsingError(`request does not support [${name}]`)
  }
  rememberSource(body['query'], { body })
  return body['query']
}

/** Parses a query that is the whole body: errors of fields inside are wrapped once more, with their place. */
function parseWhole(query: unknown): ReturnType<typeof parseQuery> {
  try {
    return parseQuery(query)
  } catch (error) {
    if (!(error instanceof SearchError) || error.type === 'parsing_exception') throw error
    const [, line, column] = /(?:^| at )\[(\d+):(\d+)\]/.exec(error.reason) ?? []
    if (line === undefined) throw error
    const details = { line: Number(line), col: Number(column) }
    throw new SearchError('parsing_exception', 'Failed to parse', { cause: error, details })
  }
}

/** Yields after each segment, and more often inside of long-running queries. */
export function* countSteps(
  indices: readonly SearchIndex[],
  body: unknown,
  parameters: Parameters,
  context: QuestionContext,
): Steps<Record<string, unknown>> {
  const query = onlyQuery(body, parameters)
  const clause = query === undefined ? undefined : parseWhole(query)
  const minScore = parameters.get('min_score')
  const limit = parameterInt('terminate_after', parameters.get('terminate_after') ?? '0')
  if (limit < 0) throw illegalArgument('terminateAfter must be > 0')
  const guard = new Guard()
  guard.begin(context.cancellation, undefined)
  const failures: ShardFailure[] = []
  let total = 0
  let isCutShort = false
  const shards = orderedShards(indices)
  for (const { index, reader } of shards) {
    try {
      if (reader.failure !== undefined) throw reader.failure
      const compiled = compileQuery(bindFiltered(clause, index), {
        leaves: reader.leaves,
        check: guard.check,
      })
      let found = 0
      for (const leaf of reader.leaves) {
        guard.check()
        yield
        if (minScore === undefined) found += yield* retrySteps(() => compiled.countSteps(leaf))
        else {
          yield* compiled.expandTerms()
          const { scores } = yield* retrySteps(() => compiled.scoreSteps(leaf))
          for (let i = 0; i < scores.length; i++) if (scores[i]! >= Number(minScore)) found++
        }
      }
      if (limit > 0 && found >= limit) isCutShort = true
      total += limit > 0 ? Math.min(found, limit) : found
    } catch (error) {
      if (!(error instanceof SearchError) || error.type === 'task_cancelled_exception') throw error
      failures.push({ shard: reader.shard, index: index.name, node: context.node, error })
    }
  }
  if (failures.length > 0 && failures.length === shards.length) throw searchFailed(failures)
  return {
    count: total,
    ...(limit > 0 ? { terminated_early: isCutShort } : {}),
    _shards: shardsJson(shards.length, failures),
  }
}

/** `_explain` of one document; `index` contains only the document's shard. */
export function* explainSteps(
  index: SearchIndex,
  id: string,
  body: unknown,
  parameters: Parameters,
): Steps<Record<string, unknown>> {
  const query = onlyQuery(body, parameters)
  if (query === undefined) {
    throw new SearchError('action_request_validation_exception', 'Validation Failed: 1: query is missing;')
  }
  const bound = boundForExplain(parseWhole(query), index)
  const answer: Record<string, unknown> = { _index: index.name, _id: id }
  for (const reader of index.shards) {
    for (const leaf of reader.leaves) {
      const doc = yield* retryWork(() => leaf.segment.findId(id))
      if (doc === -1 || !(visible(leaf)?.has(doc) ?? true)) continue
      const isOpenSearch = index.queries.isOpenSearch === true
      const settings = { leaves: reader.leaves }
      const shown = isOpenSearch
        ? yield* retryWork(() =>
            compileQuery(bound, settings).rewritten((one, scope) =>
              explainedQuery(one, index.mapping, scope),
            ),
          )
        : bound.query
      const compiled = compileQuery({ ...bound, query: shown }, settings)
      const plain = yield* retrySteps(() => compiled.explainSteps(leaf, doc))
      const explanation = isOpenSearch ? wholeExplanation(plain, shown) : plain
      answer['matched'] = explanation.matched
      answer['explanation'] = explanationJson(explanation)
      const get = getOf(index, new DocumentSource(leaf.segment, doc), leaf.segment.seqNos[doc]!, parameters)
      return get === undefined ? answer : { ...answer, get }
    }
  }
  return { ...answer, matched: false }
}

/** `_explain` reports a range whose bounds cannot be parsed as a query that cannot be created. */
function boundForExplain(clause: ReturnType<typeof parseQuery>, index: SearchIndex): BoundQuery {
  try {
    return bindFiltered(clause, index)
  } catch (error) {
    if (!(error instanceof RewriteError) || index.queries.isOpenSearch !== true) throw error
    const { message, causedBy } = uncreatable(error)
    const details = { index: index.name, index_uuid: index.uuid }
    throw new SearchError('query_shard_exception', message, { cause: causedBy, details })
  }
}

/** The `get` section beside an explanation, when source or fields are requested. */
function getOf(
  index: SearchIndex,
  source: DocumentSource,
  seqNo: number,
  parameters: Parameters,
): Record<string, unknown> | undefined {
  const draft = emptyDraft(false)
  readParameters(draft, parameters)
  const fields = draft.storedFields
  if (draft.source === undefined && fields === undefined) return undefined
  const get: Record<string, unknown> = { _seq_no: seqNo, _primary_term: 1, found: true }
  if ((draft.source?.isWanted ?? false) && source.isKept) {
    const filter = new SourceFilter(draft.source!.includes, draft.source!.excludes)
    get['_source'] = filter.isAll ? RawJson.of(source.bytes) : filter.apply(source.object)
  }
  if (fields !== undefined && fields !== 'none') {
    const found = new Map<string, unknown[]>()
    for (const name of fields.filter((field) => index.mapping.field(field)?.isStored)) {
      const values = source.object[name]
      if (values !== undefined) found.set(name, Array.isArray(values) ? values : [values])
    }
    if (found.size > 0) get['fields'] = found
  }
  return get
}

/** An index, or one of its shards. */
interface Place {
  readonly index: string
  readonly shard?: number
  readonly explanation?: string
  readonly error?: string
}

/** Ranges of dates that no date of the shard is in stay as they are. */
const withExists = (query: Query, scope: SearchScope) => shardQuery(query, scope, true)

/** Prints a query as OpenSearch does on a shard. */
function shownQuery(
  bound: BoundQuery,
  { mapping }: SearchIndex,
  leaves: readonly LeafReader[],
  isRewritten: boolean,
): string {
  const compiled = compileQuery(bound, { leaves })
  if (!isRewritten) return luceneText(compiled.rewritten(withExists), mapping)
  const rewritten = compiled.rewritten((query, scope) => explainedQuery(query, mapping, scope))
  return rewrittenText(bound.query, rewritten, mapping)
}

/** `_validate/query`; it reports an invalid query and does not throw. A query is rewritten by one shard of an index. */
export function* validateSteps(
  indices: readonly SearchIndex[],
  body: unknown,
  parameters: Parameters,
): Steps<Record<string, unknown>> {
  const wantsExplanations = parameters.has('explain') && parameterFlag(parameters.get('explain')!)
  const wantsRewrite = parameters.has('rewrite') && parameterFlag(parameters.get('rewrite')!)
  const isExplained = wantsExplanations || wantsRewrite
  const shards = { total: Math.max(1, indices.length), successful: Math.max(1, indices.length), failed: 0 }
  let clause: ReturnType<typeof parseQuery> | undefined
  try {
    const query = onlyQuery(body, parameters)
    clause = query === undefined ? undefined : parseWhole(query)
  } catch (error) {
    if (!(error instanceof SearchError)) throw error
    const text = detailedText(error, indices[0]?.queries.isOpenSearch === true)
    return isExplained ? { valid: false, error: text } : { valid: false }
  }
  const isOfAllShards = parameters.has('all_shards') && parameterFlag(parameters.get('all_shards')!)
  const explanations: (Place & { readonly valid: boolean })[] = []
  for (const index of indices) {
    const places = isOfAllShards
      ? index.shards.map((reader) => ({ place: { index: index.name, shard: reader.shard }, reader }))
      : [{ place: { index: index.name }, reader: index.shards[0] }]
    for (const { place, reader } of places) {
      try {
        const bound = bindFiltered(clause, index)
        const leaves = reader?.leaves ?? []
        const explanation =
          index.queries.isOpenSearch === true
            ? yield* retryWork(() => shownQuery(bound, index, leaves, wantsRewrite))
            : bound.query.toString()
        explanations.push({ ...place, valid: true, explanation })
      } catch (error) {
        if (!(error instanceof SearchError)) throw error
        const shown = error instanceof RewriteError ? uncreatable(error) : error
        const text = `[${index.name}/${index.uuid}] ${detailedText(shown, index.queries.isOpenSearch === true)}`
        explanations.push({ ...place, valid: false, error: text })
      }
    }
  }
  const isValid = explanations.every(({ valid }) => valid)
  return { _shards: shards, valid: isValid, ...(isExplained ? { explanations } : {}) }
}
