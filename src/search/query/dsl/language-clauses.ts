/** Parses `query_string` and `simple_query_string`. */
import { SearchError } from '../../request/search-error.ts'
import { LanguageQuery } from '../binding/language-query.ts'
import { parseQueryString } from '../language/query-string.ts'
import { readQueryStringOptions } from '../language/query-string-options.ts'
import { readSimpleQueryOptions } from '../language/simple-query-options.ts'
import { parseSimpleQueryString } from '../language/simple-query-string.ts'
import type { ParseClause } from './clause.ts'

const queryStringClause: ParseClause = (body, parser, clause) => {
  if (body['query'] === undefined)
    throw parser.errorAfter('[query_string] must be provided with a [query]', body)
  const options = readQueryStringOptions(body)
  return {
    boost: options.boost,
    name: options._name,
    bind(binding) {
      if (options.fields.length > 0 && options.default_field !== undefined) {
        const reason = '[query_string] cannot use [fields] parameter in conjunction with [default_field]'
        throw new SearchError('query_validation_exception', `Validation Failed: 1: ${reason};`)
      }
      const { limits, defaultFields } = binding.context
      const isDefault = options.fields.length === 0 && (options.default_field ?? '*') === '*'
      const fields = isDefault
        ? []
        : options.fields.length > 0
          ? options.fields
          : [{ name: options.default_field!, boost: 1 }]
      const isSummed = options.type === 'most_fields' || options.type === 'bool_prefix'
      const language = new LanguageQuery(binding, {
        fields,
        type: options.type,
        operator: options.default_operator,
        // Patterns and quoted words in several fields are combined as the type says, too.
        tieBreaker: options.tie_breaker ?? (isSummed ? 1 : 0),
        analyzer: options.analyzer,
        quoteAnalyzer: options.quote_analyzer,
        quoteFieldSuffix: options.quote_field_suffix,
        lenient: options.lenient,
        analyzeWildcard: options.analyze_wildcard,
        rewrite: options.rewrite,
        fuzzyRewrite: options.fuzzy_rewrite,
        timeZone: options.time_zone,
        clause,
      })
      // `*` means match_all only when the query covers all fields.
      const all = isDefault && defaultFields.length === 1 && defaultFields[0] === '*'
      const given = { ...options, default_field: isDefault ? (all ? '*' : undefined) : options.default_field }
      const node = parseQueryString(given, {
        vanishes: language.vanishes,
        maxRegexLength: limits.maxRegexLength,
        maxClauses: limits.maxClauses,
      })
      return language.bind(node)
    },
  }
}

const simpleClause: ParseClause = (body, parser, clause) => {
  if (body['query'] === undefined) throw parser.errorAfter('[simple_query_string] query text missing', body)
  const options = readSimpleQueryOptions(body)
  return {
    boost: options.boost,
    name: options._name,
    bind(binding) {
      const language = new LanguageQuery(binding, {
        fields: options.fields,
        type: 'most_fields',
        operator: options.default_operator,
        tieBreaker: 1,
        analyzer: options.analyzer,
        quoteAnalyzer: undefined,
        quoteFieldSuffix: options.quote_field_suffix,
        lenient: options.lenient,
        analyzeWildcard: options.analyze_wildcard,
        rewrite: undefined,
        fuzzyRewrite: undefined,
        timeZone: undefined,
        clause,
      })
      const node = parseSimpleQueryString(options, {
        vanishes: language.vanishes,
        maxClauses: binding.context.limits.maxClauses,
      })
      return language.bind(node)
    },
  }
}

export const languageClauses: readonly (readonly [string, ParseClause])[] = [
  ['query_string', queryStringClause],
  ['simple_query_string', simpleClause],
]
