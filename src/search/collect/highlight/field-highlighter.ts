/** Highlighting for one index: the fields, the terms to mark, and the fragments of each hit. */

import type { MappedField } from '../../mapping/mapped-field.ts'
import { sourcePaths, valuesAt } from '../../mapping/source-values.ts'
import type { TermMatcher } from '../../query/automata/term-matcher.ts'
import type { CompiledQuery } from '../../query/exec/compiled-query.ts'
import { type FieldTerms, type QueryTerms, TermVisitor } from '../../query/exec/highlight-terms.ts'
import type { Query } from '../../query/exec/query.ts'
import { illegalArgument } from '../../request/errors.ts'
import { type JsonObject, scalarText } from '../../request/request-values.ts'
import { isPattern } from '../../request/simple-match.ts'
import type { DocumentSource } from '../../source/document-source.ts'
import { nestedIdentity, nestedSource, rootOf } from '../../source/nested-identity.ts'
import { bindJson, type SearchIndex } from '../search-index.ts'
import type { SearchLeaf } from '../sort/sort-key.ts'
import { type FieldHighlight, parseHighlight } from './highlight-request.ts'
import type { Highlighter } from './highlighter.ts'
import { highlightPlain, highlightUnified, highlightVectors } from './highlighters.ts'
import { checkWindow } from './vector-fragments.ts'

type Terms = readonly QueryTerms[]

/** `instead` is the query of inner hits, whose terms replace those of the search. */
export function highlighterOf(
  request: unknown,
  index: SearchIndex,
  query: (leaf: SearchLeaf) => CompiledQuery | undefined,
  instead?: Query,
): Highlighter | undefined {
  if (request === undefined) return undefined
  const settings = parseHighlight(request)
  for (const { unknownType, field } of settings)
    if (unknownType !== undefined)
      throw illegalArgument(`unknown highlighter type [${unknownType}] for the field [${field}]`)
  const own = settings.map((each) =>
    each.query === undefined ? undefined : termsOf(bindJson(index, each.query).query),
  )
  const shared = instead === undefined ? undefined : termsOf(instead)
  // The last of several settings for a field counts.
  const fields = new Map<string, { field: MappedField; each: FieldHighlight; terms: Terms | undefined }>()
  settings.forEach((each, i) => {
    for (const { name, field } of fieldsOf(each, index)) fields.set(name, { field, each, terms: own[i] })
  })
  let searched: Terms | undefined
  return {
    highlight(leaf, doc, source) {
      searched ??= shared ?? query(leaf)?.highlightTerms() ?? []
      const place = { index, leaf, doc, source }
      const found = new Map<string, readonly string[]>()
      for (const [name, { field, each, terms }] of fields) {
        const lines = highlightField(name, field, each, terms ?? searched!, place)
        if (lines.length > 0) found.set(name, lines)
      }
      return found.size === 0 ? undefined : found
    },
  }
}

function termsOf(query: Query): Terms {
  const visitor = new TermVisitor()
  query.visit(visitor)
  return visitor.found
}

/** A pattern selects texts and keywords that the highlighter can take. */
function fieldsOf(
  { field: pattern, type }: FieldHighlight,
  { mapping }: SearchIndex,
): { name: string; field: MappedField }[] {
  const found = mapping.namesMatching(pattern).map((name) => ({ name, field: mapping.field(name)! }))
  const canTake = (field: MappedField) => type !== 'fvh' || hasVectors(field)
  return isPattern(pattern) ? found.filter(({ field }) => selected.has(field.type) && canTake(field)) : found
}

const selected = new Set(['text', 'keyword', 'match_only_text'])

function hasVectors(field: MappedField): boolean {
  return String(field.definition.values.get('term_vector') ?? '').startsWith('with_positions_offsets')
}

/** The terms to mark in a field. */
function termsFor(
  name: string,
  { requireFieldMatch, matchedFields, type }: FieldHighlight,
  terms: Terms,
  { index }: Place,
): FieldTerms {
  const all: { terms: Set<string>; patterns: FieldTerms['patterns']; phrases: FieldTerms['phrases'] } = {
    terms: new Set(),
    patterns: [],
    phrases: [],
  }
  for (const { field, origin, ...own } of terms) {
    if (requireFieldMatch && field !== name && !matchedFields.includes(field)) continue
    if (ignored[type].has(origin)) continue
    for (const term of own.terms) all.terms.add(term)
    all.phrases.push(...own.phrases)
    if (type === 'plain' && origin === 'intervals') continue
    const isOther = type === 'fvh' && field !== name
    all.patterns.push(...(isOther ? own.patterns.map((one) => expandedIn(field, index, one)) : own.patterns))
  }
  return all
}

/** Queries whose terms a highlighter does not see. */
const ignored: Readonly<Record<FieldHighlight['type'], ReadonlySet<string>>> = {
  unified: new Set(['more_like_this']),
  plain: new Set(),
  fvh: new Set(['spans', 'intervals']),
}

/** The fast vector highlighter expands a pattern to terms of the field that was searched. */
function expandedIn(field: string, { shards }: SearchIndex, pattern: TermMatcher): TermMatcher {
  const isTerm = (term: string) =>
    shards.some(({ leaves }) =>
      leaves.some(({ segment }) => (segment.fields.get(field)?.terms?.find(term) ?? -1) !== -1),
    )
  const { prefix, exact, whole } = pattern
  return {
    prefix,
    exact: false,
    whole: false,
    test: (term) => (exact ? term === prefix : whole || pattern.test(term)) && isTerm(term),
  }
}

interface Place {
  readonly index: SearchIndex
  readonly leaf: SearchLeaf
  readonly doc: number
  readonly source: DocumentSource
}

/** The texts of a field in a document or a nested object. */
function textsOf(field: MappedField, { index, leaf, doc, source }: Place): string[] {
  const { segment } = leaf.reader
  let object: JsonObject = source.object
  let prefix = ''
  if (rootOf(segment, doc) !== doc) {
    const identity = nestedIdentity(segment, index.mapping, doc)!
    object = nestedSource(object, identity)
    prefix = `${segment.nestedPath(doc)}.`
  }
  return sourcePaths(index.mapping, field, index.queries.isOpenSearch !== true)
    .filter((path) => path.startsWith(prefix))
    .flatMap((path) => valuesAt(object, path.slice(prefix.length)).flat(20))
    .map((value) => scalarText(value ?? field.nullValue))
    .filter((text) => text !== undefined)
    .map((text) => (field.family === 'keyword' ? scalarText(field.fromSource(text)) : text))
    .filter((text) => text !== undefined)
}

function highlightField(
  name: string,
  field: MappedField,
  settings: FieldHighlight,
  searched: Terms,
  place: Place,
): readonly string[] {
  if (settings.type === 'fvh' && !hasVectors(field)) {
    throw illegalArgument(
      `the field [${name}] should be indexed with term vector with position offsets to be used with fast vector highlighter`,
    )
  }
  if (settings.type === 'fvh' && settings.fragments !== 0) checkWindow(settings.fragmentSize)
  const terms = termsFor(field.name, settings, searched, place)
  const isText = field.family === 'text'
  const values = textsOf(field, place).map((given) => {
    const limit = limitOf(name, given, field, settings, place, terms.patterns.length > 0)
    const text = settings.type === 'plain' ? given.slice(0, limit) : given
    return { text, whole: given, limit, keyword: text, terms, analyzer: isText ? field.analyzer : undefined }
  })
  if (!isText && values.length === 0) return []
  switch (settings.type) {
    case 'plain':
      return highlightPlain(values, settings)
    case 'fvh':
      return highlightVectors(values, settings)
    case 'unified':
      return highlightUnified(values, settings)
  }
}

/** Up to where a text is analysed; texts with offsets in the index are not analysed at all. */
function limitOf(
  name: string,
  text: string,
  field: MappedField,
  { maxAnalyzedOffset, type }: FieldHighlight,
  { index, leaf, doc }: Place,
  hasPatterns: boolean,
): number {
  const max = index.limits.maxAnalyzedOffset
  // Offsets of postings are of no use for patterns.
  const hasOffsets =
    hasVectors(field) || (!hasPatterns && field.definition.values.get('index_options') === 'offsets')
  if (hasOffsets && type !== 'plain') return text.length
  if (maxAnalyzedOffset !== undefined && maxAnalyzedOffset > 0) return Math.min(maxAnalyzedOffset, max)
  if (text.length <= max) return text.length
  const id = leaf.reader.segment.id(rootOf(leaf.reader.segment, doc))
  throw illegalArgument(
    `The length of [${name}] field of [${id}] doc of [${index.name}] index has exceeded [${max}] - maximum allowed to be analyzed for highlighting. This maximum can be set by changing the [index.highlight.max_analyzed_offset] index level setting. For large texts, indexing with offsets or term vectors is recommended!`,
  )
}
