/**
 * Phrase queries in two phases, as Lucene's two-phase iteration does it: the conjunction of all terms is the
 * approximation, then positions are compared. A position may allow several terms (synonyms, expansions of a
 * prefix), and a phrase may be sloppy.
 */

import { inRanges, StepSize } from '../../../scheduling/step-size.ts'
import { finish, type Steps } from '../../../scheduling/steps.ts'
import { gallop, lowerBound } from '../../../segment/encoding/binary-search.ts'
import type { LeafReader, Postings } from '../../../segment/segment.ts'
import { MatchNoneWeight } from '../compound/simple-queries.ts'
import { DocSet } from '../doc-set.ts'
import { type Explanation, unmatched } from '../explanation.ts'
import type { TermVisitor } from '../highlight-terms.ts'
import { noScores, Query, type ScoredDocs, type SearchScope, Weight } from '../query.ts'
import { Similarity, TermQuery } from '../terms/term-query.ts'
import { ExactPhrase } from './exact-phrase.ts'
import type { PhraseMatcher, Place } from './phrase-matcher.ts'
import { SloppyPhrase } from './sloppy-phrase.ts'

/** How many positions a step compares. */
const positionsPerStep = 100_000
/** How many places of a phrase are looked up for an estimate of its cost. */
const maxEstimatedPlaces = 1000

export class PhraseQuery extends Query {
  readonly field: string
  /** The terms allowed at each position. */
  readonly terms: readonly (readonly string[])[]
  /** The positions of the terms, from 0 on. */
  readonly positions: readonly number[]
  readonly slop: number

  constructor(
    field: string,
    terms: readonly (readonly string[])[],
    positions: readonly number[] = terms.map((_, index) => index),
    slop = 0,
  ) {
    super()
    this.field = field
    this.terms = terms
    this.positions = positions.map((position) => position - positions[0]!)
    this.slop = slop
  }

  /** A phrase of one word is the word. */
  override rewritten(): Query {
    const [only, ...others] = this.terms
    if (only?.length !== 1 || others.length > 0) return this
    return new TermQuery(this.field, only[0]!)
  }

  weight(scope: SearchScope, boost: number): Weight {
    const { field } = this
    const single = this.rewritten()
    if (single !== this) return single.weight(scope, boost)
    // Without indexed positions the query cannot match.
    for (const place of this.terms) {
      if (place.length === 0) return new MatchNoneWeight(scope, 'empty position in phrase')
    }
    const statistics = this.terms.flatMap((place) =>
      place.map((term) => scope.statistics.term(field, term)).filter(({ docFreq }) => docFreq > 0),
    )
    return new PhraseWeight(scope, this, new Similarity(scope, field, statistics, boost))
  }

  toString(): string {
    const parts: string[] = []
    this.terms.forEach((place, index) => {
      while (parts.length < this.positions[index]!) parts.push('?')
      parts.push(place.length === 1 ? place[0]! : `(${place.join(' ')})`)
    })
    return `${this.field}:"${parts.join(' ')}"${this.slop === 0 ? '' : `~${this.slop}`}`
  }

  override *expandTerms({ statistics }: SearchScope): Steps<void> {
    yield* statistics.opening(this.field)
    yield* inRanges(this.terms.length, (from, to) => {
      for (const place of this.terms.slice(from, to))
        for (const term of place) statistics.term(this.field, term)
    })
  }

  override visit(visitor: TermVisitor): void {
    const { terms, positions, slop } = this
    visitor.of(this.field).phrases.push({ terms, positions, slop })
  }
}

class PhraseWeight extends Weight {
  readonly #query: PhraseQuery
  readonly #similarity: Similarity
  readonly #matcher: PhraseMatcher
  #leaf: LeafReader | undefined
  #found: ScoredDocs = noScores
  #opened: { readonly leaf: LeafReader; readonly places: readonly Place[] | undefined } | undefined

  constructor(scope: SearchScope, query: PhraseQuery, similarity: Similarity) {
    super(scope)
    this.#query = query
    this.#similarity = similarity
    this.#matcher =
      query.slop === 0 ? new ExactPhrase() : new SloppyPhrase(query.terms, query.positions, query.slop)
  }

  cost(leaf: LeafReader): number {
    const terms = leaf.segment.fields.get(this.#query.field)?.terms
    if (terms === undefined || terms === null) return 0
    let cost = leaf.segment.docCount
    for (const place of this.#query.terms.slice(0, maxEstimatedPlaces)) {
      let here = 0
      for (const term of place) {
        const ordinal = terms.find(term)
        if (ordinal !== -1) here += terms.docFreq(ordinal)
      }
      cost = Math.min(cost, here)
    }
    return cost
  }

  override *prepare(leaf: LeafReader): Steps<void> {
    if (this.#leaf !== leaf) {
      this.#found = yield* this.#compute(leaf, null)
      this.#leaf = leaf
    }
    yield* super.prepare(leaf)
  }

  override *prepareFor(leaf: LeafReader, count: number): Steps<void> {
    if (this.shouldTestEach(leaf, count)) yield* this.#places(leaf)
    else yield* this.prepare(leaf)
  }

  protected find(leaf: LeafReader): DocSet {
    return DocSet.ofSorted(leaf.segment.docCount, this.#frequencies(leaf, null).docs)
  }

  override restrict(leaf: LeafReader, docs: Uint32Array): Uint32Array {
    return finish(this.restrictSteps(leaf, docs))
  }

  override *restrictSteps(leaf: LeafReader, docs: Uint32Array): Steps<Uint32Array> {
    const within = DocSet.ofSorted(leaf.segment.docCount, docs)
    return (this.#leaf === leaf ? among(this.#found, within) : yield* this.#compute(leaf, within)).docs
  }

  score(leaf: LeafReader, within: DocSet | null): ScoredDocs {
    const { docs, scores: frequencies } = this.#frequencies(leaf, within)
    const norms = leaf.segment.fields.get(this.#query.field)?.norms ?? null
    const scores = new Float32Array(docs.length)
    for (let i = 0; i < docs.length; i++) {
      scores[i] = this.#similarity.score(frequencies[i]!, norms, docs[i]!)
    }
    return { docs, scores }
  }

  /** OpenSearch explains a document without the terms in other words than one without the phrase. */
  #whyNot(leaf: LeafReader, doc: number): string {
    if (this.scope.scoreFactor !== 1) return 'no matching phrase'
    const places = finish(this.#places(leaf))
    const hasAll = places?.every(({ docs }) => docs.includes(doc)) ?? false
    return hasAll ? 'no matching phrase' : 'no matching terms'
  }

  explain(leaf: LeafReader, doc: number): Explanation {
    const one = DocSet.interval(leaf.segment.docCount, doc, doc + 1)
    const { docs, scores } = this.#frequencies(leaf, one)
    if (docs.length === 0) return unmatched(this.#whyNot(leaf, doc))
    const field = leaf.segment.fields.get(this.#query.field)!
    return this.#similarity.explain(this.#query.toString(), scores[0]!, field, doc)
  }

  /**
   * The phrase frequency by document. The last full result is cached, as matching and scoring both ask for
   * it.
   */
  #frequencies(leaf: LeafReader, within: DocSet | null): ScoredDocs {
    if (this.#leaf === leaf) {
      if (within === null) return this.#found
      return among(this.#found, within)
    }
    const found = finish(this.#compute(leaf, within))
    if (within === null) {
      this.#leaf = leaf
      this.#found = found
    }
    return found
  }

  /** The postings of the last leaf are cached, as ranges of a segment are scored one after the other. */
  *#places(leaf: LeafReader): Steps<readonly Place[] | undefined> {
    if (this.#opened?.leaf !== leaf) this.#opened = { leaf, places: yield* this.#open(leaf) }
    return this.#opened.places
  }

  *#open(leaf: LeafReader): Steps<Place[] | undefined> {
    const terms = leaf.segment.fields.get(this.#query.field)?.terms
    if (terms === undefined || terms === null) return undefined
    const places: Place[] = []
    // A word that is repeated is read once.
    const single = new Map<string, Omit<Place, 'offset'>>()
    for (const [index, wanted] of this.#query.terms.entries()) {
      const offset = this.#query.positions[index]!
      const known = wanted.length === 1 ? single.get(wanted[0]!) : undefined
      if (known !== undefined) {
        places.push({ ...known, offset })
        if (index % 1024 === 0) yield
        continue
      }
      const postings: Postings[] = []
      for (const term of wanted) {
        const ordinal = terms.find(term)
        if (ordinal !== -1) postings.push(terms.postings(ordinal))
      }
      if (postings.length === 0 || postings.some(({ positions }) => positions === null)) return undefined
      const joined = yield* joinedPlaces(leaf.segment.docCount, postings)
      if (wanted.length === 1) single.set(wanted[0]!, joined)
      places.push({ ...joined, offset })
      yield
    }
    return places
  }

  *#compute(leaf: LeafReader, within: DocSet | null): Steps<ScoredDocs> {
    const places = yield* this.#places(leaf)
    if (places === undefined) return noScores
    const driver = places.reduce((rarest, place) => (place.docs.length < rarest.docs.length ? place : rarest))
    const candidates =
      within === null ? driver.docs : DocSet.ofSorted(within.size, driver.docs).and(within).array()
    const docs = new Uint32Array(candidates.length)
    const frequencies = new Float32Array(candidates.length)
    const at = new Uint32Array(places.length)
    let count = 0
    const pace = new StepSize(Math.max(1, Math.min(1024, Math.floor(positionsPerStep / places.length))), 1)
    const matcher = this.#matcher
    let pause = pace.begin()
    eachDoc: for (let i = 0; i < candidates.length; i++) {
      if (i === pause) {
        pace.end()
        this.scope.check()
        yield
        pause = i + pace.begin()
      }
      const doc = candidates[i]!
      for (let p = 0; p < places.length; p++) {
        const list = places[p]!.docs
        let place = at[p]!
        if (list[place]! < doc) place = gallop(list, doc, place)
        at[p] = place
        if (place >= list.length) break eachDoc
        if (list[place] !== doc) continue eachDoc
      }
      matcher.begin(places, at)
      while (!matcher.run(positionsPerStep)) {
        this.scope.check()
        yield
      }
      if (matcher.frequency > 0) {
        docs[count] = doc
        frequencies[count++] = matcher.frequency
      }
    }
    return { docs: docs.subarray(0, count), scores: frequencies.subarray(0, count) }
  }
}

function among(found: ScoredDocs, within: DocSet): ScoredDocs {
  const [first, last] = within.bounds
  const from = lowerBound(found.docs, first, 0)
  const to = lowerBound(found.docs, last, from)
  if (within.start !== undefined)
    return { docs: found.docs.subarray(from, to), scores: found.scores.subarray(from, to) }
  const docs = new Uint32Array(to - from)
  const scores = new Float32Array(to - from)
  const list = within.array()
  let at = 0
  let count = 0
  for (let i = from; i < to; i++) {
    while (list[at]! < found.docs[i]!) at++
    if (list[at] !== found.docs[i]) continue
    docs[count] = found.docs[i]!
    scores[count++] = found.scores[i]!
  }
  return { docs: docs.subarray(0, count), scores: scores.subarray(0, count) }
}

/** Merges the postings of several terms at one position. */
function* joinedPlaces(size: number, postings: readonly Postings[]): Steps<Omit<Place, 'offset'>> {
  if (postings.length === 1) {
    const { docs, positions } = postings[0]!
    return { docs, starts: positions!.starts, values: positions!.values }
  }
  const lists = postings.map(({ docs }) => DocSet.ofSorted(size, docs))
  const docs = (yield* DocSet.unionSteps(size, lists)).array()
  // The number of positions per document first, then where its next position goes: a counting sort.
  const ends = new Uint32Array(docs.length + 1)
  let total = 0
  for (const one of postings) {
    const { starts, values } = one.positions!
    total += values.length
    eachPlace(docs, one, (place, i) => {
      ends[place]! += starts[i + 1]! - starts[i]!
    })
    yield
  }
  const starts = new Uint32Array(docs.length + 1)
  for (let place = 0; place < docs.length; place++) {
    starts[place + 1] = starts[place]! + ends[place]!
    ends[place] = starts[place]!
  }
  const values = new Uint32Array(total)
  for (const one of postings) {
    const { starts: own, values: given } = one.positions!
    eachPlace(docs, one, (place, i) => {
      for (let at = own[i]!; at < own[i + 1]!; at++) values[ends[place]!++] = given[at]!
    })
    yield
  }
  yield* inRanges(docs.length, (from, to) => {
    for (let place = from; place < to; place++) {
      const [start, end] = [starts[place]!, starts[place + 1]!]
      if (end - start > 1) values.subarray(start, end).sort()
    }
  })
  return { docs, starts, values }
}

/** Calls back with the index, among all documents, of each document of one list. */
function eachPlace(
  all: Uint32Array,
  { docs }: Postings,
  found: (place: number, index: number) => void,
): void {
  let place = 0
  for (let i = 0; i < docs.length; i++) {
    place = gallop(all, docs[i]!, place)
    found(place, i)
  }
}
