/** `composite`: all combinations of the values of its sources, in pages by `after`. */

import { illegalArgument } from '../../request/errors.ts'
import { javaText } from '../../request/java-text.ts'
import { failedField } from '../../request/object-shape.ts'
import { isObject, type JsonObject, tokenKind } from '../../request/request-values.ts'
import { SearchError } from '../../request/search-error.ts'
import type { Steps } from '../../scheduling/steps.ts'
import type { AggKind } from '../agg-kind.ts'
import type { AggOptions } from '../agg-options.ts'
import type { AggContext, SubAggregators } from '../aggregator.ts'
import { firstBuckets } from '../bucket-order.ts'
import type { AggBucket, AggResult, AggResults } from '../result.ts'
import { filterSteps } from '../sort-steps.ts'
import type { KeySource } from '../values/key-source.ts'
import { afterKey, checkAfter } from './after-key.ts'
import { bucketOf, bucketSteps } from './bucket.ts'
import { CombinationAggregator } from './combination-aggregator.ts'
import { type CompositeSource, readSource } from './composite-source.ts'

interface BoundSource extends CompositeSource {
  readonly keys: KeySource
}

/** The only entry of an object. */
function only(options: AggOptions, json: JsonObject): [string, unknown] {
  const [first, second] = Object.keys(json)
  if (first === undefined || second !== undefined) {
    const { line, col } =
      second === undefined ? options.places.source.endOf(json) : options.places.source.ofName(json, second)
    const [wanted, found] = second === undefined ? ['FIELD_NAME', 'END_OBJECT'] : ['END_OBJECT', 'FIELD_NAME']
    const reason = `Failed to parse object: expecting token of type [${wanted}] but found [${found}]`
    throw new SearchError('parsing_exception', reason, { details: { line, col } })
  }
  return [first, json[first]]
}

function wrongToken(
  options: AggOptions,
  wanted: string,
  found: string,
  node: unknown,
  key: string | number,
): SearchError {
  const { line, col } = options.places.source.of(node, key)
  const reason = `Failed to parse object: expecting token of type [${wanted}] but found [${found}]`
  return new SearchError('parsing_exception', reason, { details: { line, col } })
}

function readSources(options: AggOptions): readonly CompositeSource[] {
  const list = options.list('sources')
  if (list === undefined) throw illegalArgument('Required [sources]')
  if (list.length === 0)
    throw options.failedAfter('sources', options.unbuildable('Composite [sources] cannot be null or empty'))
  const sources = list.map((item, index) => {
    try {
      if (!isObject(item)) throw wrongToken(options, 'START_OBJECT', tokenKind(item), list, index)
      const [name, body] = only(options, item)
      if (!isObject(body)) throw wrongToken(options, 'START_OBJECT', tokenKind(body), item, name)
      only(options, body)
      return readSource(options, name, body)
    } catch (error) {
      throw failedField(error, options.kind, 'sources', options.places.source.of(list, index))
    }
  })
  const names = sources.map(({ name }) => name)
  const twice = names.filter((name, at) => names.indexOf(name) !== at)
  if (twice.length > 0) {
    const reason = `Composite source names must be unique, found duplicates: [${[...new Set(twice)].join(', ')}]`
    throw options.failedAfter('sources', options.unbuildable(reason))
  }
  return sources
}

/** The aggregations it may be nested in. */
const possibleParents = new Set(['nested', 'filter'])

/** Class names that do not follow from the name of the kind. */
const factories = new Map([
  ['geotile_grid', 'GeoTileGridAggregatorFactory'],
  ['geohash_grid', 'GeoHashGridAggregatorFactory'],
  ['geo_distance', 'GeoDistanceRangeAggregatorFactory'],
  ['ip_range', 'BinaryRangeAggregatorFactory'],
  ['diversified_sampler', 'DiversifiedAggregatorFactory'],
  ['multi_terms', 'MultiTermsAggregationFactory'],
  ['composite', 'CompositeAggregationFactory'],
])

function factoryName(kind: string): string {
  const named = factories.get(kind)
  if (named !== undefined) return named
  return `${kind.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())}AggregatorFactory`
}

export const compositeKind: AggKind = {
  name: 'composite',
  parse(options) {
    const sources = readSources(options)
    const size = options.int('size') ?? 10
    const after = options.object('after')
    options.done()
    if (size <= 0) {
      throw options.refused(
        'size',
        `[size] must be greater than 0. Found [${size}] in [${options.aggregation}]`,
      )
    }
    return (context, createSub) => {
      const parent = context.parents.findLast((kind) => !possibleParents.has(kind))
      if (parent !== undefined) {
        throw illegalArgument(
          `[composite] aggregation cannot be used with a parent aggregation of type: [${factoryName(parent)}]`,
        )
      }
      if (sources.some(({ hasUnusedOrder }) => hasUnusedOrder)) {
        const isOpenSearch = context.indices[0]?.queries.isOpenSearch === true
        throw illegalArgument(
          isOpenSearch
            ? 'missing_order require missing_bucket is true'
            : 'missing_order can only be set if missing_bucket is true',
        )
      }
      const bound = sources.map((source) => ({ ...source, keys: source.bind(context) }))
      if (after !== undefined) checkAfter(after, sources)
      return new Composite(bound, size, after, context, createSub(context))
    }
  },
}

class Composite extends CombinationAggregator {
  readonly #sources: readonly BoundSource[]
  readonly #size: number
  readonly #after: Int32Array | undefined
  readonly #context: AggContext

  constructor(
    sources: readonly BoundSource[],
    size: number,
    after: JsonObject | undefined,
    context: AggContext,
    sub: SubAggregators,
  ) {
    super(
      sources.map(({ keys }) => keys),
      sources.map(({ takesMissing }) => takesMissing),
      context,
      sub,
    )
    this.#sources = sources
    this.#size = size
    this.#context = context
    this.#after =
      after === undefined
        ? undefined
        : Int32Array.from(sources, ({ name, keys }) => afterKey(keys, after[name]))
  }

  /** Compares two combinations, given by array and offset. */
  #compare(left: Int32Array, leftFrom: number, right: Int32Array, rightFrom: number): number {
    for (let at = 0; at < this.#sources.length; at++) {
      const one = left[leftFrom + at]!
      const other = right[rightFrom + at]!
      if (one === other) continue
      const { keys, isAscending, missingFirst } = this.#sources[at]!
      if (one === -1 || other === -1) return (one === -1) === missingFirst ? -1 : 1
      const order = keys.compare(one, other)
      if (order !== 0) return isAscending ? order : -order
    }
    return 0
  }

  /** The offset of a bucket's keys. */
  #place(bucket: number): number {
    return this.ids.key(bucket) * this.#sources.length
  }

  *resultSteps(owner: number): Steps<AggResult> {
    const keys = this.keys
    let all = yield* this.ids.ofSteps(owner)
    const after = this.#after
    if (after !== undefined) {
      all = yield* filterSteps(all, (bucket) => this.#compare(keys, this.#place(bucket), after, 0) > 0)
    }
    const compare = (one: number, other: number) =>
      this.#compare(keys, this.#place(one), keys, this.#place(other))
    const chosen = yield* firstBuckets(all, this.#size, { compare })
    this.#context.budget.add(chosen.length)
    const buckets = yield* bucketSteps(chosen, this.sub, (bucket, aggs) => this.#bucket(bucket, aggs))
    const last = chosen.at(-1)
    return {
      typedName: 'composite',
      buckets,
      toJson: () => (last === undefined ? {} : { after_key: this.#keyJson(last) }),
    }
  }

  #keyJson(bucket: number): JsonObject {
    const from = this.#place(bucket)
    const entries = this.#sources.map(({ name, show, keys }, at) => {
      const key = this.keys[from + at]!
      return [name, key === -1 ? null : show(keys, key)]
    })
    return Object.fromEntries(entries) as JsonObject
  }

  #bucket(bucket: number, aggs: AggResults | undefined): AggBucket {
    const key = this.#keyJson(bucket)
    return bucketOf({
      keyText: () => javaText(key),
      docCount: this.counts.at(bucket),
      aggs,
      head: { key },
    })
  }
}
