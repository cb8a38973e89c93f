/** `multi_terms`: one bucket per combination of values of several fields. */

import { DocSet } from '../../query/exec/doc-set.ts'
import { visible } from '../../query/exec/visible-docs.ts'
import { illegalArgument } from '../../request/errors.ts'
import { isObject } from '../../request/request-values.ts'
import type { Steps } from '../../scheduling/steps.ts'
import type { AggKind } from '../agg-kind.ts'
import { type AggContext, isOutOfTime, type SubAggregators } from '../aggregator.ts'
import { batchSize } from '../batch.ts'
import { BatchSize } from '../batch-size.ts'
import { type BucketOrder, bucketOrder, firstBuckets } from '../bucket-order.ts'
import type { AggBucket, AggResult, AggResults } from '../result.ts'
import { filterSteps } from '../sort-steps.ts'
import { type KeySource, keySource } from '../values/key-source.ts'
import { bindField, readScriptableOptions } from '../values/value-field.ts'
import { bucketOf, bucketSteps } from './bucket.ts'
import { CombinationAggregator } from './combination-aggregator.ts'
import { countError, keyTypes, readTermsOptions, sumSteps, type TermsOptions } from './terms.ts'

export const multiTermsKind: AggKind = {
  name: 'multi_terms',
  parse(options) {
    const name = options.aggregation
    const list = options.list('terms') ?? []
    const fields = list.map((item) => {
      if (!isObject(item)) throw options.failed('terms')
      const inner = options.inner(item)
      const values = readScriptableOptions(inner)
      inner.done()
      return values
    })
    const terms = readTermsOptions(options)
    options.done()
    if (fields.length < 2) {
      const cause = illegalArgument(
        `multi term aggregation must has at least 2 terms. Found [${fields.length}] in [${name}]${fields.length === 1 ? ' Use terms aggregation for single term aggregation' : ''}`,
      )
      throw options.failedAfter('terms', cause)
    }
    return (context, createSub) => {
      const sources = fields.map((values) =>
        keySource(bindField(values, keyTypes, 'multi_terms', name, context), values, context, undefined),
      )
      return new MultiTerms(terms, sources, context, createSub(context))
    }
  },
}

/** Combinations that get buckets per step. */
const stepKeys = 16 * 1024

class MultiTerms extends CombinationAggregator {
  readonly #options: TermsOptions
  readonly #sources: readonly KeySource[]
  readonly #context: AggContext

  constructor(
    options: TermsOptions,
    sources: readonly KeySource[],
    context: AggContext,
    sub: SubAggregators,
  ) {
    super(
      sources,
      sources.map(() => false),
      context,
      sub,
    )
    this.#options = options
    this.#sources = sources
    this.#context = context
    this.#order()
  }

  #order(): BucketOrder {
    const facts = {
      count: (bucket: number) => this.counts.at(bucket),
      compareKeys: (one: number, other: number) => this.#compareKeys(this.ids.key(one), this.ids.key(other)),
    }
    return bucketOrder(this.#options.order, facts, this.sub, this.#options.name)
  }

  #compareKeys(one: number, other: number): number {
    const keys = this.keys
    const width = this.#sources.length
    for (let at = 0; at < width; at++) {
      const left = keys[one * width + at]!
      const right = keys[other * width + at]!
      const order = left === right ? 0 : this.#sources[at]!.compare(left, right)
      if (order !== 0) return order
    }
    return 0
  }

  override *finish(): Steps<void> {
    if (this.#options.minDocCount === 0) yield* this.#readAll()
    yield* this.sub.finish()
  }

  /** Adds the combinations of documents that do not match, for `min_doc_count: 0`. */
  *#readAll(): Steps<void> {
    const { search, batchSize: fixed } = this.#context
    const owners = new Uint32Array(batchSize)
    const batches = new BatchSize({ fixed })
    for (const leaf of search.shards.flatMap(({ leaves }) => leaves)) {
      yield* this.prepareKeys(leaf)
      const docs = (visible(leaf.reader) ?? DocSet.all(leaf.reader.segment.docCount)).array()
      for (let from = 0; from < docs.length; ) {
        if (isOutOfTime(this.#context)) break
        const part = docs.subarray(from, Math.min(from + batches.size, docs.length))
        const batch = { leaf, docs: part, owners, length: part.length }
        batches.begin()
        const keys = this.#sources.map((source) => source.read(batch))
        this.combinations.read(batch, keys, () => {})
        batches.end(part.length)
        from += part.length
        yield
      }
    }
  }

  *resultSteps(owner: number): Steps<AggResult> {
    const { size, minDocCount } = this.#options
    if (minDocCount === 0) {
      for (let key = 0; key < this.combinations.size; key++) {
        if (key % stepKeys === stepKeys - 1) yield
        this.ids.id(owner, key)
      }
    }
    let all = yield* this.ids.ofSteps(owner)
    if (minDocCount > 1) all = yield* filterSteps(all, (bucket) => this.counts.at(bucket) >= minDocCount)
    let rest = yield* sumSteps(all, this.counts)
    const error = { doc_count_error_upper_bound: countError(this.#options, all.length) }
    const chosen = yield* firstBuckets(all, size, this.#order())
    this.#context.budget.add(chosen.length)
    const buckets = yield* bucketSteps(chosen, this.sub, (bucket, aggs) => {
      rest -= this.counts.at(bucket)
      return this.#bucket(bucket, aggs, error)
    })
    return {
      typedName: 'multi_terms',
      buckets,
      toJson: () => ({ ...error, sum_other_doc_count: rest }),
    }
  }

  #bucket(bucket: number, aggs: AggResults | undefined, error: Record<string, unknown>): AggBucket {
    const width = this.#sources.length
    const from = this.ids.key(bucket) * width
    const keys = this.keys.subarray(from, from + width)
    const text = this.#sources.map((source, at) => source.text(keys[at]!)).join('|')
    return bucketOf({
      keyText: text,
      docCount: this.counts.at(bucket),
      aggs,
      head: { key: this.#sources.map((source, at) => shownKey(source, keys[at]!)), key_as_string: text },
      ...(this.#options.showError && { tail: error }),
    })
  }
}

/** Dates and booleans are rendered as text inside of key lists. */
function shownKey(source: KeySource, key: number): unknown {
  if (source.field.type === 'boolean') return source.number(key) !== 0
  return source.shown(key) ?? source.json(key)
}
