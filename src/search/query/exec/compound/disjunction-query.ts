/**
 * The base classes of disjunctions: queries over a list of others, where each subclass decides which documents that
 * match some of them match (`dis_max`, `terms_set`).
 */

import type { Steps } from '../../../scheduling/steps.ts'
import type { LeafReader } from '../../../segment/segment.ts'
import type { TermVisitor } from '../highlight-terms.ts'
import { Query, type SearchScope, Weight } from '../query.ts'

export abstract class DisjunctionQuery extends Query {
  readonly queries: readonly Query[]

  constructor(queries: readonly Query[]) {
    super()
    this.queries = queries
  }

  override *expandTerms(scope: SearchScope): Steps<void> {
    for (const query of this.queries) yield* query.expandTerms(scope)
  }

  override visit(visitor: TermVisitor): void {
    for (const query of this.queries) query.visit(visitor)
  }
}

export abstract class DisjunctionWeight extends Weight {
  protected readonly weights: readonly Weight[]

  constructor(scope: SearchScope, { queries }: DisjunctionQuery, boost: number) {
    super(scope)
    this.weights = queries.map((query) => query.weight(scope, boost))
  }

  cost(leaf: LeafReader): number {
    let cost = 0
    for (const weight of this.weights) cost += weight.cost(leaf)
    return Math.min(cost, leaf.segment.docCount)
  }
}
