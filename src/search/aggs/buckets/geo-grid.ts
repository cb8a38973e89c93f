/** `geohash_grid` and `geotile_grid`: points by the grid cell they are in. */

import type { SearchLeaf } from '../../collect/sort/sort-key.ts'
import { readDistance } from '../../geo/distance-units.ts'
import { readPoint } from '../../geo/geo-point.ts'
import { illegalArgument } from '../../request/errors.ts'
import { isObject, type JsonObject } from '../../request/request-values.ts'
import type { Steps } from '../../scheduling/steps.ts'
import { GrowingFloat64 } from '../../segment/encoding/growing-array.ts'
import type { AggKind } from '../agg-kind.ts'
import type { AggOptions } from '../agg-options.ts'
import type { Batch } from '../batch.ts'
import { firstBuckets } from '../bucket-order.ts'
import type { KeyBatch, KeySource } from '../values/key-source.ts'
import { type PairSource, pointSource } from '../values/pair-source.ts'
import { TextKeySource } from '../values/text-key-source.ts'
import { type BoundField, bindField, readValueOptions } from '../values/value-field.ts'
import { SelectedBuckets } from './selected-buckets.ts'
import { KeyBuckets } from './terms.ts'

type Grid = 'geohash_grid' | 'geotile_grid'

const digits = '0123456789bcdefghjkmnpqrstuvwxyz'

/** Interleaves the bits of longitude and latitude, longitude first; five bits make a base-32 digit. */
function geohash(latitude: number, longitude: number, precision: number): string {
  let [south, north, west, east] = [-90, 90, -180, 180]
  let hash = ''
  let isLongitude = true
  for (let digit = 0; digit < precision; digit++) {
    let value = 0
    for (let bit = 0; bit < 5; bit++) {
      if (isLongitude) {
        const middle = (west + east) / 2
        value = value * 2 + (longitude >= middle ? 1 : 0)
        if (longitude >= middle) west = middle
        else east = middle
      } else {
        const middle = (south + north) / 2
        value = value * 2 + (latitude >= middle ? 1 : 0)
        if (latitude >= middle) south = middle
        else north = middle
      }
      isLongitude = !isLongitude
    }
    hash += digits[value]
  }
  return hash
}

/** The Web Mercator tile `zoom/x/y`. */
function geotile(latitude: number, longitude: number, zoom: number): string {
  const tiles = 2 ** zoom
  const x = Math.floor(((longitude + 180) / 360) * tiles)
  const sine = Math.sin((latitude * Math.PI) / 180)
  const y = Math.floor((0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * tiles)
  const within = (place: number) => Math.min(Math.max(place, 0), tiles - 1)
  return `${zoom}/${within(x)}/${within(y)}`
}

const ranges = {
  geohash_grid: { min: 1, max: 12, standard: 5 },
  geotile_grid: { min: 0, max: 29, standard: 7 },
} as const

/** The height of a geohash cell in metres, by length of the hash. */
const cellHeights = [5_009_400, 625_100, 156_500, 19_600, 4_900, 610, 153, 19.1, 4.78, 0.596, 0.149, 0.0199]

export function readPrecision(options: AggOptions, grid: Grid): number {
  const given = options.raw('precision')
  const { min, max, standard } = ranges[grid]
  if (given === undefined) return standard
  let precision: number
  if (typeof given === 'string' && !/^\d+$/.test(given.trim()) && grid === 'geohash_grid') {
    const meters = readDistance(given)
    const at = cellHeights.findIndex((height) => height <= meters)
    precision = at === -1 ? cellHeights.length : at + 1
  } else precision = options.int('precision')!
  if (precision < min || precision > max) {
    throw options.failed(
      'precision',
      illegalArgument(
        grid === 'geohash_grid'
          ? `Invalid geohash aggregation precision of ${precision}. Must be between 1 and 12.`
          : `Invalid geotile_grid precision of ${precision}. Must be between 0 and 29.`,
      ),
    )
  }
  return precision
}

interface Box {
  readonly top: number
  readonly left: number
  readonly bottom: number
  readonly right: number
}

function readBox(json: JsonObject): Box {
  const corner = (name: string) => (Object.hasOwn(json, name) ? readPoint(json[name]) : undefined)
  const side = (name: string) => (Object.hasOwn(json, name) ? Number(json[name]) : undefined)
  const topLeft = corner('top_left')
  const bottomRight = corner('bottom_right')
  const topRight = corner('top_right')
  const bottomLeft = corner('bottom_left')
  const top = topLeft?.lat ?? topRight?.lat ?? side('top')
  const left = topLeft?.lon ?? bottomLeft?.lon ?? side('left')
  const bottom = bottomRight?.lat ?? bottomLeft?.lat ?? side('bottom')
  const right = bottomRight?.lon ?? topRight?.lon ?? side('right')
  if (top === undefined || left === undefined || bottom === undefined || right === undefined) {
    throw illegalArgument('failed to parse bounding box')
  }
  return { top, left, bottom, right }
}

function isInside({ top, left, bottom, right }: Box, latitude: number, longitude: number): boolean {
  if (latitude > top || latitude < bottom) return false
  // A box whose left edge is east of its right edge crosses the antimeridian.
  return left <= right ? longitude >= left && longitude <= right : longitude >= left || longitude <= right
}

/** Grid cells as bucket keys. */
class GridKeys extends TextKeySource implements KeySource {
  readonly field: BoundField
  readonly #source: PairSource
  readonly #cell: (latitude: number, longitude: number) => string
  readonly #box: Box | undefined
  /** The columns of tiles, by key. */
  readonly #columns = new GrowingFloat64()
  readonly #rows = new GrowingFloat64()

  constructor(
    field: BoundField,
    cell: (latitude: number, longitude: number) => string,
    box: Box | undefined,
  ) {
    super()
    this.field = field
    this.#source = pointSource(field)
    this.#cell = cell
    this.#box = box
  }

  override keyOf(given: unknown): number {
    const before = this.size
    const id = super.keyOf(given)
    if (id === before) {
      const [, column = '', row = ''] = String(given).split('/')
      this.#columns.push(Number(column))
      this.#rows.push(row === '' ? -1 : Number(row))
    }
    return id
  }

  read(batch: Batch): KeyBatch {
    const docs: number[] = []
    const owners: number[] = []
    const keys: number[] = []
    let last = -1
    let first = -1
    let more: Set<number> | undefined
    this.#source.read(batch, (doc, owner, latitude, longitude, entry) => {
      if (this.#box !== undefined && !isInside(this.#box, latitude, longitude)) return
      const key = this.keyOf(this.#cell(latitude, longitude))
      if (entry !== last) {
        last = entry
        first = key
        more = undefined
      } else {
        if (key === first || more?.has(key) === true) return
        more ??= new Set()
        more.add(key)
      }
      docs.push(doc)
      owners.push(owner)
      keys.push(key)
    })
    return {
      leaf: batch.leaf,
      docs: Uint32Array.from(docs),
      owners: Uint32Array.from(owners),
      keys: Uint32Array.from(keys),
      length: docs.length,
    }
  }

  *addAll(_leaf: SearchLeaf): Steps<void> {}

  /** Orders tiles by column and row, and geohashes as texts. */
  compare(one: number, other: number): number {
    const row = this.#rows.at(one)
    if (row !== -1) {
      return this.#columns.at(one) - this.#columns.at(other) || row - Math.max(0, this.#rows.at(other))
    }
    const left = this.text(one)
    const right = this.text(other)
    return left < right ? -1 : left > right ? 1 : 0
  }
}

export function gridKeys(grid: Grid, field: BoundField, precision: number, box?: Box): KeySource {
  const cell = grid === 'geohash_grid' ? geohash : geotile
  return new GridKeys(field, (latitude, longitude) => cell(latitude, longitude, precision), box)
}

function gridKind(name: Grid): AggKind {
  return {
    name,
    parse(options) {
      const values = readValueOptions(options)
      const precision = readPrecision(options, name)
      const size = options.int('size') ?? 10_000
      options.int('shard_size')
      const bounds = options.raw('bounds')
      options.done()
      if (size <= 0) {
        throw illegalArgument(`[size] must be greater than 0. Found [${size}] in [${options.aggregation}]`)
      }
      const box = isObject(bounds) ? readBox(bounds) : undefined
      return (context, createSub) => {
        const field = bindField(values, ['geo_point'], name, options.aggregation, context)
        const buckets = new KeyBuckets(gridKeys(name, field, precision, box), createSub(context))
        const { ids, counts, source } = buckets
        const compare = (one: number, other: number) =>
          counts.at(other) - counts.at(one) || source.compare(ids.key(other), ids.key(one))
        return new SelectedBuckets(buckets, {
          typedName: name,
          *choose(owner) {
            const chosen = yield* firstBuckets(yield* ids.ofSteps(owner), size, { compare })
            context.budget.add(chosen.length)
            return chosen
          },
        })
      }
    },
  }
}

export const geohashGridKind = gridKind('geohash_grid')
export const geotileGridKind = gridKind('geotile_grid')
