/** `significant_terms`: values that stand out among the documents of a bucket against all others. */
import { isObject } from '../../collect/request-values.ts'
import type { SearchLeaf } from '../../collect/sort-key.ts'
import type { Clause } from '../../query/dsl/clause.ts'
import { visible } from '../../query/exec/compiled-query.ts'
import { DocSet } from '../../query/exec/doc-set.ts'
import { objectsOf } from '../../query/exec/nested-query.ts'
import type { AggKind } from '../agg-kind.ts'
import type { AggOptions } from '../agg-options.ts'
import { type AggContext, type Aggregator, isOutOfTime } from '../aggregator.ts'
import { type Batch, BucketCounts, batchSize, ownersOf } from '../batch.ts'
import { firstBuckets } from '../bucket-order.ts'
import type { AggResult } from '../result.ts'
import { readSignificance, type Significance } from '../significance.ts'
import { FilterSet, parseFilter } from '../values/filter-set.ts'
import { keyFilter, readKeySelection } from '../values/key-filter.ts'
import { keySource } from '../values/key-source.ts'
import { bindField, readValueOptions } from '../values/value-field.ts'
import { bucketOf } from './bucket.ts'
import { KeyBuckets, keyJson, keyTypes, readTermsOptions } from './terms.ts'

export interface SignificantOptions {
  readonly size: number
  readonly minDocCount: number
  readonly significance: Significance
  readonly background: Clause | undefined
}

export function readSignificantOptions(options: AggOptions): SignificantOptions {
  const { size, minDocCount } = readTermsOptions(options, 3)
  const filter = options.raw('background_filter')
  return {
    size,
    minDocCount,
    significance: readSignificance(options),
    background: isObject(filter) ? parseFilter(filter, options.json) : undefined,
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

export class SignificantTerms implements Aggregator {
  readonly #typedName: string
  readonly #options: SignificantOptions
  readonly #buckets: KeyBuckets
  readonly #context: AggContext
  readonly #background: FilterSet | undefined
  /** Documents by bucket above. */
  readonly #sizes = new BucketCounts()
  /** Documents of the background by key. */
  readonly #counted = new BucketCounts()
  readonly #outside: (key: number) => number
  readonly #isCounted: boolean
  #total = 0

  /** `outside` says how many documents of the background have a key; they are counted when it is absent. */
  constructor(
    typedName: string,
    options: SignificantOptions,
    buckets: KeyBuckets,
    context: AggContext,
    outside?: (key: number) => number,
  ) {
    this.#isCounted = outside === undefined || options.background !== undefined
    this.#outside = this.#isCounted ? (key) => this.#counted.at(key) : outside!
    this.#typedName = typedName
    this.#options = options
    this.#buckets = buckets
    this.#context = context
    this.#background = options.background && new FilterSet(options.background, context)
  }

  collect(batch: Batch): void {
    const sizes = this.#sizes.reserve(ownersOf(batch))
    for (let i = 0; i < batch.length; i++) sizes[batch.owners[i]!]! += 1
    this.#buckets.collect(batch)
  }

  finish(): void {
    const { source, sub } = this.#buckets
    const owners = new Uint32Array(batchSize)
    const { search } = this.#context
    for (const { leaves } of search.shards) {
      for (const leaf of leaves) {
        const docs = this.#backgroundDocs(leaf).array()
        this.#total += docs.length
        if (!this.#isCounted) continue
        for (let from = 0; from < docs.length; from += batchSize) {
          if (isOutOfTime(this.#context)) break
          const part = docs.subarray(from, Math.min(from + batchSize, docs.length))
          const { keys, length } = source.read({ leaf, docs: part, owners, length: part.length })
          for (let i = 0; i < length; i++) this.#counted.add(keys[i]!, 1)
        }
      }
    }
    sub.finish()
  }

  #backgroundDocs(leaf: SearchLeaf): DocSet {
    const { nestedPath } = this.#context
    const { segment } = leaf.reader
    let docs = visible(leaf.reader) ?? DocSet.all(segment.docCount)
    if (nestedPath !== undefined) {
      const objects = objectsOf(segment, nestedPath)
      docs = objects === null ? DocSet.none(segment.docCount) : DocSet.ofBits(objects)
    }
    return this.#background === undefined ? docs : docs.and(this.#background.matching(leaf))
  }

  result(owner: number): AggResult {
    const { ids, counts, source, sub } = this.#buckets
    const { size, minDocCount, significance } = this.#options
    const ofBucket = this.#sizes.at(owner)
    const scores = new Map<number, number>()
    for (const bucket of ids.of(owner)) {
      const inside = counts.at(bucket)
      if (inside < minDocCount) continue
      const outside = this.#outside(ids.key(bucket))
      const score = significance({ inside, size: ofBucket, outside, total: this.#total })
      if (score > 0) scores.set(bucket, score)
    }
    const chosen = firstBuckets(
      Uint32Array.from(scores.keys()),
      size,
      (one, other) => scores.get(other)! - scores.get(one)! || source.compare(ids.key(one), ids.key(other)),
    )
    this.#context.budget.add(chosen.length)
    return {
      typedName: this.#typedName,
      buckets: Array.from(chosen, (bucket) => {
        const key = ids.key(bucket)
        return bucketOf({
          keyText: source.text(key),
          keyNumber: source.number(key),
          docCount: counts.at(bucket),
          aggs: sub.results(bucket),
          head: keyJson(source, key),
          tail: { score: scores.get(bucket)!, bg_count: this.#outside(key) },
        })
      }),
      toJson: () => ({ doc_count: ofBucket, bg_count: this.#total }),
    }
  }
}
