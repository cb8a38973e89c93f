/** Parses `nested`. */
import { illegalArgument } from '../../request/errors.ts'
import { SearchError } from '../../request/search-error.ts'
import { NestedQuery } from '../exec/compound/nested-query.ts'
import { MatchNoneQuery } from '../exec/compound/simple-queries.ts'
import type { Json, ParseClause } from './clause.ts'
import { Options } from './options.ts'
import { isJson } from './parser.ts'

const scoreModes = ['avg', 'max', 'min', 'none', 'sum'] as const

export const nestedClause: ParseClause = (body, parser, clause) => {
  const options = new Options(
    parser,
    clause,
    body,
    ['path', 'score_mode', 'ignore_unmapped'],
    ['query', 'inner_hits'],
  )
  const path = options.text('path')
  if (path === undefined) {
    throw illegalArgument(`[${clause}] requires 'path' field`)
  }
  if (body['query'] === undefined) {
    throw illegalArgument(`[${clause}] requires 'query' field`)
  }
  const inner = parser.parse(body['query'], body, 'query')
  const scoreMode =
    options.choice('score_mode', scoreModes, (value) => {
      return illegalArgument(`No score mode for child query [${value}] found`)
    }) ?? 'avg'
  const ignoreUnmapped = options.boolean('ignore_unmapped') ?? false
  const innerHits = isJson(body['inner_hits']) ? (body['inner_hits'] as Json) : undefined
  return {
    boost: options.boost,
    name: options.name,
    bind(binding) {
      binding.requireCheap('[joining] queries')
      if (!binding.context.isNested(path)) {
        if (ignoreUnmapped) return new MatchNoneQuery('unmapped nested path')
        if (binding.context.isObject(path)) {
          throw new SearchError(
            'illegal_state_exception',
            `[nested] nested object under path [${path}] is not of nested type`,
          )
        }
        throw new SearchError(
          'illegal_state_exception',
          `[nested] failed to find nested object under path [${path}]`,
        )
      }
      const outer = binding.nestedPath
      binding.nestedPath = path
      const query = inner.bind(binding)
      binding.nestedPath = outer
      if (innerHits !== undefined) {
        const name = typeof innerHits['name'] === 'string' ? innerHits['name'] : path
        if (binding.innerHits.some((known) => known.name === name)) {
          throw illegalArgument(`[inner_hits] already contains an entry for key [${name}]`)
        }
        binding.innerHits.push({ name, path, query, options: innerHits })
      }
      return new NestedQuery(path, outer, query, scoreMode)
    },
  }
}
