/** Parses `prefix`, `wildcard`, `regexp` and `fuzzy`. */
import { illegalArgument } from '../../request/errors.ts'
import { plainText } from '../../request/plain-text.ts'
import { regexpMatcher } from '../automata/regexp.ts'
import { parseRegexpFlags } from '../automata/regexp-syntax.ts'
import { prefixMatcher } from '../automata/term-matcher.ts'
import { wildcardMatcher } from '../automata/wildcard.ts'
import { type Binding, unmapped } from '../binding/binding.ts'
import {
  fuzzyQuery,
  type MakePatternQuery,
  metadataPattern,
  prefixQuery,
  regexpQuery,
  wildcardQuery,
} from '../binding/pattern-queries.ts'
import type { Query } from '../exec/query.ts'
import { parseRewrite } from '../exec/terms/rewrite.ts'
import { autoFuzziness, editsFor, parseFuzziness } from '../fuzziness.ts'
import type { ParseClause } from './clause.ts'
import { fieldClause } from './field-clause.ts'
import { type FieldBody, type Options, readFieldBody } from './options.ts'

function required(options: Options, ...names: readonly string[]): string {
  for (const name of names) {
    const text = options.text(name)
    if (text !== undefined) return text
  }
  throw illegalArgument('value cannot be null')
}

const prefixClause: ParseClause = (body, parser, clause) => {
  const read = readFieldBody(parser, clause, body, {
    known: ['value', 'prefix', 'rewrite', 'case_insensitive'],
    short: 'value',
    beside: ['_name'],
  })
  return patternClause('prefix', read, prefixQuery, prefixMatcher)
}

const wildcardClause: ParseClause = (body, parser, clause) => {
  const read = readFieldBody(parser, clause, body, {
    known: ['value', 'wildcard', 'rewrite', 'case_insensitive'],
    short: 'value',
  })
  return patternClause('wildcard', read, wildcardQuery, wildcardMatcher)
}

function patternClause(
  kind: 'prefix' | 'wildcard',
  read: FieldBody,
  makeQuery: MakePatternQuery,
  makeMatcher: typeof wildcardMatcher,
): ReturnType<ParseClause> {
  const { field, options } = read
  const pattern = required(options, 'value', kind)
  const rewrite = parseRewrite(options.text('rewrite'))
  const caseInsensitive = options.boolean('case_insensitive') ?? false
  return fieldClause(
    read,
    (binding, mapped) => makeQuery(binding, mapped, pattern, caseInsensitive, rewrite),
    (binding) => metadataPattern(binding, field, kind, makeMatcher(pattern, caseInsensitive)),
  )
}

const regexpClause: ParseClause = (body, parser, clause) => {
  const { field, options } = readFieldBody(parser, clause, body, {
    known: ['value', 'flags', 'flags_value', 'max_determinized_states', 'rewrite', 'case_insensitive'],
    short: 'value',
    beside: ['_name'],
  })
  const pattern = required(options, 'value')
  const flags = options.text('flags')
  const settings = {
    ...(flags === undefined ? {} : { flags: parseRegexpFlags(flags) }),
    caseInsensitive: options.boolean('case_insensitive') ?? false,
    maxDeterminizedStates: options.integer('max_determinized_states') ?? 10_000,
  }
  const rewrite = parseRewrite(options.text('rewrite'))
  return {
    boost: options.boost,
    name: options.name,
    bind(binding): Query {
      requireLength(binding, pattern)
      const mapped = binding.field(field)
      if (mapped !== undefined) return regexpQuery(binding, mapped, pattern, settings, rewrite)
      return metadataPattern(binding, field, 'regexp', regexpMatcher(pattern, settings)) ?? unmapped(field)
    },
  }
}

function requireLength(binding: Binding, pattern: string): void {
  const { maxRegexLength } = binding.context.limits
  if (pattern.length <= maxRegexLength) return
  throw illegalArgument(
    `The length of regex [${pattern.length}] used in the Regexp Query request has exceeded the allowed maximum of [${maxRegexLength}]. This maximum can be set by changing the [index.max_regex_length] index level setting.`,
  )
}

const fuzzyClause: ParseClause = (body, parser, clause) => {
  const { field, options } = readFieldBody(parser, clause, body, {
    known: ['value', 'term', 'fuzziness', 'prefix_length', 'max_expansions', 'transpositions', 'rewrite'],
    short: 'value',
  })
  const value = options.scalar('value') ?? options.scalar('term')
  if (value === undefined) throw illegalArgument('query value cannot be null')
  const given = options.text('fuzziness')
  const fuzziness = given === undefined ? autoFuzziness : parseFuzziness(given)
  const settings = {
    edits: editsFor(fuzziness, plainText(value)),
    prefixLength: options.integer('prefix_length') ?? 0,
    maxExpansions: options.integer('max_expansions') ?? 50,
    transpositions: options.boolean('transpositions') ?? true,
    rewrite: parseRewrite(options.text('rewrite')),
  }
  return {
    boost: options.boost,
    name: options.name,
    bind(binding): Query {
      const mapped = binding.field(field)
      return mapped === undefined ? unmapped(field) : fuzzyQuery(binding, mapped, value, settings)
    },
  }
}

export const patternClauses: readonly (readonly [string, ParseClause])[] = [
  ['prefix', prefixClause],
  ['wildcard', wildcardClause],
  ['regexp', regexpClause],
  ['fuzzy', fuzzyClause],
]
