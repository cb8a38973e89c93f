/** Parses `match`, `match_phrase`, `match_phrase_prefix`, `match_bool_prefix` and `multi_match`. */
import { illegalArgument } from '../../request/errors.ts'
import type { Binding } from '../binding/binding.ts'
import { resolveFields } from '../binding/field-list.ts'
import { isMetadata, metadataTerms } from '../binding/metadata-queries.ts'
import { multiMatchQuery } from '../binding/multi-match.ts'
import { type MatchKind, type TextOptions, textQuery } from '../binding/text-query.ts'
import { parseRewrite } from '../exec/terms/rewrite.ts'
import { type Fuzziness, parseFuzziness } from '../fuzziness.ts'
import { readFieldBoost } from '../language/field-boost.ts'
import type { ParseClause } from './clause.ts'
import { fieldClause } from './field-clause.ts'
import { Options as ClauseOptions, type Options, readFieldBody } from './options.ts'
import { tokenOf } from './parser.ts'

const fuzzyNames = ['fuzziness', 'prefix_length', 'max_expansions', 'fuzzy_rewrite', 'fuzzy_transpositions']

const known: Readonly<Record<MatchKind, readonly string[]>> = {
  boolean: [
    'query',
    'operator',
    'minimum_should_match',
    'analyzer',
    'zero_terms_query',
    'lenient',
    'auto_generate_synonyms_phrase_query',
    'cutoff_frequency',
    ...fuzzyNames,
  ],
  phrase: ['query', 'analyzer', 'slop', 'zero_terms_query'],
  phrase_prefix: ['query', 'analyzer', 'slop', 'max_expansions', 'zero_terms_query'],
  boolean_prefix: ['query', 'operator', 'minimum_should_match', 'analyzer', ...fuzzyNames],
}

function zeroTerms(options: Options): 'none' | 'all' {
  const choice = options.choice('zero_terms_query', ['none', 'all'], (value) => {
    return options.missing(`Unsupported zero_terms_query value [${value}]`)
  })
  return choice ?? 'none'
}

function fuzziness(options: Options): Fuzziness | undefined {
  const text = options.text('fuzziness')
  return text === undefined ? undefined : parseFuzziness(text)
}

/** The options that do not depend on an index; the analyzer is still a name. */
function textOptions(options: Options, kind: MatchKind): TextOptions {
  const slop = options.integer('slop') ?? 0
  if (slop < 0) throw illegalArgument('No negative slop allowed.')
  const maxExpansions = options.integer('max_expansions') ?? 50
  if (maxExpansions <= 0 && kind !== 'phrase') {
    throw illegalArgument('max_expansions must be greater than zero')
  }
  const prefixLength = options.integer('prefix_length') ?? 0
  if (prefixLength < 0) throw illegalArgument('No negative prefix length allowed.')
  return {
    kind,
    operator: options.operator('operator') ?? 'or',
    minimumShouldMatch: options.text('minimum_should_match'),
    slop,
    maxExpansions,
    fuzziness: fuzziness(options),
    prefixLength,
    transpositions: options.boolean('fuzzy_transpositions') ?? true,
    fuzzyRewrite: parseRewrite(options.text('fuzzy_rewrite')),
    lenient: options.boolean('lenient') ?? false,
    zeroTerms: zeroTerms(options),
  }
}

function withAnalyzer(
  binding: Binding,
  options: TextOptions,
  name: string | undefined,
  clause: string,
): TextOptions {
  return name === undefined ? options : { ...options, analyzer: binding.analyzer(name, clause) }
}

function matchClause(kind: MatchKind): ParseClause {
  return (body, parser, clause) => {
    const read = readFieldBody(parser, clause, body, { known: known[kind], short: 'query' })
    const { field, options } = read
    const value = options.scalar('query')
    if (value === undefined) {
      if (clause === 'match') throw parser.errorAfter('No text specified for text query', body)
      throw illegalArgument(`[${clause}] requires query value`)
    }
    const text = textOptions(options, kind)
    const analyzer = options.text('analyzer')
    return fieldClause(
      read,
      (binding, mapped) => textQuery(binding, mapped, value, withAnalyzer(binding, text, analyzer, clause)),
      (binding) => (isMetadata(field) ? metadataTerms(binding, field, [value]) : undefined),
    )
  }
}

const multiNames = [...new Set([...known.boolean, 'slop', 'type', 'tie_breaker'])]

const multiMatchClause: ParseClause = (body, parser, clause) => {
  const options = new ClauseOptions(parser, clause, body, multiNames, ['fields'])
  const value = options.scalar('query')
  if (value === undefined) throw options.missing('No text specified for multi_match query')
  const type = options.matchType('type') ?? 'best_fields'
  const given = options.get('fields') ?? []
  if (typeof given !== 'string' && !Array.isArray(given)) {
    throw parser.error(`[multi_match] unknown token [${tokenOf(given)}] after [fields]`, body, 'fields')
  }
  const fields = (typeof given === 'string' ? [given] : given).map((field) => readFieldBoost(String(field)))
  const isFuzzy = options.has('fuzziness')
  if (isFuzzy && (type === 'cross_fields' || type === 'phrase' || type === 'phrase_prefix')) {
    throw options.missing(`Fuzziness not allowed for type [${type}]`)
  }
  if (options.has('slop') && type === 'bool_prefix')
    throw options.missing('[slop] not allowed for type [bool_prefix]')
  const text = textOptions(options, 'boolean')
  const tieBreaker = options.float('tie_breaker')
  const lenient = options.boolean('lenient')
  const analyzer = options.text('analyzer')
  return {
    boost: options.boost,
    name: options.name,
    bind(binding) {
      const resolved = resolveFields(binding, fields)
      return multiMatchQuery(binding, resolved.fields, value, {
        ...withAnalyzer(binding, text, analyzer, clause),
        lenient: lenient ?? resolved.isAll,
        type,
        tieBreaker,
      })
    },
  }
}

export const matchClauses: readonly (readonly [string, ParseClause])[] = [
  ['match', matchClause('boolean')],
  ['match_phrase', matchClause('phrase')],
  ['match_phrase_prefix', matchClause('phrase_prefix')],
  ['match_bool_prefix', matchClause('boolean_prefix')],
  ['multi_match', multiMatchClause],
]
