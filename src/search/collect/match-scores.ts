/** Scores of a search's matches, computed once per segment, and the changed scores of a rescore. */
import type { CompiledQuery } from '../query/exec/compiled-query.ts'
import { DocSet } from '../query/exec/doc-set.ts'
import type { PrunedTopDocs } from '../query/exec/pruning/block-max-pruning.ts'
import type { ScoredDocs } from '../query/exec/query.ts'
import { retrySteps, type Steps } from '../scheduling/steps.ts'
import { gallop, lowerBound } from '../segment/encoding/binary-search.ts'
import type { Scores, SearchLeaf } from './sort/sort-key.ts'

export class MatchScores implements Scores {
  readonly #queries: ReadonlyMap<number, CompiledQuery>
  readonly #boosts: ReadonlyMap<string, number>
  readonly #scored = new Map<number, ScoredDocs>()
  /** The top k of segments for which nothing else was computed. */
  readonly #best = new Map<number, LeafTopDocs>()

  /** `queries` by shard number, `boosts` by index name. */
  constructor(queries: ReadonlyMap<number, CompiledQuery>, boosts: ReadonlyMap<string, number>) {
    this.#queries = queries
    this.#boosts = boosts
  }

  #boost(leaf: SearchLeaf): number {
    return this.#boosts.get(leaf.index.name) ?? 1
  }

  constant(leaf: SearchLeaf): number | undefined {
    const constant = this.#queries.get(leaf.shardNumber)!.constantScore
    return constant === undefined ? undefined : Math.fround(constant * this.#boost(leaf))
  }

  #all(leaf: SearchLeaf): ScoredDocs {
    let scored = this.#scored.get(leaf.number)
    if (scored === undefined) {
      scored = this.#boosted(leaf, this.#queries.get(leaf.shardNumber)!.scores(leaf.reader))
      this.#scored.set(leaf.number, scored)
    }
    return scored
  }

  /**
   * Computes the scores of a segment in steps, unless all are equal, and returns its matches as a by-product.
   * With `ranks`, only so many of the best may be computed.
   */
  *matchesBySteps(leaf: SearchLeaf, ranks: number | undefined): Steps<DocSet | undefined> {
    const query = this.#queries.get(leaf.shardNumber)!
    yield* query.expandTerms()
    if (query.constantScore !== undefined) return undefined
    // An index boost may round different scores to equal ones, so the top k of unboosted scores would be
    // wrong.
    if (ranks !== undefined && this.#boost(leaf) === 1) {
      const found = yield* query.topDocsSteps(leaf.reader, ranks)
      if (found !== undefined) {
        this.#best.set(leaf.number, new LeafTopDocs(leaf, found))
        return found.matches
      }
    }
    yield* this.#scoreSteps(leaf)
    return DocSet.ofSorted(leaf.reader.segment.docCount, this.#scored.get(leaf.number)!.docs)
  }

  *#scoreSteps(leaf: SearchLeaf): Steps<void> {
    const query = this.#queries.get(leaf.shardNumber)!
    const scored = this.#boosted(leaf, yield* query.scoreSteps(leaf.reader))
    this.#scored.set(leaf.number, scored)
  }

  /** Computes all scores of segments that are not known as far as a reader of so many ranks may get. */
  *completeSteps(ranks: number): Steps<void> {
    for (const [number, { leaf, matchCount, scored }] of this.#best) {
      if (scored.docs.length >= Math.min(ranks, matchCount)) continue
      yield* retrySteps(() => this.#scoreSteps(leaf))
      this.#best.delete(number)
    }
  }

  best(leaf: SearchLeaf): ScoredDocs | undefined {
    return this.#best.get(leaf.number)?.scored
  }

  #boosted(leaf: SearchLeaf, scored: ScoredDocs): ScoredDocs {
    const boost = this.#boost(leaf)
    return boost === 1 ? scored : { docs: scored.docs, scores: scored.scores.map((score) => score * boost) }
  }

  of(leaf: SearchLeaf, docs: DocSet): ScoredDocs {
    return restricted(this.#all(leaf), docs)
  }

  at(leaf: SearchLeaf, doc: number): number {
    const constant = this.constant(leaf)
    if (constant !== undefined) return constant
    return this.#best.get(leaf.number)?.at(doc) ?? scoreIn(this.#all(leaf), doc)
  }
}

/** The top k of a segment. */
class LeafTopDocs {
  readonly leaf: SearchLeaf
  readonly matchCount: number
  /** By falling score. */
  readonly scored: ScoredDocs

  constructor(leaf: SearchLeaf, { matches, best }: PrunedTopDocs) {
    this.leaf = leaf
    this.matchCount = matches.count
    this.scored = best
  }

  /** Undefined when the document is not in the top k. */
  at(doc: number): number | undefined {
    const { docs, scores } = this.scored
    const place = docs.indexOf(doc)
    return place === -1 ? undefined : scores[place]
  }
}

/** Scores with replacements by segment and document. */
export class ChangedScores implements Scores {
  readonly #base: Scores
  readonly #changed: ReadonlyMap<number, ReadonlyMap<number, number>>
  readonly #weight: number

  /** `weight` multiplies all scores that are not replaced. */
  constructor(base: Scores, changed: ReadonlyMap<number, ReadonlyMap<number, number>>, weight: number) {
    this.#base = base
    this.#changed = changed
    this.#weight = weight
  }

  constant(leaf: SearchLeaf): number | undefined {
    if (this.#changed.has(leaf.number)) return undefined
    const constant = this.#base.constant(leaf)
    return constant === undefined ? undefined : Math.fround(constant * this.#weight)
  }

  of(leaf: SearchLeaf, docs: DocSet): ScoredDocs {
    const constant = this.#base.constant(leaf)
    const list = docs.array()
    const scores = new Float32Array(list.length)
    if (constant !== undefined) scores.fill(constant * this.#weight)
    else {
      const base = this.#base.of(leaf, docs).scores
      for (let i = 0; i < scores.length; i++) scores[i] = base[i]! * this.#weight
    }
    for (const [doc, score] of this.#changed.get(leaf.number) ?? []) {
      const at = lowerBound(list, doc, 0)
      if (list[at] === doc) scores[at] = score
    }
    return { docs: list, scores }
  }

  at(leaf: SearchLeaf, doc: number): number {
    const changed = this.#changed.get(leaf.number)?.get(doc)
    return changed ?? Math.fround(this.#base.at(leaf, doc) * this.#weight)
  }
}

/** Scores that were computed for all hits, so that nothing goes back to those they were made of. */
export class ComputedScores implements Scores {
  readonly #scored: ReadonlyMap<number, ScoredDocs>
  readonly #constants: ReadonlyMap<number, number>

  private constructor(scored: ReadonlyMap<number, ScoredDocs>, constants: ReadonlyMap<number, number>) {
    this.#scored = scored
    this.#constants = constants
  }

  static *steps(
    scores: Scores,
    hits: readonly { readonly leaf: SearchLeaf; readonly docs: DocSet }[],
  ): Steps<ComputedScores> {
    const scored = new Map<number, ScoredDocs>()
    const constants = new Map<number, number>()
    for (const { leaf, docs } of hits) {
      const constant = scores.constant(leaf)
      if (constant === undefined) scored.set(leaf.number, scores.of(leaf, docs))
      else constants.set(leaf.number, constant)
      yield
    }
    return new ComputedScores(scored, constants)
  }

  constant(leaf: SearchLeaf): number | undefined {
    return this.#constants.get(leaf.number)
  }

  of(leaf: SearchLeaf, docs: DocSet): ScoredDocs {
    return restricted(this.#scored.get(leaf.number)!, docs)
  }

  at(leaf: SearchLeaf, doc: number): number {
    return this.constant(leaf) ?? scoreIn(this.#scored.get(leaf.number)!, doc)
  }
}

export function scoreIn({ docs, scores }: ScoredDocs, doc: number): number {
  const at = lowerBound(docs, doc, 0)
  return docs[at] === doc ? scores[at]! : 0
}

/** Documents are galloped to when they are this many times fewer than the scored ones. */
const gallopFactor = 16

/** The scores of some of the scored documents. */
function restricted(scored: ScoredDocs, docs: DocSet): ScoredDocs {
  if (docs.count === scored.docs.length) return scored
  const wanted = docs.array()
  const scores = new Float32Array(wanted.length)
  const shouldTestEach = wanted.length * gallopFactor < scored.docs.length
  let at = 0
  for (let i = 0; i < wanted.length; i++) {
    if (shouldTestEach) at = gallop(scored.docs, wanted[i]!, at)
    else while (at < scored.docs.length && scored.docs[at]! < wanted[i]!) at++
    scores[i] = scored.docs[at] === wanted[i] ? scored.scores[at]! : 0
  }
  return { docs: wanted, scores }
}
