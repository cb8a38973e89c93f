/**
 * Renders hits with their members in Elasticsearch's order. There is one fetcher per index
 * of a search; the request is bound to the mapping once and then applied to each hit.
 */

import type { AnswerBytes } from '../../answer/answer-memory.ts'
import { RawJson } from '../../answer/json-text.ts'
import type { Mapping } from '../../mapping/mapping.ts'
import type { CompiledQuery } from '../../query/exec/compiled-query.ts'
import { type Explanation, explained } from '../../query/exec/explanation.ts'
import { shortestFloat } from '../../request/float-text.ts'
import type { JsonObject } from '../../request/request-values.ts'
import type { Steps } from '../../scheduling/steps.ts'
import { columnValues } from '../../source/column-values.ts'
import { DocumentSource } from '../../source/document-source.ts'
import {
  type NestedIdentity,
  nestedAlone,
  nestedIdentity,
  nestedPath,
  nestedSource,
  rootOf,
} from '../../source/nested-identity.ts'
import { SourceFilter } from '../../source/source-filter.ts'
import type { Highlighter } from '../highlight/highlighter.ts'
import { explainedQuery, wholeExplanation } from '../lucene-text.ts'
import type { FetchRequest, FieldSelection } from '../request/search-request.ts'
import type { SearchIndex } from '../search-index.ts'
import type { SearchLeaf } from '../sort/sort-key.ts'
import { ColumnFields, NamePace, SourceFields } from './fetch-fields.ts'
import { ScriptFields } from './script-fields.ts'

const slotField = '_percolator_document_slot'

/** What the query phase knows of a hit. */
export interface HitPlace {
  readonly leaf: SearchLeaf
  readonly doc: number
  /** Undefined when scores were not computed. */
  readonly score: number | undefined
  /** The rendered sort values; undefined when the answer shows none. */
  readonly sort: readonly unknown[] | undefined
  /** The values of the `collapse` field. */
  readonly collapsed?: { readonly field: string; readonly values: readonly unknown[] } | undefined
  readonly innerHits?: JsonObject | undefined
}

interface FetchContext {
  readonly node: string
  /** The query of the hit's shard; undefined outside of searches. */
  query(leaf: SearchLeaf): CompiledQuery | undefined
  readonly namedQueriesScore: boolean
  /** Accounts for the bytes of the answer. */
  readonly answer?: AnswerBytes | undefined
}

/** The stored fields that the patterns of a request match. */
function* storedSelections({ storedFields }: FetchRequest, mapping: Mapping): Steps<FieldSelection[]> {
  if (storedFields === undefined || storedFields === 'none') return []
  const names = new Set<string>()
  const pace = new NamePace()
  for (const pattern of storedFields) {
    const matching = mapping.namesMatching(pattern)
    for (const name of matching) if (mapping.field(name)!.isStored) names.add(name)
    if (pace.isOver(matching.length)) yield
  }
  return Array.from(names, (field) => ({ field, format: undefined, includeUnmapped: false }))
}

export class HitFetcher {
  readonly #request: FetchRequest
  readonly #index: SearchIndex
  readonly #context: FetchContext
  readonly #filter: SourceFilter
  readonly #fields: SourceFields
  readonly #columns: ColumnFields
  readonly #scripts: ScriptFields
  readonly #stored: SourceFields
  readonly #showsSource: boolean
  /** False when a hit can only have values under `fields` that its query or its group brings along. */
  readonly #readsFields: boolean
  /** True when the source is shown as it is stored and nothing else reads it. */
  readonly #copiesSource: boolean
  readonly #highlighter: Highlighter | undefined

  private constructor(
    request: FetchRequest,
    index: SearchIndex,
    context: FetchContext,
    fields: SourceFields,
    stored: SourceFields,
    highlighter: Highlighter | undefined,
  ) {
    this.#request = request
    this.#index = index
    this.#context = context
    this.#highlighter = highlighter
    const { source, storedFields } = request
    this.#filter = new SourceFilter(source?.includes ?? [], source?.excludes ?? [])
    const isOpenSearch = index.queries.isOpenSearch === true
    this.#fields = fields
    this.#stored = stored
    this.#columns = new ColumnFields(request.docvalueFields, index.mapping, isOpenSearch)
    this.#scripts = new ScriptFields(request.scriptFields, index)
    this.#showsSource =
      storedFields === 'none'
        ? false
        : storedFields?.includes('_source') === true ||
          (source?.isWanted ?? (storedFields === undefined && request.scriptFields.length === 0))
    this.#readsFields =
      request.fields.length + request.docvalueFields.length + request.scriptFields.length > 0 ||
      !stored.isEmpty
    this.#copiesSource = this.#filter.isAll && !this.#readsFields && highlighter === undefined
  }

  /** Binds a request to the mapping; thousands of patterns take their time. */
  static *steps(
    request: FetchRequest,
    index: SearchIndex,
    context: FetchContext,
    highlighter?: Highlighter,
  ): Steps<HitFetcher> {
    const { mapping, name } = index
    const isOpenSearch = index.queries.isOpenSearch === true
    const fields = yield* SourceFields.steps(request.fields, mapping, name, isOpenSearch)
    const stored = yield* SourceFields.steps(yield* storedSelections(request, mapping), mapping, name)
    return new HitFetcher(request, index, context, fields, stored, highlighter)
  }

  /** True when showing a hit reads its source. */
  get readsSource(): boolean {
    return this.#showsSource || this.#request.fields.length > 0 || this.#highlighter !== undefined
  }

  show(hit: HitPlace): Record<string, unknown> {
    const { leaf, doc } = hit
    const { segment } = leaf.reader
    const root = rootOf(segment, doc)
    const request = this.#request
    const isBare = request.storedFields === 'none'
    const nested = root === doc ? undefined : nestedIdentity(segment, this.#index.mapping, doc)
    const shown: Record<string, unknown> = {}
    if (request.explain) {
      shown['_shard'] = `[${this.#index.name}][${leaf.shard.shard}]`
      shown['_node'] = this.#context.node
    }
    shown['_index'] = this.#index.name
    // Nested objects have the id of their document, whatever is asked for.
    if (!isBare || nested !== undefined) shown['_id'] = segment.id(root)
    if (nested !== undefined) shown['_nested'] = nested
    if (request.version) shown['_version'] = segment.versions[root]
    if (request.seqNoPrimaryTerm && nested === undefined) {
      shown['_seq_no'] = segment.seqNos[root]
      shown['_primary_term'] = segment.primaryTerms[root]
    }
    shown['_score'] = hit.score === undefined ? null : shortestFloat(hit.score)
    const routing = segment.routing(root)
    if (routing !== undefined && !isBare) shown['_routing'] = routing
    const ignored = this.#ignored(hit, root)
    if (ignored.length > 0 && !isBare) shown['_ignored'] = ignored
    const source = new DocumentSource(segment, root)
    if (this.#showsSource && this.#copiesSource && nested === undefined) {
      const text = segment.sourceText(root)
      if (text !== '') shown['_source'] = new RawJson(text)
    } else if (this.#showsSource && source.isKept) {
      if (nested !== undefined) {
        const part = nestedSource(source.object, nested)
        shown['_source'] = this.#filter.apply(part, nestedPath(nested))
      } else
        shown['_source'] = this.#filter.isAll ? RawJson.of(source.bytes) : this.#filter.apply(source.object)
    }
    const query = this.#context.query(leaf)
    if (this.#readsFields || hit.collapsed !== undefined || query?.isPercolating === true) {
      const fields = this.#fieldsOf(hit, source, nested)
      if (fields !== undefined) shown['fields'] = fields
    }
    const highlight = this.#highlighter?.highlight(leaf, doc, source)
    if (highlight !== undefined) shown['highlight'] = highlight
    if (hit.sort !== undefined) shown['sort'] = hit.sort
    if (query !== undefined) this.#addNames(shown, query, hit)
    if (request.explain && query !== undefined) {
      const isRoot = this.#index.queries.isOpenSearch === true && nested === undefined
      const asked = isRoot
        ? query.rewritten((one, scope) => explainedQuery(one, this.#index.mapping, scope))
        : query.query
      const plain = query.explain(leaf.reader, doc, asked)
      const whole = isRoot ? wholeExplanation(plain, asked) : plain
      shown['_explanation'] = this.#explanation(hit, whole)
    }
    this.#context.answer?.addValue(shown)
    if (hit.innerHits !== undefined) shown['inner_hits'] = hit.innerHits
    return shown
  }

  /** Wraps the explanation of the query when a rescore changed the score. */
  #explanation({ score }: HitPlace, ofQuery: Explanation): Record<string, unknown> {
    const isSame = score === undefined || Math.fround(ofQuery.value) === Math.fround(score)
    return explanationJson(isSame ? ofQuery : explained(score, 'rescored or boosted, from:', [ofQuery]))
  }

  #ignored({ leaf }: HitPlace, root: number): unknown[] {
    const field = this.#index.mapping.field('_ignored')
    if (field === undefined || !leaf.reader.segment.fields.has('_ignored')) return []
    return columnValues(leaf.reader.segment, field, root)
  }

  #addNames(shown: Record<string, unknown>, query: CompiledQuery, { leaf, doc }: HitPlace): void {
    const matched = query.matchedQueries(leaf.reader, doc)
    if (matched.size === 0) return
    shown['matched_queries'] = this.#context.namedQueriesScore
      ? new Map([...matched].map(([name, score]) => [name, shortestFloat(score)]))
      : [...matched.keys()]
  }

  /** The slots of percolated documents; queries are told apart by name when there are several. */
  #addSlots(leaf: SearchLeaf, doc: number, found: Map<string, unknown[]>): void {
    const percolated = this.#context.query(leaf)?.percolated(leaf.reader, doc) ?? []
    for (const { percolation, slots } of percolated) {
      const name = percolated.length === 1 ? slotField : `${slotField}_${percolation.name}`
      if (slots.length > 0) found.set(name, [...slots])
    }
  }

  #fieldsOf(
    { leaf, doc, collapsed }: HitPlace,
    source: DocumentSource,
    nested: NestedIdentity | undefined,
  ): ReadonlyMap<string, unknown[]> | undefined {
    const found = new Map<string, unknown[]>()
    const add = (name: string, values: readonly unknown[]) => {
      const known = found.get(name)
      if (known === undefined) found.set(name, [...values])
      else known.push(...values)
    }
    if (!this.#stored.isEmpty) this.#stored.add(source.object, add)
    this.#columns.add(leaf.reader.segment, doc, add)
    this.#scripts.add(leaf.reader, doc, add)
    this.#addSlots(leaf, doc, found)
    if (!this.#fields.isEmpty) {
      // `fields` replaces the doc values under the same name.
      const read = nested === undefined ? source.object : nestedAlone(source.object, nested)
      this.#fields.add(read, (name, values) => found.set(name, [...values]))
    }
    if (collapsed !== undefined && !found.has(collapsed.field)) add(collapsed.field, collapsed.values)
    return found.size === 0 ? undefined : found
  }
}

export function explanationJson({
  value,
  exact,
  description,
  details,
}: Explanation): Record<string, unknown> {
  return { value: exact ?? value, description, details: details.map(explanationJson) }
}
