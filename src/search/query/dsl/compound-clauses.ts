/** Parses `bool`, `constant_score`, `dis_max`, `boosting`, `wrapper`, `match_all` and `match_none`. */
import { contentError, parsingError } from '../../request/errors.ts'
import { SearchError } from '../../request/search-error.ts'
import type { Binding } from '../binding/binding.ts'
import { noneOptional } from '../binding/text-query.ts'
import { type BoolClause, BoolQuery, type Occur } from '../exec/compound/bool-query.ts'
import { BoostingQuery, DisMaxQuery } from '../exec/compound/dis-max-query.ts'
import { ConstantScoreQuery, MatchAllQuery, MatchNoneQuery } from '../exec/compound/simple-queries.ts'
import { minimumShouldMatch } from '../minimum-should-match.ts'
import { tooManyClauses } from '../too-many-clauses.ts'
import type { Clause, Json, ParseClause } from './clause.ts'
import { Options } from './options.ts'
import { isJson, type QueryParser, tokenOf } from './parser.ts'

function clauseList(parser: QueryParser, clause: string, body: Json, name: string): Clause[] {
  const value = body[name]
  if (value === undefined || value === null) return []
  if (Array.isArray(value)) return value.map((item) => parser.parse(item, body, name))
  if (isJson(value)) return [parser.parse(value, body, name)]
  throw parser.error(`[${clause}] query does not support [${name}]`, body, name)
}

function one(parser: QueryParser, clause: string, body: Json, name: string): Clause | undefined {
  const value = body[name]
  if (value === undefined) return undefined
  if (Array.isArray(value)) {
    throw parser.error(`[${clause}] unknown token [START_ARRAY] after [${name}]`, body, name)
  }
  return parser.parse(value, body, name)
}

const occurs: readonly (readonly [string, Occur])[] = [
  ['must', 'must'],
  ['must_not', 'mustNot'],
  ['mustNot', 'mustNot'],
  ['should', 'should'],
  ['filter', 'filter'],
]

const boolNames = [
  ...occurs.map(([name]) => name),
  'minimum_should_match',
  'adjust_pure_negative',
  'boost',
  '_name',
]

const boolClause: ParseClause = (body, parser, clause) => {
  const parts: { occur: Occur; clause: Clause }[] = []
  for (const [name, value] of Object.entries(body)) {
    if (!boolNames.includes(name)) throw parser.unknownField(clause, body, name, boolNames)
    const occur = occurs.find(([known]) => known === name)?.[1]
    if (occur === undefined) continue
    if (value !== null && typeof value !== 'object') {
      const reason = `[${parser.placeText(body, name)}] [bool] ${name} doesn't support values of type: ${tokenOf(value)}`
      throw contentError(reason)
    }
    try {
      for (const inner of clauseList(parser, clause, body, name)) parts.push({ occur, clause: inner })
    } catch (error) {
      throw parser.inField(error, clause, body, name)
    }
  }
  const order: Readonly<Record<Occur, number>> = { must: 0, mustNot: 1, should: 2, filter: 3 }
  parts.sort((a, b) => order[a.occur] - order[b.occur])
  const structured = occurs.map(([name]) => name)
  const options = new Options(parser, clause, body, boolNames, structured)
  const minimum = options.text('minimum_should_match')
  const adjust = options.boolean('adjust_pure_negative') ?? true
  // OpenSearch rewrites such a query before it makes the other clauses, whose errors nobody sees then.
  const isNone = [body['must'], body['filter']]
    .flat()
    .some((part) => isJson(part) && Object.hasOwn(part, 'match_none'))
  const bind = (binding: Binding) => {
    if (parts.length === 0) return new MatchAllQuery()
    const { maxClauses } = binding.context.limits
    if (parts.length > maxClauses) throw tooManyClauses(maxClauses)
    const clauses: BoolClause[] = parts.map(({ occur, clause: inner }) => ({
      occur,
      query: inner.bind(binding),
    }))
    if (adjust && clauses.every(({ occur }) => occur === 'mustNot')) {
      clauses.push({ occur: 'filter', query: new MatchAllQuery() })
    }
    const optional = clauses.filter(({ occur }) => occur === 'should').length
    if (minimum === undefined) return new BoolQuery(clauses)
    const required = minimumShouldMatch(optional, minimum)
    if (optional === 0 && required > 0) return noneOptional()
    return optional === 0 ? new BoolQuery(clauses) : new BoolQuery(clauses, required)
  }
  return {
    boost: options.boost,
    name: options.name,
    bind(binding) {
      try {
        return bind(binding)
      } catch (error) {
        if (!isNone || !(error instanceof SearchError)) throw error
        return new MatchNoneQuery('User requested "match_none" query.')
      }
    },
  }
}

const constantScoreClause: ParseClause = (body, parser, clause) => {
  const options = new Options(parser, clause, body, [], ['filter', 'query'])
  const filter = one(parser, clause, body, 'filter')
  if (filter === undefined) throw options.missing("[constant_score] requires a 'filter' element")
  return {
    boost: options.boost,
    name: options.name,
    bind: (binding) => new ConstantScoreQuery(filter.bind(binding)),
  }
}

const disMaxClause: ParseClause = (body, parser, clause) => {
  const options = new Options(parser, clause, body, ['tie_breaker'], ['queries'])
  const queries = clauseList(parser, clause, body, 'queries')
  if (queries.length === 0) {
    throw options.missing("[dis_max] requires 'queries' field with at least one clause")
  }
  const tieBreaker = options.float('tie_breaker') ?? 0
  return {
    boost: options.boost,
    name: options.name,
    bind: (binding) =>
      new DisMaxQuery(
        queries.map((query) => query.bind(binding)),
        tieBreaker,
      ),
  }
}

const boostingClause: ParseClause = (body, parser, clause) => {
  const options = new Options(parser, clause, body, ['negative_boost'], ['positive', 'negative'])
  const positive = one(parser, clause, body, 'positive')
  const negative = one(parser, clause, body, 'negative')
  if (positive === undefined) throw options.missing("[boosting] query requires 'positive' query to be set'")
  if (negative === undefined) throw options.missing("[boosting] query requires 'negative' query to be set'")
  const share = options.float('negative_boost') ?? -1
  if (share < 0) {
    throw options.missing("[boosting] query requires 'negative_boost' to be set to be a positive value'")
  }
  return {
    boost: options.boost,
    name: options.name,
    bind: (binding) => new BoostingQuery(positive.bind(binding), negative.bind(binding), share),
  }
}

const matchAllClause: ParseClause = (body, parser, clause) => {
  const names = ['boost', '_name']
  for (const name of Object.keys(body))
    if (!names.includes(name)) throw parser.unknownField(clause, body, name, names)
  const options = new Options(parser, clause, body, names)
  return { boost: options.boost, name: options.name, bind: () => new MatchAllQuery() }
}

const matchNoneClause: ParseClause = (body, parser, clause) => {
  const options = new Options(parser, clause, body, [])
  return {
    boost: options.boost,
    name: options.name,
    bind: () => new MatchNoneQuery('User requested "match_none" query.'),
  }
}

/** A query as base64 of its JSON. */
const wrapperClause: ParseClause = (body, parser) => {
  const text = body['query']
  for (const name of Object.keys(body)) {
    if (name !== 'query')
      throw parser.error(`[wrapper] query malformed, expected [query] but was [${name}]`, body, name)
  }
  if (typeof text !== 'string' || text === '') throw parser.error('[wrapper] query malformed', body)
  let json: unknown
  try {
    json = JSON.parse(Buffer.from(text, 'base64').toString('utf8'))
  } catch {
    throw parsingError('[wrapper] query malformed')
  }
  const inner = parser.apart(json)
  return { bind: (binding) => inner.bind(binding) }
}

export const compoundClauses: readonly (readonly [string, ParseClause])[] = [
  ['bool', boolClause],
  ['boosting', boostingClause],
  ['constant_score', constantScoreClause],
  ['dis_max', disMaxClause],
  ['match_all', matchAllClause],
  ['match_none', matchNoneClause],
  ['wrapper', wrapperClause],
]
