/**
 * `terms`: one bucket per distinct value, the most frequent first. All shards share one set of buckets, so
 * counts are exact.
 */

import type { SearchLeaf } from '../../collect/sort/sort-key.ts'
import { illegalArgument } from '../../request/errors.ts'
import type { Steps } from '../../scheduling/steps.ts'
import type { AggKind, CreateAggregator, CreateSub } from '../agg-kind.ts'
import type { AggOptions } from '../agg-options.ts'
import type { AggContext, SubAggregators } from '../aggregator.ts'
import { type Batch, BucketCounts, GrowingBatch } from '../batch.ts'
import {
  type BucketOrder,
  bucketOrder,
  byCount,
  firstBuckets,
  type OrderKey,
  readOrder,
} from '../bucket-order.ts'
import { BucketOrdinals } from '../bucket-ordinals.ts'
import type { AggResult, AggResults } from '../result.ts'
import { filterSteps } from '../sort-steps.ts'
import { weightsOf } from '../values/doc-weights.ts'
import { type KeySelection, keyFilter, readKeySelection } from '../values/key-filter.ts'
import { type KeySource, keySource, TermKeys } from '../values/key-source.ts'
import { bindField, readScriptableOptions, type ValueOptions, type ValueType } from '../values/value-field.ts'
import { BaseBucket, BucketAggregator, bucketSteps } from './bucket.ts'

export const keyTypes: readonly ValueType[] = [
  'string',
  'long',
  'double',
  'unsigned_long',
  'date',
  'boolean',
  'ip',
]

/** Keys that get buckets per step. */
const stepKeys = 8 * 1024

export interface TermsOptions {
  readonly name: string
  readonly size: number
  readonly minDocCount: number
  readonly order: readonly OrderKey[]
  readonly showError: boolean
  /** The number of buckets that each shard would return in Elasticsearch. */
  readonly shardSize: number
}

/** Reads `size`, `shard_size`, `min_doc_count` and the order. */
export function readTermsOptions(options: AggOptions, minDocCount = 1): TermsOptions {
  const name = options.aggregation
  const size = options.int('size') ?? 10
  if (size <= 0) throw options.refused('size', `[size] must be greater than 0. Found [${size}] in [${name}]`)
  const shardSize = options.int('shard_size')
  if (shardSize !== undefined && shardSize <= 0 && shardSize !== -1) {
    throw options.refused(
      'shard_size',
      `[shardSize] must be greater than  0. Found [${shardSize}] in [${name}]`,
    )
  }
  const min = options.int('min_doc_count') ?? minDocCount
  const shardMin = options.int('shard_min_doc_count') ?? 0
  if (min < 0) {
    throw options.refused(
      'min_doc_count',
      `[minDocCount] must be greater than or equal to 0. Found [${min}] in [${name}]`,
    )
  }
  if (shardMin < 0) {
    throw options.refused(
      'shard_min_doc_count',
      `[shardMinDocCount] must be greater than or equal to 0. Found [${shardMin}] in [${name}]`,
    )
  }
  readCollectMode(options)
  const order = readOrder(options, byCount)
  return {
    name,
    size,
    minDocCount: min,
    order,
    shardSize: Math.max(
      size,
      shardSize !== undefined && shardSize > 0 ? shardSize : sizeOfShards(size, order),
    ),
    showError: options.flag('show_term_doc_count_error') ?? false,
  }
}

/** Elasticsearch's default `shard_size`: more than `size`, unless the order is by key. */
function sizeOfShards(size: number, order: readonly OrderKey[]): number {
  return isKeyOrder(order) ? size : Math.min(Math.trunc(size * 1.5 + 10), 2_147_483_647)
}

function isKeyOrder(order: readonly OrderKey[]): boolean {
  return order[0]!.by === '_key'
}

/**
 * Computes `doc_count_error_upper_bound`. Counts are exact here; Elasticsearch reports -1 when it cannot know
 * the error: when shards dropped buckets that are ordered neither by key nor by falling count.
 */
export function countError({ order, shardSize }: TermsOptions, buckets: number): number {
  const [{ by, isAscending }] = order as [OrderKey]
  if (by === '_key' || (by === '_count' && !isAscending)) return 0
  return buckets < shardSize ? 0 : -1
}

/** Accepted without effect: documents are collected in one pass either way. */
function readCollectMode(options: AggOptions): void {
  const mode = options.text('collect_mode')
  if (mode !== undefined && mode !== 'depth_first' && mode !== 'breadth_first') {
    throw options.failed('collect_mode', illegalArgument(`no [collect_mode] found for value [${mode}]`))
  }
}

export const termsKind: AggKind = {
  name: 'terms',
  parse(options): CreateAggregator {
    const values = readScriptableOptions(options)
    const terms = readTermsOptions(options)
    const selection = readKeySelection(options)
    options.text('execution_hint')
    options.done()
    return (context, createSub) => new TermsAggregator(terms, values, selection, context, createSub)
  },
}

const typedNames: Readonly<Record<string, string>> = {
  string: 'sterms',
  ip: 'sterms',
  double: 'dterms',
  unsigned_long: 'ulterms',
}

/** Assigns documents to buckets by key; what an answer shows of them is up to the aggregation. */
export class KeyBuckets {
  readonly source: KeySource
  readonly ids = new BucketOrdinals()
  readonly counts = new BucketCounts()
  readonly sub: SubAggregators
  readonly #out = new GrowingBatch()

  constructor(source: KeySource, sub: SubAggregators) {
    this.source = source
    this.sub = sub
  }

  collect(batch: Batch): void {
    const { leaf, docs, owners, keys, length } = this.source.read(batch)
    const { ids } = this
    const out = this.#out
    out.start(leaf)
    out.reserve(length)
    const buckets = out.owners
    for (let i = 0; i < length; i++) buckets[i] = ids.id(owners[i]!, keys[i]!)
    const counts = this.counts.reserve(ids.size)
    const weights = weightsOf(leaf)
    if (weights === null) for (let i = 0; i < length; i++) counts[buckets[i]!]! += 1
    else for (let i = 0; i < length; i++) counts[buckets[i]!]! += weights[docs[i]!]!
    if (this.sub.isEmpty || length === 0) return
    out.docs.set(docs.subarray(0, length))
    out.length = length
    this.sub.collect(out)
  }

  *prepare(leaf: SearchLeaf): Steps<void> {
    const steps = this.source.prepare?.(leaf)
    if (steps !== undefined) yield* steps
    yield* this.sub.prepare(leaf)
  }

  /** Reads every key of all segments, for `fill`. */
  *addAll(context: AggContext): Steps<void> {
    for (const shard of context.search.shards)
      for (const leaf of shard.leaves) yield* this.source.addAll(leaf)
  }

  /** Creates a bucket for every key under an owner. */
  *fill(owner: number): Steps<void> {
    const { source } = this
    for (let key = 0; key < source.size; key++) {
      if (key % stepKeys === stepKeys - 1) yield
      if (source.accepts?.(key) !== false) this.ids.id(owner, key)
    }
  }
}

/** The base of aggregators with one bucket per key. */
export abstract class KeyAggregator extends BucketAggregator {
  readonly buckets: KeyBuckets

  constructor(buckets: KeyBuckets) {
    super(buckets.sub)
    this.buckets = buckets
  }

  override prepare(leaf: SearchLeaf): Steps<void> {
    return this.buckets.prepare(leaf)
  }

  collect(batch: Batch): void {
    this.buckets.collect(batch)
  }
}

class TermsAggregator extends KeyAggregator {
  readonly #options: TermsOptions
  readonly #context: AggContext
  readonly #typedName: string
  readonly #hasFilter: boolean

  constructor(
    terms: TermsOptions,
    values: ValueOptions,
    selection: KeySelection,
    context: AggContext,
    createSub: CreateSub,
  ) {
    const field = bindField(values, keyTypes, 'terms', terms.name, context)
    const filter = keyFilter(selection, field, values, terms.name, context)
    super(new KeyBuckets(keySource(field, values, context, filter), createSub(context)))
    this.#options = terms
    this.#context = context
    this.#hasFilter = filter !== undefined
    this.#typedName = typedNames[field.type] ?? 'lterms'
    this.#order()
  }

  /** Throws when a path of the order is invalid. */
  #order(): BucketOrder {
    const { ids, counts, source, sub } = this.buckets
    const { order, name } = this.#options
    const facts = {
      count: (bucket: number) => counts.at(bucket),
      compareKeys: (one: number, other: number) => source.compare(ids.key(one), ids.key(other)),
    }
    return bucketOrder(order, facts, sub, name)
  }

  override *finish(): Steps<void> {
    if (this.#options.minDocCount === 0) yield* this.buckets.addAll(this.#context)
    yield* this.sub.finish()
  }

  profile(): Record<string, unknown> {
    const { source, ids } = this.buckets
    if (source instanceof TermKeys) {
      return {
        type: 'GlobalOrdinalsStringTermsAggregator',
        collection_strategy: 'dense',
        result_strategy: 'terms',
        segments_with_single_valued_ords: source.segments.single,
        segments_with_multi_valued_ords: source.segments.several,
        has_filter: this.#hasFilter,
      }
    }
    const result_strategy = source.field.type === 'double' ? 'double_terms' : 'long_terms'
    return { type: 'NumericTermsAggregator', result_strategy, total_buckets: ids.size }
  }

  *resultSteps(owner: number): Steps<AggResult> {
    const { ids, counts } = this.buckets
    const { size, minDocCount, shardSize, showError } = this.#options
    if (minDocCount === 0) yield* this.buckets.fill(owner)
    const all = yield* ids.ofSteps(owner)
    const isFrequent = (bucket: number) => counts.at(bucket) >= minDocCount
    const frequent = minDocCount > 1 ? yield* filterSteps(all, isFrequent) : all
    let rest = yield* sumSteps(all, counts)
    // Rare terms that a shard returns are dropped later, and counted nowhere.
    if (frequent.length < all.length)
      for (const bucket of yield* firstBuckets(all, shardSize, this.#order()))
        if (!isFrequent(bucket)) rest -= counts.at(bucket)
    const error = { doc_count_error_upper_bound: countError(this.#options, all.length) }
    const chosen = yield* firstBuckets(frequent, size, this.#order())
    this.#context.budget.add(chosen.length)
    const buckets = yield* bucketSteps(chosen, this.sub, (bucket, aggs) => {
      rest -= counts.at(bucket)
      return new KeyBucket(this.buckets, bucket, aggs, showError ? error : undefined)
    })
    return {
      typedName: this.#typedName,
      buckets,
      toJson: () => ({ ...error, sum_other_doc_count: rest }),
    }
  }
}

/** The total document count of some buckets. */
export function* sumSteps(buckets: Uint32Array, counts: BucketCounts): Steps<number> {
  let sum = 0
  for (let i = 0; i < buckets.length; i++) {
    if (i % stepKeys === stepKeys - 1) yield
    sum += counts.at(buckets[i]!)
  }
  return sum
}

/** A bucket whose key and count are looked up when they are read. */
export class KeyBucket extends BaseBucket {
  readonly #buckets: KeyBuckets
  readonly #bucket: number
  /** The members after `doc_count`. */
  readonly #tail: Readonly<Record<string, unknown>> | undefined

  constructor(
    buckets: KeyBuckets,
    bucket: number,
    aggs: AggResults | undefined,
    tail?: Readonly<Record<string, unknown>>,
  ) {
    super(aggs)
    this.#buckets = buckets
    this.#bucket = bucket
    this.#tail = tail
  }

  get #key(): number {
    return this.#buckets.ids.key(this.#bucket)
  }

  get keyText(): string {
    return this.#buckets.source.text(this.#key)
  }

  get keyNumber(): number {
    return this.#buckets.source.number(this.#key)
  }

  get docCount(): number {
    return this.#buckets.counts.at(this.#bucket)
  }

  toJson(): Record<string, unknown> {
    const { source } = this.#buckets
    const key = this.#key
    const json: Record<string, unknown> = { key: source.json(key) }
    const shown = source.shown(key)
    if (shown !== undefined) json['key_as_string'] = shown
    json['doc_count'] = this.docCount
    return this.#tail === undefined ? json : Object.assign(json, this.#tail)
  }
}
