/** `significant_terms`: terms that are more frequent in a bucket (foreground) than in the background set. */

import { hashMapOrder } from '../../../text/java-hash.ts'
import type { SearchLeaf } from '../../collect/sort/sort-key.ts'
import type { Clause } from '../../query/dsl/clause.ts'
import { parseQuery } from '../../query/dsl/parse-query.ts'
import { objectSteps } from '../../query/exec/compound/nested-query.ts'
import { DocSet } from '../../query/exec/doc-set.ts'
import { visible } from '../../query/exec/visible-docs.ts'
import { isObject } from '../../request/request-values.ts'
import type { Steps } from '../../scheduling/steps.ts'
import { LuceneQueue } from '../../scoring/lucene-queue.ts'
import type { LeafReader } from '../../segment/segment.ts'
import type { AggKind } from '../agg-kind.ts'
import type { AggOptions } from '../agg-options.ts'
import { type AggContext, isOutOfTime } from '../aggregator.ts'
import { type Batch, BucketCounts, batchSize, ownersOf } from '../batch.ts'
import { BatchSize } from '../batch-size.ts'
import type { AggResult } from '../result.ts'
import { readSignificance, type Significance } from '../significance.ts'
import { sortSteps } from '../sort-steps.ts'
import { FilterSet } from '../values/filter-set.ts'
import { keyFilter, readKeySelection } from '../values/key-filter.ts'
import { keySource } from '../values/key-source.ts'
import { bindField, readValueOptions } from '../values/value-field.ts'
import { bucketSteps } from './bucket.ts'
import { KeyAggregator, KeyBucket, KeyBuckets, keyTypes, readTermsOptions } from './terms.ts'

interface SignificantOptions {
  readonly size: number
  /** The number of terms that each shard returns in OpenSearch. */
  readonly shardSize: number
  readonly minDocCount: number
  readonly significance: Significance
  readonly background: Clause | undefined
}

export function readSignificantOptions(options: AggOptions): SignificantOptions {
  const hasShardSize = (options.int('shard_size') ?? -1) > 0
  const { size, shardSize, minDocCount } = readTermsOptions(options, 3)
  const filter = options.raw('background_filter')
  return {
    size,
    shardSize: hasShardSize ? shardSize : shardSize * 2,
    minDocCount,
    significance: readSignificance(options),
    background: isObject(filter) ? parseQuery(filter, options.places.source) : undefined,
  }
}

export const significantTermsKind: AggKind = {
  name: 'significant_terms',
  parse(options) {
    const name = options.aggregation
    const values = readValueOptions(options)
    const significant = readSignificantOptions(options)
    const selection = readKeySelection(options)
    options.text('execution_hint')
    options.done()
    return (context, createSub) => {
      const field = bindField(values, keyTypes, 'significant_terms', name, context)
      const filter = keyFilter(selection, field, values, name, context)
      const buckets = new KeyBuckets(keySource(field, values, context, filter), createSub(context))
      const isText = field.type === 'string' || field.type === 'ip'
      const typedName = isText ? 'sigsterms' : 'siglterms'
      return new SignificantTerms(typedName, significant, buckets, context)
    }
  },
}

/** Terms whose frequencies are looked up per step. */
const stepTerms = 64

/** Without a filter the background is all live documents, including nested objects. */
function liveCount({ segment, live }: LeafReader): number {
  return live === null ? segment.docCount : live.count
}

export class SignificantTerms extends KeyAggregator {
  readonly #typedName: string
  readonly #options: SignificantOptions
  readonly #context: AggContext
  readonly #background: FilterSet | undefined
  /** The number of documents by parent bucket. */
  readonly #sizes = new BucketCounts()
  /** The background frequencies by key. */
  readonly #counted = new BucketCounts()
  readonly #outside: (key: number) => number
  readonly #isCounted: boolean
  readonly #scores = new BucketCounts()
  #total = 0
  #live = 0

  /** `outside` returns the background frequency of a key; without it the background is counted. */
  constructor(
    typedName: string,
    options: SignificantOptions,
    buckets: KeyBuckets,
    context: AggContext,
    outside?: (key: number) => number,
  ) {
    super(buckets)
    this.#isCounted = outside === undefined || options.background !== undefined
    this.#outside = this.#isCounted ? (key) => this.#counted.at(key) : outside!
    this.#typedName = typedName
    this.#options = options
    this.#context = context
    this.#background = options.background && new FilterSet(options.background, context)
  }

  override collect(batch: Batch): void {
    const sizes = this.#sizes.reserve(ownersOf(batch))
    for (let i = 0; i < batch.length; i++) sizes[batch.owners[i]!]! += 1
    super.collect(batch)
  }

  override *finish(): Steps<void> {
    const batches = new BatchSize({ fixed: this.#context.batchSize })
    for (const { leaves } of this.#context.search.shards) {
      for (const leaf of leaves) {
        const docs = yield* this.#backgroundDocs(leaf)
        const live = liveCount(leaf.reader)
        this.#live += live
        this.#total += this.#background === undefined ? live : docs.count
        if (this.#isCounted) yield* this.#count(leaf, docs.array(), batches)
        yield
      }
    }
    yield* this.sub.finish()
  }

  /** Counts background documents. */
  *#count(leaf: SearchLeaf, docs: Uint32Array, batches: BatchSize): Steps<void> {
    const { source } = this.buckets
    if (source.prepare !== undefined) yield* source.prepare(leaf)
    const owners = new Uint32Array(batchSize)
    for (let from = 0; from < docs.length; ) {
      if (isOutOfTime(this.#context)) break
      const part = docs.subarray(from, Math.min(from + batches.size, docs.length))
      batches.begin()
      const { keys, length } = source.read({ leaf, docs: part, owners, length: part.length })
      for (let i = 0; i < length; i++) this.#counted.add(keys[i]!, 1)
      batches.end(part.length)
      from += part.length
      yield
    }
  }

  *#backgroundDocs(leaf: SearchLeaf): Steps<DocSet> {
    const { nestedPath } = this.#context
    const { segment } = leaf.reader
    let docs = visible(leaf.reader) ?? DocSet.all(segment.docCount)
    if (nestedPath !== undefined) {
      const objects = yield* objectSteps(segment, nestedPath)
      docs = objects === null ? DocSet.none(segment.docCount) : DocSet.ofBits(objects)
    }
    return this.#background === undefined ? docs : docs.and(yield* this.#background.matchingSteps(leaf))
  }

  *resultSteps(owner: number): Steps<AggResult> {
    const { ids } = this.buckets
    const ofBucket = this.#sizes.at(owner)
    // A bucket that fills a gap does not know the filter.
    const total = this.#context.gaps.isInside ? this.#live : this.#total
    const scores = this.#scores.reserve(ids.size)
    const chosen = yield* this.#chosen(yield* this.#scored(owner), scores)
    this.#context.budget.add(chosen.length)
    return {
      typedName: this.#typedName,
      buckets: yield* bucketSteps(chosen, this.sub, (bucket, aggs) => {
        const tail = { score: scores[bucket]!, bg_count: this.#outside(ids.key(bucket)) }
        return new KeyBucket(this.buckets, bucket, aggs, tail)
      }),
      toJson: () => ({ doc_count: ofBucket, bg_count: total }),
    }
  }

  /** Sets the scores of all buckets; returns them by key. */
  *#scored(owner: number): Steps<Uint32Array<ArrayBuffer>> {
    const { ids, counts, source } = this.buckets
    const { significance } = this.#options
    const size = this.#sizes.at(owner)
    const scores = this.#scores.reserve(ids.size)
    const all = yield* ids.ofSteps(owner)
    const ordered = this.#isCounted
      ? yield* sortSteps(all.slice(), (one, other) => source.compare(ids.key(one), ids.key(other)))
      : all
    for (let i = 0; i < ordered.length; i++) {
      if (i % stepTerms === stepTerms - 1) yield
      const bucket = ordered[i]!
      const inside = counts.at(bucket)
      const outside = this.#outside(ids.key(bucket))
      scores[bucket] = significance({ inside, size, outside, total: this.#total })
    }
    return ordered
  }

  /**
   * Selects the most significant buckets. Terms of equal significance come in the order that OpenSearch has
   * them in: its shard keeps the best in a queue, its coordinating node looks at them in the order of a Java hash map
   * and keeps the best of those in another queue.
   */
  *#chosen(all: Uint32Array<ArrayBuffer>, scores: Float64Array): Steps<Uint32Array> {
    const { ids, counts, source } = this.buckets
    const { size, shardSize, minDocCount } = this.#options
    const isLess = (one: number, other: number) => scores[one]! < scores[other]!
    const sent = new LuceneQueue(shardSize, isLess)
    for (let i = 0; i < all.length; i++) {
      if (i % stepTerms === stepTerms - 1) yield
      sent.add(all[i]!)
    }
    const buckets = new Map(sent.drained().map((bucket) => [source.text(ids.key(bucket)), bucket]))
    const best = new LuceneQueue(Math.min(size, buckets.size), isLess)
    for (const name of hashMapOrder([...buckets.keys()])) {
      const bucket = buckets.get(name)!
      if (scores[bucket]! > 0 && counts.at(bucket) >= minDocCount) best.add(bucket)
    }
    return Uint32Array.from(best.drained())
  }
}
