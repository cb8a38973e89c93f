/**
 * The `intervals` query. Its score saturates towards the boost with more and shorter intervals, as in
 * Lucene's IntervalScoreFunction.
 */

import type { Steps } from '../../../scheduling/steps.ts'
import type { LeafReader } from '../../../segment/segment.ts'
import { type Explanation, explained, floatText, unmatched } from '../explanation.ts'
import type { TermVisitor } from '../highlight-terms.ts'
import { Query, type SearchScope, type Weight } from '../query.ts'
import type { IntervalSource } from './interval-source.ts'
import { PositionWeight } from './position-weight.ts'

export class IntervalQuery extends Query {
  readonly #field: string
  readonly #source: IntervalSource

  constructor(field: string, source: IntervalSource) {
    super()
    this.#field = field
    this.#source = source
  }

  weight(scope: SearchScope, boost: number): Weight {
    return new IntervalWeight(scope, this, this.#source.expanded(scope), boost)
  }

  toString(): string {
    // Terms and patterns are printed without their field.
    const text = String(this.#source)
      .replaceAll(`${this.#field}:`, '')
      .replaceAll(/SpanMultiTermQueryWrapper\(([^()]*)\)/g, '$1')
    return `${this.#field}:${text}`
  }

  override *expandTerms(scope: SearchScope): Steps<void> {
    yield* scope.statistics.opening(this.#field)
    yield* this.#source.expandTerms(scope)
  }

  override get leafCount(): number {
    let count = 0
    this.#source.addTerms(() => void (count += 1))
    return Math.max(1, count)
  }

  override visit(visitor: TermVisitor): void {
    visitor.within('intervals', () => {
      this.#source.addTerms((field, term) => void visitor.of(field).terms.add(term))
      this.#source.addPatterns((field, matcher) => void visitor.of(field).patterns.push(matcher))
    })
  }
}

class IntervalWeight extends PositionWeight {
  readonly #query: IntervalQuery
  readonly #source: IntervalSource
  readonly #boost: number

  constructor(scope: SearchScope, query: IntervalQuery, source: IntervalSource, boost: number) {
    super(scope)
    this.#query = query
    this.#source = source
    this.#boost = boost
  }

  protected candidates(leaf: LeafReader) {
    const { docs, intervals } = this.#source.open(leaf)
    const { extent } = this.#source
    return {
      docs,
      frequency(doc: number): number {
        let frequency = 0
        for (const { start, end } of intervals(doc)) frequency += 1 / Math.max(end - start + 2 - extent, 1)
        return frequency
      },
    }
  }

  protected scoreFor(frequency: number): number {
    return Math.fround(this.#boost * Math.fround(frequency / (frequency + 1)))
  }

  explain(leaf: LeafReader, doc: number): Explanation {
    const { docs, scores } = this.frequencies(leaf)
    const at = docs.indexOf(doc)
    if (at === -1) return unmatched('no matching intervals')
    const frequency = scores[at]!
    if (this.scope.scoreFactor !== 1)
      return explained(
        this.scoreFor(frequency),
        `weight(${this.#query} in ${doc}), a saturation of freq=${floatText(frequency)}`,
      )
    return explained(
      this.scoreFor(frequency),
      'Saturation function on interval frequency, computed as w * S / (S + k) from:',
      [
        explained(this.#boost, 'w, weight of this function'),
        explained(1, 'k, pivot feature value that would give a score contribution equal to w/2'),
        explained(frequency, `S, the sloppy frequency of the interval query ${this.#query}`),
      ],
    )
  }
}
