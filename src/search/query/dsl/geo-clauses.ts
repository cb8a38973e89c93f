/** Parses `geo_distance`, `geo_bounding_box`, `geo_polygon` and refuses `geo_shape`. */

import { readDistance } from '../../geo/distance-units.ts'
import { type CellCorner, fromGeohash, parseGeoPoint, readPoint } from '../../geo/geo-point.ts'
import { illegalArgument, parseError } from '../../request/errors.ts'
import { javaDouble } from '../../request/java-text.ts'
import { SearchError } from '../../request/search-error.ts'
import { type Binding, unmapped } from '../binding/binding.ts'
import { geoBoxQuery, geoDistanceQuery, geoPolygonQuery } from '../exec/columns/geo-query.ts'
import { MatchNoneQuery } from '../exec/compound/simple-queries.ts'
import type { Query } from '../exec/query.ts'
import type { Json, ParseClause } from './clause.ts'
import { Options } from './options.ts'
import { isJson, type QueryParser } from './parser.ts'

interface GeoBody {
  readonly field: string
  readonly value: unknown
  readonly options: Options
}

/** The only name that is not an option is the field. */
function readGeoBody(parser: QueryParser, clause: string, body: Json, known: readonly string[]): GeoBody {
  const all = [...known, 'validation_method', 'ignore_unmapped', 'boost', '_name']
  const fields = Object.keys(body).filter((name) => !all.includes(name))
  const field = fields[0]
  if (field === undefined)
    throw clause === 'geo_bounding_box'
      ? parseError(`failed to parse [${clause}] query. bounding box not provided`)
      : illegalArgument('fieldName must not be null')
  if (fields.length > 1) {
    const isScalar = typeof body[fields[1]!] !== 'object'
    const reason =
      isScalar && clause !== 'geo_polygon'
        ? `failed to parse [${clause}] query. unexpected field [${fields[1]}]`
        : `[${clause}] query doesn't support multiple fields, found [${field}] and [${fields[1]}]`
    throw parser.error(reason, body, fields[1])
  }
  return { field, value: body[field], options: new Options(parser, clause, body, all, [field]) }
}

function bindGeo(
  binding: Binding,
  clause: string,
  { field, options }: GeoBody,
  make: (field: string) => Query,
): Query {
  const mapped = binding.field(field)
  if (mapped === undefined) {
    if (options.boolean('ignore_unmapped') === true) return unmapped(field)
    const kind = clause === 'geo_polygon' ? 'geo_point' : 'geo'
    throw binding.refusal(`failed to find ${kind} field [${field}]`)
  }
  if (mapped.family !== 'geo_point') {
    throw binding.refusal(`Field [${field}] is of unsupported type [${mapped.type}] for [${clause}] query`)
  }
  return make(mapped.name)
}

/** Points outside of the earth are refused, unless `validation_method` is lenient. */
function checkCentre(binding: Binding, [lat, lon]: readonly [number, number], method = 'STRICT'): void {
  if (method.toUpperCase() !== 'STRICT') return
  const problems: string[] = []
  if (!(Math.abs(lat) <= 90))
    problems.push(`[geo_distance] center point latitude is invalid: ${javaDouble(lat)}`)
  if (!(Math.abs(lon) <= 180))
    problems.push(`[geo_distance] center point longitude is invalid: ${javaDouble(lon)}`)
  if (problems.length === 0) return
  const text = problems.map((problem, index) => `${index + 1}: ${problem};`).join('')
  const cause = new SearchError('query_validation_exception', `Validation Failed: ${text}`)
  throw binding.refusal("couldn't validate latitude/ longitude values", cause)
}

const distanceClause: ParseClause = (body, parser, clause) => {
  const known = ['distance', 'unit', 'distance_type']
  const geo = readGeoBody(parser, clause, body, known)
  const { options } = geo
  const distance = options.scalar('distance')
  if (distance === undefined) throw parser.error("geo_distance requires 'distance' to be specified", body)
  const radius = readDistance(distance, options.text('unit') ?? 'm')
  if (!(radius > 0)) throw illegalArgument('distance must be greater than zero')
  const given = parseGeoPoint(geo.value)
  const centre = readPoint(geo.value)
  const plane = options.text('distance_type') === 'plane'
  return {
    boost: options.boost,
    name: options.name,
    bind: (binding) =>
      bindGeo(binding, clause, geo, (field) => {
        checkCentre(binding, given, options.text('validation_method'))
        return geoDistanceQuery(field, centre, radius, plane)
      }),
  }
}

const boxClause: ParseClause = (body, parser, clause) => {
  const geo = readGeoBody(parser, clause, body, ['type'])
  const { options } = geo
  const box = readBox(geo.value, parser, body)
  for (const side of ['top', 'bottom', 'left', 'right'] as const)
    if (Number.isNaN(box[side]))
      throw illegalArgument(
        `${side} ${side === 'top' || side === 'bottom' ? 'latitude' : 'longitude'} is invalid: NaN`,
      )
  if (box.top < box.bottom) {
    throw illegalArgument(`top is below bottom corner: ${box.top} vs. ${box.bottom}`)
  }
  return {
    boost: options.boost,
    name: options.name,
    bind: (binding) => bindGeo(binding, clause, geo, (field) => geoBoxQuery(field, box)),
  }
}

/** A geohash stands for the corner of its cell that makes the box largest. */
function readCorner(value: unknown, corner: CellCorner) {
  if (typeof value !== 'string' || !/^[0-9a-z]+$/i.test(value)) return readPoint(value)
  const [lat, lon] = fromGeohash(value, corner)
  return { lat, lon }
}

/** What is wrong with a box is said in the words of the query. */
function readBox(value: unknown, parser: QueryParser, body: Json) {
  try {
    return readSides(value, parser, body)
  } catch (error) {
    if (!(error instanceof SearchError)) throw error
    throw parseError(`failed to parse [geo_bounding_box] query. [${error.message}]`)
  }
}

function readSides(value: unknown, parser: QueryParser, body: Json) {
  if (!isJson(value)) throw parser.error('failed to parse bounding box. Conflicting definition found', body)
  if (typeof value['wkt'] === 'string') {
    const match = /^\s*(?:BBOX|ENVELOPE)\s*\(\s*([^,]+),([^,]+),([^,]+),([^,)]+)\)\s*$/i.exec(value['wkt'])
    if (match === null) throw parser.error('failed to parse bounding box', body)
    const [left, right, top, bottom] = match.slice(1).map(Number)
    return { top: top!, left: left!, bottom: bottom!, right: right! }
  }
  const sides = { top: Number.NaN, left: Number.NaN, bottom: Number.NaN, right: Number.NaN }
  for (const [name, item] of Object.entries(value)) {
    if (name === 'top' || name === 'left' || name === 'bottom' || name === 'right') sides[name] = Number(item)
    else if (/^(?:top|bottom)_?(?:left|right)$/i.test(name)) {
      const lower = name.toLowerCase()
      const isTop = lower.startsWith('top')
      const isRight = lower.endsWith('right')
      const point = readCorner(item, { isTop, isRight })
      sides[isTop ? 'top' : 'bottom'] = point.lat
      sides[isRight ? 'right' : 'left'] = point.lon
    } else throw parser.error(`failed to parse bounding box. unexpected field [${name}]`, body)
  }
  return sides
}

const polygonClause: ParseClause = (body, parser, clause) => {
  const geo = readGeoBody(parser, clause, body, [])
  const points = isJson(geo.value) ? geo.value['points'] : undefined
  if (!Array.isArray(points)) throw parser.error('[geo_polygon] query requires [points]', body)
  const corners = points.map(readPoint)
  if (corners.length < 3) {
    throw illegalArgument('too few points defined for geo_polygon query')
  }
  return {
    boost: geo.options.boost,
    name: geo.options.name,
    bind: (binding) => bindGeo(binding, clause, geo, (field) => geoPolygonQuery(field, corners)),
  }
}

/** Shapes are stored but not indexed. */
const shapeClause: ParseClause = (body, parser, clause) => {
  const geo = readGeoBody(parser, clause, body, [])
  return {
    bind(binding) {
      if (binding.field(geo.field) === undefined && geo.options.boolean('ignore_unmapped') === true) {
        return new MatchNoneQuery('unmapped field')
      }
      throw binding.refusal(`[${clause}] queries are not supported on field [${geo.field}]`)
    },
  }
}

export const geoClauses: readonly (readonly [string, ParseClause])[] = [
  ['geo_bounding_box', boxClause],
  ['geo_distance', distanceClause],
  ['geo_polygon', polygonClause],
  ['geo_shape', shapeClause],
]
