/** `prefix`, `wildcard`, `regexp` and `fuzzy` on each field type. */

import { ConstantKeywordField } from '../../mapping/fields/keyword-field.ts'
import type { MappedField } from '../../mapping/mapped-field.ts'
import { illegalArgument } from '../../request/errors.ts'
import { javaText } from '../../request/java-text.ts'
import { simpleMatch } from '../../request/simple-match.ts'
import { type RegexpSettings, regexpMatcher } from '../automata/regexp.ts'
import { prefixMatcher, type TermMatcher } from '../automata/term-matcher.ts'
import { wildcardMatcher } from '../automata/wildcard.ts'
import type { Query } from '../exec/query.ts'
import { FuzzyQuery, type FuzzyQuerySettings } from '../exec/terms/fuzzy-query.ts'
import type { Rewrite } from '../exec/terms/rewrite.ts'
import type { Binding } from './binding.ts'
import { byColumn, constantQuery, patternQuery, termQuery } from './field-queries.ts'
import { isMetadata, wholeIndex } from './metadata-queries.ts'

function requireText(binding: Binding, field: MappedField, kind: string): void {
  if (field.family === 'text' || field.family === 'keyword') return
  const on =
    kind === 'fuzzy' || kind === 'regexp'
      ? `keyword and text fields - not on [${field.name}] which is of type [${field.type}]`
      : kind === 'prefix'
        ? `keyword, text and wildcard fields - not on [${field.name}] which is of type [${field.type}]`
        : `keyword, text and wildcard fields - not on [${field.name}] which is of type [${field.type}]`
  const reason = `Can only use ${kind} queries on ${on}`
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

export function prefixQuery(
  binding: Binding,
  field: MappedField,
  value: unknown,
  caseInsensitive = false,
  rewrite?: Rewrite,
): Query {
  requireText(binding, field, 'prefix')
  binding.requireCheap(
    '[prefix] queries',
    ' For optimised prefix queries on text fields please enable [index_prefixes].',
  )
  field.requireSearchable()
  const text = field.normalizer === undefined ? javaText(value) : field.normalizer.normalize(javaText(value))
  const matcher = prefixMatcher(text, caseInsensitive)
  return (
    constant(field, matcher) ??
    patternQuery(field, matcher, `${text}*${caseInsensitive ? ' i' : ''}`, rewrite)
  )
}

export function wildcardQuery(
  binding: Binding,
  field: MappedField,
  pattern: string,
  caseInsensitive = false,
  rewrite?: Rewrite,
): Query {
  requireText(binding, field, 'wildcard')
  binding.requireCheap('[wildcard] queries')
  field.requireSearchable()
  if (field instanceof ConstantKeywordField && !caseInsensitive) {
    return constantQuery(field, (own) => simpleMatch(pattern, own))
  }
  const normal = normalizedPattern(field, pattern)
  const matcher = wildcardMatcher(normal, caseInsensitive)
  return (
    constant(field, matcher) ??
    patternQuery(field, matcher, `${normal}${caseInsensitive ? ' i' : ''}`, rewrite)
  )
}

/** Normalizes the literal parts of a wildcard pattern with the field's normalizer. */
function normalizedPattern(field: MappedField, pattern: string): string {
  const { normalizer } = field
  const analyzer = field.family === 'text' ? undefined : normalizer
  if (analyzer === undefined) return pattern
  return pattern.replace(/(\\.|[^*?\\])+/gs, (part) => analyzer.normalize(part))
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
  const matcher = regexpMatcher(text, settings)
  const { flags, caseInsensitive = false } = settings
  return (
    constant(field, matcher) ??
    patternQuery(field, matcher, `/${text}/${flags ?? ''}${caseInsensitive ? ' i' : ''}`, rewrite)
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
  if (field instanceof ConstantKeywordField || byColumn(field)) return termQuery(binding, field, value)
  return new FuzzyQuery(field.name, field.toTerm(value), settings)
}
