/**
 * Queries that score documents by a stored value alone: `distance_feature` by the distance to an origin,
 * `rank_feature` by the value itself.
 */

import { arcDistance } from '../../../geo/geo-distance.ts'
import type { LatLon } from '../../../geo/geo-point.ts'
import { javaDouble } from '../../../request/java-text.ts'
import { inRanges } from '../../../scheduling/step-size.ts'
import { finish, type Steps } from '../../../scheduling/steps.ts'
import { featureBits, featureOfBits } from '../../../segment/encoding/feature-value.ts'
import type { LeafReader } from '../../../segment/segment.ts'
import { DocSet } from '../doc-set.ts'
import { type Explanation, explained, floatText, unmatched } from '../explanation.ts'
import { Query, type ScoredDocs, type SearchScope, Weight } from '../query.ts'

/** The score before the boost; called only for documents that have a value. */
type ScoreOf = (leaf: LeafReader) => (doc: number) => number

abstract class FeatureQuery extends Query {
  readonly field: string

  constructor(field: string) {
    super()
    this.field = field
  }

  protected abstract scoring(scope: SearchScope): ScoreOf

  /** As Lucene explains a score. */
  abstract explained(
    scope: SearchScope,
    leaf: LeafReader,
    doc: number,
    score: number,
    boost: number,
  ): Explanation

  /** As Lucene explains that there is none. */
  missing(doc: number): string {
    return `Document ${doc} doesn't have a value for field ${this.field}`
  }

  weight(scope: SearchScope, boost: number): Weight {
    return new FeatureWeight(scope, this, boost, this.scoring(scope))
  }
}

class FeatureWeight extends Weight {
  readonly #query: FeatureQuery
  readonly #boost: number
  readonly #scoreOf: ScoreOf

  constructor(scope: SearchScope, query: FeatureQuery, boost: number, scoreOf: ScoreOf) {
    super(scope)
    this.#query = query
    this.#boost = boost
    this.#scoreOf = scoreOf
  }

  cost(leaf: LeafReader): number {
    return leaf.segment.fields.get(this.#query.field)?.docCount ?? 0
  }

  protected find(leaf: LeafReader): DocSet {
    const size = leaf.segment.docCount
    const field = leaf.segment.fields.get(this.#query.field)
    if (field === undefined) return DocSet.none(size)
    return field.present === null ? DocSet.all(size) : DocSet.ofBits(field.present)
  }

  score(leaf: LeafReader, within: DocSet | null): ScoredDocs {
    const found = this.matches(leaf)
    const docs = (within === null ? found : found.and(within)).array()
    const scores = new Float32Array(docs.length)
    if (docs.length === 0) return { docs, scores }
    const scoreOf = this.#scoreOf(leaf)
    for (let i = 0; i < docs.length; i++) {
      if ((i & 0x3fff) === 0x3fff) this.scope.check()
      scores[i] = this.#boost * scoreOf(docs[i]!)
    }
    return { docs, scores }
  }

  explain(leaf: LeafReader, doc: number): Explanation {
    const score = this.scoreOf(leaf, doc)
    if (score === undefined) return unmatched(this.#query.missing(doc))
    return this.#query.explained(this.scope, leaf, doc, score, this.#boost)
  }
}

/**
 * Scores `boost * pivot / (pivot + distance)`, half the boost at the pivot; the nearest of several values
 * counts.
 */
export class DistanceFeatureQuery extends FeatureQuery {
  readonly #origin: number | LatLon
  readonly #pivot: number
  readonly #isNanos: boolean

  constructor(field: string, origin: number | LatLon, pivot: number, isNanos = false) {
    super(field)
    this.#isNanos = isNanos
    this.#origin = origin
    this.#pivot = pivot
  }

  protected scoring(): ScoreOf {
    const pivot = this.#pivot
    return (leaf) => {
      const distance = distances(leaf, this.field, this.#origin)
      return (doc) => pivot / (pivot + distance(doc))
    }
  }

  explained(_scope: SearchScope, leaf: LeafReader, doc: number, score: number, boost: number): Explanation {
    const origin = this.#origin
    const field = leaf.segment.fields.get(this.field)!
    const head = [explained(boost, 'weight'), whole(this.#pivot, 'pivotDistance')]
    if (typeof origin === 'number' && this.#isNanos) {
      const [pivot, start] = this.#nanos(origin)
      const { exact } = field.numbers!
      const from = field.numbers!.starts === null ? doc : field.numbers!.starts[doc]!
      const to = field.numbers!.starts === null ? doc + 1 : field.numbers!.starts[doc + 1]!
      const gap = (nanos: bigint) => (nanos > start ? nanos - start : start - nanos)
      let best = exact?.[from] ?? 0n
      for (let at = from + 1; at < to; at++) if (gap(exact![at]!) < gap(best)) best = exact![at]!
      return explained(
        score,
        `Distance score, computed as weight * pivotDistance / (pivotDistance + abs(value - origin)) from:`,
        [
          explained(boost, 'weight'),
          whole(pivot, 'pivotDistance'),
          whole(start, 'origin'),
          whole(best, 'current value'),
        ],
      )
    }
    if (typeof origin === 'number') {
      const value = nearest(field.numbers!, doc, (number) => Math.abs(number - origin))
      return explained(
        score,
        `Distance score, computed as weight * pivotDistance / (pivotDistance + abs(value - origin)) from:`,
        [...head, whole(origin, 'origin'), whole(value, 'current value')],
      )
    }
    const { starts, latitudes, longitudes } = field.points!
    const distanceAt = (at: number) => arcDistance(origin.lat, origin.lon, latitudes[at]!, longitudes[at]!)
    const [from, to] = starts === null ? [doc, doc + 1] : [starts[doc]!, starts[doc + 1]!]
    let best = from
    for (let at = from + 1; at < to; at++) if (distanceAt(at) < distanceAt(best)) best = at
    return explained(
      score,
      `Distance score, computed as weight * pivotDistance / (pivotDistance + abs(distance)) from:`,
      [
        ...head,
        whole(origin.lat, 'originLat'),
        whole(origin.lon, 'originLon'),
        whole(latitudes[best]!, 'current lat'),
        whole(longitudes[best]!, 'current lon'),
        whole(distanceAt(best), 'distance'),
      ],
    )
  }

  toString(): string {
    const origin = this.#origin
    if (typeof origin !== 'number') {
      const [lat, lon] = [javaDouble(origin.lat), javaDouble(origin.lon)]
      return `LatLonPointDistanceFeatureQuery(field=,originLat=${lat},originLon=${lon},pivotDistance=${javaDouble(this.#pivot)})`
    }
    const [pivot, start] = this.#isNanos ? this.#nanos(origin) : [this.#pivot, origin]
    return `LongDistanceFeatureQuery(field=,origin=${start},pivotDistance=${pivot})`
  }

  /** Pivot and origin in nanoseconds. An origin that was rounded up ends with nines there too. */
  #nanos(origin: number): readonly [bigint, bigint] {
    const finer = origin % 1000 === 999 ? 999_999n : 0n
    return [BigInt(this.#pivot) * 1_000_000n, BigInt(origin) * 1_000_000n + finer]
  }
}

function distances(leaf: LeafReader, name: string, origin: number | LatLon): (doc: number) => number {
  const field = leaf.segment.fields.get(name)!
  const column = typeof origin === 'number' ? field.numbers : field.points
  if (column === null) return () => Number.POSITIVE_INFINITY
  const { numbers, points } = field
  const at =
    typeof origin === 'number'
      ? (place: number) => Math.abs(numbers!.values[place]! - origin)
      : (place: number) =>
          arcDistance(origin.lat, origin.lon, points!.latitudes[place]!, points!.longitudes[place]!)
  const { starts } = column
  if (starts === null) return at
  return (doc) => {
    let min = Number.POSITIVE_INFINITY
    for (let place = starts[doc]!; place < starts[doc + 1]!; place++) min = Math.min(min, at(place))
    return min
  }
}

export type RankFunction =
  | { readonly kind: 'saturation'; readonly pivot: number | undefined }
  | { readonly kind: 'log'; readonly scalingFactor: number }
  | { readonly kind: 'sigmoid'; readonly pivot: number; readonly exponent: number }
  | { readonly kind: 'linear' }

export class RankFeatureQuery extends FeatureQuery {
  readonly #function: RankFunction
  readonly #means = new WeakMap<SearchScope, number>()

  constructor(field: string, rank: RankFunction) {
    super(field)
    this.#function = rank
  }

  /** When no pivot is given, the mean of all values becomes the pivot. */
  override *expandTerms(scope: SearchScope): Steps<void> {
    if (this.#function.kind !== 'saturation' || this.#function.pivot !== undefined || this.#means.has(scope))
      return
    this.#means.set(scope, yield* meanFeature(scope, this.field))
  }

  #mean(scope: SearchScope): number {
    finish(this.expandTerms(scope))
    return this.#means.get(scope)!
  }

  override rewritten(scope: SearchScope): Query {
    const rank = this.#function
    if (rank.kind !== 'saturation' || rank.pivot !== undefined) return this
    return new RankFeatureQuery(this.field, { kind: 'saturation', pivot: this.#mean(scope) })
  }

  protected scoring(scope: SearchScope): ScoreOf {
    const score = this.#curve(scope)
    return (leaf) => {
      const { numbers } = leaf.segment.fields.get(this.field)!
      if (numbers === null) return () => 0
      const { starts, values } = numbers
      return (doc) => score(values[starts === null ? doc : starts[doc]!]!)
    }
  }

  #curve(scope: SearchScope): (value: number) => number {
    const rank = this.#function
    switch (rank.kind) {
      case 'linear':
        return (value) => value
      case 'log':
        return (value) => Math.log(rank.scalingFactor + value)
      case 'sigmoid': {
        const middle = rank.pivot ** rank.exponent
        return (value) => value ** rank.exponent / (value ** rank.exponent + middle)
      }
      case 'saturation': {
        const pivot = rank.pivot ?? this.#mean(scope)
        return (value) => value / (value + pivot)
      }
    }
  }

  override missing(doc: number): string {
    return `weight(${this} in ${doc}) [${functionText(this.#function)}]. Feature ${this.field} isn't set.`
  }

  explained(scope: SearchScope, leaf: LeafReader, doc: number, score: number, boost: number): Explanation {
    const rank = this.#function
    const value = nearest(leaf.segment.fields.get(this.field)!.numbers!, doc, (number) => -number)
    const on = `function on the _feature field for the ${this.field} feature, computed as`
    const weight = explained(boost, 'w, weight of this function')
    const feature = explained(value, 'S, feature value')
    switch (rank.kind) {
      case 'log':
        return explained(score, `Log ${on} w * log(a + S) from:`, [
          weight,
          explained(rank.scalingFactor, 'a, scaling factor'),
          feature,
        ])
      case 'sigmoid':
        return explained(score, `Sigmoid ${on} w * S^a / (S^a + k^a) from:`, [
          weight,
          explained(rank.pivot, 'k, pivot feature value that would give a score contribution equal to w/2'),
          explained(
            rank.exponent,
            'a, exponent, higher values make the function grow slower before k and faster after k',
          ),
          feature,
        ])
      case 'saturation':
        return explained(score, `Saturation ${on} w * S / (S + k) from:`, [
          weight,
          explained(
            rank.pivot ?? this.#mean(scope),
            'k, pivot feature value that would give a score contribution equal to w/2',
          ),
          feature,
        ])
      default:
        return explained(score, `Linear ${on} w * S from:`, [weight, feature])
    }
  }

  toString(): string {
    return `FeatureQuery(field=_feature, feature=${this.field}, function=${functionText(this.#function)})`
  }
}

/** A number that is no float. */
function whole(value: number | bigint, description: string): Explanation {
  const exact = typeof value === 'bigint' ? { exact: value } : {}
  return { matched: true, value: Number(value), ...exact, description, details: [] }
}

/** The value of a document for which `distance` is least. */
function nearest(
  { starts, values }: { readonly starts: ArrayLike<number> | null; readonly values: ArrayLike<number> },
  doc: number,
  distance: (value: number) => number,
): number {
  const [from, to] = starts === null ? [doc, doc + 1] : [starts[doc]!, starts[doc + 1]!]
  let best = values[from]!
  for (let at = from + 1; at < to; at++) if (distance(values[at]!) < distance(best)) best = values[at]!
  return best
}

function functionText(rank: RankFunction): string {
  switch (rank.kind) {
    case 'log':
      return `LogFunction(scalingFactor=${floatText(rank.scalingFactor)})`
    case 'sigmoid':
      return `SigmoidFunction(pivot=${floatText(rank.pivot)}, a=${floatText(rank.exponent)})`
    case 'saturation':
      return `SaturationFunction(pivot=${rank.pivot === undefined ? 'null' : floatText(rank.pivot)})`
    default:
      return 'LinearFunction'
  }
}

/**
 * The mean of the values' float bits, which approximates their geometric mean, as Lucene's FeatureField
 * computes it.
 */
function* meanFeature(scope: SearchScope, name: string): Steps<number> {
  let sum = 0
  let count = 0
  for (const { segment } of scope.statistics.leaves) {
    const numbers = segment.fields.get(name)?.numbers
    const present = segment.fields.get(name)?.present ?? null
    if (numbers === undefined || numbers === null) continue
    const { starts, values } = numbers
    yield* inRanges(starts === null ? segment.docCount : values.length, (from, to) => {
      for (let place = from; place < to; place++) {
        if (starts === null && present !== null && !present.has(place)) continue
        sum += featureBits(values[place]!)
        count++
      }
    })
  }
  return count === 0 ? 1 : featureOfBits(Math.floor(sum / count))
}
