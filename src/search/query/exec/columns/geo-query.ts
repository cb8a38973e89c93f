/**
 * Geo queries over a point field's doc values: points within a distance, a box or a polygon. Distances are
 * arcs on a sphere, in metres.
 */
import { arcDistance, degreesOf, planeDistance } from '../../../geo/geo-distance.ts'
import type { LatLon } from '../../../geo/geo-point.ts'
import { javaDouble } from '../../../request/java-text.ts'
import type { LeafReader } from '../../../segment/segment.ts'
import type { Query } from '../query.ts'
import { fieldTest, type LuceneTexts, PredicateQuery } from './predicate-query.ts'

/** A document matches when any of its points passes the test. */
function pointQuery(
  field: string,
  test: (lat: number, lon: number) => boolean,
  text: string,
  lucene: LuceneTexts,
): Query {
  const tester = (leaf: LeafReader): ((doc: number) => boolean) => {
    const column = leaf.segment.fields.get(field)
    const points = column?.points
    if (column === undefined || points === undefined || points === null) return () => false
    const { starts, latitudes, longitudes } = points
    const { present } = column
    return (doc) => {
      if (starts === null) {
        return (present === null || present.has(doc)) && test(latitudes[doc]!, longitudes[doc]!)
      }
      for (let at = starts[doc]!; at < starts[doc + 1]!; at++) {
        if (test(latitudes[at]!, longitudes[at]!)) return true
      }
      return false
    }
  }
  return new PredicateQuery(
    {
      ...fieldTest(field, tester),
      isWhole({ segment }) {
        const { latitudes = [], longitudes = [] } = segment.fields.get(field)?.points ?? {}
        for (let at = 0; at < latitudes.length; at++) if (!test(latitudes[at]!, longitudes[at]!)) return false
        return true
      },
    },
    `${field}:${text}`,
    JSON.stringify(['point', field, text]),
    lucene,
  )
}

export function geoDistanceQuery(field: string, centre: LatLon, metres: number, plane = false): Query {
  const distance = plane ? planeDistance : arcDistance
  // Comparing latitudes first rejects most points without trigonometry.
  const band = degreesOf(metres) * 1.001
  return pointQuery(
    field,
    (lat, lon) => Math.abs(lat - centre.lat) <= band && distance(centre.lat, centre.lon, lat, lon) <= metres,
    `${centre.lat},${centre.lon} +/- ${metres} meters`,
    {
      index: `${field}:${javaDouble(centre.lat)},${javaDouble(centre.lon)} +/- ${javaDouble(metres)} meters`,
      values: `${field}:INTERSECTS:geometries([Circle([${javaDouble(centre.lat)},${javaDouble(centre.lon)}] radius = ${javaDouble(metres)} meters)])`,
    },
  )
}

interface GeoBox {
  readonly top: number
  readonly left: number
  readonly bottom: number
  readonly right: number
}

/** A box whose left edge is east of its right edge crosses the antimeridian. */
export function geoBoxQuery(field: string, { top, left, bottom, right }: GeoBox): Query {
  const wraps = left > right
  return pointQuery(
    field,
    (lat, lon) =>
      lat <= top && lat >= bottom && (wraps ? lon >= left || lon <= right : lon >= left && lon <= right),
    `[${bottom} TO ${top}],[${left} TO ${right}]`,
    boxTexts(field, { top, left, bottom, right }),
  )
}

const latitudeStep = 180 / 2 ** 32
const longitudeStep = 360 / 2 ** 32
const maxEncoded = 2 ** 31 - 1

/** The coordinates that Lucene stores: whole steps, inside of the box. */
function boxTexts(field: string, { top, left, bottom, right }: GeoBox): LuceneTexts {
  const inside = (degrees: number, step: number, round: (value: number) => number) =>
    javaDouble(Math.min(maxEncoded, round(degrees / step)) * step)
  const [minLat, maxLat] = [inside(bottom, latitudeStep, Math.ceil), inside(top, latitudeStep, Math.floor)]
  const [minLon, maxLon] = [inside(left, longitudeStep, Math.ceil), inside(right, longitudeStep, Math.floor)]
  const ofIndex = (from: string, to: string) => `${field}:[${minLat} TO ${maxLat}],[${from} TO ${to}]`
  // A box over the antimeridian is two.
  const index =
    left > right
      ? `ConstantScore(${ofIndex('-180.0', maxLon)} ${ofIndex(minLon, inside(180, longitudeStep, Math.floor))})`
      : ofIndex(minLon, maxLon)
  return {
    index,
    values: `${field}:box(minLat=${minLat}, maxLat=${maxLat}, minLon=${minLon}, maxLon=${maxLon})`,
    isRange: true,
    ...(left <= right && { whole: `FieldExistsQuery [field=${field}]` }),
  }
}

/** Tests by the even-odd rule whether a point lies inside the polygon. */
export function geoPolygonQuery(field: string, corners: readonly LatLon[]): Query {
  const inside = (lat: number, lon: number): boolean => {
    let odd = false
    for (let i = 0, j = corners.length - 1; i < corners.length; j = i++) {
      const a = corners[i]!
      const b = corners[j]!
      if (a.lat > lat !== b.lat > lat && lon < ((b.lon - a.lon) * (lat - a.lat)) / (b.lat - a.lat) + a.lon) {
        odd = !odd
      }
    }
    return odd
  }
  const closed = [...corners, corners[0]!]
  const polygon = `Polygon${closed.map(({ lat, lon }) => `[${javaDouble(lat)}, ${javaDouble(lon)}] `).join('')}`
  return pointQuery(field, inside, corners.map(({ lat, lon }) => `[${lat}, ${lon}]`).join(' '), {
    index: `LatLonPointQuery: field=${field}:[${polygon},]`,
    values: `${field}:INTERSECTS:geometries([${polygon}])`,
  })
}
