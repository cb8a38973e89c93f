/**
 * Parses the notations of a geo point: `{lat, lon}`, `{geohash}`, GeoJSON, `[lon, lat]`, `"lat,lon"`, a geohash, WKT
 * `POINT (lon lat)`.
 */
import { illegalArgument, numberFormat, parseError } from '../request/errors.ts'
import { JsonNumber } from '../request/json-literals.ts'
import { plainText } from '../request/plain-text.ts'

export type GeoPoint = readonly [latitude: number, longitude: number]

/** True for an array that is one point, not several. */
export function isCoordinates(value: readonly unknown[]): boolean {
  return typeof value[0] === 'number' || value[0] instanceof JsonNumber
}

export function parseGeoPoint(value: unknown, ignoreZ = true): GeoPoint {
  if (typeof value === 'string') return parseText(value, ignoreZ)
  if (Array.isArray(value)) return fromCoordinates(value, ignoreZ)
  if (typeof value === 'object' && value !== null)
    return parseObject(value as Record<string, unknown>, ignoreZ)
  throw parseError('geo_point expected')
}

function fromCoordinates(values: readonly unknown[], ignoreZ: boolean): GeoPoint {
  if (values.length > 3) throw parseError('[geo_point] field type does not accept more than 3 values')
  checkZ(values[2], ignoreZ)
  const numbers = values.slice(0, 2).map((item) => {
    const number = numberOf(item)
    if (number === undefined) throw parseError('numeric value expected')
    return number
  })
  if (numbers.length < 2)
    throw parseError(
      `failed to parse [${values.join(', ')}], expected 2 or 3 coordinates but found: [${values.length}]`,
    )
  return [numbers[1]!, numbers[0]!]
}

function checkZ(value: unknown, ignoreZ: boolean): void {
  if (value === undefined || ignoreZ) return
  throw parseError(
    `Exception parsing coordinates: found Z value [${plainText(value)}] but [ignore_z_value] parameter is [false]`,
  )
}

function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value
  if (value instanceof JsonNumber) return value.value
  return undefined
}

function coordinate(value: unknown, name: string): number {
  const number = numberOf(value)
  if (number !== undefined) return number
  if (typeof value !== 'string') throw parseError(`${name} must be a number`)
  const parsed = value.trim() === '' ? Number.NaN : Number(value)
  if (Number.isNaN(parsed)) {
    throw parseError(`[${name}] must be a valid double value`, numberFormat(value))
  }
  return parsed
}

function parseObject(value: Record<string, unknown>, ignoreZ: boolean): GeoPoint {
  let latitude: number | undefined
  let longitude: number | undefined
  let geohash: string | undefined
  let coordinates: GeoPoint | undefined
  let type: string | undefined
  for (const [name, item] of Object.entries(value)) {
    if (name === 'lat') latitude = coordinate(item, 'latitude')
    else if (name === 'lon') longitude = coordinate(item, 'longitude')
    else if (name === 'z') checkZ(item, ignoreZ)
    else if (name === 'geohash') {
      if (typeof item !== 'string') throw parseError('geohash must be a string')
      geohash = item
    } else if (name === 'type') {
      if (typeof item !== 'string') throw parseError('type must be a string')
      type = item
    } else if (name === 'coordinates') {
      if (!Array.isArray(item)) throw parseError("GeoJSON 'coordinates' must be an array")
      coordinates = fromCoordinates(item, ignoreZ)
    } else throw parseError('field must be either [lon|lat], [type|coordinates], or [geohash]')
  }
  if (coordinates !== undefined || type !== undefined) {
    if (type?.toLowerCase() !== 'point')
      throw parseError(`GeoJSON type for geo_point can only be 'Point'. Value: ${type}`)
    if (coordinates === undefined) throw parseError("GeoJSON 'coordinates' must be set for a Point")
    return coordinates
  }
  if (geohash !== undefined) {
    if (latitude !== undefined || longitude !== undefined)
      throw parseError('field must be either lat/lon or geohash')
    return fromGeohash(geohash)
  }
  if (latitude === undefined) throw parseError('field [lat] missing')
  if (longitude === undefined) throw parseError('field [lon] missing')
  return [latitude, longitude]
}

const wellKnown = /^POINT\s*\(\s*([-+.\deE]+)\s+([-+.\deE]+)(?:\s+([-+.\deE]+))?\s*\)$/i

function parseText(text: string, ignoreZ: boolean): GeoPoint {
  if (/^\s*[a-z]+\s*\(/i.test(text)) {
    const match = wellKnown.exec(text.trim())
    if (match === null)
      throw parseError(
        `[geo_point] supports only POINT among WKT primitives, but found ${text.split('(')[0]!.trim()}`,
      )
    checkZ(match[3], ignoreZ)
    return [Number(match[2]), Number(match[1])]
  }
  if (!text.includes(',')) return fromGeohash(text)
  const parts = text.split(',')
  if (parts.length > 3) {
    throw parseError(`failed to parse [${text}], expected 2 or 3 coordinates but found: [${parts.length}]`)
  }
  checkZ(parts[2], ignoreZ)
  return [coordinate(parts[0]!.trim(), 'latitude'), coordinate(parts[1]!.trim(), 'longitude')]
}

const base32 = '0123456789bcdefghjkmnpqrstuvwxyz'

/** Which corner of a geohash cell is meant; a point is the one with the lowest coordinates. */
export interface CellCorner {
  readonly isTop: boolean
  readonly isRight: boolean
}

export function fromGeohash(hash: string, corner: CellCorner = { isTop: false, isRight: false }): GeoPoint {
  let bits = 0
  const cell = { latitude: [-90, 90] as [number, number], longitude: [-180, 180] as [number, number] }
  for (const letter of hash.toLowerCase().slice(0, 12)) {
    const index = base32.indexOf(letter)
    if (index === -1) {
      const reason = `unsupported symbol [${letter}] in geohash [${hash}]`
      throw parseError(reason, illegalArgument(reason))
    }
    for (let bit = 16; bit > 0; bit >>= 1) {
      const range = bits++ % 2 === 0 ? cell.longitude : cell.latitude
      const middle = (range[0] + range[1]) / 2
      range[(index & bit) === 0 ? 1 : 0] = middle
    }
  }
  if (hash === '') throw parseError('empty geohash')
  return [cell.latitude[corner.isTop ? 1 : 0], cell.longitude[corner.isRight ? 1 : 0]]
}

export function isOnEarth([latitude, longitude]: GeoPoint): boolean {
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180
}

/** Wraps coordinates around the globe, also over the poles. */
export function normalizePoint([latitude, longitude]: GeoPoint): GeoPoint | undefined {
  if (!Number.isFinite(latitude) || !Number.isFinite(longitude)) return undefined
  let lat = (((latitude % 360) + 540) % 360) - 180
  let lon = longitude
  if (Math.abs(lat) > 90) {
    lat = Math.sign(lat) * 180 - lat
    lon += 180
  }
  lon = Math.abs(lon) <= 180 ? lon : (((lon % 360) + 540) % 360) - 180
  return [lat, lon]
}

/** A point with the names that requests use. */
export interface LatLon {
  readonly lat: number
  readonly lon: number
}

/** Reads a point of a request in any notation, normalised to valid coordinates. */
export function readPoint(value: unknown): LatLon {
  const given = parseGeoPoint(value)
  const [lat, lon] = isOnEarth(given) ? given : (normalizePoint(given) ?? given)
  return { lat, lon }
}
