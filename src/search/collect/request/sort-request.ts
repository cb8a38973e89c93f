/** Parses `sort` in all its forms into a list of sort requests. */

import { didYouMean } from '../../request/did-you-mean.ts'
import { contentError, illegalArgument, parsingError } from '../../request/errors.ts'
import { bodyFlag, bodyInt, isObject, type JsonObject, scalarText } from '../../request/request-values.ts'
import { checkScript } from '../../script/script.ts'
import { type SortMode, sortModes } from '../sort/sort-mode.ts'

interface NestedSort {
  readonly path: string
  readonly filter: unknown
}

export interface FieldSort {
  readonly kind: 'field'
  readonly field: string
  readonly descending: boolean
  readonly mode: SortMode | undefined
  /** `_first`, `_last`, or the value that replaces a missing one. */
  readonly missing: unknown
  readonly unmappedType: string | undefined
  readonly numericType: string | undefined
  readonly format: string | undefined
  readonly nested: NestedSort | undefined
}

export interface GeoSort {
  readonly kind: 'geo'
  readonly field: string
  readonly points: unknown
  readonly descending: boolean
  readonly mode: SortMode | undefined
  readonly unit: string
  readonly isPlane: boolean
  readonly ignoreUnmapped: boolean
  readonly nested: NestedSort | undefined
}

interface ScoreSort {
  readonly kind: 'score' | 'doc' | 'shard_doc'
  readonly descending: boolean
}

interface ScriptSort {
  readonly kind: 'script'
  readonly type: 'number' | 'string'
  /** The unparsed script. */
  readonly script: unknown
  readonly descending: boolean
}

export type SortRequest = FieldSort | GeoSort | ScoreSort | ScriptSort

/** A search by falling score is not sorted. */
export function isByScoreAlone(sort: readonly SortRequest[]): boolean {
  return sort.length === 0 || (sort.length === 1 && sort[0]!.kind === 'score' && sort[0]!.descending)
}

export function parseSort(value: unknown): SortRequest[] {
  const items = Array.isArray(value) ? value : [value]
  return items.flatMap((item: unknown) => {
    if (typeof item === 'string') return [named(item, {})]
    if (isObject(item)) return Object.entries(item).map(([name, options]) => parseEntry(name, options))
    throw illegalArgument(
      Array.isArray(value)
        ? 'malformed sort format, within the sort array, an object, or an actual string are allowed'
        : 'malformed sort format, either start with array, object, or an actual string',
    )
  })
}

/** `sort` of the query string: `a,b:desc`. */
export function parseSortParameter(text: string): SortRequest[] {
  return text.split(',').map((item) => {
    const colon = item.lastIndexOf(':')
    const order = item.slice(colon + 1)
    if (colon === -1) return named(item, {})
    return named(item.slice(0, colon), order === 'asc' || order === 'desc' ? { order } : {})
  })
}

function parseEntry(name: string, value: unknown): SortRequest {
  if (typeof value === 'string') return named(name, { order: value })
  if (!isObject(value)) {
    throw illegalArgument(
      'malformed sort format, within the sort array, an object, or an actual string are allowed',
    )
  }
  if (name === '_script') return parseScript(value)
  if (name === '_geo_distance' || name === '_geoDistance') return parseGeo(value)
  return named(name, value)
}

function isDescending(value: unknown, otherwise: boolean): boolean {
  if (value === undefined) return otherwise
  const text = (scalarText(value) ?? '').toLowerCase()
  if (text === 'asc' || text === 'desc') return text === 'desc'
  throw illegalArgument(`No enum constant org.elasticsearch.search.sort.SortOrder.${text.toUpperCase()}`)
}

function parseMode(value: unknown): SortMode | undefined {
  if (value === undefined) return undefined
  const text = scalarText(value) ?? ''
  const mode = sortModes.find((known) => known === text.toLowerCase())
  if (mode === undefined) throw illegalArgument(`Unknown SortMode [${text}]`)
  return mode
}

const plain = new Map([
  ['_score', 'score'],
  ['_doc', 'doc'],
  ['_shard_doc', 'shard_doc'],
] as const)

const options = new Set([
  'order',
  'mode',
  'missing',
  'unmapped_type',
  'numeric_type',
  'format',
  'nested',
  'nested_path',
  'nested_filter',
])

function named(field: string, value: JsonObject): SortRequest {
  const kind = plain.get(field as '_doc')
  for (const name of Object.keys(value)) {
    if (options.has(name) && (kind !== 'score' || name === 'order')) continue
    const clause = kind === 'score' ? '_score' : 'field_sort'
    throw contentError(`[${clause}] unknown field [${name}]${didYouMean(name, options)}`)
  }
  if (kind !== undefined) return { kind, descending: isDescending(value['order'], kind === 'score') }
  return {
    kind: 'field',
    field,
    descending: isDescending(value['order'], false),
    mode: parseMode(value['mode']),
    missing: value['missing'] ?? '_last',
    unmappedType: scalarText(value['unmapped_type']),
    numericType: scalarText(value['numeric_type']),
    format: scalarText(value['format']),
    nested: parseNested(value),
  }
}

function parseNested(value: JsonObject): NestedSort | undefined {
  const path = scalarText(value['nested_path'])
  if (path !== undefined) return { path, filter: value['nested_filter'] }
  let given = value['nested']
  if (given === undefined || given === null) return undefined
  if (!isObject(given)) throw parsingError('malformed nested format, must start with an object')
  let nested: NestedSort | undefined
  const filters: unknown[] = []
  for (let depth = 0; isObject(given) && depth < 20; depth++) {
    for (const name of Object.keys(given)) {
      if (!['path', 'filter', 'max_children', 'nested'].includes(name)) {
        throw illegalArgument(`malformed nested format, unknown field name [${name}]`)
      }
    }
    if (given['max_children'] !== undefined) bodyInt(given['max_children'])
    if (given['filter'] !== undefined) filters.push(given['filter'])
    nested = { path: scalarText(given['path']) ?? '', filter: undefined }
    given = given['nested']
  }
  if (nested === undefined || filters.length === 0) return nested
  return { ...nested, filter: filters.at(-1) }
}

const scriptOptions = new Set(['script', 'type', 'order', 'mode', 'nested', 'nested_path', 'nested_filter'])

function parseScript(value: JsonObject): ScriptSort {
  for (const name of Object.keys(value)) {
    if (!scriptOptions.has(name)) throw contentError(`[_script] unknown field [${name}]`)
  }
  if (value['script'] === undefined || value['type'] === undefined)
    throw illegalArgument(
      `Required [${['script', 'type'].filter((name) => value[name] === undefined).join(', ')}]`,
    )
  const type = (scalarText(value['type']) ?? '').toLowerCase()
  if (type !== 'number' && type !== 'string')
    throw illegalArgument(`Unknown ScriptSortType [${scalarText(value['type'])}]`)
  if (parseNested(value) !== undefined)
    throw illegalArgument('sorting nested objects by a script is not supported')
  parseMode(value['mode'])
  checkScript(value['script'])
  return {
    kind: 'script',
    type,
    script: value['script'],
    descending: isDescending(value['order'], false),
  }
}

const geoOptions = new Set([
  'order',
  'unit',
  'mode',
  'distance_type',
  'validation_method',
  'ignore_unmapped',
  'nested',
  'nested_path',
  'nested_filter',
])

function parseGeo(value: JsonObject): GeoSort {
  const fields = Object.keys(value).filter((name) => !geoOptions.has(name))
  if (fields.length !== 1) {
    throw parsingError(
      fields.length === 0
        ? 'Expected a geo_point field name in [_geo_distance]'
        : `Trying to reset fieldName to [${fields[1]}], already set to [${fields[0]}].`,
    )
  }
  const mode = parseMode(value['mode'])
  if (mode === 'sum') throw illegalArgument("sort_mode [sum] isn't supported for sorting by geo distance")
  return {
    kind: 'geo',
    field: fields[0]!,
    points: value[fields[0]!],
    descending: isDescending(value['order'], false),
    mode,
    unit: scalarText(value['unit']) ?? 'm',
    isPlane: value['distance_type'] === 'plane',
    ignoreUnmapped: value['ignore_unmapped'] === undefined ? false : bodyFlag(value['ignore_unmapped']),
    nested: parseNested(value),
  }
}
