/** `_bulk` and `_mget`: many documents in one request, each with its own result. */

import { bodyMemory } from '../../http/body-memory.ts'
import { getDocument } from '../../search/index/document-reads.ts'
import type { WriteAnswer } from '../../search/index/document-writes.ts'
import { validationFailed } from '../../search/index/index-errors.ts'
import { isObject, type JsonObject, own, textList } from '../../search/index/json-object.ts'
import { parseSourceFilter } from '../../search/index/source-filter.ts'
import { RawJson } from '../../search/json-text.ts'
import { plainText } from '../../search/plain-text.ts'
import { SearchError } from '../../search/search-error.ts'
import type { Steps } from '../../search/steps.ts'
import { bulkBytes, bulkItem } from './bulk-items.ts'
import { parseBulk } from './bulk-lines.ts'
import type { Call } from './call.ts'
import { getBody } from './document-answers.ts'
import { getView, shownSource, writeOptions } from './documents.ts'
import { asKnown, errorBody } from './error-envelope.ts'
import { type Answer, type Route, route, sourceParameters } from './route.ts'
import { writePermitted } from './security/permitted-writes.ts'

async function bulk(call: Call): Promise<Answer> {
  if (call.body.isEmpty) throw new SearchError('parse_exception', 'request body is required')
  const started = performance.now()
  const actions = parseBulk(call.body.bytes, {
    index: call.parts['index'],
    routing: call.text('routing'),
    pipeline: call.text('pipeline'),
    requireAlias: call.flag('require_alias'),
    shownSource: shownSource(call),
    allowsType: call.cluster.compat.flavor === 'elasticsearch7',
  })
  const wrong: string[] = []
  if (actions.length === 0) wrong.push('no requests added')
  for (const { index, kind, id } of actions) {
    if (index === '') wrong.push('index is missing')
    if ((kind === 'update' || kind === 'delete') && (id === undefined || id === ''))
      wrong.push('id is missing')
  }
  if (wrong.length > 0) throw validationFailed(...wrong)
  const answers = await writePermitted(call, actions, writeOptions(call))
  // Everything that stays was copied from it, and the next body is likely as large.
  bodyMemory.giveBack(call.body.bytes)
  const errors = answers.some((answer) => 'error' in answer)
  const took = Math.round(performance.now() - started)
  const itemOf = (answer: WriteAnswer) => bulkItem(answer, call)
  // Whoever looks into the items or indents them wants objects; most just want the bytes.
  const isPlain = !call.parameters.has('filter_path') && !call.parameters.has('pretty')
  if (isPlain)
    return { body: bulkBytes(`{"took":${took},"errors":${errors},"items":[`, answers, itemOf, ']}') }
  return { body: { took, errors, items: answers.map(itemOf) } }
}

const docMembers = [
  '_index',
  '_id',
  '_type',
  'routing',
  '_source',
  'stored_fields',
  'version',
  'version_type',
]

interface Wanted {
  readonly index: string
  readonly id: string
  readonly spec: JsonObject
}

async function multiGet(call: Call): Promise<Answer> {
  const body = call.body.required
  for (const name of Object.keys(body)) {
    if (name !== 'docs' && name !== 'ids')
      throw new SearchError(
        'parsing_exception',
        `unknown key [${name}] for a START_ARRAY, expected [docs] or [ids]`,
        {
          details: { line: 1, col: 2 },
        },
      )
  }
  const wanted = wantedOf(body, call.parts['index'])
  const docs = await call.cluster.turns.begin(getSteps(call, wanted), () => call.signal.throwIfAborted())
  return { body: { docs } }
}

function* getSteps(call: Call, wanted: readonly Wanted[]): Steps<JsonObject[]> {
  const answer = call.cluster.answerBytes()
  const docs: JsonObject[] = []
  for (const one of wanted) {
    if (docs.length > 0) yield
    const body = getOne(call, one)
    const source = own(body, '_source')
    if (source instanceof RawJson) answer.add(source.text.length)
    docs.push(body)
  }
  return docs
}

function wantedOf(body: JsonObject, index: string | undefined): Wanted[] {
  const docs = own(body, 'docs')
  const ids = own(body, 'ids')
  const specs: JsonObject[] = Array.isArray(docs)
    ? docs.map((doc) => (isObject(doc) ? doc : {}))
    : Array.isArray(ids)
      ? ids.map((id) => ({ _id: id }))
      : []
  if (specs.length === 0) throw validationFailed('no documents to get')
  const wrong: string[] = []
  specs.forEach((spec, position) => {
    const unknown = Object.keys(spec).find((name) => !docMembers.includes(name))
    if (unknown !== undefined)
      throw new SearchError(
        'parse_exception',
        `failed to parse multi get request. unknown field [${unknown}]`,
      )
    if ((own(spec, '_index') ?? index) === undefined) wrong.push(`index is missing for doc ${position}`)
    if (own(spec, '_id') === undefined) wrong.push(`id is missing for doc ${position}`)
  })
  if (wrong.length > 0) throw validationFailed(...wrong)
  return specs.map((spec) => ({
    index: plainText(own(spec, '_index') ?? index),
    id: plainText(own(spec, '_id')),
    spec,
  }))
}

function getOne(call: Call, { index: name, id, spec }: Wanted): JsonObject {
  const version = own(spec, 'version') ?? own(spec, '_version')
  try {
    call.access?.demand('indices:data/read/mget[shard]', [name])
    const routing = own(spec, 'routing') ?? own(spec, '_routing') ?? call.text('routing')
    const { index, store, document } = getDocument(call.cluster, {
      index: name,
      id,
      routing: routing === undefined ? undefined : plainText(routing),
      realtime: call.flag('realtime', true),
      refresh: call.flag('refresh'),
      version: version === undefined ? undefined : Number(version),
    })
    const standard = getView(call)
    const fields = own(spec, 'stored_fields')
    const storedFields = fields === undefined ? standard.storedFields : textList(fields)
    const filter = own(spec, '_source')
    const source =
      filter === undefined
        ? (call.sourceFilter ?? (storedFields.length === 0 || storedFields.includes('_source')))
        : parseSourceFilter(filter)
    return getBody(index.name, id, document, store, { ...standard, source, storedFields })
  } catch (error) {
    const known = asKnown(error)
    if (known.status >= 500) throw error
    return { _index: name, _id: id, error: errorBody(known, false).error }
  }
}

export const bulkRoutes: readonly Route[] = [
  route(
    'POST|PUT',
    '/_bulk /:index/_bulk',
    `wait_for_active_shards refresh routing timeout type pipeline require_alias batch_size list_executed_pipelines require_data_stream ${sourceParameters}`,
    bulk,
  ),
  route(
    'GET|POST',
    '/_mget /:index/_mget',
    `stored_fields preference realtime refresh routing force_synthetic_source ${sourceParameters}`,
    multiGet,
  ),
]
