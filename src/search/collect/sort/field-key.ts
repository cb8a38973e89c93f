/**
 * The sort key of a field. The field may have another type in each index, so the key has one source per
 * index; all sources must give comparable values.
 */

import { filterWeight } from '../../query/exec/compound/simple-queries.ts'
import type { DocSet } from '../../query/exec/doc-set.ts'
import type { Query } from '../../query/exec/query.ts'
import { finish, type Steps } from '../../scheduling/steps.ts'
import { mapOf } from '../../segment/map-of-maps.ts'
import type { SegmentField } from '../../segment/segment.ts'
import { ConstantList, PermutationMatches, type RankedList, SortedList } from '../paging/ranked-list.ts'
import { metadataColumn, metadataColumnSteps } from './metadata-columns.ts'
import { withMissing } from './missing-value.ts'
import { liftSteps } from './nested-column.ts'
import { type NumberInterpretation, numberColumn, type SortColumn, termColumn } from './sort-column.ts'
import type { SearchLeaf, SortKey } from './sort-key.ts'
import type { SortMode } from './sort-mode.ts'
import { hasPermutation, permutationOf, SortPermutation, sortValueOf } from './sort-permutation.ts'
import type { SortValue } from './sort-value.ts'

/** How one index provides the values of the key. */
export interface FieldSource {
  /** The name of the field in segments. */
  readonly field: string
  /** The kind of values; `none` when the index does not have the field. */
  readonly kind: 'number' | 'term' | 'none' | 'constant'
  /** The field type, for error texts. */
  readonly type: string
  readonly mode: SortMode
  readonly reading: NumberInterpretation
  readonly nested: { readonly path: string; readonly filter: Query | undefined } | undefined
  /** Replaces missing values. */
  readonly missing: number | bigint | string | undefined
  readonly nullRefusal?: string
  show(value: SortValue): unknown
  parse(value: unknown): SortValue
}

/**
 * Where fewer than one document in so many matches, the matches are sorted instead of the segment: that is quicker than
 * to sort it for the first time, and holds no memory for documents that do not match.
 */
const documentsPerMatch = 32
/**
 * A segment that was sorted before, and whose permutation was evicted because memory is short, is not sorted again for
 * so few matches. There are at most so many of them because they are sorted in one step.
 */
const documentsPerMatchEvicted = 4
const maxMatchesEvicted = 64 * 1024
/** Fields of segments that were sorted once. */
const sortedBefore = new WeakSet<SegmentField>()

export class FieldKey implements SortKey {
  readonly descending: boolean
  readonly missingFirst: boolean
  readonly #sources: ReadonlyMap<string, FieldSource>
  /** Permutations of filtered nested values, which are valid for this search only. */
  readonly #own = new Map<SearchLeaf, SortPermutation | null>()

  /** `sources` by index name. */
  constructor(sources: ReadonlyMap<string, FieldSource>, descending: boolean, missingFirst: boolean) {
    this.#sources = sources
    this.descending = descending
    this.missingFirst = missingFirst
  }

  #source(leaf: SearchLeaf): FieldSource {
    return this.#sources.get(leaf.index.name)!
  }

  #permutation(leaf: SearchLeaf, source: FieldSource): SortPermutation | null {
    const { docCount } = leaf.reader.segment
    const { nested } = source
    if (nested?.filter === undefined) {
      const column = this.#column(leaf, source, null)
      if (column === null) return null
      const permutation = permutationOf(docCount, column, this)
      const field = leaf.reader.segment.fields.get(source.field)
      if (field !== undefined) sortedBefore.add(field)
      return permutation
    }
    let own = this.#own.get(leaf)
    if (own === undefined) {
      const filter = filterWeight(nested.filter, leaf.scope).matches(leaf.reader)
      const column = this.#column(leaf, source, filter)
      own = column === null ? null : new SortPermutation(docCount, column, this)
      this.#own.set(leaf, own)
    }
    return own
  }

  #column(leaf: SearchLeaf, source: FieldSource, filter: DocSet | null): SortColumn | null {
    const { segment } = leaf.reader
    const hidden = metadataColumn(segment, source.field)
    if (hidden !== undefined) return hidden
    let field = segment.fields.get(source.field)
    if (field !== undefined && source.nested !== undefined) {
      field = finish(lifted(segment, field, source.nested.path, filter)) ?? undefined
    }
    if (field === undefined) return null
    const column =
      source.kind === 'number'
        ? numberColumn(field, segment.docCount, source.mode, source.reading)
        : termColumn(field, segment.docCount, source.mode === 'max' ? 'max' : 'min')
    if (column === null || source.missing === undefined) return column
    return withMissing(column, source.missing)
  }

  *ready(leaf: SearchLeaf): Steps<void> {
    const { field: name, nested } = this.#source(leaf)
    const { segment } = leaf.reader
    yield* metadataColumnSteps(segment, name)
    if (nested === undefined || nested.filter !== undefined) return
    const field = segment.fields.get(name)
    if (field !== undefined) yield* lifted(segment, field, nested.path, null)
  }

  list(leaf: SearchLeaf, matches: DocSet): RankedList {
    const source = this.#source(leaf)
    if (source.kind === 'constant') return new ConstantList(matches, leaf.index.name, this)
    const few = this.#fewMatches(leaf, source, matches)
    if (few !== undefined) return few
    const permutation = source.kind === 'none' ? null : this.#permutation(leaf, source)
    if (permutation === null) return new ConstantList(matches, source.missing ?? null, this)
    return new PermutationMatches(permutation, matches)
  }

  /** Undefined when there are many, or they are not doubles, or the segment is sorted already. */
  #fewMatches(leaf: SearchLeaf, source: FieldSource, matches: DocSet): RankedList | undefined {
    const { segment } = leaf.reader
    const field = segment.fields.get(source.field)
    const isAgain = field !== undefined && sortedBefore.has(field) && matches.count <= maxMatchesEvicted
    const perMatch = isAgain ? documentsPerMatchEvicted : documentsPerMatch
    if (
      matches.count * perMatch >= segment.docCount ||
      source.kind !== 'number' ||
      source.nested?.filter !== undefined
    )
      return undefined
    const column = this.#column(leaf, source, null)
    if (column === null || column.exact !== null || hasPermutation(column, this)) return undefined
    const docs = matches.array()
    const values = new Float64Array(docs.length)
    const { present } = column
    for (let i = 0; i < docs.length; i++) {
      const doc = docs[i]!
      values[i] = present === null || present.has(doc) ? column.values[doc]! : Number.NaN
    }
    return SortedList.of({ docs, values }, this)
  }

  value(leaf: SearchLeaf, doc: number): SortValue {
    const source = this.#source(leaf)
    if (source.kind === 'constant') return leaf.index.name
    if (source.kind === 'none') return source.missing ?? null
    if (source.nested?.filter !== undefined)
      return this.#permutation(leaf, source)?.valueOf(doc) ?? source.missing ?? null
    const column = this.#column(leaf, source, null)
    return column === null ? (source.missing ?? null) : sortValueOf(column, doc)
  }

  show(leaf: SearchLeaf, value: SortValue): unknown {
    return this.#source(leaf).show(value)
  }

  /** The source that reads `search_after`. */
  #first(): FieldSource {
    const sources = [...this.#sources.values()]
    return sources.find(({ kind }) => kind !== 'none') ?? sources[0]!
  }

  get nullRefusal(): string | undefined {
    return this.#first().nullRefusal
  }

  parse(value: unknown): SortValue {
    return this.#first().parse(value)
  }
}

const keptLifts = new WeakMap<object, Map<string, SegmentField | null>>()

/** Caches the values of unfiltered nested objects, which are the same for every search. */
function* lifted(
  ...[segment, field, path, filter]: Parameters<typeof liftSteps>
): ReturnType<typeof liftSteps> {
  if (filter !== null) return yield* liftSteps(segment, field, path, filter)
  const known = mapOf(keptLifts, field)
  let result = known.get(path)
  if (result === undefined) {
    result = yield* liftSteps(segment, field, path, null)
    known.set(path, result)
  }
  return result
}
