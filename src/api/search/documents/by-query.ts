/** `_update_by_query`, `_delete_by_query`, `_reindex` and `_rethrottle`. */

import { writeJson } from '../../../search/answer/json-text.ts'
import { checkAllowed } from '../../../search/index/auto-create.ts'
import { type ByQueryRequest, ByQueryWork } from '../../../search/index/documents/by-query.ts'
import type { WriteAction } from '../../../search/index/documents/document-writes.ts'
import { filterSource, parseSourceFilter } from '../../../search/index/documents/source-request.ts'
import { type UpdateScript, updateScript } from '../../../search/index/documents/update-script.ts'
import { versionTypeOf } from '../../../search/index/documents/write-conditions.ts'
import { openOptions, splitExpression } from '../../../search/index/index-expressions.ts'
import type { ScanHit, SearchTarget } from '../../../search/index/search-calls.ts'
import { searchTargets } from '../../../search/index/search-targets.ts'
import { resolveDateMathName } from '../../../search/index/templates/date-math-names.ts'
import { illegalArgument, validationFailed } from '../../../search/request/errors.ts'
import { resourceNotFound } from '../../../search/request/index-errors.ts'
import { parseExactJson } from '../../../search/request/json-literals.ts'
import { isObject, type JsonObject, own, textList } from '../../../search/request/json-object.ts'
import { unknownField } from '../../../search/request/object-shape.ts'
import { plainText } from '../../../search/request/plain-text.ts'
import { placesOf } from '../../../search/request/request-source.ts'
import { bodyText } from '../../../search/request/request-values.ts'
import type { Call } from '../call.ts'
import { runAsTask } from '../cluster/tasks.ts'
import { errorObject } from '../error-envelope.ts'
import {
  type Answer,
  indicesOptions,
  queryParameters,
  type Route,
  route,
  searching,
  sourceParameters,
} from '../route.ts'
import { targetsOf, watched } from '../searches/search.ts'
import { demandWrite } from '../security/permitted-writes.ts'
import {
  batchSize,
  batchWrites,
  byQueryParameters,
  checkSearchBody,
  maxDocsOf,
  proceeds,
  requestsPerSecond,
  slicesOf,
  urlQuery,
} from './by-query-request.ts'
import { refreshOf } from './documents.ts'
import { checkRemote, openRemote, remoteClusterOf } from './remote-source.ts'

const nothing = new Uint8Array(0)

/** Runs the work as a task and waits for it unless `wait_for_completion=false`. */
async function run(
  call: Call,
  action: string,
  description: string,
  request: ByQueryRequest,
  written: () => readonly string[],
): Promise<Answer> {
  const { maxDocs, slices } = request
  if (maxDocs !== undefined && maxDocs < slices) throw validationFailed('[max_docs] should be >= [slices]')
  const refresh = refreshOf(call)
  const work = new ByQueryWork(call.cluster, request)
  const started = performance.now()
  const shown = {
    status: () => work.status(),
    description,
    rethrottle: (rate: number) => work.rethrottle(rate),
  }
  const perform = async (signal: AbortSignal) => {
    await work.run(signal)
    if (refresh === 'true') refreshIndices(call, written())
    const failures = work.failures.map(({ index, id, error }) => ({
      index: plainText(error.details['index'] ?? index),
      id: id ?? null,
      cause: errorObject(error),
      status: error.status,
    }))
    const { slice_id: _, slices: parts, ...status } = work.status()
    return {
      took: Math.round(performance.now() - started),
      timed_out: false,
      ...status,
      ...(signal.aborted && { canceled: 'by user request' }),
      ...(parts !== undefined && { slices: parts }),
      failures,
    }
  }
  return runAsTask(call, action, shown, perform, () =>
    Math.max(200, ...work.failures.map(({ error }) => error.status)),
  )
}

function refreshIndices(call: Call, names: readonly string[]): void {
  for (const { index } of call.cluster.resolve(names, { ...openOptions, ignoreUnavailable: true }))
    for (const shard of call.cluster.openStore(index)?.shards ?? []) shard.refresh()
}

function sliceOf(body: JsonObject): { readonly id: number; readonly max: number } | undefined {
  const slice = own(body, 'slice')
  return isObject(slice) ? { id: Number(own(slice, 'id')), max: Number(own(slice, 'max')) } : undefined
}

function scanner(
  call: Call,
  targets: readonly SearchTarget[],
  query: unknown,
  size: number,
  body: JsonObject,
) {
  const fixed = sliceOf(body)
  return (slice: { readonly id: number; readonly max: number } | undefined) => {
    const chosen = slice ?? fixed
    return call.node.search.loaded.scan(targets, {
      query,
      size,
      ...(own(body, 'sort') !== undefined && { sort: own(body, 'sort') }),
      ...(chosen !== undefined && { slice: chosen }),
      signal: new AbortController().signal,
    })
  }
}

function byQuery(call: Call, kind: 'update' | 'delete'): Promise<Answer> {
  const body = call.body.object ?? {}
  checkSearchBody(body, ['query', 'slice', 'sort', 'conflicts', 'max_docs', 'size', 'script'])
  const conflicts = call.text('conflicts') ?? own(body, 'conflicts')
  const rate = requestsPerSecond(call)
  const slices = slicesOf(call, () => targetsOf(call))
  const maxDocs = maxDocsOf(call, body)
  const size = batchSize(call)
  const asked = urlQuery(call) ?? own(body, 'query')
  if (kind === 'delete' && asked === undefined) throw validationFailed('query is missing')
  const continues = proceeds(conflicts)
  const script = scriptOf(call, body)
  const targets = targetsOf(call)
  const request: ByQueryRequest = {
    kind,
    size,
    maxDocs,
    proceeds: continues,
    requestsPerSecond: rate,
    slices,
    scan: scanner(call, targets, asked ?? { match_all: {} }, Math.min(size, maxDocs ?? size), body),
    actionFor: (hit) => (kind === 'delete' ? removal(hit) : rewrite(hit, script, call.text('pipeline'))),
    write: batchWrites(call),
  }
  const names = targets.map(({ metadata }) => metadata.name)
  const action = kind === 'delete' ? 'indices:data/write/delete/byquery' : 'indices:data/write/update/byquery'
  const verb = kind === 'delete' ? 'delete-by-query' : 'update-by-query'
  return run(call, action, `${verb} [${call.part('index')}]`, request, () => names)
}

function removal(hit: ScanHit): WriteAction {
  const { index, id, routing, seqNo: ifSeqNo, primaryTerm: ifPrimaryTerm } = hit
  return { kind: 'delete', index, id, routing, source: nothing, ifSeqNo, ifPrimaryTerm }
}

function needsSource({ index, id, source }: ScanHit): void {
  if (source.length === 0) throw illegalArgument(`[${index}][${id}] didn't store _source`)
}

/** Compiles the script before anything is written. */
function scriptOf(call: Call, body: JsonObject): UpdateScript | undefined {
  const script = own(body, 'script')
  return script === undefined ? undefined : updateScript(script, call.cluster.state.scripts)
}

function aboutOf(hit: ScanHit): JsonObject {
  const { index: _index, id: _id, version: _version, routing: _routing = null } = hit
  return { _index, _id, _version, _routing }
}

function rewrite(
  hit: ScanHit,
  script: UpdateScript | undefined,
  pipeline: string | undefined,
): WriteAction | undefined {
  needsSource(hit)
  const { index, id, routing, seqNo: ifSeqNo, primaryTerm: ifPrimaryTerm } = hit
  const plain: WriteAction = {
    kind: 'index',
    index,
    id,
    routing,
    source: hit.source,
    ifSeqNo,
    ifPrimaryTerm,
    pipeline,
  }
  if (script === undefined) return plain
  const about = aboutOf(hit)
  const { source, op, place } = script.run(parseExactJson(hit.source) as JsonObject, about)
  for (const [name, value] of place)
    if ((value ?? null) !== own(about, name)) throw illegalArgument(`Modifying [${name}] not allowed`)
  if (op === 'noop') return undefined
  if (op === 'delete') return removal(hit)
  return { ...plain, source: Buffer.from(writeJson(source)) }
}

interface Destination {
  readonly index: string
  readonly routing: (before: string | undefined) => string | undefined
  readonly body: JsonObject
}

function destinationOf(call: Call, json: unknown): Destination {
  const body = isObject(json) ? json : {}
  const named = own(body, 'index')
  if (named === undefined || named === '') throw validationFailed('index must be specified')
  const routing = own(body, 'routing') ?? 'keep'
  const text = bodyText('dest', 'routing', routing)
  if (text !== 'keep' && text !== 'discard' && !text.startsWith('='))
    throw validationFailed(
      `routing must be unset, [keep], [discard] or [=<some new value>] but was [${text}]`,
    )
  return {
    index: resolveDateMathName(bodyText('dest', 'index', named), call.cluster.now()),
    routing: (before) => (text === 'keep' ? before : text === 'discard' ? undefined : text.slice(1)),
    body,
  }
}

function reindex(call: Call): Promise<Answer> {
  if (call.text('pipeline') !== undefined)
    throw illegalArgument(
      "_reindex doesn't support [pipeline] as a query parameter. Specify it in the [dest] object instead.",
    )
  const body = call.body.required
  const members = ['source', 'dest', 'conflicts', 'max_docs', 'size', 'script']
  for (const name of Object.keys(body)) {
    if (!members.includes(name)) throw unknownField('reindex', body, name, members, placesOf(body))
  }
  const sourceJson = own(body, 'source')
  const source = isObject(sourceJson) ? sourceJson : {}
  checkSearchBody(source, ['index', 'type', 'query', 'size', 'sort', 'slice', 'remote', 'runtime_mappings'])
  const remote =
    own(source, 'remote') === undefined ? undefined : remoteClusterOf(call, own(source, 'remote'))
  const rate = requestsPerSecond(call)
  const maxDocs = maxDocsOf(call, body)
  const expressions = textList(own(source, 'index')).flatMap(splitExpression)
  if (expressions.length === 0) {
    const all = 'use _all if you really want to copy from all existing indexes'
    throw own(body, 'dest') === undefined
      ? validationFailed(all, 'index must be specified')
      : validationFailed(all)
  }
  const continues = proceeds(own(body, 'conflicts'))
  const destination = destinationOf(call, own(body, 'dest'))
  call.access?.demand('indices:data/write/index', [destination.index])
  call.access?.demandCreation(destination.index)
  const read = { ignoreUnavailable: false, reachesAliases: true }
  const permitted = call.access?.narrow('indices:data/read/search', expressions, read) ?? expressions
  const targets =
    remote === undefined ? watched(call, searchTargets(call.cluster, permitted, openOptions, undefined)) : []
  const slices = slicesOf(call, () => targets)
  if (remote !== undefined) checkRemote(slices, source)
  checkDestination(call, destination.index, targets)
  const size = Number(own(source, 'size') ?? 1000)
  if (size < 0) throw illegalArgument(`[size] parameter cannot be negative, found [${size}]`)
  if (size === 0) throw validationFailed('[size] cannot be [0] in a scroll context')
  const script = scriptOf(call, body)
  const filter = parseSourceFilter(own(source, '_source'))
  const query = own(source, 'query') ?? { match_all: {} }
  const keepAlive = call.text('scroll') ?? '5m'
  const request: ByQueryRequest = {
    kind: 'reindex',
    size,
    maxDocs,
    proceeds: continues,
    requestsPerSecond: rate,
    slices,
    scan:
      remote === undefined
        ? scanner(call, targets, query, Math.min(size, maxDocs ?? size), source)
        : () =>
            openRemote(remote, {
              indices: expressions,
              query,
              source: own(source, '_source'),
              size,
              keepAlive,
            }),
    actionFor: (hit) => {
      const action = copied(hit, destination, script, remote === undefined ? filter : true)
      // A script may change the target index, which must be permitted too.
      if (call.access !== undefined && action !== undefined && action.index !== destination.index)
        demandWrite(call.access, action)
      return action
    },
    write: batchWrites(call),
  }
  const description = `reindex from [${expressions.join(', ')}] to [${destination.index}]`
  return run(call, 'indices:data/write/reindex', description, request, () => [destination.index])
}

function copied(
  hit: ScanHit,
  { index, routing, body }: Destination,
  script: UpdateScript | undefined,
  filter: ReturnType<typeof parseSourceFilter>,
): WriteAction | undefined {
  needsSource(hit)
  const opType = own(body, 'op_type')
  const versionType = versionTypeOf(textOf('version_type', own(body, 'version_type')))
  let source: Uint8Array = hit.source
  let placed: Pick<WriteAction, 'index' | 'id' | 'routing'> = {
    index,
    id: hit.id,
    routing: routing(hit.routing),
  }
  if (script !== undefined || typeof filter === 'object') {
    let json = parseExactJson(hit.source) as JsonObject
    if (typeof filter === 'object') json = filterSource(json, filter)
    if (script !== undefined) {
      const result = script.run(json, { ...aboutOf(hit), _index: index, _routing: placed.routing ?? null })
      const { place } = result
      placed = { index: place.get('_index') ?? index, id: place.get('_id'), routing: place.get('_routing') }
      if (result.op === 'noop') return undefined
      if (result.op === 'delete') return { kind: 'delete', ...placed, source: nothing }
      json = result.source
    }
    source = Buffer.from(writeJson(json))
  }
  return {
    kind: opType === 'create' ? 'create' : 'index',
    ...placed,
    source,
    versionType: opType === 'create' ? 'internal' : versionType,
    version: versionType === 'internal' || opType === 'create' ? undefined : hit.version,
    pipeline: textOf('pipeline', own(body, 'pipeline')),
  }
}

function textOf(name: string, value: unknown): string | undefined {
  return value === undefined || value === null ? undefined : bodyText('dest', name, value)
}

function checkDestination(call: Call, name: string, targets: readonly SearchTarget[]): void {
  const { cluster } = call
  const isKnown =
    cluster.index(name) !== undefined ||
    cluster.isAlias(name) ||
    Object.hasOwn(cluster.state.dataStreams, name)
  if (!isKnown) checkAllowed(cluster, name)
  const written = isKnown
    ? cluster.resolve([name], { ...openOptions, forbidClosed: false }).map(({ index }) => index.name)
    : [name]
  const both = targets.find(({ metadata }) => written.includes(metadata.name))
  if (both !== undefined)
    throw validationFailed(`reindex cannot write into an index its reading from [${both.metadata.name}]`)
}

function rethrottle(call: Call): Answer {
  const rate = requestsPerSecond(call, true)
  const text = call.part('task')
  const task = call.node.tasks.find(text)
  if (task.rethrottle === undefined) throw resourceNotFound(`task [${text}] is missing`)
  task.rethrottle(rate)
  const body = {
    node: call.node.id,
    id: task.id,
    type: 'transport',
    action: task.action,
    status: task.status(),
    description: task.description,
    start_time_in_millis: task.startTime,
    cancellable: true,
  }
  return { body: { nodes: { [call.node.id]: { name: call.node.name, tasks: { [text]: body } } } } }
}

const parameters =
  `${byQueryParameters} ${queryParameters} ${indicesOptions} ${sourceParameters} from conflicts preference routing ` +
  'search_type search_timeout size sort terminate_after stats version version_type request_cache scroll_size pipeline'

export const byQueryRoutes: readonly Route[] = [
  route(
    'POST',
    '/:index/_update_by_query',
    parameters,
    searching((call) => byQuery(call, 'update')),
  ),
  route(
    'POST',
    '/:index/_delete_by_query',
    parameters,
    searching((call) => byQuery(call, 'delete')),
  ),
  route('POST', '/_reindex', `${byQueryParameters} require_alias pipeline`, searching(reindex)),
  route(
    'POST',
    '/_reindex/:task/_rethrottle /_update_by_query/:task/_rethrottle /_delete_by_query/:task/_rethrottle',
    'requests_per_second group_by',
    rethrottle,
  ),
]
