/**
 * `combined_fields`: one word in several text fields scored as a single field (BM25F, Robertson, Zaragoza and
 * Taylor 2004; Lucene's CombinedFieldQuery). Frequencies and lengths are summed over the fields with their
 * weights before BM25 is applied.
 */

import type { Steps } from '../../../scheduling/steps.ts'
import {
  averageLength,
  bm25,
  defaultB,
  defaultK1,
  inverseDocumentFrequency,
  inverseNorms,
  noNorm,
  termFrequencyShare,
  termWeight,
} from '../../../scoring/bm25.ts'
import { encodeLength, lengthOfNorm } from '../../../segment/encoding/length-norm.ts'
import type { LeafReader } from '../../../segment/segment.ts'
import { type Explanation, explained, floatText, unmatched } from '../explanation.ts'
import type { TermVisitor } from '../highlight-terms.ts'
import { Query, type SearchScope, type Weight } from '../query.ts'
import type { WeightedField } from './cross-fields-query.ts'
import { type BoostedPostings, SummedWeight } from './summed-frequencies.ts'
import { idfOf, postingsOf } from './term-query.ts'

export class CombinedFieldsQuery extends Query {
  readonly fields: readonly WeightedField[]
  /** Several when the analyzer emits synonyms at one position. */
  readonly terms: readonly string[]
  /** Lucene prints it in a boolean query of its own, with this sign. */
  readonly isRequired: boolean

  constructor(fields: readonly WeightedField[], terms: readonly string[], isRequired = false) {
    super()
    this.isRequired = isRequired
    this.fields = fields
    this.terms = terms
  }

  weight(scope: SearchScope, boost: number): Weight {
    return new CombinedFieldsWeight(scope, this, boost)
  }

  toString(): string {
    const fields = this.fields
      .map(({ name, boost }) => (boost === 1 ? name : `${name}^${floatText(boost)}`))
      .sort()
    return `CombinedFieldQuery((${fields.join(' ')})(${this.terms.join(', ')}))`
  }

  override *expandTerms({ statistics }: SearchScope): Steps<void> {
    for (const { name } of this.fields) {
      yield* statistics.opening(name)
      for (const term of this.terms) statistics.term(name, term)
      yield
    }
  }

  override visit(visitor: TermVisitor): void {
    for (const { name } of this.fields) for (const term of this.terms) visitor.of(name).terms.add(term)
  }
}

class CombinedFieldsWeight extends SummedWeight {
  readonly #query: CombinedFieldsQuery
  readonly #weight: number
  readonly #transposed: Float32Array
  readonly #docFreq: number
  readonly #docCount: number
  readonly #average: number
  readonly #boost: number

  constructor(scope: SearchScope, query: CombinedFieldsQuery, boost: number) {
    super(scope)
    this.#query = query
    let docCount = 0
    let docFreq = 0
    let length = 0
    for (const { name, boost: weight } of query.fields) {
      const field = scope.statistics.field(name)
      docCount = Math.max(docCount, field.docCount)
      length += weight * field.sumTotalFreq
      for (const term of query.terms) {
        docFreq = Math.max(docFreq, scope.statistics.term(name, term).docFreq)
      }
    }
    this.#weight = termWeight(inverseDocumentFrequency(docFreq, docCount), boost, scope.scoreFactor)
    this.#average = docCount === 0 ? 1 : averageLength(Math.trunc(length), docCount)
    this.#transposed = inverseNorms(this.#average)
    this.#docFreq = docFreq
    this.#docCount = docCount
    this.#boost = Math.fround(Math.fround(boost) * scope.scoreFactor)
  }

  cost(leaf: LeafReader): number {
    let cost = 0
    for (const { name } of this.#query.fields) {
      const terms = leaf.segment.fields.get(name)?.terms
      if (terms === undefined || terms === null) continue
      for (const term of this.#query.terms) {
        const ordinal = terms.find(term)
        if (ordinal !== -1) cost += terms.docFreq(ordinal)
      }
    }
    return cost
  }

  protected open(leaf: LeafReader): readonly BoostedPostings[] {
    const lists: BoostedPostings[] = []
    for (const { name, boost } of this.#query.fields) {
      for (const term of this.#query.terms) {
        const postings = postingsOf(leaf, name, term)
        if (postings !== undefined) lists.push({ postings, boost })
      }
    }
    return lists
  }

  protected scorer(leaf: LeafReader): (frequency: number, doc: number) => number {
    const norms = this.#norms(leaf)
    return (frequency, doc) => bm25(this.#weight, frequency, this.#transposed[norms(doc)]!)
  }

  /** The norm of the combined length, encoded in one byte like that of a single field. */
  #norms(leaf: LeafReader): (doc: number) => number {
    const columns = this.#query.fields.flatMap(({ name, boost }) => {
      const norms = leaf.segment.fields.get(name)?.norms
      return norms === undefined || norms === null ? [] : [{ norms, boost }]
    })
    if (columns.length === 0) return () => noNorm
    return (doc) => {
      let length = 0
      for (const { norms, boost } of columns) length += boost * lengthOfNorm[norms[doc]!]!
      return encodeLength(Math.round(length))
    }
  }

  explain(leaf: LeafReader, doc: number): Explanation {
    const score = this.scoreOf(leaf, doc)
    if (score === undefined) return unmatched('no matching term')
    const head = `weight(${this.#query} in ${doc}), result of:`
    if (this.scope.scoreFactor !== 1) return explained(score, head)
    return explained(score, head, [this.#parts(leaf, doc, score)])
  }

  /** The parts of a score, as Lucene 10 shows them. */
  #parts(leaf: LeafReader, doc: number, score: number): Explanation {
    let frequency = 0
    for (const { postings, boost } of this.open(leaf)) {
      const at = postings.docs.indexOf(doc)
      if (at !== -1) frequency += boost * (postings.freqs === null ? 1 : postings.freqs[at]!)
    }
    const norm = this.#norms(leaf)(doc)
    const length = lengthOfNorm[norm]!
    const rounded = length > 39 ? 'dl, length of field (approximate)' : 'dl, length of field'
    const share = termFrequencyShare(frequency, this.#transposed[norm]!)
    return explained(score, `score(freq=${floatText(frequency)}), computed as boost * idf * tf from:`, [
      ...(this.#boost === 1 ? [] : [explained(this.#boost, 'boost')]),
      idfOf(this.#docFreq, this.#docCount),
      explained(share, 'tf, computed as freq / (freq + k1 * (1 - b + b * dl / avgdl)) from:', [
        explained(frequency, `termFreq=${floatText(frequency)}`),
        explained(defaultK1, 'k1, term saturation parameter'),
        explained(defaultB, 'b, length normalization parameter'),
        explained(length, rounded),
        explained(this.#average, 'avgdl, average length of field'),
      ]),
    ])
  }
}
