/** `_search`, `_count`, `_validate/query`, `_explain` and `_msearch`. */

import type { AnswerBytes } from '../../../search/answer/answer-memory.ts'
import { shardNumber } from '../../../search/index/documents/document-writes.ts'
import { type IndicesOptions, openOptions, splitExpression } from '../../../search/index/index-expressions.ts'
import type { SearchCall, SearchTarget } from '../../../search/index/search-calls.ts'
import { searchTargets } from '../../../search/index/search-targets.ts'
import type { JsonDialect } from '../../../search/request/body/json-syntax-error.ts'
import { illegalArgument, parseError } from '../../../search/request/errors.ts'
import { isObject, type JsonObject, own, textList } from '../../../search/request/json-object.ts'
import { plainText } from '../../../search/request/plain-text.ts'
import { SearchError } from '../../../search/request/search-error.ts'
import type { Call } from '../call.ts'
import { errorBody } from '../error-envelope.ts'
import { parseJson } from '../request-json.ts'
import {
  type Answer,
  indicesOptions,
  ofBytes,
  queryParameters,
  type Route,
  route,
  searching,
  sourceParameters,
} from '../route.ts'
import { unrecognized } from '../unknown-parameters.ts'
import { flatShape } from './flat-shape.ts'

export const searchParameters =
  `${queryParameters} ${indicesOptions} ${sourceParameters} explain stored_fields docvalue_fields from preference ` +
  'routing scroll search_type size sort terminate_after stats suggest_field suggest_mode suggest_size suggest_text ' +
  'timeout track_scores track_total_hits allow_partial_search_results typed_keys version seq_no_primary_term ' +
  'request_cache batched_reduce_size max_concurrent_shard_requests pre_filter_shard_size rest_total_hits_as_int ' +
  'search_pipeline include_named_queries_score ccs_minimize_roundtrips phase_took cancel_after_time_interval ' +
  'force_synthetic_source min_compatible_shard_node verbose_pipeline hits_format'

export function targetsOf(call: Call): SearchTarget[] {
  return watched(
    call,
    searchTargets(
      call.cluster,
      call.expressions,
      call.indices(openOptions),
      call.text('routing'),
      call.text('preference'),
    ),
  )
}

/** Checks access to the other indices that a query's lookups read. */
export function watched(call: Call, targets: SearchTarget[]): SearchTarget[] {
  const { access } = call
  if (access === undefined) return targets
  const mayLookUp = (index: string) => access.demand('indices:data/read/get', [index])
  return targets.map((target) => ({ ...target, mayLookUp }))
}

export function searchCall(call: Call): SearchCall {
  return {
    body: call.body.object,
    bodyText: call.body.bytes,
    parameters: call.parameters,
    namesIndices: call.parts['index'] !== undefined,
    signal: call.signal,
  }
}

/** A point in time determines the indices of a search. */
function usesPit(body: JsonObject | undefined): boolean {
  return body !== undefined && isObject(own(body, 'pit'))
}

function checkPit(call: Call, body: JsonObject | undefined): void {
  const pit = body === undefined ? undefined : own(body, 'pit')
  if (isObject(pit)) call.access?.demandContext(own(pit, 'id'))
}

function search(call: Call): Promise<Answer> {
  return searchWith(call, searchCall(call))
}

/** `request` is the search to run, which may differ from the body sent. */
export async function searchWith(call: Call, request: SearchCall): Promise<Answer> {
  const preparing = call.node.search.loaded.prepareSearch(request)
  if (preparing !== undefined) await preparing
  call.node.search.loaded.checkSearch(request)
  checkPit(call, request.body)
  const targets = usesPit(request.body) && !request.namesIndices ? [] : targetsOf(call)
  const body = await call.node.search.loaded.search(targets, request)
  call.access?.own(own(body, '_scroll_id'))
  return { body: shaped(call, body) }
}

export function shaped(call: Call, body: JsonObject): JsonObject {
  const asked =
    call.text('hits_format') ?? (call.headers.accept?.includes('vnd.millrace.flat') ? 'array' : undefined)
  const isFlat = asked === undefined ? call.node.responseShape === 'flat' : asked === 'array'
  return isFlat ? flatShape(body) : body
}

async function count(call: Call): Promise<Answer> {
  const request = searchCall(call)
  const wrong = Object.keys(request.body ?? {}).find((name) => name !== 'query')
  if (wrong !== undefined) throw notSupported(wrong)
  if (request.body !== undefined) refuseQueryParameters(call)
  return { body: await call.node.search.loaded.count(targetsOf(call), request) }
}

/** Refuses the parameters of a query in the URL when there is a body, which alone is read. */
function refuseQueryParameters(call: Call): void {
  const unread = ['q', 'df', 'analyzer', 'analyze_wildcard', 'default_operator', 'lenient']
  const wrong = unread.filter((name) => call.text(name) !== undefined).sort()
  if (wrong.length > 0) throw illegalArgument(unrecognized(call.path, 'parameter', wrong, []))
}

function notSupported(name: string): SearchError {
  return new SearchError('parsing_exception', `request does not support [${name}]`, {
    details: { line: 1, col: 2 },
  })
}

async function validate(call: Call): Promise<Answer> {
  const explains = call.flag('explain')
  const invalid = (error: unknown): Answer => {
    const { error: body } = errorBody(error, false)
    const reason = isObject(body)
      ? `${plainText(body['type'])}: ${plainText(body['reason'])}`
      : plainText(body)
    const maxDepth = reasonChain(error)
    return { body: { valid: false, ...(explains && { error: maxDepth ?? reason }) } }
  }
  let request: SearchCall
  try {
    request = searchCall(call)
    const wrong = Object.keys(request.body ?? {}).find((name) => name !== 'query')
    if (wrong !== undefined) throw notSupported(wrong)
  } catch (error) {
    if (error instanceof SearchError) return invalid(error)
    throw error
  }
  const targets = targetsOf(call)
  try {
    return { body: await call.node.search.loaded.validate(targets, request) }
  } catch (error) {
    if (error instanceof SearchError && error.type.includes('pars')) return invalid(error)
    throw error
  }
}

function reasonChain(error: unknown): string | undefined {
  if (!(error instanceof SearchError)) return undefined
  const name = error.type.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())
  const inner =
    error.causedBy === undefined ? '' : `; ${reasonChain(error.causedBy) ?? error.causedBy.message}`
  return `${name}[${error.reason}]${inner}`
}

async function explain(call: Call): Promise<Answer> {
  const [target, ...others] = targetsOf(call)
  if (target === undefined || others.length > 0) throw illegalArgument('_explain needs exactly one index')
  const id = call.part('id')
  const shard = shardNumber(target.metadata, id, call.text('routing'))
  const request = searchCall(call)
  const wrong = Object.keys(request.body ?? {}).find((name) => name !== 'query')
  if (wrong !== undefined) throw notSupported(wrong)
  const body = await call.node.search.loaded.explain({ ...target, shards: [shard] }, id, request)
  return { status: own(body, 'matched') === undefined ? 404 : 200, body }
}

interface SubSearch {
  readonly header: JsonObject
  readonly body: Buffer
  /** The parsed body, when it was read already. */
  readonly json?: unknown
}

/** Pairs of lines; an empty header line has no members. */
function parsePairs(bytes: Buffer, dialect: JsonDialect): SubSearch[] {
  if (bytes.length > 0 && bytes[bytes.length - 1] !== 10)
    throw illegalArgument('The msearch request must be terminated by a newline [\n]')
  const pairs: SubSearch[] = []
  let at = 0
  const next = () => {
    const end = bytes.indexOf(10, at)
    const line = bytes.subarray(at, end)
    at = end + 1
    return line
  }
  while (at < bytes.length) {
    const head = next()
    const header = head.toString('utf8').trim() === '' ? {} : parseJson(head, dialect)
    if (!isObject(header)) throw illegalArgument('Unexpected token in header of msearch')
    if (at >= bytes.length) break
    pairs.push({ header, body: next() })
  }
  return pairs
}

const headerMembers =
  'index indices search_type type preference routing request_cache allow_partial_search_results ccs_minimize_roundtrips ignore_unavailable ignore_throttled allow_no_indices expand_wildcards cancel_after_time_interval'.split(
    ' ',
  )

/** Maps a line to the body of a search. */
type BodyOf = (line: Buffer) => Promise<Buffer> | Buffer

export async function multiSearch(call: Call, bodyOf?: BodyOf): Promise<Answer> {
  if (call.body.isEmpty) throw parseError('request body or source parameter is required')
  const started = performance.now()
  const pairs = parsePairs(call.body.bytes, call.cluster.compat.json)
  if (pairs.length === 0)
    throw new SearchError('action_request_validation_exception', 'Validation Failed: 1: no requests added;')
  for (const { header } of pairs) {
    const wrong = Object.keys(header).find((name) => !headerMembers.includes(name))
    if (wrong !== undefined) throw illegalArgument(`key [${wrong}] is not supported in the metadata section`)
  }
  if (call.flag('rest_total_hits_as_int'))
    for (const { body } of pairs)
      checkTracking(parseJson((await bodyOf?.(body)) ?? body, call.cluster.compat.json))
  // A body that cannot be read fails all searches; what a template renders only its own.
  const searches = bodyOf === undefined ? pairs.map((pair) => readable(call, pair)) : pairs
  const responses: JsonObject[] = []
  const answer = call.cluster.answerBytes()
  const task = call.cluster.scheduler.take()
  try {
    for (const pair of searches) {
      responses.push(await subSearch(call, pair, answer, bodyOf))
      await task.pause()
    }
  } finally {
    answer.release()
  }
  return { body: { took: Math.round(performance.now() - started), responses } }
}

/** Refuses the whole request before any search runs. */
function checkTracking(body: unknown): void {
  const tracked = isObject(body) ? own(body, 'track_total_hits') : undefined
  if (typeof tracked === 'number' && tracked !== -1)
    throw illegalArgument(
      `[rest_total_hits_as_int] cannot be used if the tracking of total hits is not accurate, got ${tracked}`,
    )
}

/** The search with its body parsed. Throws when it cannot be read. */
function readable(call: Call, pair: SubSearch): SubSearch {
  const json = parseJson(pair.body, call.cluster.compat.json)
  call.node.search.loaded.checkSearch({
    body: isObject(json) ? json : undefined,
    bodyText: pair.body,
    parameters: call.parameters,
    namesIndices: false,
    signal: call.signal,
  })
  return { ...pair, json }
}

async function subSearch(
  call: Call,
  { header, body: line, json: parsed }: SubSearch,
  answer: AnswerBytes,
  bodyOf: BodyOf | undefined,
): Promise<JsonObject> {
  try {
    const bytes = (await bodyOf?.(line)) ?? line
    const json = parsed ?? parseJson(bytes, call.cluster.compat.json)
    const named = own(header, 'index') ?? own(header, 'indices')
    const expressions = named === undefined ? call.expressions : textList(named).flatMap(splitExpression)
    const text = (name: string) => {
      const value = own(header, name)
      return value === undefined || value === null ? call.text(name) : plainText(value)
    }
    const parameters = new Map(call.parameters)
    for (const [name, value] of Object.entries(header)) {
      if (name !== 'index' && name !== 'indices' && name !== 'type') parameters.set(name, plainText(value))
    }
    const options = headerOptions(header, call.indices(openOptions))
    const body = isObject(json) ? json : undefined
    checkPit(call, body)
    const { ignoreUnavailable } = options
    const permitted =
      call.access?.narrow('indices:data/read/search', expressions, {
        ignoreUnavailable,
        reachesAliases: true,
      }) ?? expressions
    const targets = usesPit(body)
      ? []
      : watched(call, searchTargets(call.cluster, permitted, options, text('routing'), text('preference')))
    const request = {
      body,
      bodyText: bytes,
      parameters,
      namesIndices: expressions.length > 0,
      signal: call.signal,
      answer,
    }
    return { ...shaped(call, await call.node.search.loaded.search(targets, request)), status: 200 }
  } catch (error) {
    return { ...errorBody(error, false) }
  }
}

function headerOptions(header: JsonObject, standard: IndicesOptions): IndicesOptions {
  const flag = (name: string, otherwise: boolean) => {
    const value = own(header, name)
    return value === undefined ? otherwise : value === true || value === 'true'
  }
  const states = textList(own(header, 'expand_wildcards')).flatMap((text) => text.split(','))
  const has = (state: string) => states.includes(state) || states.includes('all')
  return {
    ...standard,
    ignoreUnavailable: flag('ignore_unavailable', standard.ignoreUnavailable),
    allowNoIndices: flag('allow_no_indices', standard.allowNoIndices),
    ...(states.length > 0 && {
      expandOpen: has('open'),
      expandClosed: has('closed'),
      expandHidden: has('hidden'),
    }),
  }
}

export const searchRoutes: readonly Route[] = [
  route('GET|POST', '/_search /:index/_search', searchParameters, searching(search)),
  ofBytes(
    route(
      'GET|POST',
      '/_msearch /:index/_msearch',
      `${searchParameters} max_concurrent_searches`,
      searching((call) => multiSearch(call)),
    ),
  ),
  route(
    'GET|POST',
    '/_count /:index/_count',
    `${queryParameters} ${indicesOptions} min_score preference routing terminate_after`,
    searching(count),
  ),
  route(
    'GET|POST',
    '/_validate/query /:index/_validate/query',
    `${queryParameters} ${indicesOptions} explain rewrite all_shards`,
    searching(validate),
  ),
  route(
    'GET|POST',
    '/:index/_explain/:id',
    `${queryParameters} ${sourceParameters} stored_fields preference routing`,
    searching(explain),
  ),
]
