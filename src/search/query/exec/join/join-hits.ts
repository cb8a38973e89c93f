/** `inner_hits` of `has_child` and `has_parent`: the documents of the other side that a hit was joined with. */
import { retryWork, type Steps } from '../../../scheduling/steps.ts'
import type { LeafReader } from '../../../segment/segment.ts'
import { DocSet } from '../doc-set.ts'
import type { Query, ScoredDocs, SearchScope, Weight } from '../query.ts'
import { postingsOf } from '../terms/term-query.ts'
import { visible } from '../visible-docs.ts'
import { idOf } from './join-query.ts'

export interface LeafScores {
  readonly leaf: LeafReader
  readonly scored: ScoredDocs
}

/** What inner hits of a join need beside their query. */
export interface JoinSides {
  readonly join: string
  /** The field with the ids of parents. */
  readonly ids: string
  /** The relation of the inner hits. */
  readonly type: string
  /** Whether the hit is the parent of its inner hits. */
  readonly isParent: boolean
}

/** The weight of inner hits, one for each segment: a weight keeps the matches of the last segment it was asked for. */
export class JoinHits {
  readonly #scope: SearchScope
  readonly #query: Query
  readonly #sides: JoinSides
  readonly #weights = new Map<LeafReader, Weight>()

  constructor(scope: SearchScope, query: Query, sides: JoinSides) {
    this.#scope = scope
    this.#query = query
    this.#sides = sides
  }

  /** The documents joined with a hit, segment by segment. */
  *of(leaf: LeafReader, doc: number): Steps<LeafScores[]> {
    const { ids, isParent } = this.#sides
    const id = yield* retryWork(() => (isParent ? leaf.segment.id(doc) : idOf(leaf, ids, doc)))
    const found: LeafScores[] = []
    if (id === undefined) return found
    for (const other of this.#scope.leaves) {
      const docs = yield* retryWork(() => this.#candidates(other, id))
      if (docs.isEmpty) continue
      const scored = yield* this.#weight(other).scoreSteps(other, docs)
      if (scored.docs.length > 0) found.push({ leaf: other, scored })
    }
    return found
  }

  #candidates(leaf: LeafReader, id: string): DocSet {
    const { join, ids, type, isParent } = this.#sides
    const { segment } = leaf
    const docs = isParent ? (postingsOf(leaf, ids, id)?.docs ?? new Uint32Array(0)) : withId(leaf, id)
    const kept = docs.filter((doc) => !isParent || idOf(leaf, join, doc) === type)
    const all = DocSet.ofSorted(segment.docCount, kept)
    const mask = visible(leaf)
    return mask === null ? all : all.and(mask)
  }

  #weight(leaf: LeafReader): Weight {
    let weight = this.#weights.get(leaf)
    if (weight === undefined) {
      weight = this.#query.weight(this.#scope, 1)
      this.#weights.set(leaf, weight)
    }
    return weight
  }
}

function withId({ segment }: LeafReader, id: string): Uint32Array {
  const doc = segment.findId(id)
  return doc === -1 ? new Uint32Array(0) : Uint32Array.of(doc)
}
