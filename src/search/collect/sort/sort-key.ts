/** The interface of a sort key, bound to the segments of a search. */
import type { DocSet } from '../../query/exec/doc-set.ts'
import type { ScoredDocs, SearchScope } from '../../query/exec/query.ts'
import type { Steps } from '../../scheduling/steps.ts'
import type { LeafReader, ShardReader } from '../../segment/segment.ts'
import type { RankedList } from '../paging/ranked-list.ts'
import type { SearchIndex } from '../search-index.ts'
import type { Direction, SortValue } from './sort-value.ts'

/** One segment of a search. Segments are ordered by shard, and within a shard as the reader lists them. */
export interface SearchLeaf {
  /** The index among all segments of the search. */
  readonly number: number
  readonly reader: LeafReader
  readonly shard: ShardReader
  /** The index of the shard among those searched. */
  readonly shardNumber: number
  readonly index: SearchIndex
  readonly scope: SearchScope
}

export interface SortKey extends Direction {
  /** Prepares a segment in steps, when that may take long. */
  ready?(leaf: SearchLeaf): Steps<void>
  /** Does what `list` does in steps, when that may take long. */
  listSteps?(leaf: SearchLeaf, matches: DocSet): Steps<RankedList>
  /** The matches of a segment ordered by this key, ties in index order. */
  list(leaf: SearchLeaf, matches: DocSet): RankedList
  value(leaf: SearchLeaf, doc: number): SortValue
  /** Renders a value for `sort` of a hit. */
  show(leaf: SearchLeaf, value: SortValue): unknown
  /** Why null cannot be a value of `search_after`; undefined where null stands for a missing value. */
  readonly nullRefusal?: string | undefined
  /** Parses a value of `search_after`. Throws SearchError. */
  parse(value: unknown): SortValue
}

/** The scores of matches; nothing is computed when all are equal. */
export interface Scores {
  constant(leaf: SearchLeaf): number | undefined
  /** Returns the scores of some of the matches. */
  of(leaf: SearchLeaf, docs: DocSet): ScoredDocs
  at(leaf: SearchLeaf, doc: number): number
  /** The top k by falling score, when only those were computed. */
  best?(leaf: SearchLeaf): ScoredDocs | undefined
}
