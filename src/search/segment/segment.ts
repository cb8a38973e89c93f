/**
 * What queries, sorting and aggregations see of an index: immutable segments of documents numbered from 0, and for
 * each field its terms, doc values and the docs that have it. A buffered segment and one on disk implement the same
 * interface. All numbers are in typed arrays.
 */
import type { SearchError } from '../request/search-error.ts'
import type { Steps } from '../scheduling/steps.ts'
import type { BitSet } from './encoding/bit-set.ts'
import type { Ordinals } from './encoding/ordinals.ts'
import type { ZoneMap } from './zone-map.ts'

export interface Segment {
  /** Unique within its shard and ascending with age. */
  readonly name: string
  /** The number of documents, including nested and deleted ones (Lucene's maxDoc). */
  readonly docCount: number
  /** Fields by full path; multi-fields as `message.keyword`. */
  readonly fields: ReadonlyMap<string, SegmentField>
  /**
   * The root documents; null when there are no nested ones and every document is a root. A nested object is a
   * document of its own in front of its root, as in Lucene's block join.
   */
  readonly roots: BitSet | null
  /** Returns the path of the nested object that a document is; undefined for a root document. */
  nestedPath(doc: number): string | undefined
  /** Returns the stored `_source` of a root document; empty when it is switched off. */
  source(doc: number): Uint8Array
  /** Returns the same as a text. */
  sourceText(doc: number): string
  /** False when `readAhead` has nothing to do, whatever the documents. */
  readonly readsAhead: boolean
  /** Prepares reading the sources of root documents in ascending order, where many at once are cheaper. */
  readAhead(docs: readonly number[]): void
  id(doc: number): string
  /** Returns the root document with the id, deleted or not, or -1. */
  findId(id: string): number
  routing(doc: number): string | undefined
  readonly seqNos: Float64Array
  readonly versions: Float64Array
  readonly primaryTerms: Uint32Array
  /** Estimated memory. */
  readonly bytes: number
}

export interface SegmentField {
  readonly name: string
  /** The inverted index: of text, keyword, ip (16 bytes as 32 hex digits), constant_keyword, flattened, … */
  readonly terms: TermIndex | null
  /** Sorted-set doc values: term ordinals by document. */
  readonly ordinals: OrdinalColumn | null
  /** Numeric doc values: all numeric types, dates (milliseconds), booleans (0 and 1). */
  readonly numbers: NumberColumn | null
  /** The zone map of the numbers; null where there are none. Asking for it does not decode them a second time. */
  readonly zones: ZoneMap | null
  /** Doc values of points: latitude and longitude by document. */
  readonly points: PointColumn | null
  /** Doc values of range types, both ends inclusive. */
  readonly ranges: RangeColumn | null
  /** Norms: the field length by document in one byte (Lucene's encoding); null without norms. */
  readonly norms: Uint8Array | null
  /** Docs with field: the documents that have a value; null when all have (Lucene's DocsWithFieldSet). */
  readonly present: BitSet | null
  /** The number of documents with a value. */
  readonly docCount: number
  /** The number of documents with a term; a text may have none. */
  readonly termDocs: number
  /** The sums of document frequencies and of total term frequencies over all terms. */
  readonly sumDocFreq: number
  readonly sumTotalFreq: number
}

/** A terms dictionary, in the order of UTF-8 bytes. */
export interface Terms {
  readonly size: number
  term(ordinal: number): string
  /** Returns the ordinal of a term, or -1. */
  find(term: string): number
  /** Returns the first ordinal whose term is not below `term`, or `size`. */
  lowerBound(term: string): number
}

/** A terms dictionary with postings. */
export interface TermIndex extends Terms {
  docFreq(ordinal: number): number
  totalFreq(ordinal: number): number
  postings(ordinal: number): Postings
  /** Returns the documents that have one of several terms, given in ascending order. Nothing is cached. */
  anyOf(ordinals: readonly number[], docCount: number): Steps<BitSet>
}

/** The postings of one term. */
export interface Postings {
  /** Document numbers in ascending order. */
  readonly docs: Uint32Array
  /** Term frequency by posting; null when always one or not indexed. */
  readonly freqs: Uint32Array | null
  /** Positions; null when they are not indexed. */
  readonly positions: PostingPositions | null
}

export interface PostingPositions {
  /** The positions of the n-th posting are `values[starts[n], starts[n + 1])`. */
  readonly starts: Uint32Array
  readonly values: Uint32Array
}

/** A column of values by document: those of document n are at `[starts[n], starts[n + 1])`, ascending. */
export interface ColumnStarts {
  /** Null when every document has at most one value, which is then at the document's number. */
  readonly starts: Uint32Array | null
}

export interface OrdinalColumn extends ColumnStarts {
  /** Term ordinals plus one, each once per document; 0 for none, only where `starts` is null. */
  readonly values: Ordinals
}

export interface NumberColumn extends ColumnStarts {
  /** The values as doubles; where `starts` is null, those of documents without a value are meaningless. */
  readonly values: Float64Array
  /** Exact values, where some are beyond 2^53 (long, unsigned_long, date_nanos in nanoseconds). */
  readonly exact: BigInt64Array | null
  /** Returns values and documents sorted by value, then document; computed on first use and cached. */
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

/** A segment as one search sees it, with the live docs of that moment (Lucene's LeafReaderContext). */
export interface LeafReader {
  readonly segment: Segment
  /** Live docs; null when nothing is deleted. */
  readonly live: BitSet | null
  /** The doc base: the shard-wide number of the segment's first document. */
  readonly base: number
}

/** A point-in-time view of one shard; it is stable until `release`. */
export interface ShardReader {
  readonly index: string
  /** The name of the shard's index as users see it, and the shard number. */
  readonly shard: number
  readonly leaves: readonly LeafReader[]
  /** The number of root documents that are not deleted. */
  readonly liveCount: number
  /** Set when there are no documents because the shard's files cannot be read. */
  readonly failure?: SearchError
  release(): void
}
