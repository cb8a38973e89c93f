/** Parses the lines of a bulk request without copying: an action, and its document unless it is a delete. */

import type { WriteAction } from '../../../search/index/documents/document-writes.ts'
import { primaryTermOf, seqNoOf, versionTypeOf } from '../../../search/index/documents/write-conditions.ts'
import { duplicateNameError, hasDuplicateNames } from '../../../search/request/body/duplicate-names.ts'
import { type JsonDialect, jsonSyntaxError } from '../../../search/request/body/json-syntax-error.ts'
import { illegalArgument } from '../../../search/request/errors.ts'
import { isObject, type JsonObject } from '../../../search/request/json-object.ts'
import { plainText } from '../../../search/request/plain-text.ts'
import { bodyFlag, bodyInt, bodyLong } from '../../../search/request/request-values.ts'
import type { SearchError } from '../../../search/request/search-error.ts'
import { backslash, carriageReturn, lineFeed, quote, space } from '../../../text/ascii.ts'

interface BulkDefaults {
  readonly index: string | undefined
  readonly routing: string | undefined
  readonly pipeline: string | undefined
  readonly requireAlias: boolean
  readonly shownSource: unknown
  /** `_type` is ignored, not refused. */
  readonly allowsType: boolean
  readonly json: JsonDialect
}

const kinds: ReadonlySet<string> = new Set(['create', 'delete', 'index', 'update'])
const nothing = Buffer.alloc(0)

export function* parseBulk(body: Buffer, defaults: BulkDefaults): Generator<WriteAction, void> {
  if (body.length > 0 && body[body.length - 1] !== lineFeed)
    throw illegalArgument('The bulk request must be terminated by a newline [\\n]')
  let at = 0
  let line = 0
  const next = (): Buffer | undefined => {
    if (at >= body.length) return undefined
    const end = body.indexOf(lineFeed, at)
    const stop = end > at && body[end - 1] === carriageReturn ? end - 1 : end
    const text = body.subarray(at, stop)
    at = end + 1
    line += 1
    return text
  }
  // Documents without ids of their own all have the same action line, which is parsed once.
  let known = 0
  let knownLength = 0
  let action: WriteAction | undefined
  // The lines of others mostly differ in the id alone.
  let form: ActionForm | undefined
  while (at < body.length) {
    const id = form === undefined ? undefined : idIn(body, at, form)
    if (id !== undefined) {
      at += form!.length + id.length
      line += 1
      const source = action!.kind === 'delete' ? nothing : next()
      if (source === undefined) break
      yield { ...action!, id, source }
      continue
    }
    if (action !== undefined && isRepeated(body, known, knownLength, at)) {
      at += knownLength
      line += 1
      const source = action.kind === 'delete' ? nothing : next()
      if (source === undefined) break
      yield { ...action, source }
      continue
    }
    const from = at
    const head = next()!
    if (head.length === 0) continue
    const length = at - from
    const { kind, metadata } = parseAction(head, line, defaults.json)
    const source = kind === 'delete' ? nothing : next()
    if (source === undefined) break
    action = actionOf(kind, metadata, source, line, defaults)
    known = from
    knownLength = length
    form = action.id === undefined ? undefined : formOf(body, from, from + length, action.id)
    yield action
  }
}

/** The maximum number of actions and document bytes processed at a time. */
const maxPartActions = 4096
const maxPartBytes = 4 * 1024 * 1024

/** Splits the actions into batches. */
export function* partsOf(actions: Iterable<WriteAction>): Generator<WriteAction[], void> {
  let part: WriteAction[] = []
  let bytes = 0
  for (const action of actions) {
    part.push(action)
    bytes += action.source.length
    if (part.length < maxPartActions && bytes < maxPartBytes) continue
    yield part
    part = []
    bytes = 0
  }
  if (part.length > 0) yield part
}

/** True when the bytes at `at` repeat an earlier line. */
function isRepeated(body: Buffer, known: number, length: number, at: number): boolean {
  if (at + length > body.length) return false
  // Compared from the end, as lines mostly differ in the id there.
  for (let i = length - 1; i >= 0; i--) if (body[at + i] !== body[known + i]) return false
  return true
}

/** An action line around its id. */
interface ActionForm {
  /** Where the form was found: bytes `[from, idFrom)` are before the id, `[idTo, to)` behind it, with the line feed. */
  readonly from: number
  readonly idFrom: number
  readonly idTo: number
  readonly to: number
  /** The bytes without those of the id. */
  readonly length: number
}

const beforeId = '"_id":"'
const deleteCharacter = 127
/** Longer ids are refused, with an error text that the parser has. */
const maxIdBytes = 512

/** Undefined for a line that is spelled in an unusual way. */
function formOf(body: Buffer, from: number, to: number, id: string): ActionForm | undefined {
  const text = body.toString('latin1', from, to)
  const found = text.indexOf(beforeId)
  if (found < 0 || text.includes('\\') || text.indexOf('"_id"', found + 1) >= 0) return undefined
  const idFrom = from + found + beforeId.length
  const idTo = idFrom + id.length
  if (id === '' || body[idTo] !== quote || body.toString('latin1', idFrom, idTo) !== id) return undefined
  return { from, idFrom, idTo, to, length: to - from - id.length }
}

/** Returns the id of the line at `at` when it has the form; ids of plain ASCII only. */
function idIn(body: Buffer, at: number, { from, idFrom, idTo, to }: ActionForm): string | undefined {
  const start = at + idFrom - from
  let end = start
  for (; ; end++) {
    const byte = body[end]
    if (byte === undefined || byte < space || byte >= deleteCharacter || byte === backslash) return undefined
    if (byte === quote) break
  }
  if (end === start || end - start > maxIdBytes || end + to - idTo > body.length) return undefined
  for (let i = 0; i < to - idTo; i++) if (body[end + i] !== body[idTo + i]) return undefined
  for (let i = idFrom - from - 1; i >= 0; i--) if (body[at + i] !== body[from + i]) return undefined
  return body.toString('latin1', start, end)
}

function parseAction(
  head: Buffer,
  line: number,
  dialect: JsonDialect,
): { kind: WriteAction['kind']; metadata: JsonObject } {
  const text = head.toString('utf8')
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    throw jsonSyntaxError(text, dialect)
  }
  if (hasDuplicateNames(head, json)) throw duplicateNameError(text, dialect) ?? jsonSyntaxError(text, dialect)
  if (!isObject(json)) throw malformed(line, 'START_OBJECT', tokenOf(json))
  const [kind, metadata] = Object.entries(json)[0] ?? []
  if (kind === undefined) throw malformed(line, 'FIELD_NAME', 'END_OBJECT')
  if (!kinds.has(kind)) throw malformed(line, 'one of [create, delete, index, update]', kind)
  if (!isObject(metadata)) throw malformed(line, 'START_OBJECT', tokenOf(metadata))
  return { kind: kind as WriteAction['kind'], metadata }
}

function malformed(line: number, expected: string, found: string): SearchError {
  return illegalArgument(
    `Malformed action/metadata line [${line}], expected ${expected} but found [${found}]`,
  )
}

/** Parameters of an action that may be more than a text, a number or a boolean. */
const structured: ReadonlySet<string> = new Set(['_source', 'dynamic_templates'])

function tokenOf(value: unknown): string {
  if (value === null) return 'VALUE_NULL'
  if (Array.isArray(value)) return 'START_ARRAY'
  return typeof value === 'object' ? 'START_OBJECT' : `VALUE_${(typeof value).toUpperCase()}`
}

function actionOf(
  kind: WriteAction['kind'],
  metadata: JsonObject,
  source: Buffer,
  line: number,
  defaults: BulkDefaults,
): WriteAction {
  let { index, routing, pipeline, requireAlias, shownSource } = defaults
  let id: string | undefined
  let version: number | undefined
  let versionType: string | undefined
  let ifSeqNo: number | undefined
  let ifPrimaryTerm: number | undefined
  let isCreate = false
  // The document has been read by now; errors name the line of the action.
  const at = kind === 'delete' ? line : line - 1
  for (const [name, value] of Object.entries(metadata)) {
    if (value === null) continue
    // An object for an id must not become the text `[object Object]`, which would be the id of a document.
    if (typeof value === 'object' && !structured.has(name))
      throw malformed(at, `a simple value for field [${name}]`, tokenOf(value))
    switch (name) {
      case '_index':
        index = plainText(value)
        break
      case '_id':
        id = plainText(value)
        break
      case 'routing':
      case '_routing':
        routing = plainText(value)
        break
      case 'version':
      case '_version':
        version = bodyLong(value)
        break
      case 'version_type':
      case '_version_type':
        versionType = plainText(value)
        break
      case 'if_seq_no':
        ifSeqNo = seqNoOf(bodyLong(value))
        break
      case 'if_primary_term':
        ifPrimaryTerm = primaryTermOf(bodyLong(value))
        break
      case 'pipeline':
        pipeline = plainText(value)
        break
      case 'require_alias':
        requireAlias = bodyFlag(value)
        break
      case '_source':
        shownSource = value
        break
      case 'op_type':
        isCreate = value === 'create'
        break
      case 'retry_on_conflict':
        bodyInt(value)
        break
      case 'dynamic_templates':
      case 'list_executed_pipelines':
      case 'require_data_stream':
        break
      case '_type':
        if (defaults.allowsType) break
        throw unknownParameter(at, name)
      default:
        throw unknownParameter(at, name)
    }
  }
  const isVersioned = version !== undefined || versionTypeOf(versionType) !== 'internal'
  if (kind === 'update' && isVersioned)
    throw illegalArgument(
      'Update requests do not support versioning. Please use `if_seq_no` and `if_primary_term` instead',
    )
  return {
    kind: kind === 'index' && isCreate ? 'create' : kind,
    index: index ?? '',
    id,
    routing,
    source,
    version,
    versionType: versionTypeOf(versionType),
    ifSeqNo,
    ifPrimaryTerm,
    pipeline,
    requireAlias,
    shownSource,
  }
}

function unknownParameter(line: number, name: string): SearchError {
  return illegalArgument(`Action/metadata line [${line}] contains an unknown parameter [${name}]`)
}
