/** `highlight` of a request: the settings of each field, with the global settings as defaults. */

import { contentError, illegalArgument, parsingError } from '../../request/errors.ts'
import {
  bodyFlag,
  bodyInt,
  isObject,
  type JsonObject,
  scalarText,
  textList,
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

const accepted = new Set(['boundary_scanner_locale', 'force_source', 'fragment_offset', 'options'])

const styledTags = Array.from({ length: 10 }, (_, i) => `<em class="hlt${i + 1}">`)

type Settings = { -readonly [Name in keyof FieldHighlight]?: FieldHighlight[Name] }

function readSettings(options: JsonObject, isField: boolean, places?: SourcePlaces): Settings {
  const settings: Settings = {}
  for (const [name, value] of Object.entries(options)) {
    switch (name) {
      case 'fields':
        if (isField) throw unknown(name)
        break
      case 'type': {
        const type = scalarText(value) ?? ''
        if (type === 'unified' || type === 'plain' || type === 'fvh') settings.type = type
        else settings.unknownType = type
        break
      }
      case 'pre_tags':
        settings.preTags = textList(value)
        break
      case 'post_tags':
        settings.postTags = textList(value)
        break
      case 'tags_schema':
        if (value === 'styled') {
          settings.preTags = styledTags
          settings.postTags = ['</em>']
        } else if (value !== 'default') throw illegalArgument(`Unknown tag schema [${scalarText(value)}]`)
        break
      case 'number_of_fragments':
        settings.fragments = bodyInt(value)
        break
      case 'fragment_size':
        settings.fragmentSize = bodyInt(value)
        break
      case 'no_match_size':
        settings.noMatchSize = bodyInt(value)
        break
      case 'require_field_match':
        settings.requireFieldMatch = bodyFlag(value)
        break
      case 'order':
        settings.byScore = value === 'score'
        break
      case 'encoder':
        settings.isHtml = value === 'html'
        break
      case 'highlight_query':
        settings.query = value
        break
      case 'matched_fields':
        settings.matchedFields = textList(value)
        break
      case 'boundary_scanner': {
        const kind = scalarText(value)?.toLowerCase() ?? ''
        if (kind !== 'chars' && kind !== 'word' && kind !== 'sentence') {
          const constant = `org.opensearch.search.fetch.subphase.highlight.HighlightBuilder.BoundaryScannerType`
          throw illegalArgument(`No enum constant ${constant}.${kind.toUpperCase()}`)
        }
        settings.boundaries = kind
        break
      }
      case 'boundary_chars':
        settings.boundaryChars = scalarText(value) ?? ''
        break
      case 'boundary_max_scan':
        settings.boundarySteps = bodyInt(value)
        break
      case 'fragmenter':
        settings.fragmenter = value === 'simple' ? 'simple' : 'span'
        break
      case 'phrase_limit':
        settings.phraseLimit = bodyInt(value)
        break
      case 'max_analyzed_offset':
      case 'max_analyzer_offset':
        settings.maxAnalyzedOffset = bodyInt(value)
        break
      default:
        if (name === 'highlight_filter' || accepted.has(name)) break
        throw unknown(name)
    }
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
