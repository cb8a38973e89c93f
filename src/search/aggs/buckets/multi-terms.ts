/** `multi_terms`: a bucket per combination of the values of several fields. */

import { isObject } from '../../collect/request-values.ts'
import { visible } from '../../query/exec/compiled-query.ts'
import { DocSet } from '../../query/exec/doc-set.ts'
import type { AggKind } from '../agg-kind.ts'
import { illegalArgument } from '../agg-options.ts'
import { type AggContext, type Aggregator, isOutOfTime, type SubAggregators } from '../aggregator.ts'
import { type Batch, BucketCounts, batchSize, GrowingBatch } from '../batch.ts'
import { BucketIds } from '../bucket-ids.ts'
import { bucketComparator, firstBuckets } from '../bucket-order.ts'
import type { AggBucket, AggResult } from '../result.ts'
import { weightsOf } from '../values/doc-weights.ts'
import { KeyCombinations } from '../values/key-combinations.ts'
import { type KeySource, keySource } from '../values/key-source.ts'
import { bindField, readValueOptions } from '../values/value-field.ts'
import { bucketOf } from './bucket.ts'
import { keyTypes, readTermsOptions, type TermsOptions } from './terms.ts'

export const multiTermsKind: AggKind = {
  name: 'multi_terms',
  parse(options) {
    const name = options.aggregation
    const list = options.list('terms') ?? []
    const fields = list.map((item) => {
      if (!isObject(item)) throw options.failed('terms')
      const inner = options.inner(item)
      const values = readValueOptions(inner)
      inner.done()
      return values
    })
    const terms = readTermsOptions(options)
    options.done()
    if (fields.length < 2) {
      throw illegalArgument(
        `multi term aggregation must has at least 2 terms. Found [${fields.length}] in [${name}]${fields.length === 1 ? ' Use terms aggregation for single term aggregation' : ''}`,
      )
    }
    return (context, createSub) => {
      const sources = fields.map((values) =>
        keySource(bindField(values, keyTypes, 'multi_terms', name, context), values, context, undefined),
      )
      return new MultiTerms(terms, sources, context, createSub(context))
    }
  },
}

class MultiTerms implements Aggregator {
  readonly #options: TermsOptions
  readonly #sources: readonly KeySource[]
  readonly #combinations: KeyCombinations
  readonly #context: AggContext
  readonly #sub: SubAggregators
  readonly #ids = new BucketIds()
  readonly #counts = new BucketCounts()
  readonly #out = new GrowingBatch()

  constructor(
    options: TermsOptions,
    sources: readonly KeySource[],
    context: AggContext,
    sub: SubAggregators,
  ) {
    this.#options = options
    this.#sources = sources
    this.#combinations = new KeyCombinations(sources.map(() => false))
    this.#context = context
    this.#sub = sub
    this.#comparator()
  }

  #comparator() {
    const facts = {
      count: (bucket: number) => this.#counts.at(bucket),
      compareKeys: (one: number, other: number) =>
        this.#compareKeys(this.#ids.key(one), this.#ids.key(other)),
    }
    return bucketComparator(this.#options.order, facts, this.#sub, this.#options.name)
  }

  #compareKeys(one: number, other: number): number {
    const left = this.#combinations.keys(one)
    const right = this.#combinations.keys(other)
    for (let at = 0; at < this.#sources.length; at++) {
      const order = this.#sources[at]!.compare(left[at]!, right[at]!)
      if (order !== 0) return order
    }
    return 0
  }

  collect(batch: Batch): void {
    const out = this.#out
    const weights = weightsOf(batch.leaf)
    out.start(batch.leaf)
    this.#combinations.read(
      batch,
      this.#sources.map((source) => source.read(batch)),
      (doc, owner, combination) => {
        const bucket = this.#ids.id(owner, combination)
        this.#counts.add(bucket, weights === null ? 1 : weights[doc]!)
        out.push(doc, bucket)
      },
    )
    this.#sub.collect(out)
  }

  finish(): void {
    if (this.#options.minDocCount === 0) this.#readAll()
    this.#sub.finish()
  }

  /** Takes up the combinations of documents that do not match. */
  #readAll(): void {
    const { search } = this.#context
    const owners = new Uint32Array(batchSize)
    for (const leaf of search.shards.flatMap(({ leaves }) => leaves)) {
      const docs = (visible(leaf.reader) ?? DocSet.all(leaf.reader.segment.docCount)).array()
      for (let from = 0; from < docs.length; from += batchSize) {
        if (isOutOfTime(this.#context)) break
        const part = docs.subarray(from, Math.min(from + batchSize, docs.length))
        const batch = { leaf, docs: part, owners, length: part.length }
        const keys = this.#sources.map((source) => source.read(batch))
        this.#combinations.read(batch, keys, () => {})
      }
    }
  }

  result(owner: number): AggResult {
    const { size, minDocCount } = this.#options
    if (minDocCount === 0) {
      for (let key = 0; key < this.#combinations.size; key++) this.#ids.id(owner, key)
    }
    const all = this.#ids.of(owner).filter((bucket) => this.#counts.at(bucket) >= minDocCount)
    let rest = 0
    for (const bucket of all) rest += this.#counts.at(bucket)
    const chosen = firstBuckets(all, size, this.#comparator())
    this.#context.budget.add(chosen.length)
    const buckets = Array.from(chosen, (bucket) => {
      rest -= this.#counts.at(bucket)
      return this.#bucket(bucket)
    })
    return {
      typedName: 'multi_terms',
      buckets,
      toJson: () => ({ doc_count_error_upper_bound: 0, sum_other_doc_count: rest }),
    }
  }

  #bucket(bucket: number): AggBucket {
    const keys = this.#combinations.keys(this.#ids.key(bucket))
    const text = this.#sources.map((source, at) => source.text(keys[at]!)).join('|')
    return bucketOf({
      keyText: text,
      docCount: this.#counts.at(bucket),
      aggs: this.#sub.results(bucket),
      head: { key: this.#sources.map((source, at) => shownKey(source, keys[at]!)), key_as_string: text },
      ...(this.#options.showError && { tail: { doc_count_error_upper_bound: 0 } }),
    })
  }
}

/** Dates and flags stand in lists of keys as they are printed. */
function shownKey(source: KeySource, key: number): unknown {
  if (source.field.type === 'boolean') return source.number(key) !== 0
  return source.shown(key) ?? source.json(key)
}
