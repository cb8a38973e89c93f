/**
 * A span tree as a query: documents with a span match and are scored by BM25 with the sloppy frequency of the
 * spans.
 */

import type { Steps } from '../../../scheduling/steps.ts'
import { sloppyFrequency } from '../../../scoring/bm25.ts'
import type { LeafReader } from '../../../segment/segment.ts'
import { MatchNoneWeight } from '../compound/simple-queries.ts'
import { type Explanation, unmatched } from '../explanation.ts'
import type { TermVisitor } from '../highlight-terms.ts'
import { Query, type SearchScope, type Weight } from '../query.ts'
import type { TermStatistics } from '../statistics.ts'
import { Similarity } from '../terms/term-query.ts'
import { PositionWeight } from './position-weight.ts'
import type { SpanNode } from './span-node.ts'
import { SpanTerm } from './span-terms.ts'

export class SpanQuery extends Query {
  readonly node: SpanNode

  constructor(node: SpanNode) {
    super()
    this.node = node
  }

  weight(scope: SearchScope, boost: number): Weight {
    const node = this.node.expanded(scope)
    const statistics = new Map<string, TermStatistics>()
    node.addTerms((field, term) => {
      const found = scope.statistics.term(field, term)
      if (found.docFreq > 0) statistics.set(`${field}:${term}`, found)
    })
    if (statistics.size === 0) return new MatchNoneWeight(scope, 'no matching term')
    return new SpanWeight(scope, node, new Similarity(scope, node.field, [...statistics.values()], boost))
  }

  override rewritten(scope: SearchScope): Query {
    const node = this.node.expanded(scope)
    return String(node) === String(this.node) ? this : new SpanQuery(node)
  }

  toString(): string {
    return this.node.toString()
  }

  override *expandTerms(scope: SearchScope): Steps<void> {
    yield* scope.statistics.opening(this.node.field)
    yield* this.node.expandTerms(scope)
  }

  override get leafCount(): number {
    let count = 0
    this.node.addTerms(() => void (count += 1))
    return Math.max(1, count)
  }

  override visit(visitor: TermVisitor): void {
    visitor.within(this.node instanceof SpanTerm ? 'terms' : 'spans', () => {
      this.node.addTerms((field, term) => void visitor.of(field).terms.add(term))
      this.node.addPatterns((field, matcher) => void visitor.of(field).patterns.push(matcher))
    })
  }
}

class SpanWeight extends PositionWeight {
  readonly #node: SpanNode
  readonly #similarity: Similarity

  constructor(scope: SearchScope, node: SpanNode, similarity: Similarity) {
    super(scope)
    this.#node = node
    this.#similarity = similarity
  }

  protected candidates(leaf: LeafReader) {
    const { docs, spans } = this.#node.open(leaf)
    return {
      docs,
      frequency(doc: number): number {
        let frequency = 0
        for (const { width } of spans(doc)) frequency = Math.fround(frequency + sloppyFrequency(width))
        return frequency
      },
    }
  }

  protected scoreFor(frequency: number, leaf: LeafReader, doc: number): number {
    const norms = leaf.segment.fields.get(this.#node.field)?.norms ?? null
    return this.#similarity.score(frequency, norms, doc)
  }

  explain(leaf: LeafReader, doc: number): Explanation {
    const { docs, scores } = this.frequencies(leaf)
    const at = docs.indexOf(doc)
    const field = leaf.segment.fields.get(this.#node.field)
    if (at === -1 || field === undefined) return unmatched('no matching term')
    return this.#similarity.explain(this.#node.toString(), scores[at]!, field, doc, true)
  }
}
