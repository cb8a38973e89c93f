/**
 * The boolean query. Required clauses are intersected in order of rising cost, as in Lucene's
 * ConjunctionDISI; once few candidates are left, the remaining clauses test only those. Scores of required
 * and optional clauses are summed apart in doubles and then added as floats, which is Lucene's order of
 * rounding.
 */

import { finish, type Steps } from '../../../scheduling/steps.ts'
import type { LeafReader } from '../../../segment/segment.ts'
import { DocSet } from '../doc-set.ts'
import { type Explanation, explained, unmatched } from '../explanation.ts'
import type { TermVisitor } from '../highlight-terms.ts'
import { conjunctionBits } from '../pruning/block-max-postings.ts'
import { canPrune, type PrunedTopDocs, prunedTopDocs } from '../pruning/block-max-pruning.ts'
import { leadFactor, type PostingScores, Query, type ScoredDocs, type SearchScope, Weight } from '../query.ts'
import { BoostQuery, filterWeight } from './simple-queries.ts'
import {
  addScores,
  areDense,
  denseShare,
  disjunctionScores,
  inAtLeastSets,
  sum,
  sumPostings,
  sumPostingsSteps,
} from './windowed-disjunction.ts'

export type Occur = 'must' | 'filter' | 'should' | 'mustNot'

export interface BoolClause {
  readonly occur: Occur
  readonly query: Query
}

const signs = { must: '+', filter: '#', should: '', mustNot: '-' } as const

export class BoolQuery extends Query {
  readonly clauses: readonly BoolClause[]
  /** The number of optional clauses that must match; without required clauses it is at least one. */
  readonly minimumShouldMatch: number

  constructor(clauses: readonly BoolClause[], minimumShouldMatch = 0) {
    super()
    this.clauses = clauses
    this.minimumShouldMatch = minimumShouldMatch
  }

  weight(scope: SearchScope, boost: number): Weight {
    return new BoolWeight(scope, this, boost)
  }

  toString(): string {
    return this.#printed(String)
  }

  override get lucene(): string {
    return this.#printed((query) => query.lucene)
  }

  #printed(print: (query: Query) => string): string {
    const parts = this.clauses.map(({ occur, query }) => {
      const text = print(query)
      return `${signs[occur]}${query instanceof BoolQuery ? `(${text})` : text}`
    })
    const joined = parts.join(' ')
    return this.minimumShouldMatch > 0 ? `(${joined})~${this.minimumShouldMatch}` : joined
  }

  override get key(): string | undefined {
    const keys: string[] = []
    for (const { occur, query } of this.clauses) {
      const { key } = query
      if (key === undefined) return undefined
      keys.push(`${occur} ${key}`)
    }
    return JSON.stringify(['bool', this.minimumShouldMatch, ...keys])
  }

  override *expandTerms(scope: SearchScope): Steps<void> {
    for (const { query } of this.clauses) yield* query.expandTerms(scope)
  }

  override get leafCount(): number {
    return this.clauses.reduce((sum, { query }) => sum + query.leafCount, 0)
  }

  override visit(visitor: TermVisitor): void {
    for (const { occur, query } of this.clauses) if (occur !== 'mustNot') query.visit(visitor)
  }
}

/** Term clauses scored by one pass over the segment, and the documents the unscored clauses leave. */
interface DenseClauses {
  readonly lists: readonly PostingScores[]
  readonly found: DocSet | null
  readonly match: 'any' | 'all'
}

interface OnlyClause {
  readonly weight: Weight
  readonly found: DocSet | null
}

class BoolWeight extends Weight {
  readonly #query: BoolQuery
  readonly #must: Weight[] = []
  readonly #filter: Weight[] = []
  readonly #should: Weight[] = []
  readonly #mustNot: Weight[] = []
  readonly #minimum: number

  constructor(scope: SearchScope, query: BoolQuery, boost: number) {
    super(scope)
    this.#query = query
    for (const { occur, query: inner } of query.clauses) {
      // A zero boost means that nobody asks for the score, so the clause becomes a filter.
      if (occur === 'must')
        this.#must.push(boost === 0 ? filterWeight(inner, scope) : inner.weight(scope, boost))
      else if (occur === 'should') this.#should.push(inner.weight(scope, boost))
      else (occur === 'filter' ? this.#filter : this.#mustNot).push(filterWeight(inner, scope))
    }
    const required = this.#must.length + this.#filter.length
    this.#minimum = Math.max(query.minimumShouldMatch, required === 0 ? 1 : 0)
  }

  override get constant(): number | undefined {
    if (this.#should.length > 0 || this.#must.length > 1) return undefined
    const [must] = this.#must
    return must === undefined ? 0 : must.constant
  }

  cost(leaf: LeafReader): number {
    let cost = leaf.segment.docCount
    for (const weight of this.#must) cost = Math.min(cost, weight.cost(leaf))
    for (const weight of this.#filter) cost = Math.min(cost, weight.cost(leaf))
    if (this.#minimum > 0) {
      let optional = 0
      for (const weight of this.#should) optional += weight.cost(leaf)
      cost = Math.min(cost, optional)
    }
    return cost
  }

  /** Yields after every clause, and more often inside of clauses that take long. */
  protected *find(leaf: LeafReader): Steps<DocSet> {
    const size = leaf.segment.docCount
    let found = yield* this.#required(leaf, null)
    if (this.#minimum > 0 && !found.isEmpty) {
      const sets: DocSet[] = []
      for (const weight of this.#should) {
        if (found.count * leadFactor < weight.cost(leaf)) {
          sets.push(DocSet.ofSorted(size, yield* weight.restrictSteps(leaf, found.array())))
        } else {
          yield* weight.prepare(leaf)
          sets.push(weight.matches(leaf))
        }
      }
      found = found.and(yield* this.#enough(size, sets))
      yield
    }
    return yield* this.#without(leaf, found)
  }

  override *prepareFor(leaf: LeafReader, count: number): Steps<void> {
    if (!this.shouldTestEach(leaf, count)) return yield* this.prepare(leaf)
    for (const weights of [this.#filter, this.#must, this.#should, this.#mustNot])
      for (const weight of weights) yield* weight.prepareFor(leaf, count)
  }

  override *prepareScores(leaf: LeafReader, count: number): Steps<void> {
    let scored = count
    // In a pure disjunction the matches are a by-product of scoring.
    if (!this.#isPlain) {
      yield* this.prepareFor(leaf, count)
      if (this.isCached(leaf)) scored = Math.min(count, this.matches(leaf).count)
    }
    for (const weight of this.#should) yield* weight.prepareScores(leaf, scored)
    for (const weight of this.#must) yield* weight.prepareScores(leaf, scored)
  }

  override restrict(leaf: LeafReader, docs: Uint32Array): Uint32Array {
    return finish(this.restrictSteps(leaf, docs))
  }

  override *restrictSteps(leaf: LeafReader, docs: Uint32Array): Steps<Uint32Array> {
    const size = leaf.segment.docCount
    let found = yield* this.#required(leaf, DocSet.ofSorted(size, docs))
    if (this.#minimum > 0 && !found.isEmpty) {
      const list = found.array()
      const sets: DocSet[] = []
      for (const weight of this.#should) {
        sets.push(DocSet.ofSorted(size, yield* weight.restrictSteps(leaf, list)))
      }
      found = found.and(yield* this.#enough(size, sets))
    }
    return (yield* this.#without(leaf, found)).array()
  }

  /** Returns the documents of `start` that match all required clauses. */
  #required(leaf: LeafReader, start: DocSet | null): Steps<DocSet> {
    return this.#allOf([...this.#filter, ...this.#must], leaf, start ?? DocSet.all(leaf.segment.docCount))
  }

  *#allOf(weights: readonly Weight[], leaf: LeafReader, start: DocSet): Steps<DocSet> {
    const { size } = start
    const clauses = weights.map((weight) => ({ weight, cost: weight.cost(leaf) }))
    clauses.sort((a, b) => a.cost - b.cost)
    let found = start
    for (const { weight, cost } of clauses) {
      if (found.isEmpty) break
      this.scope.check()
      if (found.count * leadFactor < cost)
        found = DocSet.ofSorted(size, yield* weight.restrictSteps(leaf, found.array()))
      else {
        yield* weight.prepare(leaf)
        found = found.and(weight.matches(leaf))
      }
      yield
    }
    return found
  }

  *#enough(size: number, sets: readonly DocSet[]): Steps<DocSet> {
    return this.#minimum === 1
      ? yield* DocSet.unionSteps(size, sets)
      : DocSet.ofSorted(size, yield* inAtLeastSets(this.#minimum, sets))
  }

  *#without(leaf: LeafReader, from: DocSet): Steps<DocSet> {
    let found = from
    for (const weight of this.#mustNot) {
      if (found.isEmpty) break
      if (found.count * leadFactor < weight.cost(leaf)) {
        const list = yield* weight.restrictSteps(leaf, found.array())
        found = found.andNot(DocSet.ofSorted(found.size, list))
      } else {
        yield* weight.prepare(leaf)
        found = found.andNot(weight.matches(leaf))
      }
      yield
    }
    return found
  }

  /** True for a pure disjunction: optional clauses only, one of which must match. */
  get #isPlain(): boolean {
    return this.#must.length + this.#filter.length + this.#mustNot.length === 0 && this.#minimum <= 1
  }

  override *scoreSteps(leaf: LeafReader, within: DocSet | null): Steps<ScoredDocs> {
    const size = leaf.segment.docCount
    const dense = yield* this.#dense(leaf, within)
    if (dense !== undefined) {
      const { lists, found } = dense
      const mask =
        dense.match === 'all' ? yield* conjunctionBits(lists, size, found) : (found?.bits() ?? null)
      return yield* sumPostingsSteps(lists, 0, size, mask)
    }
    const only = yield* this.#onlyDense(leaf, within)
    if (only !== undefined) return yield* only.weight.scoreSteps(leaf, only.found)
    yield* this.prepareScores(leaf, within?.count ?? size)
    return yield* this.scoreRanges(leaf, within)
  }

  override *topDocsSteps(
    leaf: LeafReader,
    within: DocSet | null,
    ranks: number,
  ): Steps<PrunedTopDocs | undefined> {
    const size = leaf.segment.docCount
    if (!canPrune(Math.max(this.#should.length, this.#must.length), size)) return undefined
    const dense = yield* this.#dense(leaf, within)
    if (dense !== undefined) return yield* prunedTopDocs(dense.lists, size, dense.found, dense.match)
    const only = yield* this.#onlyDense(leaf, within)
    return only === undefined ? undefined : yield* only.weight.topDocsSteps!(leaf, only.found, ranks)
  }

  /**
   * Returns the posting lists when all scoring clauses are terms and so many documents are left that one pass
   * over the whole segment is cheaper than testing candidates.
   */
  *#dense(leaf: LeafReader, within: DocSet | null): Steps<DenseClauses | undefined> {
    const size = leaf.segment.docCount
    const isAny = this.#should.length > 0
    const scored = isAny ? this.#should : this.#must
    // Excludes queries with both kinds of scoring clauses, and matches that have no score.
    if (isAny ? this.#must.length > 0 || this.#minimum !== 1 : this.#minimum > 0 || scored.length < 2)
      return undefined
    const lists = yield* postingSteps(scored, leaf)
    if (lists === undefined || !(isAny ? areDense(lists, size) : areAllDense(lists, size, scored.length)))
      return undefined
    const found = yield* this.#unscored(leaf, within)
    return found === 'few' ? undefined : { lists, found, match: isAny ? 'any' : 'all' }
  }

  /**
   * Does the same for a single scoring clause that prunes by itself, such as a whole query beside filters.
   */
  *#onlyDense(leaf: LeafReader, within: DocSet | null): Steps<OnlyClause | undefined> {
    const [weight] = this.#must
    if (weight?.topDocsSteps === undefined || this.#must.length > 1) return undefined
    const isAlone = this.#should.length + this.#minimum === 0
    if (!isAlone || weight.cost(leaf) * denseShare <= leaf.segment.docCount) return undefined
    const found = yield* this.#unscored(leaf, within)
    return found === 'few' ? undefined : { weight, found }
  }

  /**
   * Returns what the clauses without scores leave of `within`, or 'few' when a pass over the segment would
   * cost too much.
   */
  *#unscored(leaf: LeafReader, within: DocSet | null): Steps<DocSet | null | 'few'> {
    if (within !== null && shouldTestEach(within)) return 'few'
    if (this.#filter.length + this.#mustNot.length === 0) return within
    const all = within ?? DocSet.all(leaf.segment.docCount)
    const found = yield* this.#without(leaf, yield* this.#allOf(this.#filter, leaf, all))
    return shouldTestEach(found) ? 'few' : found
  }

  score(leaf: LeafReader, within: DocSet | null): ScoredDocs {
    if (this.#isPlain) {
      const all = within ?? DocSet.all(leaf.segment.docCount)
      const lists = all.start === undefined ? undefined : finish(postingSteps(this.#should, leaf))
      if (lists !== undefined && areDense(lists, leaf.segment.docCount)) {
        this.scope.check()
        return sumPostings(lists, all.start!, all.start! + all.count)
      }
      return disjunctionScores(
        this.#should.map((weight) => weight.score(leaf, within)),
        sum,
      )
    }
    const size = leaf.segment.docCount
    let found: DocSet
    if (within === null) found = this.matches(leaf)
    else if (this.isCached(leaf) || !this.shouldTestEach(leaf, within.count))
      found = this.matches(leaf).and(within)
    else found = DocSet.ofSorted(size, this.restrict(leaf, within.array()))
    const docs = found.array()
    const scores = new Float32Array(docs.length)
    if (docs.length === 0) return { docs, scores }
    for (const weights of [this.#must, this.#should]) {
      if (weights.length === 0) continue
      const sums = new Float64Array(docs.length)
      addScores(
        docs,
        weights.map((weight) => weight.score(leaf, found)),
        sums,
      )
      for (let i = 0; i < sums.length; i++) scores[i] = scores[i]! + Math.fround(sums[i]!)
    }
    return { docs, scores }
  }

  explain(leaf: LeafReader, doc: number): Explanation {
    const details: Explanation[] = []
    let failed = false
    let optional = 0
    const missed: Explanation[] = []
    const queues = {
      must: [...this.#must],
      filter: [...this.#filter],
      should: [...this.#should],
      mustNot: [...this.#mustNot],
    }
    const isLucene = this.scope.scoreFactor === 1
    for (const { occur, query: clause } of this.#query.clauses) {
      const query = isLucene ? clause.lucene : clause
      const weight = queues[occur].shift()!
      const isScored = occur === 'must' || occur === 'should'
      const inner = isLucene && !isScored ? unscored(weight, clause, leaf, doc) : weight.explain(leaf, doc)
      if (inner.matched) {
        if (occur === 'mustNot') {
          details.push(unmatched(`match on prohibited clause (${query})`, [inner]))
          failed = true
        } else if (occur === 'filter') {
          details.push(
            explained(0, 'match on required clause, product of:', [explained(0, '# clause'), inner]),
          )
        } else {
          details.push(inner)
          if (occur === 'should') optional += 1
        }
      } else if (occur === 'must' || occur === 'filter') {
        details.push(unmatched(`no match on required clause (${query})`, [inner]))
        failed = true
      } else if (occur === 'should') {
        missed.push(unmatched(`no match on optional clause (${query})`, [inner]))
      }
    }
    if (failed) {
      return unmatched('Failure to meet condition(s) of required/prohibited clause(s)', details)
    }
    if (optional < this.#minimum) {
      const { minimumShouldMatch } = this.#query
      // Lucene 10 shows the clauses that do not match and counts those that do.
      const isNew = this.scope.scoreFactor === 1
      if (minimumShouldMatch === 0 || details.length === 0)
        return unmatched('No matching clauses', isNew ? [...details, ...missed] : details)
      const reason = `Failure to match minimum number of optional clauses: ${minimumShouldMatch}`
      return isNew
        ? unmatched(`${reason}, matched: ${optional}`, [...details, ...missed])
        : unmatched(reason, details)
    }
    return explained(this.scoreOf(leaf, doc) ?? 0, 'sum of:', details)
  }
}

/** What Lucene says of a clause whose scores do not count. */
function unscored(weight: Weight, query: Query, leaf: LeafReader, doc: number): Explanation {
  return weight.matches(leaf).has(doc)
    ? explained(1, query.lucene)
    : unmatched(`${query.lucene} doesn't match id ${doc}`)
}

function shouldTestEach({ count, size }: DocSet): boolean {
  return count * denseShare <= size
}

/** True when every clause is dense; a sparse one should rather lead the conjunction. */
function areAllDense(lists: readonly PostingScores[], size: number, clauses: number): boolean {
  return lists.length === clauses && lists.every(({ docs }) => docs.length * denseShare > size)
}

/** Returns the posting lists of clauses that are all terms; undefined when one is not. */
function* postingSteps(weights: readonly Weight[], leaf: LeafReader): Steps<PostingScores[] | undefined> {
  const lists: PostingScores[] = []
  for (const weight of weights) {
    const postings = weight.postingScores(leaf)
    if (postings !== undefined) lists.push(postings)
    else if (weight.cost(leaf) > 0) return undefined
    yield
  }
  return lists
}

/** Unwraps boosts around a query. */
export function withoutBoost(query: Query): Query {
  let plain = query
  while (plain instanceof BoostQuery) plain = plain.inner
  return plain
}
