/** Highlighting for one index: the fields, the terms to mark, and the fragments of each hit. */

import type { MappedField } from '../../mapping/mapped-field.ts'
import { sourcePaths, valuesAt } from '../../mapping/source-values.ts'
import type { CompiledQuery } from '../../query/exec/compiled-query.ts'
import { type FieldTerms, TermVisitor } from '../../query/exec/highlight-terms.ts'
import type { Query } from '../../query/exec/query.ts'
import { illegalArgument } from '../../request/errors.ts'
import { type JsonObject, scalarText } from '../../request/request-values.ts'
import { isPattern } from '../../request/simple-match.ts'
import type { DocumentSource } from '../../source/document-source.ts'
import { nestedIdentity, nestedSource, rootOf } from '../../source/nested-identity.ts'
import { bindJson, type SearchIndex } from '../search-index.ts'
import type { SearchLeaf } from '../sort/sort-key.ts'
import { type Fragment, fragmentsOf, piecesOf, writeFragment } from './fragments.ts'
import { type FieldHighlight, parseHighlight } from './highlight-request.ts'
import type { Highlighter } from './highlighter.ts'
import { findMarks, type Mark } from './marks.ts'

type Terms = ReadonlyMap<string, FieldTerms>

/** `instead` is the query of inner hits, whose terms replace those of the search. */
export function highlighterOf(
  request: unknown,
  index: SearchIndex,
  query: (leaf: SearchLeaf) => CompiledQuery | undefined,
  instead?: Query,
): Highlighter | undefined {
  if (request === undefined) return undefined
  const settings = parseHighlight(request)
  const own = settings.map((each) =>
    each.query === undefined ? undefined : termsOf(bindJson(index, each.query).query),
  )
  const shared = instead === undefined ? undefined : termsOf(instead)
  let searched: Terms | undefined
  return {
    highlight(leaf, doc, source) {
      searched ??= shared ?? query(leaf)?.highlightTerms() ?? new Map()
      const found = new Map<string, string[]>()
      settings.forEach((each, i) => {
        for (const field of fieldsOf(each, index)) {
          const lines = highlightField(field.name, field.field, each, own[i] ?? searched!, {
            index,
            leaf,
            doc,
            source,
          })
          if (lines.length > 0) found.set(field.name, lines)
        }
      })
      return found.size === 0 ? undefined : found
    },
  }
}

function termsOf(query: Query): Terms {
  const visitor = new TermVisitor()
  query.visit(visitor)
  return visitor.fields
}

function fieldsOf(
  { field: pattern }: FieldHighlight,
  { mapping }: SearchIndex,
): { name: string; field: MappedField }[] {
  return mapping
    .namesMatching(pattern)
    .map((name) => ({ name, field: mapping.field(name)! }))
    .filter(({ field }) => !isPattern(pattern) || field.family === 'text' || field.family === 'keyword')
}

const noTerms: FieldTerms = { terms: new Set(), patterns: [], phrases: [] }

/** The terms to mark in a field. */
function termsFor(
  name: string,
  { requireFieldMatch, matchedFields }: FieldHighlight,
  terms: Terms,
): FieldTerms {
  if (requireFieldMatch && matchedFields.length === 0) return terms.get(name) ?? noTerms
  const all: { terms: Set<string>; patterns: FieldTerms['patterns']; phrases: FieldTerms['phrases'] } = {
    terms: new Set(),
    patterns: [],
    phrases: [],
  }
  for (const [field, own] of terms) {
    if (requireFieldMatch && field !== name && !matchedFields.includes(field)) continue
    for (const term of own.terms) all.terms.add(term)
    all.patterns.push(...own.patterns)
    all.phrases.push(...own.phrases)
  }
  return all
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
  return sourcePaths(index.mapping, field)
    .filter((path) => path.startsWith(prefix))
    .flatMap((path) => valuesAt(object, path.slice(prefix.length)).flat(20))
    .map(scalarText)
    .filter((text) => text !== undefined)
    .filter((text) => field.family !== 'keyword' || field.fromSource(text) !== undefined)
}

interface Found {
  readonly text: string
  readonly fragment: Fragment
}

function highlightField(
  name: string,
  field: MappedField,
  settings: FieldHighlight,
  searched: Terms,
  place: Place,
): string[] {
  const terms = termsFor(field.name, settings, searched)
  const texts = textsOf(field, place)
  const found: Found[] = []
  for (const text of texts) {
    const analyzed = limited(name, text, settings, place)
    const keyword = field.family === 'text' ? '' : String(field.fromSource(text) ?? text)
    const marks = findMarks(analyzed, terms, field.family === 'text' ? field.analyzer : undefined, keyword)
    for (const fragment of cutUp(text, marks, settings, field)) found.push({ text, fragment })
  }
  if (found.length === 0) return withoutMatch(texts, settings)
  const ordered = chosen(found, settings)
  const [pre = ''] = settings.preTags
  const [post = ''] = settings.postTags
  return ordered.map(({ text, fragment }) => {
    const written = writeFragment(text, fragment, pre, post, settings.isHtml)
    return settings.fragments === 0 ? written : written.trim()
  })
}

function limited(
  name: string,
  text: string,
  { maxAnalyzedOffset }: FieldHighlight,
  { index, leaf, doc }: Place,
): string {
  const most = index.limits.maxAnalyzedOffset
  if (maxAnalyzedOffset !== undefined && maxAnalyzedOffset > 0)
    return text.slice(0, Math.min(maxAnalyzedOffset, most))
  if (text.length <= most) return text
  const id = leaf.reader.segment.id(rootOf(leaf.reader.segment, doc))
  throw illegalArgument(
    `The length of [${name}] field of [${id}] doc of [${index.name}] index has exceeded [${most}] - maximum allowed to be analyzed for highlighting. This maximum can be set by changing the [index.highlight.max_analyzed_offset] index level setting. For large texts, indexing with offsets or term vectors is recommended!`,
  )
}

function cutUp(
  text: string,
  marks: readonly Mark[],
  settings: FieldHighlight,
  field: MappedField,
): Fragment[] {
  if (marks.length === 0) return []
  const isWhole = settings.fragments === 0 || field.family !== 'text'
  const pieces = isWhole
    ? [{ start: 0, end: text.length }]
    : piecesOf(text, settings.fragmentSize, settings.type !== 'unified')
  return fragmentsOf(text, marks, pieces)
}

/** The best fragments, in text order unless `order: score` is given. */
function chosen(found: readonly Found[], { fragments, byScore }: FieldHighlight): readonly Found[] {
  const limit = fragments === 0 ? found.length : fragments
  if (!byScore && found.length <= limit) return found
  const ranked = found
    .map((each, place) => ({ each, place }))
    .sort((a, b) => b.each.fragment.score - a.each.fragment.score || a.place - b.place)
    .slice(0, limit)
  if (!byScore) ranked.sort((a, b) => a.place - b.place)
  return ranked.map(({ each }) => each)
}

/** The beginning of the field, for `no_match_size`. */
function withoutMatch(texts: readonly string[], { noMatchSize, type, isHtml }: FieldHighlight): string[] {
  const text = texts[0]
  if (noMatchSize <= 0 || text === undefined || text === '') return []
  const [first] = piecesOf(text, noMatchSize, type !== 'unified')
  return [writeFragment(text, { start: 0, end: first!.end, marks: [] }, '', '', isHtml).trim()]
}
