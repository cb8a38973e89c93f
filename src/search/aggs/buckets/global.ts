/**
 * `global`: all documents of the searched indices, whether they match or not; allowed at the top level only.
 */

import { SearchError } from '../../request/search-error.ts'
import type { AggKind } from '../agg-kind.ts'
import { type Batch, ownersOf } from '../batch.ts'
import { weightsOf } from '../values/doc-weights.ts'
import { SingleBuckets } from './bucket.ts'

/** Receives every document in place of the matches. */
export class AllDocuments extends SingleBuckets {
  collect(batch: Batch): void {
    const counts = this.counts.reserve(ownersOf(batch))
    const weights = weightsOf(batch.leaf)
    for (let i = 0; i < batch.length; i++)
      counts[batch.owners[i]!]! += weights === null ? 1 : weights[batch.docs[i]!]!
    this.sub.collect(batch)
  }
}

export const globalKind: AggKind = {
  name: 'global',
  bucketing: 'one',
  parse(options) {
    options.done()
    return (context, createSub) => {
      if (context.parents.length > 0) {
        context.refused.push(
          new SearchError(
            'aggregation_execution_exception',
            `Aggregation [${context.parentName}] cannot have a global sub-aggregation [${options.aggregation}]. Global aggregations can only be defined as top level aggregations`,
          ),
        )
      }
      return new AllDocuments('global', createSub(context))
    }
  },
}
