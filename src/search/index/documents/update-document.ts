/** `_update`: applies a partial document, an upsert or a script to the current document. */

import { writeJson } from '../../answer/json-text.ts'
import { contentError, illegalArgument, validationFailed } from '../../request/errors.ts'
import { JsonNumber, parseExactJson } from '../../request/json-literals.ts'
import { deepMerge, isObject, type JsonObject, own } from '../../request/json-object.ts'
import { bodyLong, tokenKind } from '../../request/request-values.ts'
import { SearchError } from '../../request/search-error.ts'
import { SourcePlaces } from '../../request/source-place.ts'
import type { StoredDocument } from '../shards/shard-operations.ts'
import { updateScript } from './update-script.ts'
import { primaryTermOf, seqNoOf, type WriteConditions } from './write-conditions.ts'

interface UpdateRequest {
  readonly doc?: JsonObject
  readonly upsert?: JsonObject
  readonly docAsUpsert: boolean
  readonly detectNoop: boolean
  readonly script: unknown
  readonly scriptedUpsert: boolean
  /** Undefined when the response does not show the document. */
  readonly source: unknown
  /** Conditions of the body, which win over those of the query string. */
  readonly ifSeqNo?: number
  readonly ifPrimaryTerm?: number
}

type UpdateOutcome =
  | { readonly kind: 'index'; readonly source: Uint8Array }
  | { readonly kind: 'create'; readonly source: Uint8Array }
  | { readonly kind: 'delete' }
  | { readonly kind: 'noop' }

const members = [
  'doc',
  'upsert',
  'doc_as_upsert',
  'detect_noop',
  'script',
  'scripted_upsert',
  '_source',
  'lang',
  'if_seq_no',
  'if_primary_term',
]

const conditioned = "upsert requests don't support `if_seq_no` and `if_primary_term`"

/** Refuses what is no object; null is none either. */
function objectAt(json: JsonObject, name: 'doc' | 'upsert'): JsonObject | undefined {
  if (!Object.hasOwn(json, name)) return undefined
  const value = json[name]
  if (isObject(value)) return value
  const place = new SourcePlaces(json).of(json, name)
  throw contentError(
    `[${place.line}:${place.col}] [UpdateRequest] ${name} doesn't support values of type: ${tokenKind(value)}`,
  )
}

/** `given` are the conditions beside the body. */
export function parseUpdate(json: unknown, given: WriteConditions = {}): UpdateRequest {
  if (!isObject(json)) throw contentError('[1:1] [UpdateRequest] Expected START_OBJECT')
  const wrong = Object.keys(json).find((name) => !members.includes(name))
  if (wrong !== undefined) throw contentError(`[1:2] [UpdateRequest] unknown field [${wrong}]`)
  const doc = objectAt(json, 'doc')
  const upsert = objectAt(json, 'upsert')
  const script = own(json, 'script')
  const flag = (name: string, standard: boolean) => {
    const value = own(json, name)
    return value === undefined ? standard : value === true || value === 'true'
  }
  if (script === undefined && doc === undefined) throw validationFailed('script or doc is missing')
  if (script !== undefined && doc !== undefined) throw validationFailed("can't provide both script and doc")
  const docAsUpsert = flag('doc_as_upsert', false)
  if (doc === undefined && docAsUpsert)
    throw validationFailed('doc must be specified if doc_as_upsert is enabled')
  const number = (name: string) => {
    const value = own(json, name)
    return value === undefined ? undefined : bodyLong(value)
  }
  const [seqNo, term] = [number('if_seq_no'), number('if_primary_term')]
  const ifSeqNo = seqNo === undefined ? given.ifSeqNo : seqNoOf(seqNo)
  const ifPrimaryTerm = term === undefined ? given.ifPrimaryTerm : primaryTermOf(term)
  if (ifSeqNo !== undefined) {
    if (docAsUpsert) throw validationFailed('compare and write operations can not be used with upsert')
    if (upsert !== undefined) throw validationFailed(conditioned)
    if (ifPrimaryTerm === undefined || ifPrimaryTerm === 0)
      throw validationFailed('ifSeqNo is set, but primary term is [0]')
  }
  return {
    ...(doc !== undefined && { doc }),
    ...(upsert !== undefined && { upsert }),
    ...(ifSeqNo !== undefined && { ifSeqNo }),
    ...(ifPrimaryTerm !== undefined && { ifPrimaryTerm }),
    docAsUpsert,
    detectNoop: flag('detect_noop', true),
    script,
    scriptedUpsert: flag('scripted_upsert', false),
    source: own(json, '_source'),
  }
}

/** What a script knows about the document, and the stored scripts by id. */
interface UpdateContext {
  readonly index: string
  readonly now: number
  readonly scripts: Readonly<Record<string, JsonObject>>
}

export function applyUpdate(
  request: UpdateRequest,
  current: StoredDocument | undefined,
  id: string,
  context: UpdateContext,
): UpdateOutcome {
  const { index: _index, now: _now } = context
  const about = { _index, _id: id, _now }
  if (current === undefined) return applyUpsert(request, about, context)
  if (current.source.length === 0)
    throw new SearchError('document_source_missing_exception', `[${id}]: document source missing`)
  const before = parseExactJson(current.source) as JsonObject
  if (request.doc === undefined) {
    const { version: _version, routing: _routing = null } = current
    return scripted(request.script, before, { ...about, _version, _routing }, context, 'index')
  }
  const after = deepMerge(before, request.doc)
  if (request.detectNoop && isSame(before, after)) return { kind: 'noop' }
  return { kind: 'index', source: bytesOf(after) }
}

function applyUpsert(
  { doc, upsert, docAsUpsert, script, scriptedUpsert }: UpdateRequest,
  about: JsonObject & { readonly _id: string },
  context: UpdateContext,
): UpdateOutcome {
  if (docAsUpsert && doc !== undefined) return { kind: 'create', source: bytesOf(doc) }
  if (upsert === undefined)
    throw new SearchError('document_missing_exception', `[${about._id}]: document missing`)
  if (!scriptedUpsert) return { kind: 'create', source: bytesOf(upsert) }
  return scripted(script, upsert, about, context, 'create')
}

function scripted(
  script: unknown,
  before: JsonObject,
  about: JsonObject,
  { scripts }: UpdateContext,
  kind: 'index' | 'create',
): UpdateOutcome {
  const { source, op } = wrapScriptError(() => updateScript(script, scripts).run(before, about, kind))
  if (op === 'noop') return { kind: 'noop' }
  if (op === 'delete') return kind === 'create' ? { kind: 'noop' } : { kind: 'delete' }
  return { kind, source: bytesOf(source) }
}

function wrapScriptError<Result>(run: () => Result): Result {
  try {
    return run()
  } catch (error) {
    if (!(error instanceof SearchError) || error.type !== 'script_exception') throw error
    throw illegalArgument('failed to execute script', error)
  }
}

function bytesOf(source: JsonObject): Uint8Array {
  return Buffer.from(writeJson(source))
}

function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (a instanceof JsonNumber || b instanceof JsonNumber) {
    return a instanceof JsonNumber && b instanceof JsonNumber && a.text === b.text
  }
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, index) => isSame(item, b[index]))
  if (!isObject(a) || !isObject(b)) return false
  const names = Object.keys(a)
  if (names.length !== Object.keys(b).length) return false
  return names.every((name) => Object.hasOwn(b, name) && isSame(a[name], b[name]))
}
