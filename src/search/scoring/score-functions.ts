/**
 * The functions of `function_score`: each returns a number per document, from doc values, a geo distance or a random
 * number. A function is bound to a leaf once and then called per document.
 */

import { javaHash } from '../../text/java-hash.ts'
import { murmur3Number } from '../../text/murmur3.ts'
import { arcDistance } from '../geo/geo-distance.ts'
import type { LatLon } from '../geo/geo-point.ts'
import { illegalArgument } from '../request/errors.ts'
import { javaDouble } from '../request/java-text.ts'
import { SearchError } from '../request/search-error.ts'
import type { LeafReader } from '../segment/segment.ts'

export type ScoreFunction = (leaf: LeafReader) => BoundFunction

export interface BoundFunction {
  (doc: number, score: number): number
  /**
   * Writes the results of many documents, where that costs less than a call for each. Those that are negative or NaN
   * have to be asked one by one.
   */
  all?(docs: Uint32Array, scores: Float32Array, results: Float64Array): void
}

export type Modifier =
  | 'none'
  | 'log'
  | 'log1p'
  | 'log2p'
  | 'ln'
  | 'ln1p'
  | 'ln2p'
  | 'square'
  | 'sqrt'
  | 'reciprocal'

const modifiers: Readonly<Record<Modifier, (value: number) => number>> = {
  none: (value) => value,
  log: Math.log10,
  log1p: (value) => Math.log10(value + 1),
  log2p: (value) => Math.log10(value + 2),
  ln: Math.log,
  ln1p: Math.log1p,
  ln2p: (value) => Math.log1p(value + 1),
  square: (value) => value * value,
  sqrt: Math.sqrt,
  reciprocal: (value) => 1 / value,
}

export type ValueMode = 'min' | 'max' | 'avg' | 'sum'

/** Returns the document's value, or NaN without one. */
export function numberOf(leaf: LeafReader, field: string, mode: ValueMode): (doc: number) => number {
  const column = leaf.segment.fields.get(field)
  const numbers = column?.numbers
  if (column === undefined || numbers === undefined || numbers === null) return () => Number.NaN
  const { starts, values } = numbers
  const { present } = column
  return (doc) => {
    if (starts === null) return present === null || present.has(doc) ? values[doc]! : Number.NaN
    const from = starts[doc]!
    const to = starts[doc + 1]!
    if (from === to) return Number.NaN
    if (mode === 'min') return values[from]!
    if (mode === 'max') return values[to - 1]!
    let sum = 0
    for (let at = from; at < to; at++) sum += values[at]!
    return mode === 'avg' ? sum / (to - from) : sum
  }
}

interface FieldValueFactor {
  readonly field: string
  readonly factor: number
  readonly modifier: Modifier
  readonly missing: number | undefined
  /** The scaling factor that values of the column are divided by. */
  readonly divisor: number
}

export function fieldValueFactor({
  field,
  factor,
  modifier,
  missing,
  divisor,
}: FieldValueFactor): ScoreFunction {
  return (leaf) => {
    const value = numberOf(leaf, field, 'min')
    return (doc) => {
      let number = value(doc) / divisor
      if (Number.isNaN(number)) {
        if (missing === undefined) {
          throw new SearchError('exception', `Missing value for field [${field}]`, { status: 500 })
        }
        number = missing
      }
      const result = modifiers[modifier](number * factor)
      if (!(result >= 0)) {
        throw illegalArgument(
          `field value function must not produce negative scores, but got: [${javaDouble(result)}] for field value: [${javaDouble(number)}]`,
        )
      }
      return result
    }
  }
}

/**
 * Uniform in [0, 1); stable for a seed and a value, or a seed and a document number. The numbers are those of
 * OpenSearch, which salts the seed with the index and hashes the text of the value; its salt of the shard is left out.
 */
export function randomScore(seed: number, field: string | undefined, index: string): ScoreFunction {
  const salted = mix((seed | 0) ^ (javaHash(index) << 10))
  const fraction = (hash: number) => (hash & 0xff_ffff) / 0x100_0000
  return (leaf) => {
    const { segment, base } = leaf
    if (field === undefined) return (doc) => fraction(mix((base + doc) ^ salted))
    if (field === '_seq_no') {
      const { seqNos } = segment
      const all = (docs: Uint32Array, _scores: Float32Array, results: Float64Array): void => {
        for (let i = 0; i < docs.length; i++) results[i] = fraction(murmur3Number(seqNos[docs[i]!]!, salted))
      }
      return Object.assign((doc: number) => fraction(murmur3Number(seqNos[doc]!, salted)), { all })
    }
    const value = numberOf(leaf, field, 'min')
    return (doc) => {
      const number = value(doc)
      return fraction(Number.isNaN(number) ? salted : murmur3Number(number, salted))
    }
  }
}

function mix(value: number): number {
  let hash = value
  hash = Math.imul(hash ^ (hash >>> 16), 0x85eb_ca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2_ae35)
  return hash ^ (hash >>> 16)
}

export type DecayShape = 'gauss' | 'exp' | 'linear'

/** The scale of the curve, as OpenSearch computes it from the scale of the user. */
export function decayScale(shape: DecayShape, scale: number, decay: number): number {
  if (shape === 'gauss') return (0.5 * scale * scale) / Math.log(decay)
  return shape === 'exp' ? Math.log(decay) / scale : scale / (1 - decay)
}

/** Returns the decay curve: 1 within `offset` of the origin, `decay` at `scale` beyond it. */
export function decayCurve(shape: DecayShape, scale: number, decay: number): (distance: number) => number {
  const factor = decayScale(shape, scale, decay)
  if (shape === 'gauss') return (distance) => Math.exp((0.5 * distance * distance) / factor)
  if (shape === 'exp') return (distance) => Math.exp(factor * distance)
  return (distance) => Math.max(0, (factor - distance) / factor)
}

export interface Decay {
  readonly field: string
  readonly origin: number | LatLon
  readonly offset: number
  readonly mode: ValueMode
  readonly divisor: number
  readonly curve: (distance: number) => number
}

/** Documents without a value score 1. */
export function decay({ field, origin, offset, mode, divisor, curve }: Decay): ScoreFunction {
  return (leaf) => {
    const distances =
      typeof origin === 'number'
        ? numberDistances(leaf, field, origin, divisor)
        : pointDistances(leaf, field, origin)
    return (doc) => {
      const [from, to] = distances.range(doc)
      if (from === to) return 1
      let result = mode === 'min' ? Number.POSITIVE_INFINITY : 0
      for (let at = from; at < to; at++) {
        const distance = Math.max(0, distances.at(at) - offset)
        if (mode === 'min') result = Math.min(result, distance)
        else if (mode === 'max') result = Math.max(result, distance)
        else result += distance
      }
      return curve(mode === 'avg' ? result / (to - from) : result)
    }
  }
}

interface Distances {
  /** Returns the range of the document's values in the column. */
  range(doc: number): readonly [number, number]
  at(place: number): number
}

interface NumberDistances extends Distances {
  valueAt(place: number): number
}

interface PointDistances extends Distances {
  pointAt(place: number): LatLon
}

const noDistances: Distances = { range: () => [0, 0], at: () => 0 }
const noNumbers: NumberDistances = { ...noDistances, valueAt: () => 0 }
const noPoints: PointDistances = { ...noDistances, pointAt: () => ({ lat: 0, lon: 0 }) }

function ranges(
  starts: Uint32Array | null,
  present: { has(doc: number): boolean } | null,
): (doc: number) => readonly [number, number] {
  if (starts !== null) return (doc) => [starts[doc]!, starts[doc + 1]!]
  return (doc) => (present === null || present.has(doc) ? [doc, doc + 1] : [0, 0])
}

/** How OpenSearch writes the distances of a document in explanations. */
export function distanceText(
  { field, origin, offset, mode, divisor }: Omit<Decay, 'curve'>,
  leaf: LeafReader,
  doc: number,
): string {
  const name = mode.toUpperCase()
  const offsetText = `${javaDouble(offset)}(=offset), 0)`
  if (typeof origin === 'number') {
    const { range, valueAt } = numberDistances(leaf, field, origin, divisor)
    const texts = placesOf(range(doc)).map(
      (place) =>
        `Math.max(Math.abs(${javaDouble(valueAt(place))}(=doc value) - ${javaDouble(origin)}(=origin))) - ${offsetText}`,
    )
    return `${name}[${texts.length === 0 ? '0.0' : texts.join(', ')}]`
  }
  const { range, pointAt } = pointDistances(leaf, field, origin)
  const texts = placesOf(range(doc)).map((place) => {
    const [from, to] = [pointAt(place), origin].map(
      ({ lat, lon }) => `${javaDouble(lat)}, ${javaDouble(lon)}`,
    )
    return `Math.max(arcDistance(${from}(=doc value),${to}(=origin)) - ${offsetText}`
  })
  return `${name} of: [${texts.length === 0 ? '0.0' : texts.join(', ')}]`
}

function placesOf([from, to]: readonly [number, number]): number[] {
  return Array.from({ length: to - from }, (_, at) => from + at)
}

function numberDistances(leaf: LeafReader, field: string, origin: number, divisor: number): NumberDistances {
  const column = leaf.segment.fields.get(field)
  const numbers = column?.numbers
  if (column === undefined || numbers === undefined || numbers === null) return noNumbers
  const { values } = numbers
  const valueAt = (place: number) => values[place]! / divisor
  return {
    range: ranges(numbers.starts, column.present),
    valueAt,
    at: (place) => Math.abs(valueAt(place) - origin),
  }
}

function pointDistances(leaf: LeafReader, field: string, origin: LatLon): PointDistances {
  const column = leaf.segment.fields.get(field)
  const points = column?.points
  if (column === undefined || points === undefined || points === null) return noPoints
  const { latitudes, longitudes } = points
  return {
    range: ranges(points.starts, column.present),
    pointAt: (place) => ({ lat: latitudes[place]!, lon: longitudes[place]! }),
    at: (place) => arcDistance(origin.lat, origin.lon, latitudes[place]!, longitudes[place]!),
  }
}
