/** `missing`: documents without a value. */

import type { AggKind } from '../agg-kind.ts'
import type { SubAggregators } from '../aggregator.ts'
import { type Batch, GrowingBatch, ownersOf } from '../batch.ts'
import { presence } from '../values/columns.ts'
import { weightsOf } from '../values/doc-weights.ts'
import { type BoundField, bindField, readValueOptions, type ValueType } from '../values/value-field.ts'
import { SingleBuckets } from './bucket.ts'
import { keyTypes } from './terms.ts'

export const anyType: readonly ValueType[] = [...keyTypes, 'geo_point', 'range']

class MissingAggregator extends SingleBuckets {
  readonly #field: BoundField
  readonly #hasDefault: boolean
  readonly #out = new GrowingBatch()

  /** With a `missing` option no document counts as missing. */
  constructor(field: BoundField, hasDefault: boolean, sub: SubAggregators) {
    super('missing', sub)
    this.#field = field
    this.#hasDefault = hasDefault
  }

  collect(batch: Batch): void {
    if (this.#hasDefault) return
    const { leaf, docs, owners, length } = batch
    const present = presence(leaf, this.#field)
    if (present === null) return
    const counts = this.counts.reserve(ownersOf(batch))
    const out = this.#out
    out.start(leaf)
    const weights = weightsOf(leaf)
    for (let i = 0; i < length; i++) {
      if (present?.has(docs[i]!) === true) continue
      counts[owners[i]!]! += weights === null ? 1 : weights[docs[i]!]!
      out.push(docs[i]!, owners[i]!)
    }
    this.sub.collect(out)
  }
}

export const missingKind: AggKind = {
  name: 'missing',
  bucketing: 'one',
  parse(options) {
    const values = readValueOptions(options)
    options.done()
    return (context, createSub) => {
      const field = bindField(values, anyType, 'missing', options.aggregation, context)
      return new MissingAggregator(
        field,
        values.missing !== undefined,
        createSub({ ...context, owners: field.isMapped ? context.owners : 'none' }),
      )
    }
  },
}
