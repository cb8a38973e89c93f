/** One key of a sort, bound to the segments of a search. */
import type { DocSet } from '../../query/exec/doc-set.ts'
import type { ScoredDocs, SearchScope } from '../../query/exec/query.ts'
import type { Steps } from '../../scheduling/steps.ts'
import type { LeafReader, ShardReader } from '../../segment/segment.ts'
import type { RankedList } from '../paging/ranked-list.ts'
import type { SearchIndex } from '../search-index.ts'
import type { Direction, SortValue } from './sort-value.ts'

/** One segment of a search. Their order is that of shards, and within a shard that of segments. */
export interface SearchLeaf {
  /** Place in the list of all segments of the search. */
  readonly number: number
  readonly reader: LeafReader
  readonly shard: ShardReader
  /** Place of the shard in the list of those searched. */
  readonly shardNumber: number
  readonly index: SearchIndex
  readonly scope: SearchScope
}

export interface SortKey extends Direction {
  /** Makes what all that follows needs of a segment, in steps, where that may take long. */
  ready?(leaf: SearchLeaf): Steps<void>
  /** `list` in steps, where that may take long. */
  listSteps?(leaf: SearchLeaf, matches: DocSet): Steps<RankedList>
  /** The matches of a segment in the order of this key, equal ones by document. */
  list(leaf: SearchLeaf, matches: DocSet): RankedList
  value(leaf: SearchLeaf, doc: number): SortValue
  /** What a hit shows under `sort`. */
  show(leaf: SearchLeaf, value: SortValue): unknown
  /** A value of `search_after`. Throws SearchError. */
  parse(value: unknown): SortValue
}

/** Scores of matches; where all are the same, nothing is computed. */
export interface Scores {
  constant(leaf: SearchLeaf): number | undefined
  /** Of some of the matches. */
  of(leaf: SearchLeaf, docs: DocSet): ScoredDocs
  at(leaf: SearchLeaf, doc: number): number
  /** The best of all matches, the best first, where no others were computed. */
  best?(leaf: SearchLeaf): ScoredDocs | undefined
}
