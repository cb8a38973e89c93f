/** The base of queries around another one, whose terms they report for expansion and highlighting. */
import type { Steps } from '../../../scheduling/steps.ts'
import type { TermVisitor } from '../highlight-terms.ts'
import { Query, type SearchScope } from '../query.ts'

export abstract class WrappedQuery extends Query {
  readonly inner: Query

  constructor(inner: Query) {
    super()
    this.inner = inner
  }

  override expandTerms(scope: SearchScope): Steps<void> {
    return this.inner.expandTerms(scope)
  }

  override get leafCount(): number {
    return this.inner.leafCount
  }

  override visit(visitor: TermVisitor): void {
    this.inner.visit(visitor)
  }
}
