/**
 * Parses `_termvectors` requests from body and query string. Entries of `_mtermvectors` inherit the shared
 * options.
 */
import { illegalArgument, numberFormat, parseError } from '../request/errors.ts'
import { javaText } from '../request/java-text.ts'
import { isObject, type JsonObject } from '../request/json-object.ts'
import type { SearchError } from '../request/search-error.ts'
import { parseFlag } from '../request/units/units.ts'

/** Selects the terms to show, by tf·idf and limits. */
export interface TermFilter {
  readonly maxTerms: number
  readonly minTermFreq: number
  readonly maxTermFreq: number
  readonly minDocFreq: number
  readonly maxDocFreq: number
  readonly minWordLength: number
  /** 0 for no limit. */
  readonly maxWordLength: number
}

export interface VectorsRequest {
  readonly index: string | undefined
  readonly id: string | undefined
  /** An artificial document in place of a stored one. */
  readonly doc: JsonObject | undefined
  readonly routing: string | undefined
  readonly version: number | undefined
  /** Names and patterns; undefined: the fields with `term_vector`. */
  readonly fields: readonly string[] | undefined
  readonly positions: boolean
  readonly offsets: boolean
  readonly fieldStatistics: boolean
  readonly termStatistics: boolean
  readonly realtime: boolean
  /** Analyzer names by field. */
  readonly analyzers: ReadonlyMap<string, string>
  readonly filter: TermFilter | undefined
}

export const plainRequest: VectorsRequest = {
  index: undefined,
  id: undefined,
  doc: undefined,
  routing: undefined,
  version: undefined,
  fields: undefined,
  positions: true,
  offsets: true,
  fieldStatistics: true,
  termStatistics: false,
  realtime: true,
  analyzers: new Map(),
  filter: undefined,
}

type Draft = { -readonly [Name in keyof VectorsRequest]: VectorsRequest[Name] }

const anyNumber = 2_147_483_647
const filterMembers = new Map<string, keyof TermFilter>([
  ['max_num_terms', 'maxTerms'],
  ['min_term_freq', 'minTermFreq'],
  ['max_term_freq', 'maxTermFreq'],
  ['min_doc_freq', 'minDocFreq'],
  ['max_doc_freq', 'maxDocFreq'],
  ['min_word_length', 'minWordLength'],
  ['max_word_length', 'maxWordLength'],
])

function wrong(what: string): SearchError {
  return parseError(`failed to parse term vectors request. ${what}`)
}

function flagOf(value: unknown): boolean {
  const text = javaText(value)
  const flag = parseFlag(text)
  if (flag === undefined)
    throw illegalArgument(`Failed to parse value [${text}] as only [true] or [false] are allowed.`)
  return flag
}

function integerOf(value: unknown): number {
  const text = javaText(value)
  if (!/^[+-]?\d+$/.test(text)) throw numberFormat(text)
  return Number(text)
}

function fieldsOf(value: unknown): string[] {
  if (!Array.isArray(value)) throw wrong('field [fields] must be an array')
  return value.map(javaText)
}

function analyzersOf(value: unknown): Map<string, string> {
  const found = new Map<string, string>()
  for (const [field, name] of Object.entries(isObject(value) ? value : {})) {
    if (typeof name !== 'string')
      throw illegalArgument(`The analyzer at ${field} should be of type String, but was [${javaText(name)}]`)
    found.set(field, name)
  }
  return found
}

function filterOf(value: unknown): TermFilter {
  const found: Record<keyof TermFilter, number> = {
    maxTerms: 25,
    minTermFreq: 1,
    maxTermFreq: anyNumber,
    minDocFreq: 1,
    maxDocFreq: anyNumber,
    minWordLength: 0,
    maxWordLength: 0,
  }
  for (const [name, given] of Object.entries(isObject(value) ? value : {})) {
    const member = filterMembers.get(name)
    if (member === undefined)
      throw wrong(`the field [${name}] is not valid for filter parameter for term vector request`)
    found[member] = integerOf(given)
  }
  return found
}

function onlyOne(): SearchError {
  return wrong('either [id] or [doc] can be specified, but not both!')
}

type ReadMember = (draft: Draft, value: unknown) => void

const readRouting: ReadMember = (draft, value) => {
  draft.routing = javaText(value)
}
const readVersion: ReadMember = (draft, value) => {
  draft.version = integerOf(value)
}
const readFieldStatistics: ReadMember = (draft, value) => {
  draft.fieldStatistics = flagOf(value)
}
const readTermStatistics: ReadMember = (draft, value) => {
  draft.termStatistics = flagOf(value)
}

const members = new Map<string, ReadMember>([
  ['_index', (draft, value) => void (draft.index = javaText(value))],
  [
    '_id',
    (draft, value) => {
      if (draft.doc !== undefined) throw onlyOne()
      draft.id = javaText(value)
    },
  ],
  [
    'doc',
    (draft, value) => {
      if (draft.id !== undefined) throw onlyOne()
      draft.doc = isObject(value) ? value : {}
    },
  ],
  ['fields', (draft, value) => void (draft.fields = fieldsOf(value))],
  ['offsets', (draft, value) => void (draft.offsets = flagOf(value))],
  ['positions', (draft, value) => void (draft.positions = flagOf(value))],
  // Accepted: there are no payloads.
  ['payloads', (_, value) => void flagOf(value)],
  ['field_statistics', readFieldStatistics],
  ['fieldStatistics', readFieldStatistics],
  ['term_statistics', readTermStatistics],
  ['termStatistics', readTermStatistics],
  ['per_field_analyzer', (draft, value) => void (draft.analyzers = analyzersOf(value))],
  ['filter', (draft, value) => void (draft.filter = filterOf(value))],
  ['routing', readRouting],
  ['_routing', readRouting],
  ['version', readVersion],
  ['_version', readVersion],
  ['version_type', () => {}],
  ['_version_type', () => {}],
])

/** Applies a body on top of the given request. */
export function withBody(before: VectorsRequest, body: JsonObject): VectorsRequest {
  const draft: Draft = { ...before }
  for (const [name, value] of Object.entries(body)) {
    const read = members.get(name)
    if (read === undefined) throw wrong(`unknown field [${name}]`)
    read(draft, value)
  }
  return draft
}

export const vectorsParameters =
  'term_statistics field_statistics fields offsets positions payloads preference routing realtime version version_type'

/** Parameters that may also be in the query string; an empty value means true. */
const flags = ['offsets', 'positions', 'payloads', 'field_statistics', 'term_statistics']

/** Applies the query string, which wins over the body; fields of both are shown. */
export function withParameters(
  before: VectorsRequest,
  parameters: ReadonlyMap<string, string>,
): VectorsRequest {
  const draft: Draft = { ...before }
  for (const name of flags) {
    const text = parameters.get(name)
    if (text !== undefined) members.get(name)!(draft, text === '' ? true : text)
  }
  for (const name of ['routing', 'version']) {
    const text = parameters.get(name)
    if (text !== undefined) members.get(name)!(draft, text)
  }
  const realtime = parameters.get('realtime')
  if (realtime !== undefined) draft.realtime = realtime === '' || flagOf(realtime)
  const fields = parameters.get('fields')
  if (fields !== undefined && fields !== '')
    draft.fields = [...(before.fields ?? []), ...fields.split(',').map((name) => name.trim())]
  return draft
}
