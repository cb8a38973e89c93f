/**
 * The term query with BM25 (Robertson and Walker 1994, in Lucene's form). Synonyms and blended terms reuse
 * its similarity with other statistics.
 */

import { inRanges, StepSize } from '../../../scheduling/step-size.ts'
import type { Steps } from '../../../scheduling/steps.ts'
import {
  averageLength,
  bm25,
  defaultB,
  defaultK1,
  inverseDocumentFrequency,
  noNorm,
  termFrequencyShare,
  termWeight,
} from '../../../scoring/bm25.ts'
import { gallop, lowerBound } from '../../../segment/encoding/binary-search.ts'
import { lengthOfNorm } from '../../../segment/encoding/length-norm.ts'
import type { LeafReader, Postings, SegmentField } from '../../../segment/segment.ts'
import { denseShare } from '../compound/windowed-disjunction.ts'
import { DocSet } from '../doc-set.ts'
import { type Explanation, explained, floatText, unmatched } from '../explanation.ts'
import type { TermVisitor } from '../highlight-terms.ts'
import { canPrune, type PrunedTopDocs, prunedTopDocs } from '../pruning/block-max-pruning.ts'
import {
  noScores,
  type PostingScores,
  Query,
  type ScoredDocs,
  type ScoreTable,
  type SearchScope,
  Weight,
} from '../query.ts'
import type { ScoredBatches } from '../scored-batches.ts'
import type { TermStatistics } from '../statistics.ts'

export class TermQuery extends Query {
  readonly field: string
  readonly term: string
  /** Statistics that replace the term's own, for blended terms. */
  readonly #statistics: TermStatistics | undefined

  constructor(field: string, term: string, statistics?: TermStatistics) {
    super()
    this.field = field
    this.term = term
    this.#statistics = statistics
  }

  weight(scope: SearchScope, boost: number): Weight {
    const statistics = this.#statistics ?? scope.statistics.term(this.field, this.term)
    return new TermWeight(scope, this, new Similarity(scope, this.field, [statistics], boost))
  }

  toString(): string {
    return `${this.field}:${this.term}`
  }

  override *expandTerms({ statistics }: SearchScope): Steps<void> {
    if (this.#statistics !== undefined) return
    yield* statistics.opening(this.field)
    statistics.term(this.field, this.term)
    yield
  }

  override visit(visitor: TermVisitor): void {
    visitor.of(this.field).terms.add(this.term)
  }
}

/** Scores of frequencies below this come from a table. */
const tableEnd = 5
/** Postings scored in the first step, and at least in each. */
const stepPostings = 32 * 1024

/** BM25 for one field and one term, or several terms of a phrase whose idfs are summed. */
export class Similarity {
  readonly field: string
  readonly boost: number
  readonly weight: number
  readonly inverse: Float32Array
  readonly #idf: number
  readonly #terms: readonly TermStatistics[]
  readonly #docCount: number
  readonly #average: number
  #table: ScoreTable | undefined

  constructor(scope: SearchScope, field: string, terms: readonly TermStatistics[], boost: number) {
    const { docCount, sumTotalFreq } = scope.statistics.field(field)
    let idf = 0
    for (const { docFreq } of terms) idf += inverseDocumentFrequency(docFreq, docCount)
    this.#terms = terms
    this.#docCount = docCount
    this.field = field
    this.#idf = Math.fround(idf)
    this.boost = Math.fround(Math.fround(boost) * scope.scoreFactor)
    this.weight = termWeight(this.#idf, boost, scope.scoreFactor)
    this.#average = docCount === 0 ? 1 : averageLength(sumTotalFreq, docCount)
    this.inverse = scope.statistics.inverseNorms(field, this.#average)
  }

  score(frequency: number, norms: Uint8Array | null, doc: number): number {
    return bm25(this.weight, frequency, this.inverse[norms === null ? noNorm : norms[doc]!]!)
  }

  get table(): ScoreTable {
    if (this.#table === undefined) {
      const { weight, inverse } = this
      const compute = (frequency: number, norm: number) => bm25(weight, frequency, inverse[norm]!)
      const scores = new Float32Array(tableEnd * 256)
      for (let frequency = 1; frequency < tableEnd; frequency++)
        for (let norm = 0; norm < 256; norm++) scores[frequency * 256 + norm] = compute(frequency, norm)
      this.#table = { scores, end: tableEnd, compute }
    }
    return this.#table
  }

  explain(
    description: string,
    frequency: number,
    field: SegmentField,
    doc: number,
    isSpan = false,
  ): Explanation {
    const { norms } = field
    const norm = norms === null ? noNorm : norms[doc]!
    const share = termFrequencyShare(frequency, this.inverse[norm]!)
    const length = lengthOfNorm[norm]!
    const rounded = length > 39 ? 'dl, length of field (approximate)' : 'dl, length of field'
    const isPhrase = this.#terms.length !== 1
    const idfs = this.#terms.map(({ docFreq }) => idfOf(docFreq, this.#docCount))
    const idf = isPhrase ? explained(this.#idf, 'idf, sum of:', idfs) : idfs[0]!
    const parts = [
      ...(this.boost === 1 ? [] : [explained(this.boost, 'boost')]),
      idf,
      explained(share, 'tf, computed as freq / (freq + k1 * (1 - b + b * dl / avgdl)) from:', [
        explained(
          frequency,
          isPhrase || isSpan
            ? `phraseFreq=${floatText(frequency)}`
            : 'freq, occurrences of term within document',
        ),
        explained(defaultK1, 'k1, term saturation parameter'),
        explained(defaultB, 'b, length normalization parameter'),
        explained(length, rounded),
        explained(this.#average, 'avgdl, average length of field'),
      ]),
    ]
    const score = this.score(frequency, norms, doc)
    return explained(score, `weight(${description} in ${doc}) [PerFieldSimilarity], result of:`, [
      explained(score, `score(freq=${floatText(frequency)}), computed as boost * idf * tf from:`, parts),
    ])
  }
}

/** Explains an idf. */
export function idfOf(docFreq: number, docCount: number): Explanation {
  const idf = inverseDocumentFrequency(docFreq, docCount)
  return explained(idf, 'idf, computed as log(1 + (N - n + 0.5) / (n + 0.5)) from:', [
    explained(docFreq, 'n, number of documents containing term'),
    explained(docCount, 'N, total number of documents with field'),
  ])
}

class TermWeight extends Weight {
  readonly #query: TermQuery
  readonly #similarity: Similarity
  #constant: number | null | undefined
  #opened: { readonly leaf: LeafReader; readonly postings: Postings | undefined } | undefined
  #scores: PostingScores | undefined
  /** The index after the last scored posting, where the search for the next begins. */
  #place = 0

  constructor(scope: SearchScope, query: TermQuery, similarity: Similarity) {
    super(scope)
    this.#query = query
    this.#similarity = similarity
  }

  /** A field without norms and frequencies, as a keyword, gives every match the same score. */
  override get constant(): number | undefined {
    if (this.#constant === undefined) {
      const { field, term } = this.#query
      const isSame = this.scope.leaves.every((leaf) => isAlike(leaf.segment.fields.get(field), term))
      this.#constant = isSame ? this.#similarity.score(1, null, 0) : null
    }
    return this.#constant ?? undefined
  }

  cost(leaf: LeafReader): number {
    if (this.#opened?.leaf === leaf) return this.#opened.postings?.docs.length ?? 0
    const terms = leaf.segment.fields.get(this.#query.field)?.terms
    if (terms === undefined || terms === null) return 0
    const ordinal = terms.find(this.#query.term)
    return ordinal === -1 ? 0 : terms.docFreq(ordinal)
  }

  protected find(leaf: LeafReader): DocSet {
    const postings = this.#postings(leaf)
    const size = leaf.segment.docCount
    return postings === undefined ? DocSet.none(size) : DocSet.ofSorted(size, postings.docs)
  }

  override *prepareScores(leaf: LeafReader): Steps<void> {
    this.postingScores(leaf)
    yield
  }

  /** The postings of the last leaf are cached, as ranges of a segment are scored one after the other. */
  #postings(leaf: LeafReader): Postings | undefined {
    if (this.#opened?.leaf !== leaf) {
      this.#opened = { leaf, postings: postingsOf(leaf, this.#query.field, this.#query.term) }
      this.#scores = undefined
      this.#place = 0
    }
    return this.#opened.postings
  }

  override postingScores(leaf: LeafReader): PostingScores | undefined {
    const postings = this.#postings(leaf)
    if (postings === undefined) return undefined
    if (this.#scores === undefined) {
      const { norms } = leaf.segment.fields.get(this.#query.field)!
      const { docs, freqs } = postings
      this.#scores = { postings, docs, freqs, norms, table: this.#similarity.table }
    }
    return this.#scores
  }

  override *topDocsSteps(leaf: LeafReader, within: DocSet | null): Steps<PrunedTopDocs | undefined> {
    const size = leaf.segment.docCount
    if (!canPrune(1, size) || this.cost(leaf) * denseShare <= size) return undefined
    const postings = this.postingScores(leaf)
    yield
    return postings === undefined ? undefined : yield* prunedTopDocs([postings], size, within)
  }

  override *batchSteps(leaf: LeafReader): Steps<ScoredBatches | undefined> {
    const postings = this.postingScores(leaf)
    yield
    if (postings === undefined) return undefined
    const scores = (from: number, to: number, room: Float32Array) => {
      fillScores(postings, room, 0, from, to)
      return room
    }
    return { matches: DocSet.ofSorted(leaf.segment.docCount, postings.docs), scores }
  }

  score(leaf: LeafReader, within: DocSet | null): ScoredDocs {
    const postings = this.postingScores(leaf)
    if (postings === undefined) return noScores
    const { docs } = postings
    if (within === null || within.isAll) {
      this.scope.check()
      return { docs, scores: scoresBetween(postings, 0, docs.length) }
    }
    const [first, end] = within.bounds
    const isBehind = this.#place === 0 || docs[this.#place - 1]! < first
    const from = isBehind ? gallop(docs, first, this.#place) : lowerBound(docs, first, 0)
    const to = gallop(docs, end, from)
    this.#place = to
    if (from === to) return noScores
    this.scope.check()
    return within.start === undefined
      ? scoresAmong(postings, placesBetween(docs, from, to, within))
      : { docs: docs.subarray(from, to), scores: scoresBetween(postings, from, to) }
  }

  /** Scores the whole list into one array, where ranges of the segment would have to be joined. */
  protected override *scoreRanges(leaf: LeafReader, within: DocSet | null): Steps<ScoredDocs> {
    const postings = this.postingScores(leaf)
    if (postings === undefined || (within !== null && !within.isAll))
      return yield* super.scoreRanges(leaf, within)
    const { docs } = postings
    const scores = new Float32Array(docs.length)
    const fill = (from: number, to: number) => {
      this.scope.check()
      fillScores(postings, scores, from, from, to)
    }
    yield* inRanges(docs.length, fill, new StepSize(stepPostings, stepPostings))
    return { docs, scores }
  }

  explain(leaf: LeafReader, doc: number): Explanation {
    const postings = this.#postings(leaf)
    const at = postings === undefined ? -1 : postings.docs.indexOf(doc)
    if (postings === undefined || at === -1) return unmatched('no matching term')
    const field = leaf.segment.fields.get(this.#query.field)!
    return this.#similarity.explain(this.#query.toString(), postings.freqs?.[at] ?? 1, field, doc)
  }
}

export function postingsOf(leaf: LeafReader, field: string, term: string): Postings | undefined {
  const terms = leaf.segment.fields.get(field)?.terms
  if (terms === undefined || terms === null) return undefined
  const ordinal = terms.find(term)
  return ordinal === -1 ? undefined : terms.postings(ordinal)
}

function isAlike(field: SegmentField | undefined, term: string): boolean {
  const terms = field?.terms
  if (field === undefined || terms === undefined || terms === null) return true
  const ordinal = terms.find(term)
  if (ordinal === -1) return true
  return terms.docFreq(ordinal) === terms.totalFreq(ordinal) && field.norms === null
}

function scoresBetween(postings: PostingScores, from: number, to: number): Float32Array {
  const scores = new Float32Array(to - from)
  fillScores(postings, scores, 0, from, to)
  return scores
}

/** Writes the scores of the postings from `from` up to, not including, `to`; the first one's at `at`. */
function fillScores(
  { docs, freqs, norms, table }: PostingScores,
  scores: Float32Array,
  at: number,
  from: number,
  to: number,
): void {
  const { scores: known, end } = table
  const shift = at - from
  if (norms === null && freqs === null) {
    scores.fill(known[256 + noNorm]!, at, to + shift)
    return
  }
  for (let i = from; i < to; i++) {
    const norm = norms === null ? noNorm : norms[docs[i]!]!
    const freq = freqs === null ? 1 : freqs[i]!
    // Assigned apart: what may be the result of a call would be put into an object for each document.
    if (freq < end) scores[i + shift] = known[freq * 256 + norm]!
    else scores[i + shift] = table.compute(freq, norm)
  }
}

function scoresAmong({ docs, freqs, norms, table }: PostingScores, places: Uint32Array): ScoredDocs {
  if (places.length === 0) return noScores
  const kept = new Uint32Array(places.length)
  const scores = new Float32Array(places.length)
  for (let i = 0; i < places.length; i++) {
    const place = places[i]!
    const doc = docs[place]!
    kept[i] = doc
    const norm = norms === null ? noNorm : norms[doc]!
    const freq = freqs === null ? 1 : freqs[place]!
    if (freq < table.end) scores[i] = table.scores[freq * 256 + norm]!
    else scores[i] = table.compute(freq, norm)
  }
  return { docs: kept, scores }
}

/** Scores documents by known frequencies, only those in `within` if given. */
export function scoresByFrequency(
  { docs, scores: frequencies }: ScoredDocs,
  within: DocSet | null,
  score: (frequency: number, doc: number) => number,
): ScoredDocs {
  const places = within === null ? undefined : placesWithin(docs, within)
  const count = places?.length ?? docs.length
  const kept = new Uint32Array(count)
  const scores = new Float32Array(count)
  for (let i = 0; i < count; i++) {
    const place = places === undefined ? i : places[i]!
    kept[i] = docs[place]!
    scores[i] = score(frequencies[place]!, docs[place]!)
  }
  return { docs: kept, scores }
}

const noPlaces = new Uint32Array(0)

/** The indexes of a set's members in a sorted array. */
function placesWithin(docs: Uint32Array, within: DocSet): Uint32Array {
  const [first, end] = within.bounds
  const from = lowerBound(docs, first, 0)
  const to = lowerBound(docs, end, from)
  return from === to ? noPlaces : placesBetween(docs, from, to, within)
}

function placesBetween(docs: Uint32Array, from: number, to: number, within: DocSet): Uint32Array {
  const places = new Uint32Array(Math.min(to - from, within.count))
  let count = 0
  if (within.count < to - from) {
    const list = within.array()
    let at = from
    for (let i = 0; i < list.length && at < to; i++) {
      const doc = list[i]!
      if (docs[at]! < doc) at = gallop(docs, doc, at)
      if (at < to && docs[at] === doc) places[count++] = at
    }
  } else {
    const bits = within.bits()
    for (let i = from; i < to; i++) if (bits.has(docs[i]!)) places[count++] = i
  }
  return places.subarray(0, count)
}
