/**
 * `has_child` and `has_parent`: a query over the documents on one side, whose ids of parents are collected for the whole
 * shard, and the documents on the other side that have one of them. Linear in the documents of both sides: ids are global
 * ordinals, and what is collected are a bit, a count and a score for each. Compare Lucene's GlobalOrdinalsQuery and
 * GlobalOrdinalsWithScoreQuery.
 */
import { inRanges } from '../../../scheduling/step-size.ts'
import { finish, retryWork, type Steps } from '../../../scheduling/steps.ts'
import { BitSet } from '../../../segment/encoding/bit-set.ts'
import type { LeafReader } from '../../../segment/segment.ts'
import { BoolQuery } from '../compound/bool-query.ts'
import { filterWeight } from '../compound/simple-queries.ts'
import { WrappedQuery } from '../compound/wrapped-query.ts'
import { DocSet } from '../doc-set.ts'
import { type Explanation, explained, unmatched } from '../explanation.ts'
import { type Query, type ScoredDocs, type SearchScope, Weight } from '../query.ts'
import { TermQuery } from '../terms/term-query.ts'
import { visible } from '../visible-docs.ts'
import { type JoinOrdinals, joinOrdinals } from './join-ordinals.ts'

export type JoinScoreMode = 'none' | 'avg' | 'sum' | 'min' | 'max'

export interface JoinSettings {
  /** The name of the join field. */
  readonly join: string
  /** The field with the ids of parents, which both sides have. */
  readonly ids: string
  /** The relation that the inner query looks at. */
  readonly from: string
  /** The relations of the documents that match. */
  readonly to: readonly string[]
  readonly scoreMode: JoinScoreMode
  /** How many documents of the other side must match. */
  readonly min: number
  readonly max: number
}

/** The largest number of children there may be, as in Java. */
export const maxChildren = 2_147_483_647

export class JoinQuery extends WrappedQuery {
  readonly settings: JoinSettings

  constructor(query: Query, settings: JoinSettings) {
    const { join, from } = settings
    super(
      new BoolQuery([
        { occur: 'must', query },
        { occur: 'filter', query: new TermQuery(join, from) },
      ]),
    )
    this.settings = settings
  }

  weight(scope: SearchScope, boost: number): Weight {
    return new JoinWeight(scope, this, boost)
  }

  toString(): string {
    return `LateParsingQuery {joinField=${this.settings.ids}}`
  }

  /** The query as a shard rewrites it. */
  override get lucene(): string {
    const { ids, scoreMode, min, max } = this.settings
    const isPlain = scoreMode === 'none' && min <= 1 && max === maxChildren
    const rest = isPlain ? '' : `,min=${min},max=${max},fromQuery=${this.inner.lucene}`
    return `GlobalOrdinalsQuery{joinField=${ids}${rest}}`
  }

  /** Terms of the other side are not highlighted. */
  override visit(): void {}

  /** Lucene's searcher sees one query. */
  override get leafCount(): number {
    return 1
  }
}

/** What was collected of one side, by global ordinal. */
interface Collected {
  readonly ordinals: JoinOrdinals
  readonly seen: BitSet
  /** The score of each ordinal that was seen; null when all have the same. */
  readonly scores: Float32Array | null
}

class JoinWeight extends Weight {
  readonly #query: JoinQuery
  readonly #boost: number
  readonly #isScored: boolean
  readonly #from: Weight
  readonly #to: Weight
  #collected: Collected | undefined

  constructor(scope: SearchScope, query: JoinQuery, boost: number) {
    super(scope)
    const { join, to, scoreMode } = query.settings
    this.#query = query
    this.#boost = Math.fround(boost)
    this.#isScored = scoreMode !== 'none' && boost !== 0
    this.#from = this.#isScored ? query.inner.weight(scope, 1) : filterWeight(query.inner, scope)
    const names = to.map((name) => ({ occur: 'should', query: new TermQuery(join, name) }) as const)
    this.#to = filterWeight(names.length === 1 ? names[0]!.query : new BoolQuery(names), scope)
  }

  override get constant(): number | undefined {
    return this.#isScored ? undefined : this.#boost
  }

  cost(leaf: LeafReader): number {
    return this.#to.cost(leaf)
  }

  *#collect(): Steps<Collected> {
    if (this.#collected !== undefined) return this.#collected
    const { leaves } = this.scope
    const { ids, scoreMode, min, max } = this.#query.settings
    const ordinals = yield* joinOrdinals(leaves, ids)
    const seen = new BitSet(ordinals.size)
    const isCounted = min > 1 || max !== maxChildren || (this.#isScored && scoreMode === 'avg')
    const counts = isCounted ? new Uint32Array(ordinals.size) : null
    const scores = this.#isScored ? new Float32Array(ordinals.size) : null
    for (const leaf of leaves) {
      this.scope.check()
      const found = yield* this.#found(leaf)
      const ordinalOf = yield* retryWork(() => ordinals.of(leaf.segment))
      yield* inRanges(found.docs.length, (from, to) => {
        for (let i = from; i < to; i++) {
          const ordinal = ordinalOf(found.docs[i]!)
          if (ordinal === -1) continue
          if (scores !== null) {
            const score = found.scores![i]!
            scores[ordinal] = seen.has(ordinal) ? combined(scoreMode, scores[ordinal]!, score) : score
          }
          seen.add(ordinal)
          if (counts !== null) counts[ordinal]!++
        }
      })
    }
    if (counts !== null) {
      yield* inRanges(ordinals.size, (from, to) => {
        for (let ordinal = from; ordinal < to; ordinal++) {
          const count = counts[ordinal]!
          if (count === 0) continue
          if (count < min || count > max) seen.remove(ordinal)
          else if (scores !== null && scoreMode === 'avg') scores[ordinal] = scores[ordinal]! / count
        }
      })
    }
    this.#collected = { ordinals, seen, scores }
    return this.#collected
  }

  *#found(leaf: LeafReader): Steps<{ docs: Uint32Array; scores?: Float32Array }> {
    const mask = visible(leaf)
    if (this.#isScored) return yield* this.#from.scoreSteps(leaf, mask)
    yield* this.#from.prepare(leaf)
    const docs = this.#from.matches(leaf)
    return { docs: (mask === null ? docs : docs.and(mask)).array() }
  }

  protected *find(leaf: LeafReader): Steps<DocSet> {
    const { ordinals, seen } = yield* this.#collect()
    yield* this.#to.prepare(leaf)
    const docs = this.#to.matches(leaf).array()
    const ordinalOf = yield* retryWork(() => ordinals.of(leaf.segment))
    const kept = new Uint32Array(docs.length)
    let count = 0
    yield* inRanges(docs.length, (from, to) => {
      for (let i = from; i < to; i++) {
        const ordinal = ordinalOf(docs[i]!)
        if (ordinal !== -1 && seen.has(ordinal)) kept[count++] = docs[i]!
      }
    })
    return DocSet.ofSorted(leaf.segment.docCount, kept.subarray(0, count))
  }

  score(leaf: LeafReader, within: DocSet | null): ScoredDocs {
    const matches = this.matches(leaf)
    const docs = (within === null ? matches : matches.and(within)).array()
    const { ordinals, scores: byOrdinal } = finish(this.#collect())
    const scores = new Float32Array(docs.length)
    if (byOrdinal === null) scores.fill(this.#boost)
    else {
      const ordinalOf = ordinals.of(leaf.segment)
      for (let i = 0; i < docs.length; i++) scores[i] = byOrdinal[ordinalOf(docs[i]!)]! * this.#boost
    }
    return { docs, scores }
  }

  /** As in Lucene the document may be one of the other side too. */
  explain(leaf: LeafReader, doc: number): Explanation {
    const { ordinals, seen, scores } = finish(this.#collect())
    const ordinal = ordinals.of(leaf.segment)(doc)
    if (ordinal === -1) return unmatched('Not a match')
    const value = `join value ${idOf(leaf, this.#query.settings.ids, doc)}`
    if (!seen.has(ordinal)) return unmatched(`Not a match, ${value}`)
    return explained(
      scores === null ? this.#boost : Math.fround(scores[ordinal]! * this.#boost),
      `A match, ${value}`,
    )
  }
}

/** The id that a document has in a field with ids of parents. */
export function idOf({ segment }: LeafReader, field: string, doc: number): string | undefined {
  const { ordinals, terms } = segment.fields.get(field) ?? {}
  if (ordinals === null || ordinals === undefined || terms === null || terms === undefined) return undefined
  const { starts, values } = ordinals
  const ordinal = starts === null ? values[doc]! : starts[doc]! < starts[doc + 1]! ? values[starts[doc]!]! : 0
  return ordinal === 0 ? undefined : terms.term(ordinal - 1)
}

function combined(mode: JoinScoreMode, before: number, score: number): number {
  if (mode === 'min') return Math.min(before, score)
  return mode === 'max' ? Math.max(before, score) : before + score
}
