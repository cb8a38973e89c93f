/** Sort keys that are not fields: `_score`, `_doc`, `_shard_doc` and `_geo_distance`. */

import type { DocSet } from '../../query/exec/doc-set.ts'
import { illegalArgument } from '../../request/errors.ts'
import { shortestFloat } from '../../request/float-text.ts'
import { scalarText } from '../../request/request-values.ts'
import { inRanges } from '../../scheduling/step-size.ts'
import { finish, type Steps } from '../../scheduling/steps.ts'
import { lazyScoreList, topDocsFirst } from '../paging/lazy-score-list.ts'
import { ConstantList, DocOrderList, type RankedList, SortedList } from '../paging/ranked-list.ts'
import { boxedNull } from './java-null.ts'
import type { Scores, SearchLeaf, SortKey } from './sort-key.ts'
import type { SortValue } from './sort-value.ts'

export function numberAfter(value: unknown, field: string): number {
  const text = scalarText(value)
  const number = text === undefined || text.trim() === '' ? Number.NaN : Number(text)
  if (Number.isNaN(number)) throw illegalArgument(`Failed to parse search_after value for field [${field}].`)
  return number
}

export class ScoreKey implements SortKey {
  readonly descending: boolean
  readonly missingFirst = false
  readonly nullRefusal = boxedNull('Float')
  readonly #scores: Scores

  constructor(scores: Scores, descending: boolean) {
    this.#scores = scores
    this.descending = descending
  }

  list(leaf: SearchLeaf, matches: DocSet): RankedList {
    const constant = this.#scores.constant(leaf)
    if (constant !== undefined) return new ConstantList(matches, constant, this)
    const all = () => this.#scores.of(leaf, matches)
    const best = this.#scores.best?.(leaf)
    return best === undefined ? lazyScoreList(all(), this) : topDocsFirst(matches.count, best, all, this)
  }

  value(leaf: SearchLeaf, doc: number): SortValue {
    return this.#scores.constant(leaf) ?? this.#scores.at(leaf, doc)
  }

  show(_leaf: SearchLeaf, value: SortValue): unknown {
    return shortestFloat(Number(value))
  }

  parse(value: unknown): SortValue {
    return Math.fround(numberAfter(value, '_score'))
  }
}

/** The document number in its shard; with `acrossShards`, shards follow each other. */
export class DocKey implements SortKey {
  readonly descending: boolean
  readonly missingFirst = false
  readonly nullRefusal = boxedNull('Integer')
  readonly #acrossShards: boolean

  constructor(descending: boolean, acrossShards: boolean) {
    this.descending = descending
    this.#acrossShards = acrossShards
  }

  #base({ reader, shardNumber }: SearchLeaf): number {
    return reader.base + (this.#acrossShards ? shardNumber * 2 ** 32 : 0)
  }

  list(leaf: SearchLeaf, matches: DocSet): RankedList {
    return new DocOrderList(matches, this.#base(leaf), this.descending)
  }

  value(leaf: SearchLeaf, doc: number): SortValue {
    return this.#base(leaf) + doc
  }

  show(_leaf: SearchLeaf, value: SortValue): unknown {
    return value
  }

  parse(value: unknown): SortValue {
    return numberAfter(value, this.#acrossShards ? '_shard_doc' : '_doc')
  }
}

/** The distance to the nearest of some points; NaN for documents without one. */
export class DistanceKey implements SortKey {
  readonly descending: boolean
  /** Documents without a point count as infinitely far away. */
  readonly missingFirst: boolean
  readonly nullRefusal = boxedNull('Double')
  readonly #distance: (leaf: SearchLeaf, doc: number) => number

  constructor(descending: boolean, distance: (leaf: SearchLeaf, doc: number) => number) {
    this.descending = descending
    this.missingFirst = descending
    this.#distance = distance
  }

  list(leaf: SearchLeaf, matches: DocSet): RankedList {
    return finish(this.listSteps(leaf, matches))
  }

  *listSteps(leaf: SearchLeaf, matches: DocSet): Steps<RankedList> {
    const docs = matches.array()
    const values = new Float64Array(docs.length)
    yield* inRanges(docs.length, (from, to) => {
      for (let i = from; i < to; i++) values[i] = this.#distance(leaf, docs[i]!)
    })
    return yield* SortedList.steps({ docs, values }, this)
  }

  value(leaf: SearchLeaf, doc: number): SortValue {
    const distance = this.#distance(leaf, doc)
    return Number.isNaN(distance) ? null : distance
  }

  show(_leaf: SearchLeaf, value: SortValue): unknown {
    return value ?? 'Infinity'
  }

  parse(value: unknown): SortValue {
    if (value === null || value === 'Infinity' || value === '-Infinity') return null
    return numberAfter(value, '_geo_distance')
  }
}
