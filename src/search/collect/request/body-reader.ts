/** Reads the body of a search request, key by key. */

import { contentError, illegalArgument, parsingError } from '../../request/errors.ts'
import {
  bodyFlag,
  bodyFloat,
  bodyInt,
  isObject,
  type JsonObject,
  scalarText,
  tokenKind,
} from '../../request/request-values.ts'
import { SearchError } from '../../request/search-error.ts'
import { parseTime } from '../../request/units/units.ts'
import { readFetchKey } from './fetch-readers.ts'
import type { RescoreRequest, SearchDraft } from './search-request.ts'
import type { SectionChecks } from './section-checks.ts'
import { parseSort } from './sort-request.ts'

type ReadKey = (draft: SearchDraft, value: unknown, key: string) => void

export function negativeSize(name: string, value: number): SearchError {
  return illegalArgument(`[${name}] parameter cannot be negative, found [${value}]`)
}

export function checkedTotalHits(value: boolean | number): boolean | number {
  if (typeof value === 'boolean') return value
  if (value === -1) return true
  if (value < -1) {
    throw illegalArgument(`[track_total_hits] parameter must be positive or equals to -1, got ${value}`)
  }
  return value
}

function readAfter(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) {
    throw parsingError(`Expected [START_ARRAY] in [search_after] but found [${tokenKind(value)}]`)
  }
  for (const item of value) {
    if (item !== null && scalarText(item) === undefined) {
      throw parsingError(
        `Expected [VALUE_STRING] or [VALUE_NUMBER] or [VALUE_BOOLEAN] or [VALUE_NULL] but found [${tokenKind(item)}] inside search_after.`,
      )
    }
  }
  if (value.length === 0) throw illegalArgument('Values must contains at least one value.')
  return value
}

function readSlice(value: unknown): SearchDraft['slice'] {
  const slice = requireObject(value, 'slice')
  if (Object.keys(slice).length === 0) return undefined
  checkNames(slice, 'slice', ['id', 'max', 'field'])
  const id = bodyInt(slice['id'] ?? 0)
  const max = bodyInt(slice['max'] ?? 0)
  const refuse = (name: string, reason: string) =>
    contentError(`[slice] failed to parse field [${name}]`, illegalArgument(reason))
  if (id < 0) throw refuse('id', 'id must be greater than or equal to 0')
  if (max <= 1) throw refuse('max', 'max must be greater than 1')
  if (max <= id) throw refuse('max', 'max must be greater than id')
  return { id, max, field: scalarText(slice['field']) ?? '_id' }
}

function requireObject(value: unknown, key: string): JsonObject {
  if (isObject(value)) return value
  throw parsingError(`Unknown key for a ${tokenKind(value)} in [${key}].`)
}

function checkNames(value: JsonObject, clause: string, names: readonly string[]): void {
  for (const name of Object.keys(value)) {
    if (!names.includes(name)) {
      throw contentError(`[${clause}] unknown field [${name}]`)
    }
  }
}

const scoreModes = ['total', 'multiply', 'avg', 'max', 'min'] as const

function readRescore(value: unknown): RescoreRequest {
  const rescore = requireObject(value, 'rescore')
  const query = rescore['query']
  if (!isObject(query)) throw parsingError('missing rescore type')
  if (query['rescore_query'] === undefined) throw illegalArgument('rescore_query cannot be null')
  const mode = scalarText(query['score_mode']) ?? 'total'
  const scoreMode = scoreModes.find((known) => known === mode.toLowerCase())
  if (scoreMode === undefined) throw illegalArgument(`illegal score_mode [${mode}]`)
  return {
    windowSize: rescore['window_size'] === undefined ? 10 : bodyInt(rescore['window_size']),
    query: query['rescore_query'],
    queryWeight: query['query_weight'] === undefined ? 1 : bodyFloat(query['query_weight']),
    rescoreWeight: query['rescore_query_weight'] === undefined ? 1 : bodyFloat(query['rescore_query_weight']),
    scoreMode,
  }
}

function readBoosts(value: unknown): [string, number][] {
  const items: unknown[] = Array.isArray(value) ? value : [value]
  return items.flatMap((item) => {
    if (!isObject(item))
      throw parsingError(`Expected [START_OBJECT] in [indices_boost] but found [${tokenKind(item)}]`)
    return Object.entries(item).map(([name, boost]): [string, number] => [name, bodyFloat(boost)])
  })
}

const readers: ReadonlyMap<string, ReadKey> = new Map<string, ReadKey>([
  ['query', (draft, value, key) => void (draft.query = requireObject(value, key))],
  ['post_filter', (draft, value, key) => void (draft.postFilter = requireObject(value, key))],
  [
    'from',
    (draft, value) => {
      draft.from = bodyInt(value)
      draft.isFromGiven = true
      if (draft.from < 0) throw negativeSize('from', draft.from)
    },
  ],
  [
    'size',
    (draft, value) => {
      draft.size = bodyInt(value)
      if (draft.size < 0) throw negativeSize('size', draft.size)
    },
  ],
  ['sort', (draft, value) => void (draft.sort = parseSort(scalarText(value) ?? value))],
  [
    'track_total_hits',
    (draft, value) => {
      const isFlag = typeof value === 'boolean' || value === 'true' || value === 'false'
      draft.trackTotalHits = checkedTotalHits(isFlag ? bodyFlag(value) : bodyInt(value))
    },
  ],
  ['track_scores', (draft, value) => void (draft.trackScores = bodyFlag(value))],
  ['search_after', (draft, value) => void (draft.searchAfter = readAfter(value))],
  ['slice', (draft, value) => void (draft.slice = readSlice(value))],
  ['min_score', (draft, value) => void (draft.minScore = Math.fround(bodyFloat(value)))],
  [
    'terminate_after',
    (draft, value) => {
      draft.terminateAfter = bodyInt(value)
      if (draft.terminateAfter < 0) throw illegalArgument('terminateAfter must be > 0')
    },
  ],
  ['timeout', (draft, value) => void (draft.timeout = duration(value, 'timeout'))],
  ['aggs', (draft, value, key) => void (draft.aggregations = requireObject(value, key))],
  ['aggregations', (draft, value, key) => void (draft.aggregations = requireObject(value, key))],
  ['suggest', (draft, value, key) => void (draft.suggest = requireObject(value, key))],
  [
    'collapse',
    (draft, value, key) => {
      const collapse = requireObject(value, key)
      checkNames(collapse, 'collapse', ['field', 'inner_hits', 'max_concurrent_group_searches'])
      const field = scalarText(collapse['field'])
      if (field === undefined) throw illegalArgument('field name is null or empty')
      const given = collapse['inner_hits'] ?? []
      draft.collapse = { field, innerHits: (Array.isArray(given) ? given : [given]) as JsonObject[] }
    },
  ],
  [
    'rescore',
    (draft, value) => void (draft.rescore = (Array.isArray(value) ? value : [value]).map(readRescore)),
  ],
  ['indices_boost', (draft, value) => void (draft.indicesBoost = readBoosts(value))],
  ['profile', (draft, value) => void (draft.profile = bodyFlag(value))],
  [
    'pit',
    (draft, value, key) => {
      const pit = requireObject(value, key)
      checkNames(pit, 'pit', ['id', 'keep_alive'])
      const id = scalarText(pit['id'])
      if (id === undefined) throw illegalArgument('point int time id is not provided')
      const keepAlive =
        pit['keep_alive'] === undefined ? undefined : duration(pit['keep_alive'], 'keep_alive')
      draft.pit = { id, keepAlive }
    },
  ],
  // Accepted and without effect here.
  ['stats', () => {}],
  ['ext', () => {}],
  ['runtime_mappings', refuseUnlessEmpty],
  ['derived', refuseUnlessEmpty],
  ['knn', refuseUnlessEmpty],
  ['retriever', refuseUnlessEmpty],
  ['rank', refuseUnlessEmpty],
])

function refuseUnlessEmpty(_draft: SearchDraft, value: unknown, key: string): void {
  if (isObject(value) && Object.keys(value).length === 0) return
  throw illegalArgument(`[${key}] is not supported`)
}

function duration(value: unknown, name: string): number | undefined {
  const millis = parseTime(scalarText(value) ?? '', name)
  return millis < 0 ? undefined : millis
}

/** `text` is the raw body, for line and column in errors. */
export function readBody(draft: SearchDraft, body: unknown, checks: SectionChecks, text?: Uint8Array): void {
  if (!isObject(body)) throw parsingError(`Expected [START_OBJECT] but found [${tokenKind(body)}]`)
  for (const [key, value] of Object.entries(body)) {
    try {
      checks.check(body, key)
      const read = readers.get(key)
      if (read !== undefined) read(draft, value, key)
      else if (!readFetchKey(draft, key, value))
        throw parsingError(`Unknown key for a ${tokenKind(value)} in [${key}].`)
    } catch (error) {
      throw error instanceof SearchError ? placed(error, key, text) : error
    }
  }
}

/** Adds the place of what is under a key to errors that were thrown without one. */
function placed(error: SearchError, key: string, text: Uint8Array | undefined): SearchError {
  const { type, reason, details, causedBy: cause } = error
  if (text === undefined) return error
  if (type === 'parsing_exception' && details['line'] === undefined)
    return new SearchError(type, reason, { cause, details: { ...placeOf(key, text), ...details } })
  const [, what, name] = /^\[\w+\] (unknown|failed to parse) field \[([^\]]*)\]/.exec(reason) ?? []
  if (type !== 'x_content_parse_exception' || name === undefined) return error
  const body = Buffer.from(text).toString('utf8')
  const spelled = JSON.stringify(name)
  let at = body.indexOf(spelled, Math.max(0, body.indexOf(JSON.stringify(key))))
  // An unknown name is the place itself, otherwise it is the value.
  if (what !== 'unknown') at += spelled.length + /^\s*:?\s*/.exec(body.slice(at + spelled.length))![0].length
  const before = body.slice(0, Math.max(0, at)).split('\n')
  return contentError(`[${before.length}:${before.at(-1)!.length + 1}] ${reason}`, cause)
}

/** Line and column of the value of a key, both from 1. */
function placeOf(key: string, bytes: Uint8Array | undefined): Readonly<Record<string, unknown>> {
  if (bytes === undefined) return {}
  const text = Buffer.from(bytes).toString('utf8')
  const name = text.indexOf(JSON.stringify(key))
  if (name === -1) return {}
  const colon = text.indexOf(':', name + key.length + 2)
  let at = colon + 1
  while (/\s/.test(text[at] ?? 'x')) at++
  const before = text.slice(0, at).split('\n')
  return { line: before.length, col: before.at(-1)!.length + 1 }
}
