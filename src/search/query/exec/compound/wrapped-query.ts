/** A query around another one, with its terms: it matches or scores otherwise, and highlights what that one does. */
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
