/**
 * Block join: nested objects are documents stored right before their parent. The inner query runs over the
 * objects of a path; a match counts for the next document of the level above. Compare Lucene's
 * ToParentBlockJoinQuery.
 */

import { inRanges } from '../../../scheduling/step-size.ts'
import { finish, type Steps } from '../../../scheduling/steps.ts'
import { BitSet } from '../../../segment/encoding/bit-set.ts'
import { mapOf } from '../../../segment/map-of-maps.ts'
import type { LeafReader, Segment } from '../../../segment/segment.ts'
import { DocSet } from '../doc-set.ts'
import { type Explanation, explained, unmatched } from '../explanation.ts'
import { type Query, type ScoredDocs, type SearchScope, Weight } from '../query.ts'
import { ConstantScoreQuery, filterWeight } from './simple-queries.ts'
import { WrappedQuery } from './wrapped-query.ts'

type NestedScoreMode = 'avg' | 'max' | 'min' | 'none' | 'sum'

const known = new WeakMap<Segment, Map<string, BitSet>>()

/** The nested objects of a path, or the root documents without a path; null when every document is a root. */
export function objectsOf(segment: Segment, path: string | undefined): BitSet | null {
  return finish(objectSteps(segment, path))
}

/** Does what `objectsOf` does, with cooperative yields. */
export function* objectSteps(segment: Segment, path: string | undefined): Steps<BitSet | null> {
  if (segment.roots === null) return path === undefined ? null : new BitSet(segment.docCount)
  if (path === undefined) return segment.roots
  const paths = mapOf(known, segment)
  const before = paths.get(path)
  if (before !== undefined) return before
  const objects = new BitSet(segment.docCount)
  yield* inRanges(segment.docCount, (from, to) => {
    for (let doc = from; doc < to; doc++) if (segment.nestedPath(doc) === path) objects.add(doc)
  })
  paths.set(path, objects)
  return objects
}

export class NestedQuery extends WrappedQuery {
  readonly path: string
  /** The path of the level that matches count for; undefined for root documents. */
  readonly parentPath: string | undefined
  readonly scoreMode: NestedScoreMode

  constructor(path: string, parentPath: string | undefined, inner: Query, scoreMode: NestedScoreMode) {
    super(inner)
    this.path = path
    this.parentPath = parentPath
    this.scoreMode = scoreMode
  }

  weight(scope: SearchScope, boost: number): Weight {
    return new NestedWeight(scope, this, boost)
  }

  toString(): string {
    return `ToParentBlockJoinQuery (${this.inner})`
  }

  override get lucene(): string {
    return `ToParentBlockJoinQuery (${this.inner.lucene})`
  }
}

class NestedWeight extends Weight {
  readonly #query: NestedQuery
  readonly #inner: Weight
  readonly #scored: boolean

  constructor(scope: SearchScope, query: NestedQuery, boost: number) {
    super(scope)
    this.#query = query
    this.#scored = query.scoreMode !== 'none' && boost !== 0
    this.#inner = this.#scored ? query.inner.weight(scope, boost) : filterWeight(query.inner, scope)
  }

  cost(leaf: LeafReader): number {
    return leaf.segment.roots === null ? 0 : this.#inner.cost(leaf)
  }

  #objects(leaf: LeafReader): DocSet {
    const objects = objectsOf(leaf.segment, this.#query.path)
    return objects === null ? DocSet.none(leaf.segment.docCount) : DocSet.ofBits(objects)
  }

  protected *find(leaf: LeafReader): Steps<DocSet> {
    const { segment } = leaf
    const parents = yield* objectSteps(segment, this.#query.parentPath)
    if (parents === null) return DocSet.none(segment.docCount)
    yield* objectSteps(segment, this.#query.path)
    yield* this.#inner.prepare(leaf)
    const children = this.#inner.matches(leaf).and(this.#objects(leaf)).array()
    yield
    const found = new Uint32Array(children.length)
    let count = 0
    yield* inRanges(children.length, (from, to) => {
      for (let i = from; i < to; i++) {
        const parent = parents.next(children[i]! + 1)
        if (parent === -1) break
        if (count === 0 || found[count - 1] !== parent) found[count++] = parent
      }
    })
    return DocSet.ofSorted(segment.docCount, found.subarray(0, count))
  }

  override *prepareScores(leaf: LeafReader): Steps<void> {
    if (!this.#scored) return yield* this.prepare(leaf)
    yield* objectSteps(leaf.segment, this.#query.parentPath)
    yield* objectSteps(leaf.segment, this.#query.path)
    yield* this.#inner.prepareScores(leaf, leaf.segment.docCount)
  }

  /** The objects that can belong to one of these documents. */
  #objectsFor(leaf: LeafReader, within: DocSet | null): DocSet {
    const objects = this.#objects(leaf)
    if (within === null) return objects
    const [from, to] = within.bounds
    const before = objectsOf(leaf.segment, this.#query.parentPath)?.previous(from - 1) ?? -1
    return objects.and(DocSet.interval(leaf.segment.docCount, before + 1, to))
  }

  score(leaf: LeafReader, within: DocSet | null): ScoredDocs {
    if (!this.#scored) {
      const found = within === null ? this.matches(leaf) : this.matches(leaf).and(within)
      return { docs: found.array(), scores: new Float32Array(found.count) }
    }
    const parents = objectsOf(leaf.segment, this.#query.parentPath)
    const { docs: children, scores } = this.#inner.score(leaf, this.#objectsFor(leaf, within))
    const docs = new Uint32Array(children.length)
    const joined = new Float32Array(children.length)
    let count = 0
    for (let i = 0; parents !== null && i < children.length; ) {
      const parent = parents.next(children[i]! + 1)
      if (parent === -1) break
      const first = i
      while (i < children.length && children[i]! < parent) i++
      if (within !== null && !within.has(parent)) continue
      docs[count] = parent
      joined[count++] = combined(scores.subarray(first, i), this.#query.scoreMode)
    }
    return { docs: docs.subarray(0, count), scores: joined.subarray(0, count) }
  }

  /** Lucene 10 names the score mode. */
  get #how(): string {
    const { scoreMode } = this.#query
    if (this.scope.scoreFactor !== 1) return 'best match:'
    // Lucene calls the sum a total.
    const name = scoreMode === 'sum' ? 'total' : scoreMode
    return `using score mode ${name[0]!.toUpperCase()}${name.slice(1)}`
  }

  /** The object that is explained: the best, with `min` the worst; the first of equal ones. */
  #shownAt(scores: Float32Array): number {
    const isMin = this.#query.scoreMode === 'min'
    return scores.indexOf(isMin ? Math.min(...scores) : Math.max(...scores))
  }

  /** Without scores, objects are explained by a constant. */
  get #shown(): Weight {
    if (this.#scored || this.scope.scoreFactor !== 1) return this.#inner
    return new ConstantScoreQuery(this.#query.inner).weight(this.scope, 0)
  }

  explain(leaf: LeafReader, doc: number): Explanation {
    const score = this.scoreOf(leaf, doc)
    if (score === undefined) return unmatched('Not a match')
    const previous = objectsOf(leaf.segment, this.#query.parentPath)?.previous(doc - 1) ?? -1
    const inside = DocSet.interval(leaf.segment.docCount, previous + 1, doc)
    const { docs, scores } = this.#inner.score(leaf, this.#objects(leaf).and(inside))
    return explained(
      score,
      `Score based on ${docs.length} child docs in range from ${previous + 1} to ${doc - 1}, ${this.#how}`,
      docs.length === 0 ? [] : [this.#shown.explain(leaf, docs[this.#shownAt(scores)]!)],
    )
  }
}

function combined(scores: Float32Array, mode: NestedScoreMode): number {
  let total = 0
  let min = Number.POSITIVE_INFINITY
  let max = Number.NEGATIVE_INFINITY
  for (const score of scores) {
    total += score
    if (score < min) min = score
    if (score > max) max = score
  }
  if (mode === 'min') return min
  if (mode === 'max') return max
  return mode === 'avg' ? total / scores.length : total
}

/** The matching objects of one document with their scores, for `inner_hits`. */
export function objectsWithin(leaf: LeafReader, weight: Weight, path: string, doc: number): ScoredDocs {
  const { segment } = leaf
  const objects = objectsOf(segment, path)
  if (objects === null || segment.roots === null)
    return { docs: new Uint32Array(0), scores: new Float32Array(0) }
  const first = segment.roots.previous(doc - 1) + 1
  const inside: number[] = []
  for (let at = objects.next(first); at !== -1 && at < doc; at = objects.next(at + 1)) inside.push(at)
  return weight.score(leaf, DocSet.ofSorted(segment.docCount, Uint32Array.from(inside)))
}
