/** `prefix`, `wildcard`, `regexp` and `fuzzy` on each field type. */

import { asYouTypeOf, maxPrefix, PrefixField } from '../../mapping/fields/as-you-type-fields.ts'
import { ConstantKeywordField } from '../../mapping/fields/keyword-field.ts'
import type { MappedField } from '../../mapping/mapped-field.ts'
import { illegalArgument } from '../../request/errors.ts'
import { javaText } from '../../request/java-text.ts'
import { simpleMatch } from '../../request/simple-match.ts'
import { fuzzyMatcher } from '../automata/fuzzy.ts'
import { type RegexpSettings, regexpMatcher } from '../automata/regexp.ts'
import { allRegexpFlags, complementFlag } from '../automata/regexp-syntax.ts'
import { prefixMatcher, type TermMatcher } from '../automata/term-matcher.ts'
import { wildcardMatcher } from '../automata/wildcard.ts'
import { existsQuery } from '../exec/columns/predicate-query.ts'
import { ConstantScoreQuery } from '../exec/compound/simple-queries.ts'
import type { Query } from '../exec/query.ts'
import { FuzzyQuery, type FuzzyQuerySettings } from '../exec/terms/fuzzy-query.ts'
import type { Rewrite } from '../exec/terms/rewrite.ts'
import { TermQuery } from '../exec/terms/term-query.ts'
import type { Binding } from './binding.ts'
import { byColumn, constantQuery, patternQuery, termQuery } from './field-queries.ts'
import { isMetadata, wholeIndex } from './metadata-queries.ts'

function requireText(binding: Binding, field: MappedField, kind: string): void {
  const isOpenSearch = binding.context.isOpenSearch === true
  const isFuzzyWildcard = isOpenSearch && kind === 'fuzzy' && field.type === 'wildcard'
  if ((field.family === 'text' || field.family === 'keyword') && !isFuzzyWildcard) return
  const namesWildcard = !isOpenSearch && kind !== 'fuzzy' && kind !== 'regexp'
  // In both systems the type of a token count is that of its numbers.
  const type = field.type === 'token_count' ? 'integer' : field.type
  const allowed = namesWildcard ? 'keyword, text and wildcard' : 'keyword and text'
  const reason = `Can only use ${kind} queries on ${allowed} fields - not on [${field.name}] which is of type [${type}]`
  if (kind === 'fuzzy') throw illegalArgument(reason)
  throw binding.refusal(reason)
}

function constant(field: MappedField, matcher: TermMatcher): Query | undefined {
  return field instanceof ConstantKeywordField ? constantQuery(field, (own) => matcher.test(own)) : undefined
}

/** Patterns on `_index`, the only metadata field that takes them. */
export function metadataPattern(
  binding: Binding,
  name: string,
  kind: string,
  matcher: TermMatcher,
): Query | undefined {
  if (!isMetadata(name)) return undefined
  if (name === '_index') return wholeIndex(binding, (index) => matcher.test(index))
  throw binding.refusal(
    `Can only use ${kind} queries on keyword and text fields - not on [${name}] which is of type [${name}]`,
  )
}

/** A prefix as a term of the beginnings that `search_as_you_type` indexes; undefined for other fields. */
export function indexedPrefix(binding: Binding, field: MappedField, text: string): TermQuery | undefined {
  const length = [...text].length
  if (length === 0 || length > maxPrefix) return undefined
  if (field instanceof PrefixField) return new TermQuery(field.name, text)
  if (field.type !== 'search_as_you_type') return undefined
  const root = binding.field(field.name.replace(/\._\dgram$/, '')) ?? field
  const name = asYouTypeOf(root)?.prefix.name
  return name === undefined ? undefined : new TermQuery(name, text)
}

function anyValue({ name }: MappedField): Query {
  return existsQuery([name], name)
}

/** Makes the query of a pattern; `rewrite` as the request says it. */
export type MakePatternQuery<Pattern = string> = (
  binding: Binding,
  field: MappedField,
  pattern: Pattern,
  caseInsensitive?: boolean,
  rewrite?: Rewrite,
) => Query

export const prefixQuery: MakePatternQuery<unknown> = (
  binding,
  field,
  value,
  caseInsensitive = false,
  rewrite,
) => {
  requireText(binding, field, 'prefix')
  binding.requireCheap(
    '[prefix] queries',
    ' For optimised prefix queries on text fields please enable [index_prefixes].',
  )
  field.requireSearchable()
  const text = field.normalizer === undefined ? javaText(value) : field.normalizer.normalize(javaText(value))
  const indexed = indexedPrefix(binding, field, caseInsensitive ? text.toLowerCase() : text)
  if (indexed !== undefined) return field instanceof PrefixField ? indexed : new ConstantScoreQuery(indexed)
  if (text === '' && field.type === 'wildcard') return anyValue(field)
  const matcher = prefixMatcher(text, caseInsensitive)
  return (
    constant(field, matcher) ??
    patternQuery(field, matcher, { kind: 'prefix', text: `${text}*`, isAnyCase: caseInsensitive }, rewrite)
  )
}

export const wildcardQuery: MakePatternQuery = (
  binding,
  field,
  pattern,
  caseInsensitive = false,
  rewrite,
) => {
  requireText(binding, field, 'wildcard')
  binding.requireCheap('[wildcard] queries')
  field.requireSearchable()
  if (field instanceof ConstantKeywordField && !caseInsensitive) {
    return constantQuery(field, (own) => simpleMatch(pattern, own))
  }
  const normal = normalizedPattern(field, pattern)
  if (/^\*+$/.test(normal) && field.type === 'wildcard') return anyValue(field)
  const matcher = wildcardMatcher(normal, caseInsensitive)
  return (
    constant(field, matcher) ??
    patternQuery(field, matcher, { kind: 'wildcard', text: normal, isAnyCase: caseInsensitive }, rewrite)
  )
}

/** Normalizes the literal parts of a wildcard pattern with the field's normalizer. */
function normalizedPattern(field: MappedField, pattern: string): string {
  const { normalizer } = field
  const analyzer = field.family === 'text' ? undefined : normalizer
  if (analyzer === undefined) return pattern
  return pattern.replace(/(\\.|[^*?\\])+/gs, (part) => analyzer.normalize(part))
}

/** OpenSearch 3 knows `~` only where `COMPLEMENT` is named: Lucene 10 took it out of `ALL`. */
function regexpFlagsOf({ context }: Binding, flags: number | undefined): number | undefined {
  const isAll = flags === undefined || flags === allRegexpFlags
  return context.isOpenSearch === true && isAll ? allRegexpFlags & ~complementFlag : flags
}

export function regexpQuery(
  binding: Binding,
  field: MappedField,
  pattern: string,
  settings: RegexpSettings,
  rewrite?: Rewrite,
): Query {
  requireText(binding, field, 'regexp')
  binding.requireCheap('[regexp] queries')
  field.requireSearchable()
  const text =
    field.family === 'keyword' && field.normalizer !== undefined
      ? field.normalizer.normalize(pattern)
      : pattern
  const { caseInsensitive = false } = settings
  const flags = regexpFlagsOf(binding, settings.flags)
  const matcher = regexpMatcher(text, flags === undefined ? settings : { ...settings, flags })
  return (
    constant(field, matcher) ??
    patternQuery(
      field,
      matcher,
      { kind: 'regexp', text: `/${text}/`, flags, isAnyCase: caseInsensitive },
      rewrite,
    )
  )
}

export function fuzzyQuery(
  binding: Binding,
  field: MappedField,
  value: unknown,
  settings: FuzzyQuerySettings,
): Query {
  requireText(binding, field, 'fuzzy')
  binding.requireCheap('[fuzzy] queries')
  field.requireSearchable()
  if (field instanceof ConstantKeywordField) return termQuery(binding, field, value)
  if (byColumn(field)) {
    const term = field.toTerm(value)
    return patternQuery(field, fuzzyMatcher(term, settings), {
      kind: 'fuzzy',
      text: `${term}~${settings.edits}`,
    })
  }
  return new FuzzyQuery(field.name, field.toTerm(value), settings)
}
