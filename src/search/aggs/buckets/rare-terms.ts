/** `rare_terms`: values that few documents have, the rarest first. */
import type { AggKind } from '../agg-kind.ts'
import { illegalArgument } from '../agg-options.ts'
import type { AggContext, Aggregator, SubAggregators } from '../aggregator.ts'
import type { Batch } from '../batch.ts'
import type { AggResult } from '../result.ts'
import { keyFilter, readKeySelection } from '../values/key-filter.ts'
import { keySource } from '../values/key-source.ts'
import { bindField, readValueOptions } from '../values/value-field.ts'
import { bucketOf } from './bucket.ts'
import { KeyBuckets, keyJson, keyTypes } from './terms.ts'

const mostRare = 100

export const rareTermsKind: AggKind = {
  name: 'rare_terms',
  parse(options) {
    const name = options.aggregation
    const values = readValueOptions(options)
    const most = options.int('max_doc_count') ?? 1
    if (most <= 0) {
      throw illegalArgument(`[max_doc_count] must be greater than 0. Found [${most}] in [${name}]`)
    }
    if (most > mostRare) {
      throw illegalArgument(
        `[max_doc_count] must be smaller than or equal to ${mostRare}. Found [${most}] in [${name}]`,
      )
    }
    const selection = readKeySelection(options)
    const precision = options.number('precision')
    if (precision !== undefined && precision < 0.00001) {
      throw illegalArgument('[precision] must be greater than 0.00001')
    }
    options.done()
    return (context, createSub) => {
      const field = bindField(values, keyTypes, 'rare_terms', name, context)
      const filter = keyFilter(selection, field, values, name, context)
      const source = keySource(field, values, context, filter)
      const isText = field.type === 'string' || field.type === 'ip'
      const typedName = !field.isMapped ? 'umrareterms' : isText ? 'srareterms' : 'lrareterms'
      return new RareTerms(new KeyBuckets(source, createSub(context)), most, typedName, context)
    }
  },
}

class RareTerms implements Aggregator {
  readonly #buckets: KeyBuckets
  readonly #most: number
  readonly #typedName: string
  readonly #context: AggContext

  constructor(buckets: KeyBuckets, most: number, typedName: string, context: AggContext) {
    this.#buckets = buckets
    this.#most = most
    this.#typedName = typedName
    this.#context = context
  }

  get sub(): SubAggregators {
    return this.#buckets.sub
  }

  collect(batch: Batch): void {
    this.#buckets.collect(batch)
  }

  finish(): void {
    this.sub.finish()
  }

  result(owner: number): AggResult {
    const { ids, counts, source, sub } = this.#buckets
    const rare = ids.of(owner).filter((bucket) => counts.at(bucket) <= this.#most)
    rare.sort(
      (one, other) => counts.at(one) - counts.at(other) || source.compare(ids.key(one), ids.key(other)),
    )
    this.#context.budget.add(rare.length)
    return {
      typedName: this.#typedName,
      buckets: Array.from(rare, (bucket) => {
        const key = ids.key(bucket)
        return bucketOf({
          keyText: source.text(key),
          keyNumber: source.number(key),
          docCount: counts.at(bucket),
          aggs: sub.results(bucket),
          head: keyJson(source, key),
        })
      }),
      toJson: () => ({}),
    }
  }
}
