/**
 * `_termvectors`: the terms of a document by field. Term vectors are not stored; the source is analysed again
 * as it was for the index.
 */

import type { Analyzer } from '../analysis/analyzer.ts'
import type { SearchIndex } from '../collect/search-index.ts'
import { parseDocument } from '../mapping/documents/document-parser.ts'
import type { MappedField } from '../mapping/mapped-field.ts'
import type { Mapping } from '../mapping/mapping.ts'
import { eachValueAt, sourcePaths } from '../mapping/source-values.ts'
import { Statistics } from '../query/exec/statistics.ts'
import { illegalArgument } from '../request/errors.ts'
import { shortestFloat } from '../request/float-text.ts'
import { javaText } from '../request/java-text.ts'
import { isPattern } from '../request/simple-match.ts'
import { retryWork, type Steps } from '../scheduling/steps.ts'
import { LuceneQueue } from '../scoring/lucene-queue.ts'
import { tfIdf } from '../scoring/tf-idf.ts'
import { type DocumentTerms, documentTerms, type Occurrence } from './document-terms.ts'
import type { TermFilter, VectorsRequest } from './vectors-request.ts'

/** Terms processed per step. */
const termsPerStep = 64

/** A field with the options of its output. */
interface Wanted {
  readonly field: MappedField
  readonly analyzer: Analyzer | undefined
  readonly hasPositions: boolean
  readonly hasOffsets: boolean
}

/**
 * Returns the vectors by field; `source` is the parsed document. The index contains only the document's
 * shard.
 */
export function* termVectorSteps(
  index: SearchIndex,
  request: VectorsRequest,
  source: unknown,
): Steps<ReadonlyMap<string, unknown>> {
  const mapping = request.doc === undefined ? index.mapping : mappingWith(index.mapping, request.doc)
  const statistics = new Statistics(index.shards.flatMap(({ leaves }) => leaves))
  const shown = new Map<string, unknown>()
  for (const wanted of wantedFields(mapping, request)) {
    const { field, analyzer } = wanted
    const texts = sourcePaths(mapping, field, false).flatMap((path) =>
      eachValueAt(source, path).map(javaText),
    )
    if (texts.length === 0) continue
    const terms = documentTerms(field, texts, analyzer)
    yield
    if (terms.size > 0) shown.set(field.name, yield* fieldSteps(wanted, terms, statistics, request))
  }
  return shown
}

/** The mapping after dynamic mapping of an artificial document; it is not stored. */
function mappingWith(mapping: Mapping, doc: unknown): Mapping {
  return parseDocument({ id: '', source: doc }, mapping).mapping
}

function wantedFields(mapping: Mapping, request: VectorsRequest): Wanted[] {
  const names =
    request.fields ?? (request.doc === undefined ? [...request.analyzers.keys()] : [...mapping.fields.keys()])
  const all = new Set(names.flatMap((name) => (isPattern(name) ? [...mapping.namesMatching(name)] : [name])))
  if (request.fields === undefined && request.doc === undefined)
    for (const [name, field] of mapping.fields) if (keptPlaces(field) !== 'no') all.add(name)
  const wanted: Wanted[] = []
  for (const name of all) {
    const field = mapping.field(name)
    if (field === undefined || (field.family !== 'text' && field.family !== 'keyword')) continue
    if (!field.isIndexed) continue
    const own = request.analyzers.get(name)
    const kept = own === undefined && request.doc === undefined ? keptPlaces(field) : 'no'
    const has = (place: string) => kept === 'no' || kept.includes(place)
    wanted.push({
      field,
      analyzer: own === undefined ? field.analyzer : namedAnalyzer(mapping, own),
      hasPositions: request.positions && has('positions'),
      hasOffsets: request.offsets && has('offsets'),
    })
  }
  return wanted
}

/** The `term_vector` option of a field. */
function keptPlaces(field: MappedField): string {
  return String(field.definition.values.get('term_vector') ?? 'no')
}

function namedAnalyzer({ settings: { analysis } }: Mapping, name: string): Analyzer {
  if (!analysis.hasAnalyzer(name)) throw illegalArgument(`No analyzer found for [${name}]`)
  return analysis.analyzer(name)
}

interface CountedTerm {
  readonly term: string
  readonly occurrences: readonly Occurrence[]
  readonly docFreq: number
  readonly totalFreq: number
}

function* fieldSteps(
  wanted: Wanted,
  terms: DocumentTerms,
  statistics: Statistics,
  { filter, fieldStatistics, termStatistics }: VectorsRequest,
): Steps<ReadonlyMap<string, unknown>> {
  const { name } = wanted.field
  const totals = totalsOf(terms, statistics, name)
  const counted: CountedTerm[] = []
  if (filter !== undefined || termStatistics) yield* statistics.opening(name)
  for (const [term, occurrences] of terms) {
    const { docFreq, totalFreq } =
      filter === undefined && !termStatistics
        ? { docFreq: 0, totalFreq: 0 }
        : yield* retryWork(() => statistics.term(name, term))
    counted.push({ term, occurrences, docFreq, totalFreq })
    if (counted.length % termsPerStep === 0) yield
  }
  const scores =
    filter === undefined
      ? undefined
      : bestTerms(withNeighbours(counted, statistics, name), filter, totals.doc_count)
  const shown = new Map<string, unknown>()
  for (const { term, occurrences, docFreq, totalFreq } of counted) {
    const score = scores?.get(term)
    if (scores !== undefined && score === undefined) continue
    shown.set(term, {
      ...(termStatistics && docFreq > 0 && { doc_freq: docFreq, ttf: totalFreq }),
      term_freq: occurrences.length,
      ...((wanted.hasPositions || wanted.hasOffsets) && { tokens: tokensOf(occurrences, wanted) }),
      ...(score !== undefined && { score: shortestFloat(score) }),
    })
    if (shown.size % termsPerStep === 0) yield
  }
  const field = new Map<string, unknown>()
  if (fieldStatistics) field.set('field_statistics', totals)
  return field.set('terms', shown)
}

function tokensOf(occurrences: readonly Occurrence[], { hasPositions, hasOffsets }: Wanted) {
  return occurrences.map(({ position, start, end }) => ({
    ...(hasPositions && { position }),
    ...(hasOffsets && { start_offset: start, end_offset: end }),
  }))
}

/** The statistics of the field in the shard, or of this document alone when the index lacks the field. */
function totalsOf(terms: DocumentTerms, statistics: Statistics, field: string) {
  const { docCount, sumDocFreq, sumTotalFreq } = statistics.field(field)
  if (docCount > 0) return { sum_doc_freq: sumDocFreq, doc_count: docCount, sum_ttf: sumTotalFreq }
  let occurrences = 0
  for (const places of terms.values()) occurrences += places.length
  return { sum_doc_freq: terms.size, doc_count: 1, sum_ttf: occurrences }
}

/**
 * Gives terms that the index lacks the document frequency by which OpenSearch filters them: that of the next term,
 * on which Lucene's enumeration of a single segment stands after it looked for them.
 */
function withNeighbours(terms: readonly CountedTerm[], { leaves }: Statistics, name: string): CountedTerm[] {
  const index = leaves.length === 1 ? leaves[0]!.segment.fields.get(name)?.terms : undefined
  return terms.map((counted) => {
    if (counted.docFreq > 0 || !index || index.size === 0) return counted
    const next = Math.min(index.lowerBound(counted.term), index.size - 1)
    return { ...counted, docFreq: index.docFreq(next) }
  })
}

/** The terms with the highest tf·idf and their scores. */
function bestTerms(
  terms: readonly CountedTerm[],
  filter: TermFilter,
  documents: number,
): Map<string, number> {
  const best = new LuceneQueue<{ term: string; score: number }>(
    Math.min(filter.maxTerms, terms.length),
    (one, other) => one.score < other.score,
  )
  for (const { term, occurrences, docFreq } of terms) {
    if (!passes(term, occurrences.length, docFreq, filter)) continue
    best.add({ term, score: tfIdf(occurrences.length, docFreq, documents) })
  }
  return new Map(best.drained().map(({ term, score }) => [term, Math.max(0, score)]))
}

function passes(term: string, frequency: number, docFreq: number, filter: TermFilter): boolean {
  if (frequency < filter.minTermFreq || frequency > filter.maxTermFreq) return false
  if (term.length < filter.minWordLength) return false
  if (filter.maxWordLength > 0 && term.length > filter.maxWordLength) return false
  return docFreq > 0 && docFreq >= filter.minDocFreq && docFreq <= filter.maxDocFreq
}
