/**
 * A query as aggregations use it: bound to every index and evaluated per segment. Nested objects match too.
 */
import type { SearchIndex } from '../../collect/search-index.ts'
import type { SearchLeaf } from '../../collect/sort/sort-key.ts'
import type { Clause } from '../../query/dsl/clause.ts'
import { bindQuery } from '../../query/dsl/parse-query.ts'
import { filterWeight } from '../../query/exec/compound/simple-queries.ts'
import type { DocSet } from '../../query/exec/doc-set.ts'
import type { Query, Weight } from '../../query/exec/query.ts'
import { SearchError } from '../../request/search-error.ts'
import type { Steps } from '../../scheduling/steps.ts'
import { type AggContext, isStrict } from '../aggregator.ts'
import { isRewritten } from './rewritten-filter.ts'

/** OpenSearch reports what is wrong with a filter of an aggregation as it is, not as a query that cannot be made. */
function bound(clause: Clause, { queries }: SearchIndex): Query {
  try {
    return bindQuery(clause, queries).query
  } catch (error) {
    const isWrapped = error instanceof SearchError && error.message.startsWith('failed to create query: ')
    if (isWrapped && queries.isOpenSearch === true && error.causedBy !== undefined) throw error.causedBy
    throw error
  }
}

export class FilterSet {
  readonly #queries: ReadonlyMap<string, Query>
  readonly #weights = new Map<number, Weight>()

  /** Throws SearchError. `json` is the query as it is written, where OpenSearch may rewrite it. */
  constructor(clause: Clause, context: AggContext, json?: unknown) {
    const { indices } = context
    this.#queries = new Map(indices.map((index) => [index.name, bound(clause, index)]))
    if (json === undefined || !isStrict(context)) return
    if (indices.some((index) => isRewritten(json, this.#queries.get(index.name)!, index, context)))
      context.noteRewrite()
  }

  #weight(leaf: SearchLeaf): Weight {
    let weight = this.#weights.get(leaf.shardNumber)
    if (weight === undefined) {
      weight = filterWeight(this.#queries.get(leaf.index.name)!, leaf.scope)
      this.#weights.set(leaf.shardNumber, weight)
    }
    return weight
  }

  matching(leaf: SearchLeaf): DocSet {
    return this.#weight(leaf).matches(leaf.reader)
  }

  *matchingSteps(leaf: SearchLeaf): Steps<DocSet> {
    if (!this.#weights.has(leaf.shardNumber)) {
      yield* this.#queries.get(leaf.index.name)!.expandTerms(leaf.scope)
    }
    const weight = this.#weight(leaf)
    yield* weight.prepare(leaf.reader)
    return weight.matches(leaf.reader)
  }
}
