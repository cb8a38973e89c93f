/**
 * What queries, sorting and aggregations see of an index: immutable segments of documents, numbered from 0,
 * and per field its terms, its columns and its presence. Whether a segment was just built or read from disk,
 * it looks like this. All numbers of a segment lie in typed arrays.
 */
import type { SearchError } from '../request/search-error.ts'
import type { Steps } from '../scheduling/steps.ts'
import type { BitSet } from './encoding/bit-set.ts'

export interface Segment {
  /** Unique within its shard, and rising with age. */
  readonly name: string
  /** Documents, nested ones included, deleted ones too. */
  readonly docCount: number
  /** Fields by full path; multi-fields as `message.keyword`. */
  readonly fields: ReadonlyMap<string, SegmentField>
  /**
   * With nested objects: the documents proper. A nested object is a document of its own that stands in front
   * of the one it belongs to. Null when there are none, and every document is one proper.
   */
  readonly roots: BitSet | null
  /** Path of the nested object that a document is; undefined for one proper. */
  nestedPath(doc: number): string | undefined
  /** JSON text as it was sent; empty when `_source` is switched off. Of documents proper only. */
  source(doc: number): Uint8Array
  id(doc: number): string
  /** The document proper of this id, deleted or not, or -1. */
  findId(id: string): number
  routing(doc: number): string | undefined
  readonly seqNos: Float64Array
  readonly versions: Float64Array
  readonly primaryTerms: Uint32Array
  /** Memory it takes, about. */
  readonly bytes: number
}

export interface SegmentField {
  readonly name: string
  /** The inverted index: of text, keyword, ip (16 bytes as 32 hex digits), constant_keyword, flattened, … */
  readonly terms: TermIndex | null
  /** Terms by document, for fields that sort and aggregate by text. */
  readonly ordinals: OrdinalColumn | null
  /** Numbers by document: all numeric types, dates (milliseconds), booleans (0 and 1). */
  readonly numbers: NumberColumn | null
  /** Latitude and longitude by document. */
  readonly points: PointColumn | null
  /** Range types: where the ranges of each document begin and end, both inclusive. */
  readonly ranges: RangeColumn | null
  /** Length of a text by document in one byte (Lucene's encoding); null without norms. */
  readonly norms: Uint8Array | null
  /** Documents that have a value; null when all have. */
  readonly present: BitSet | null
  /** Documents with a value. */
  readonly docCount: number
  /** Documents with a term: a text may have none. */
  readonly termDocs: number
  /** Sum over terms of the documents they are in, and of how often they occur. */
  readonly sumDocFreq: number
  readonly sumTotalFreq: number
}

/** Terms in the order of their UTF-8 bytes. */
export interface Terms {
  readonly size: number
  term(ordinal: number): string
  /** Ordinal of a term, or -1. */
  find(term: string): number
  /** The first ordinal whose term is not below this one; `size` when all are. */
  lowerBound(term: string): number
}

/** And where they occur. */
export interface TermIndex extends Terms {
  docFreq(ordinal: number): number
  totalFreq(ordinal: number): number
  postings(ordinal: number): Postings
  /** All documents that have one of some terms, which are given in rising order. Keeps nothing. */
  anyOf(ordinals: readonly number[], docCount: number): Steps<BitSet>
}

/** Where one term occurs. */
export interface Postings {
  /** Rising. */
  readonly docs: Uint32Array
  /** How often in each; null when always once or not counted. */
  readonly freqs: Uint32Array | null
  /** Positions in each document, one after the other; null when they are not kept. */
  readonly positions: PostingPositions | null
}

export interface PostingPositions {
  /** The positions in the n-th document are `values[starts[n]]` up to, not including, `values[starts[n + 1]]`. */
  readonly starts: Uint32Array
  readonly values: Uint32Array
}

/** Values by document: of the n-th at `starts[n]` up to, not including, `starts[n + 1]`, rising. */
export interface ColumnStarts {
  /** Null when every document has at most one value, which then stands at its own number. */
  readonly starts: Uint32Array | null
}

export interface OrdinalColumn extends ColumnStarts {
  /** Ordinals of the field's terms, plus one; 0 for none (only where `starts` is null). Without repetition. */
  readonly values: Uint32Array
}

export interface NumberColumn extends ColumnStarts {
  /** The values as doubles; those of documents without one, where `starts` is null, mean nothing. */
  readonly values: Float64Array
  /** The exact values, where some are beyond 2^53 (long, unsigned_long, date_nanos in nanoseconds). */
  readonly exact: BigInt64Array | null
  /** Values and their documents in rising order of value, then document; made on first use and kept. */
  sorted(): SortedNumbers
}

export interface SortedNumbers {
  readonly values: Float64Array
  readonly docs: Uint32Array
}

export interface PointColumn extends ColumnStarts {
  readonly latitudes: Float64Array
  readonly longitudes: Float64Array
}

export interface RangeColumn extends ColumnStarts {
  readonly from: Float64Array
  readonly to: Float64Array
}

/** A segment as one search sees it: with the deletions of that moment. */
export interface LeafReader {
  readonly segment: Segment
  /** Documents that are not deleted; null when none is. */
  readonly live: BitSet | null
  /** Number of the segment's first document among all of its shard. */
  readonly base: number
}

/** One shard as one search sees it; it stays as it is until `release`. */
export interface ShardReader {
  readonly index: string
  /** Name under which the user sees the shard's index, and its number. */
  readonly shard: number
  readonly leaves: readonly LeafReader[]
  /** Documents proper that are not deleted. */
  readonly liveCount: number
  /** Why there are no documents: its files cannot be read. */
  readonly failure?: SearchError
  release(): void
}
