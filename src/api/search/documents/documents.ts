/** Single-document routes: `_doc`, `_create`, `_update`, `_source`. */

import { getDocument } from '../../../search/index/documents/document-reads.ts'
import {
  type WriteAction,
  type WriteOptions,
  write,
} from '../../../search/index/documents/document-writes.ts'
import { primaryTermOf, seqNoOf, versionTypeOf } from '../../../search/index/documents/write-conditions.ts'
import { illegalArgument, parseError, validationFailed } from '../../../search/request/errors.ts'
import { resourceNotFound } from '../../../search/request/index-errors.ts'
import { activeShardsOf } from '../active-shards.ts'
import type { Call } from '../call.ts'
import { type Answer, ofBytes, type Route, route, sourceParameters, storing } from '../route.ts'
import { type GetView, getBody, sourceMember, writeBody } from './document-answers.ts'

const writeParameters =
  'wait_for_active_shards refresh routing timeout version version_type if_seq_no if_primary_term pipeline require_alias op_type'
const sourceOfParameters = `preference realtime refresh routing ${sourceParameters}`
const getParameters = `stored_fields preference realtime refresh routing version version_type ${sourceParameters}`

export function writeOptions(call: Call): WriteOptions {
  return {
    refresh: refreshOf(call),
    activeShards: activeShardsOf(call),
    timeout: call.text('timeout') ?? '1m',
  }
}

export function refreshOf(call: Call): WriteOptions['refresh'] {
  const text = call.text('refresh')
  if (text === undefined || text === 'false') return 'false'
  if (text === '' || text === 'true') return 'true'
  if (text === 'wait_for') return 'wait_for'
  throw illegalArgument(`Unknown value for refresh: [${text}].`)
}

function conditions(call: Call) {
  const seqNo = call.long('if_seq_no')
  const term = call.long('if_primary_term')
  return {
    routing: call.text('routing'),
    version: call.long('version'),
    versionType: versionTypeOf(call.text('version_type')),
    ...(seqNo !== undefined && { ifSeqNo: seqNoOf(seqNo) }),
    ...(term !== undefined && { ifPrimaryTerm: primaryTermOf(term) }),
    pipeline: call.text('pipeline'),
    requireAlias: call.flag('require_alias'),
  }
}

async function writeOne(call: Call, action: WriteAction): Promise<Answer> {
  const [answer] = await write(call.cluster, [action], writeOptions(call))
  if (answer === undefined || 'error' in answer) throw answer?.error ?? new Error('nothing was written')
  const place = `/${encodeURIComponent(answer.index)}/_doc/${encodeURIComponent(answer.id)}`
  return {
    status: answer.status,
    body: writeBody(answer, call.showsType),
    ...(answer.status === 201 && { headers: { location: place } }),
  }
}

function indexOne(call: Call, kind: 'index' | 'create'): Promise<Answer> {
  const opType = call.text('op_type')
  if (opType !== undefined && opType !== 'index' && opType !== 'create')
    throw illegalArgument(`opType must be 'create' or 'index', found: [${opType}]`)
  if (call.body.isEmpty) throw parseError('request body is required')
  const id = call.parts['id']
  const isCreate = kind === 'create' || opType === 'create' || id === undefined
  return writeOne(call, {
    ...conditions(call),
    kind: isCreate ? 'create' : 'index',
    index: call.part('index'),
    id,
    source: call.body.bytes,
  })
}

function updateOne(call: Call): Promise<Answer> {
  if (call.body.isEmpty) throw validationFailed('script or doc is missing')
  // A malformed body is reported before a missing index.
  void call.body.object
  const given = conditions(call)
  if (given.version !== undefined || call.text('version_type') !== undefined)
    throw validationFailed(
      'internal versioning can not be used for optimistic concurrency control. Please use `if_seq_no` and `if_primary_term` instead',
    )
  return writeOne(call, {
    ...given,
    kind: 'update',
    index: call.part('index'),
    id: call.part('id'),
    source: call.body.bytes,
    shownSource: shownSource(call),
  })
}

/** The source filter of the query string in the form of a body. */
export function shownSource(call: Call): unknown {
  const filter = call.sourceFilter
  return typeof filter === 'object' ? { includes: filter.includes, excludes: filter.excludes } : filter
}

export function getView(call: Call): GetView {
  const storedFields = call.list('stored_fields')
  const asked = call.sourceFilter
  const standard = storedFields.length === 0 || storedFields.includes('_source')
  return { source: asked ?? standard, storedFields, showsType: call.showsType }
}

function find(call: Call) {
  return getDocument(call.cluster, {
    index: call.part('index'),
    id: call.part('id'),
    routing: call.text('routing'),
    realtime: call.flag('realtime', true),
    refresh: call.flag('refresh'),
    version: call.long('version'),
  })
}

function getOne(call: Call): Answer {
  const { index, store, document } = find(call)
  const body = getBody(index.name, call.part('id'), document, store, getView(call))
  return { status: document === undefined ? 404 : 200, body }
}

function getSource(call: Call): Answer {
  const filter = call.sourceFilter
  if (filter === false) throw validationFailed('fetching source can not be disabled')
  const { index, document } = find(call)
  const place = call.cluster.compat.isOpenSearch
    ? `[${index.name}]/[${call.part('id')}]`
    : `[${index.name}]/[_doc]/[${call.part('id')}]`
  if (document === undefined) throw resourceNotFound(`Document not found ${place}`)
  const { _source: source } = sourceMember(document, filter ?? true)
  if (source === undefined) throw resourceNotFound(`Source not found ${place}`)
  return { body: source }
}

export const documentRoutes: readonly Route[] = [
  ofBytes(
    route(
      'POST',
      '/:index/_doc',
      writeParameters,
      storing((call) => indexOne(call, 'index')),
    ),
  ),
  ofBytes(
    route(
      'PUT|POST',
      '/:index/_doc/:id',
      writeParameters,
      storing((call) => indexOne(call, 'index')),
    ),
  ),
  ofBytes(
    route(
      'PUT|POST',
      '/:index/_create/:id',
      writeParameters,
      storing((call) => indexOne(call, 'create')),
    ),
  ),
  route('GET', '/:index/_doc/:id', getParameters, getOne),
  route('GET', '/:index/_source/:id', sourceOfParameters, getSource),
  route('DELETE', '/:index/_doc/:id', writeParameters, (call) =>
    writeOne(call, {
      ...conditions(call),
      kind: 'delete',
      index: call.part('index'),
      id: call.part('id'),
      source: new Uint8Array(0),
    }),
  ),
  ofBytes(
    route(
      'POST',
      '/:index/_update/:id',
      `${writeParameters} retry_on_conflict lang ${sourceParameters}`,
      storing(updateOne),
    ),
  ),
]
