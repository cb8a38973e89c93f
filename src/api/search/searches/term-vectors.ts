/** `_termvectors` and `_mtermvectors`. */

import { checkBlocks } from '../../../search/index/admin/index-admin.ts'
import { getDocument, singleIndex } from '../../../search/index/documents/document-reads.ts'
import { shardNumber } from '../../../search/index/documents/document-writes.ts'
import type { StoredDocument } from '../../../search/index/shards/shard-operations.ts'
import { parseError, validationFailed } from '../../../search/request/errors.ts'
import { isObject, type JsonObject, own, textList } from '../../../search/request/json-object.ts'
import {
  plainRequest,
  type VectorsRequest,
  vectorsParameters,
  withBody,
  withParameters,
} from '../../../search/term-vectors/vectors-request.ts'
import type { Call } from '../call.ts'
import { errorBody, toSearchError } from '../error-envelope.ts'
import { type Answer, type Route, route, searching } from '../route.ts'

const noSource = new Uint8Array(0)

async function one(call: Call): Promise<Answer> {
  const place = { ...plainRequest, index: call.part('index'), id: call.text('id') }
  const request = withParameters(withBody(place, call.body.object ?? {}), call.parameters)
  const lacking = missingMembers(request)
  if (lacking.length > 0) throw validationFailed(...lacking)
  return { body: await vectorsOf(call, request) }
}

function missingMembers({ index, id, doc }: VectorsRequest): string[] {
  const lacking: string[] = []
  if (index === undefined) lacking.push('index is missing')
  if (id === undefined && doc === undefined) lacking.push('id or doc is missing')
  return lacking
}

interface Found {
  readonly index: ReturnType<typeof singleIndex>['index']
  readonly shard: number
  readonly document: StoredDocument | undefined
}

/** An artificial document is compared with the shard of its routing, or with the first one. */
function find(call: Call, request: VectorsRequest): Found {
  const { cluster } = call
  call.access?.demand('indices:data/read/tv', [request.index!])
  const { id, routing, realtime, version } = request
  const { index, routing: ofAlias } = singleIndex(cluster, request.index!)
  const path = routing ?? ofAlias
  if (id === undefined) {
    checkBlocks(index, ['index.blocks.read'])
    return { index, shard: path === undefined ? 0 : shardNumber(index, path, path), document: undefined }
  }
  const { document } = getDocument(cluster, { index: request.index!, id, routing, realtime, version })
  return { index, shard: shardNumber(index, id, path), document }
}

async function vectorsOf(call: Call, request: VectorsRequest): Promise<JsonObject> {
  const started = performance.now()
  const took = () => Math.round(performance.now() - started)
  const { index, shard, document } = find(call, request)
  const head = { _index: index.name, ...(request.id !== undefined && { _id: request.id }) }
  if (request.id !== undefined && document === undefined)
    return { ...head, _version: 0, found: false, took: took() }
  const target = {
    metadata: index,
    store: call.cluster.store(index),
    shards: [shard],
    filters: undefined,
  }
  const vectors = await call.node.search.loaded.termVectors(
    target,
    request,
    document?.source ?? noSource,
    call.signal,
  )
  return { ...head, _version: document?.version ?? 0, found: true, took: took(), term_vectors: vectors }
}

async function many(call: Call): Promise<Answer> {
  const requests = requestsOf(call)
  const lacking = requests.flatMap((request, position) => {
    const ofOne = missingMembers(request)
    return ofOne.length === 0 ? [] : [...ofOne, `at multi term vectors for doc ${position}`]
  })
  if (requests.length === 0) lacking.push('multi term vectors: no documents requested')
  if (lacking.length > 0) throw validationFailed(...lacking)
  const docs: JsonObject[] = []
  const answer = call.cluster.answerBytes()
  const task = call.cluster.scheduler.take()
  try {
    for (const request of requests) {
      const body = await oneOfMany(call, request)
      answer.addValue(body)
      docs.push(body)
      await task.pause()
    }
  } finally {
    answer.release()
  }
  return { body: { docs } }
}

async function oneOfMany(call: Call, request: VectorsRequest): Promise<JsonObject> {
  try {
    return await vectorsOf(call, request)
  } catch (error) {
    const known = toSearchError(error)
    if (known.status >= 500) throw error
    return { _index: request.index, _id: request.id, error: errorBody(known, false).error }
  }
}

function requestsOf(call: Call): VectorsRequest[] {
  const body = call.body.object ?? {}
  for (const [name, value] of Object.entries(body)) {
    const isKnown =
      name === 'parameters' ? isObject(value) : (name === 'docs' || name === 'ids') && Array.isArray(value)
    if (isKnown) continue
    if (Array.isArray(value)) throw parseError(`no parameter named [${name}] and type ARRAY`)
    if (isObject(value)) throw parseError(`no parameter named [${name}] and type OBJECT`)
    throw parseError(`_mtermvectors: Parameter [${name}] not supported`)
  }
  const shared = own(body, 'parameters')
  const place = { ...plainRequest, index: call.parts['index'] ?? call.text('index') }
  const common = withParameters(withBody(place, isObject(shared) ? shared : {}), call.parameters)
  const docs = own(body, 'docs')
  const ids = [...call.list('ids'), ...textList(own(body, 'ids'))]
  return [
    ...(Array.isArray(docs) ? docs : []).map((doc) => {
      if (!isObject(doc)) throw parseError('docs array element should include an object')
      return withBody(common, doc)
    }),
    ...ids.map((id) => ({ ...common, id })),
  ]
}

export const termVectorRoutes: readonly Route[] = [
  route('GET|POST', '/:index/_termvectors /:index/_termvectors/:id', vectorsParameters, searching(one)),
  route('GET|POST', '/_mtermvectors /:index/_mtermvectors', `${vectorsParameters} ids`, searching(many)),
]
