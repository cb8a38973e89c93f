/** `highlight` of a request: settings of each field, where it has none of its own those of all. */
import {
  bodyFlag,
  bodyInt,
  illegalArgument,
  isObject,
  type JsonObject,
  parsingError,
  scalarText,
  textList,
} from '../request-values.ts'

export interface FieldHighlight {
  /** A name or a pattern. */
  readonly field: string
  readonly type: 'unified' | 'plain' | 'fvh'
  readonly preTags: readonly string[]
  readonly postTags: readonly string[]
  /** 0: the whole field. */
  readonly fragments: number
  readonly fragmentSize: number
  readonly noMatchSize: number
  readonly requireFieldMatch: boolean
  readonly byScore: boolean
  readonly isHtml: boolean
  readonly query: unknown
  readonly matchedFields: readonly string[]
  /** Undefined: the limit of the index. */
  readonly maxAnalyzedOffset: number | undefined
}

const accepted = new Set([
  'boundary_chars',
  'boundary_max_scan',
  'boundary_scanner',
  'boundary_scanner_locale',
  'force_source',
  'fragmenter',
  'fragment_offset',
  'options',
  'phrase_limit',
])

const styledTags = Array.from({ length: 10 }, (_, i) => `<em class="hlt${i + 1}">`)

type Settings = { -readonly [Name in keyof FieldHighlight]?: FieldHighlight[Name] }

function readSettings(options: JsonObject, isField: boolean): Settings {
  const settings: Settings = {}
  for (const [name, value] of Object.entries(options)) {
    switch (name) {
      case 'fields':
        if (isField) throw unknown(name)
        break
      case 'type': {
        const type = scalarText(value) ?? ''
        if (type !== 'unified' && type !== 'plain' && type !== 'fvh') {
          throw illegalArgument(`unknown highlighter type [${type}] for the field [${isField ? '' : '*'}]`)
        }
        settings.type = type
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
      case 'max_analyzed_offset':
        settings.maxAnalyzedOffset = bodyInt(value)
        break
      default:
        if (name === 'highlight_filter' || accepted.has(name)) break
        throw unknown(name)
    }
  }
  if (settings.preTags !== undefined && settings.postTags === undefined) {
    throw parsingError('pre_tags are set but post_tags are not set')
  }
  return settings
}

function unknown(name: string): Error {
  return parsingError(`[highlight] unknown field [${name}]`)
}

const defaults: Omit<FieldHighlight, 'field'> = {
  type: 'unified',
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
  maxAnalyzedOffset: undefined,
}

/** In the order in which they were given. */
export function parseHighlight(value: unknown): FieldHighlight[] {
  if (!isObject(value)) throw parsingError('[highlight] expected an object')
  const common = readSettings(value, false)
  const given = value['fields'] ?? {}
  const entries = (Array.isArray(given) ? given : [given]).flatMap((item: unknown) => {
    if (!isObject(item)) throw parsingError('[highlight] failed to parse field [fields]')
    return Object.entries(item)
  })
  return entries.map(([field, options]) => {
    if (!isObject(options)) throw parsingError(`[highlight] failed to parse field [${field}]`)
    return { ...defaults, ...common, ...readSettings(options, true), field }
  })
}
