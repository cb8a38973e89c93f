/**
 * A term of a `cross_fields` query (Lucene's BlendedTermQuery): all fields use the highest document frequency
 * among them, so that no field wins only because the term is rare there.
 */
import type { Steps } from '../../../scheduling/steps.ts'
import { DisMaxQuery } from '../compound/dis-max-query.ts'
import { boostedQuery } from '../compound/simple-queries.ts'
import { floatText } from '../explanation.ts'
import type { TermVisitor } from '../highlight-terms.ts'
import { Query, type SearchScope, type Weight } from '../query.ts'
import { TermQuery } from './term-query.ts'

export interface WeightedField {
  readonly name: string
  readonly boost: number
}

export class CrossFieldsTermQuery extends Query {
  readonly #fields: readonly WeightedField[]
  readonly #term: string
  readonly #tieBreaker: number

  constructor(fields: readonly WeightedField[], term: string, tieBreaker: number) {
    super()
    this.#fields = fields
    this.#term = term
    this.#tieBreaker = tieBreaker
  }

  weight(scope: SearchScope, boost: number): Weight {
    return this.rewritten(scope).weight(scope, boost)
  }

  override rewritten({ statistics }: SearchScope): Query {
    const rows = this.#fields.map((field) => ({ field, own: statistics.term(field.name, this.#term) }))
    const order = rows.map((_, index) => index).sort((a, b) => rows[b]!.own.docFreq - rows[a]!.own.docFreq)
    const blended = new Map<number, number>()
    let maxDoc = statistics.leaves.reduce((sum, { segment }) => sum + segment.docCount, 0)
    for (const { field, own } of rows)
      if (own.docFreq > 0) maxDoc = Math.min(maxDoc, statistics.field(field.name).sumTotalFreq)
    let previous = rows[order[0]!]!.own.docFreq
    let docFreq = Math.min(maxDoc, previous)
    for (const index of order) {
      const own = rows[index]!.own.docFreq
      if (own === 0) break
      // Fields with a lower document frequency stay slightly rarer, which breaks ties.
      if (previous > own) docFreq++
      blended.set(index, Math.min(docFreq, maxDoc, statistics.field(rows[index]!.field.name).docCount))
      previous = own
    }
    const queries = rows.map(({ field, own }, index) =>
      boostedQuery(
        new TermQuery(field.name, this.#term, { ...own, docFreq: blended.get(index) ?? own.docFreq }),
        field.boost,
      ),
    )
    return new DisMaxQuery(queries, this.#tieBreaker)
  }

  toString(): string {
    const terms = this.#fields.map(
      ({ name, boost }) => `${name}:${this.#term}${boost === 1 ? '' : `^${floatText(boost)}`}`,
    )
    return `blended(terms:[${terms.join(', ')}])`
  }

  override *expandTerms({ statistics }: SearchScope): Steps<void> {
    for (const { name } of this.#fields) {
      yield* statistics.opening(name)
      statistics.term(name, this.#term)
      yield
    }
  }

  override visit(visitor: TermVisitor): void {
    for (const { name } of this.#fields) visitor.of(name).terms.add(this.#term)
  }
}
