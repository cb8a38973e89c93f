/** `highlight` of a request: the settings of each field, with the global settings as defaults. */

import { contentError, illegalArgument, parsingError } from '../../request/errors.ts'
import {
  bodyFlag,
  bodyInt,
  isObject,
  type JsonObject,
  scalarText,
  scalarTexts,
} from '../../request/request-values.ts'
import { SearchError } from '../../request/search-error.ts'
import type { Place, SourcePlaces } from '../../request/source-place.ts'

export interface FieldHighlight {
  /** A field name or a pattern. */
  readonly field: string
  readonly type: 'unified' | 'plain' | 'fvh'
  readonly preTags: readonly string[]
  readonly postTags: readonly string[]
  /** 0 returns the whole field. */
  readonly fragments: number
  readonly fragmentSize: number
  readonly noMatchSize: number
  readonly requireFieldMatch: boolean
  readonly byScore: boolean
  readonly isHtml: boolean
  readonly query: unknown
  readonly matchedFields: readonly string[]
  /** A type that does not exist; it is refused when there are hits. */
  readonly unknownType: string | undefined
  /** Undefined: sentences for the unified highlighter, characters for the fast vector highlighter. */
  readonly boundaries: 'chars' | 'word' | 'sentence' | undefined
  readonly boundaryChars: string
  readonly boundarySteps: number
  /** For the plain highlighter: `span` leaves a short rest with the last fragment. */
  readonly fragmenter: 'simple' | 'span'
  /** How many phrases the fast vector highlighter considers. */
  readonly phraseLimit: number
  /** Undefined: the limit of the index applies. */
  readonly maxAnalyzedOffset: number | undefined
}

const accepted = new Set([
  ...['boundary_scanner_locale', 'force_source', 'fragment_offset', 'highlight_filter', 'options'],
])

const styledTags = Array.from({ length: 10 }, (_, i) => `<em class="hlt${i + 1}">`)

type Settings = { -readonly [Name in keyof FieldHighlight]?: FieldHighlight[Name] }

/** Options and what they set. */
const readers = new Map<string, (value: unknown) => Settings>([
  ['type', readType],
  ['pre_tags', (value) => ({ preTags: scalarTexts(value) })],
  ['post_tags', (value) => ({ postTags: scalarTexts(value) })],
  ['tags_schema', readTagsSchema],
  ['number_of_fragments', (value) => ({ fragments: bodyInt(value) })],
  ['fragment_size', (value) => ({ fragmentSize: bodyInt(value) })],
  ['no_match_size', (value) => ({ noMatchSize: bodyInt(value) })],
  ['require_field_match', (value) => ({ requireFieldMatch: bodyFlag(value) })],
  ['order', (value) => ({ byScore: value === 'score' })],
  ['encoder', (value) => ({ isHtml: value === 'html' })],
  ['highlight_query', (value) => ({ query: value })],
  ['matched_fields', (value) => ({ matchedFields: scalarTexts(value) })],
  ['boundary_scanner', readBoundaryScanner],
  ['boundary_chars', (value) => ({ boundaryChars: scalarText(value) ?? '' })],
  ['boundary_max_scan', (value) => ({ boundarySteps: bodyInt(value) })],
  ['fragmenter', (value) => ({ fragmenter: value === 'simple' ? 'simple' : 'span' })],
  ['phrase_limit', (value) => ({ phraseLimit: bodyInt(value) })],
  ['max_analyzed_offset', (value) => ({ maxAnalyzedOffset: bodyInt(value) })],
  ['max_analyzer_offset', (value) => ({ maxAnalyzedOffset: bodyInt(value) })],
])

function readType(value: unknown): Settings {
  const type = scalarText(value) ?? ''
  return type === 'unified' || type === 'plain' || type === 'fvh' ? { type } : { unknownType: type }
}

function readTagsSchema(value: unknown): Settings {
  if (value === 'styled') return { preTags: styledTags, postTags: ['</em>'] }
  if (value === 'default') return {}
  throw illegalArgument(`Unknown tag schema [${scalarText(value)}]`)
}

function readBoundaryScanner(value: unknown): Settings {
  const kind = scalarText(value)?.toLowerCase() ?? ''
  if (kind === 'chars' || kind === 'word' || kind === 'sentence') return { boundaries: kind }
  const constant = `org.opensearch.search.fetch.subphase.highlight.HighlightBuilder.BoundaryScannerType`
  throw illegalArgument(`No enum constant ${constant}.${kind.toUpperCase()}`)
}

function readSettings(options: JsonObject, isField: boolean, places?: SourcePlaces): Settings {
  const settings: Settings = {}
  for (const [name, value] of Object.entries(options)) {
    const read = readers.get(name)
    if (read !== undefined) Object.assign(settings, read(value))
    else if (name === 'fields' ? isField : !accepted.has(name)) throw unknown(name)
  }
  if (settings.preTags !== undefined && settings.postTags === undefined) {
    throw new SearchError('parsing_exception', 'pre_tags are set but post_tags are not set', {
      details: { ...places?.endOf(options) },
    })
  }
  return settings
}

function unknown(name: string): Error {
  return parsingError(`[highlight] unknown field [${name}]`)
}

const defaults: Omit<FieldHighlight, 'field'> = {
  type: 'unified',
  unknownType: undefined,
  preTags: ['<em>'],
  postTags: ['</em>'],
  fragments: 5,
  fragmentSize: 100,
  noMatchSize: 0,
  requireFieldMatch: true,
  byScore: false,
  isHtml: false,
  query: undefined,
  matchedFields: [],
  boundaries: undefined,
  boundaryChars: '.,!? \t\n',
  boundarySteps: 20,
  fragmenter: 'span',
  phraseLimit: 256,
  maxAnalyzedOffset: undefined,
}

/** Validates before anything is searched. Returns the fields in the order they were given. */
export function parseHighlight(value: unknown, places?: SourcePlaces): FieldHighlight[] {
  if (!isObject(value)) throw parsingError('[highlight] expected an object')
  const fieldSettings = (field: string, options: JsonObject) => {
    try {
      return readSettings(options, true, places)
    } catch (error) {
      throw places === undefined ? error : ofField(field, error, places.endOf(options))
    }
  }
  const given = value['fields'] ?? {}
  const entries = (Array.isArray(given) ? given : [given]).flatMap((item: unknown) => {
    if (!isObject(item)) throw parsingError('[highlight] failed to parse field [fields]')
    return Object.entries(item)
  })
  const fields = entries.map(([field, options]) => {
    if (!isObject(options)) throw parsingError(`[highlight] failed to parse field [${field}]`)
    return { field, own: fieldSettings(field, options) }
  })
  const common = readSettings(value, false, places)
  return fields.map(({ field, own }) => ({ ...defaults, ...common, ...own, field }))
}

/** Wraps an error about a field's settings as Elasticsearch reports it. */
function ofField(field: string, error: unknown, { line, col }: Place): unknown {
  if (!(error instanceof SearchError) || error.type !== 'parsing_exception') return error
  const failed = (what: string, name: string, cause: SearchError) =>
    contentError(`[${line}:${col}] [${what}] failed to parse field [${name}]`, cause)
  return failed('highlight', 'fields', failed('fields', field, error))
}
