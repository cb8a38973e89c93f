/** `_bulk` and `_mget`. */

import { bodyMemory } from '../../../http/body-memory.ts'
import { filterPaths } from '../../../http/filter-path.ts'
import type { AnswerBytes } from '../../../search/answer/answer-memory.ts'
import { insideOf, RawJson } from '../../../search/answer/json-text.ts'
import { getDocument } from '../../../search/index/documents/document-reads.ts'
import type { WriteAction, WriteAnswer } from '../../../search/index/documents/document-writes.ts'
import { parseSourceFilter } from '../../../search/index/documents/source-request.ts'
import { illegalArgument, parseError, validationFailed } from '../../../search/request/errors.ts'
import { isObject, type JsonObject, own, textList } from '../../../search/request/json-object.ts'
import { placesOf } from '../../../search/request/request-source.ts'
import { bodyLong, scalarText, tokenKind } from '../../../search/request/request-values.ts'
import { SearchError } from '../../../search/request/search-error.ts'
import type { Steps } from '../../../search/scheduling/steps.ts'
import { paddedTexts } from '../../../search/segment/encoding/padded-text.ts'
import type { Call } from '../call.ts'
import { errorBody, toSearchError } from '../error-envelope.ts'
import { type Answer, ofBytes, type Route, route, sourceParameters, storing } from '../route.ts'
import { writePermitted } from '../security/permitted-writes.ts'
import { bulkBytes, bulkItem } from './bulk-items.ts'
import { parseBulk, partsOf } from './bulk-lines.ts'
import { getBody } from './document-answers.ts'
import { getView, shownSource, writeOptions } from './documents.ts'

/** Larger bodies are processed in parts. */
const maxWhole = 8 * 1024 * 1024
/** The estimated size of an answer item as bytes and as an object. */
const itemBytes = 200
const itemObjectBytes = 700

async function bulk(call: Call): Promise<Answer> {
  if (call.body.isEmpty) throw parseError('request body is required')
  const started = performance.now()
  const body = call.body.bytes
  const read = () =>
    parseBulk(body, {
      index: call.parts['index'],
      routing: call.text('routing'),
      pipeline: call.text('pipeline'),
      requireAlias: call.flag('require_alias'),
      shownSource: shownSource(call),
      json: call.cluster.compat.json,
      allowsType: call.cluster.compat.flavor === 'elasticsearch7',
    })
  const isWhole = body.length <= maxWhole
  // An error in the last line refuses the whole request, so everything is parsed before anything is written.
  const actions = isWhole ? [...read()] : read()
  const count = check(actions)
  // filter_path and pretty need objects; otherwise items are rendered as bytes.
  const isPlain = !call.parameters.has('filter_path') && !call.parameters.has('pretty')
  const memory = call.cluster.answerBytes()
  try {
    const items = new BulkItems(call, isPlain, memory)
    items.reserve(count)
    // Back-pressure: each part waits for the disk and for room in the write buffers.
    for (const part of isWhole ? [actions as WriteAction[]] : partsOf(read()))
      items.add(await writePermitted(call, part, writeOptions(call)))
    // Everything that stays was copied out of the body.
    paddedTexts.forget()
    bodyMemory.giveBack(body)
    return { body: items.body(Math.round(performance.now() - started)) }
  } finally {
    memory.release()
  }
}

/** Returns the number of actions; throws when one is invalid. */
function check(actions: Iterable<WriteAction>): number {
  const wrong: string[] = []
  let count = 0
  for (const { index, kind, id } of actions) {
    count += 1
    if (index === '') wrong.push('index is missing')
    if ((kind === 'update' || kind === 'delete') && (id === undefined || id === ''))
      wrong.push('id is missing')
  }
  if (count === 0) wrong.push('no requests added')
  if (wrong.length > 0) throw validationFailed(...wrong)
  return count
}

/** The items of the answer, as bytes or as objects. */
class BulkItems {
  readonly #isPlain: boolean
  readonly #itemOf: (answer: WriteAnswer) => JsonObject
  readonly #pieces: Uint8Array[] = []
  readonly #objects: JsonObject[] = []
  readonly #isBrief: boolean
  readonly #filterPath: string | undefined
  readonly #memory: AnswerBytes
  /** Answers that are not rendered unless one fails. */
  #held: WriteAnswer[] = []
  #hasErrors = false

  constructor(call: Call, isPlain: boolean, memory: AnswerBytes) {
    this.#isPlain = isPlain
    this.#memory = memory
    this.#isBrief = call.text(itemsParameter) === 'failed'
    this.#filterPath = call.parameters.get('filter_path')
    this.#itemOf = (answer) => bulkItem(answer, call)
  }

  /** Refuses what would be too much before anything is written. */
  reserve(count: number): void {
    if (this.#isPlain) this.#memory.add(count * itemBytes)
    else if (mayKeepItems(this.#filterPath)) this.#memory.add(count * itemObjectBytes)
  }

  add(answers: readonly WriteAnswer[]): void {
    this.#hasErrors ||= answers.some((answer) => 'error' in answer)
    if (this.#isBrief && !this.#hasErrors) {
      for (const answer of answers) this.#held.push(answer)
      return
    }
    const held = this.#held
    this.#held = []
    if (held.length > 0) this.#render(held)
    this.#render(answers)
  }

  #render(answers: readonly WriteAnswer[]): void {
    if (this.#isPlain) {
      if (this.#pieces.length > 0) this.#pieces.push(comma)
      this.#pieces.push(bulkBytes(answers, this.#itemOf))
    } else for (const item of this.#wanted(answers.map(this.#itemOf))) this.#objects.push(item)
  }

  /** Filters the items of each part at once, so that those of a large request are not all held. */
  #wanted(items: JsonObject[]): JsonObject[] {
    if (this.#filterPath === undefined) return items
    const { items: wanted = [] } = filterPaths({ items }, this.#filterPath, insideOf) as {
      items?: JsonObject[]
    }
    return wanted
  }

  body(took: number): unknown {
    const errors = this.#hasErrors
    if (!this.#isPlain) {
      // A list that lost everything is left out, as one that was filtered as a whole would be.
      const isLost = this.#filterPath !== undefined && this.#objects.length === 0
      return { took, errors, items: isLost ? undefined : this.#objects }
    }
    const head = Buffer.from(`{"took":${took},"errors":${errors},"items":[`)
    return new RawJson(Buffer.concat([head, ...this.#pieces, end]))
  }
}

/** Returns false when `filter_path` names only other members of the answer, so that no item is rendered. */
function mayKeepItems(filterPath: string | undefined): boolean {
  return filterPath === undefined || /items|[*-]/.test(filterPath)
}

/** Our own parameter: `failed` leaves items out of the answer when none failed. */
const itemsParameter = 'millrace_items'
const comma = Buffer.from(',')
const end = Buffer.from(']}')

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
  for (const [name, value] of Object.entries(body)) {
    const isList = Array.isArray(value)
    if (isList && (name === 'docs' || name === 'ids')) continue
    const { line, col } = placesOf(body).of(body, name)
    const reason = isList
      ? `unknown key [${name}] for a START_ARRAY, expected [docs] or [ids]`
      : `unexpected token [${tokenKind(value)}], expected [FIELD_NAME] or [START_ARRAY]`
    throw new SearchError('parsing_exception', reason, { details: { line, col } })
  }
  const wanted = wantedOf(body, call.parts['index'], call.cluster.answerBytes())
  const docs = await call.cluster.scheduler.begin(getSteps(call, wanted), () => call.signal.throwIfAborted())
  return { body: { docs } }
}

function* getSteps(call: Call, wanted: readonly Wanted[]): Steps<JsonObject[]> {
  const answer = call.cluster.answerBytes()
  const docs: JsonObject[] = []
  try {
    for (const one of wanted) {
      if (docs.length > 0) yield
      const body = getOne(call, one)
      answer.addValue(body)
      docs.push(body)
    }
  } finally {
    answer.release()
  }
  return docs
}

/** What one document takes of memory from the request to the answer, without its source. */
const wantedBytes = 512

function wantedOf(body: JsonObject, index: string | undefined, answer: AnswerBytes): Wanted[] {
  const docs = own(body, 'docs')
  const ids = own(body, 'ids')
  const list = Array.isArray(docs) ? docs : ids
  // Reserves nothing: it refuses what can never fit, before anything is made of it.
  if (Array.isArray(list)) answer.expect(list.length * wantedBytes)
  answer.release()
  const specs: JsonObject[] = Array.isArray(docs)
    ? docs.map((doc) => (isObject(doc) ? doc : {}))
    : Array.isArray(ids)
      ? ids.map(namedId)
      : []
  if (specs.length === 0) throw validationFailed('no documents to get')
  const wrong: string[] = []
  specs.forEach((spec, position) => {
    const unknown = Object.keys(spec).find((name) => !docMembers.includes(name))
    if (unknown !== undefined)
      throw parseError(`failed to parse multi get request. unknown field [${unknown}]`)
    if ((scalarText(own(spec, '_index')) ?? index) === undefined)
      wrong.push(`index is missing for doc ${position}`)
    if (scalarText(own(spec, '_id')) === undefined) wrong.push(`id is missing for doc ${position}`)
  })
  if (wrong.length > 0) throw validationFailed(...wrong)
  return specs.map((spec) => ({
    index: (scalarText(own(spec, '_index')) ?? index)!,
    id: scalarText(own(spec, '_id'))!,
    spec,
  }))
}

function namedId(id: unknown): JsonObject {
  if (scalarText(id) === undefined) throw illegalArgument('ids array element should only contain ids')
  return { _id: id }
}

function getOne(call: Call, { index: name, id, spec }: Wanted): JsonObject {
  const version = own(spec, 'version') ?? own(spec, '_version')
  try {
    call.access?.demand('indices:data/read/mget[shard]', [name])
    const routing = own(spec, 'routing') ?? own(spec, '_routing') ?? call.text('routing')
    const { index, store, document } = getDocument(call.cluster, {
      index: name,
      id,
      routing: scalarText(routing),
      realtime: call.flag('realtime', true),
      refresh: call.flag('refresh'),
      version: version === undefined ? undefined : bodyLong(version),
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
    const known = toSearchError(error)
    if (known.status >= 500) throw error
    return { _index: name, _id: id, error: errorBody(known, false).error }
  }
}

export const bulkRoutes: readonly Route[] = [
  ofBytes(
    route(
      'POST|PUT',
      '/_bulk /:index/_bulk',
      `wait_for_active_shards refresh routing timeout type pipeline require_alias batch_size list_executed_pipelines require_data_stream ${itemsParameter} ${sourceParameters}`,
      storing(bulk),
    ),
  ),
  route(
    'GET|POST',
    '/_mget /:index/_mget',
    `stored_fields preference realtime refresh routing force_synthetic_source ${sourceParameters}`,
    multiGet,
  ),
]
