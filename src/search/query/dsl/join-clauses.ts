/** Parses `has_child`, `has_parent` and `parent_id`, which need a `join` field. */
import type { JoinField } from '../../mapping/fields/join-field.ts'
import { illegalArgument } from '../../request/errors.ts'
import { stoppedAt } from '../../request/stop-place.ts'
import type { Binding } from '../binding/binding.ts'
import type { InnerHitsQuery } from '../exec/compiled-query.ts'
import { BoolQuery } from '../exec/compound/bool-query.ts'
import { MatchNoneQuery } from '../exec/compound/simple-queries.ts'
import { JoinQuery, type JoinScoreMode, type JoinSettings, maxChildren } from '../exec/join/join-query.ts'
import type { Query } from '../exec/query.ts'
import { TermQuery } from '../exec/terms/term-query.ts'
import { RewriteError } from '../query-error.ts'
import type { Clause, Json, ParseClause } from './clause.ts'
import { Options } from './options.ts'
import { isJson, type QueryParser } from './parser.ts'

const scoreModes: readonly JoinScoreMode[] = ['none', 'avg', 'sum', 'min', 'max']
const expensive = '[joining] queries'

interface JoinBody {
  readonly options: Options
  readonly type: string
  readonly inner: Clause
  readonly innerHits: Json | undefined
  readonly ignoreUnmapped: boolean
}

function readJoin(
  parser: QueryParser,
  clause: string,
  body: Json,
  typeKey: string,
  known: string[],
): JoinBody {
  const options = new Options(
    parser,
    clause,
    body,
    [typeKey, 'ignore_unmapped', ...known],
    ['query', 'inner_hits'],
  )
  const type = options.text(typeKey)
  if (type === undefined) throw illegalArgument(`[${clause}] requires '${typeKey}' field`)
  if (body['query'] === undefined) throw illegalArgument(`[${clause}] requires 'query' field`)
  return {
    options,
    type,
    inner: parser.parse(body['query'], body, 'query'),
    innerHits: isJson(body['inner_hits']) ? body['inner_hits'] : undefined,
    ignoreUnmapped: options.boolean('ignore_unmapped') ?? false,
  }
}

/** Binds the query over the other side, which is one of root documents, with inner hits of its own. */
function bindInner(
  binding: Binding,
  { inner, innerHits, type }: JoinBody,
  sides: Omit<NonNullable<InnerHitsQuery['sides']>, 'type'>,
): Query {
  const outer = binding.nestedPath
  binding.nestedPath = undefined
  const before = binding.innerHits.length
  const query = inner.bind(binding)
  binding.nestedPath = outer
  const children = binding.innerHits.splice(before)
  if (innerHits === undefined) return query
  const name = typeof innerHits['name'] === 'string' ? innerHits['name'] : type
  if (binding.innerHits.some((known) => known.name === name))
    throw new RewriteError(
      'illegal_argument_exception',
      `[inner_hits] already contains an entry for key [${name}]`,
    )
  binding.innerHits.push({ name, path: '', query, options: innerHits, children, sides: { ...sides, type } })
  return query
}

function joinOf(binding: Binding, clause: string, ignoreUnmapped: boolean): JoinField | undefined {
  const { join, isStored } = binding.context
  if (isStored === true)
    throw illegalArgument(`the [${clause}] query is unsupported inside a percolator query`)
  binding.requireCheap(expensive)
  if (join === undefined && !ignoreUnmapped)
    throw binding.refusal(`[${clause}] no join field has been configured`)
  return join
}

function unmapped(clause: string): Query {
  return new MatchNoneQuery(`unmapped join of [${clause}]`)
}

function scoreModeOf(parser: QueryParser, body: Json, text: string | undefined): JoinScoreMode {
  const mode = scoreModes.find((one) => one === (text ?? 'none'))
  if (mode === undefined) {
    const error = illegalArgument(`No score mode for child query [${text}] found`)
    throw stoppedAt(error, parser.places.of(body, 'score_mode'))
  }
  return mode
}

const hasChild: ParseClause = (body, parser, clause) => {
  const join = readJoin(parser, clause, body, 'type', ['score_mode', 'min_children', 'max_children'])
  const { options, type } = join
  const scoreMode = scoreModeOf(parser, body, options.text('score_mode'))
  const min = options.integer('min_children') ?? 1
  const max = options.integer('max_children') ?? maxChildren
  if (min < 0) throw illegalArgument(`[${clause}] requires non-negative 'min_children' field`)
  if (max < 0) throw illegalArgument(`[${clause}] requires non-negative 'max_children' field`)
  if (max < min) throw illegalArgument(`[${clause}] 'max_children' is less than 'min_children'`)
  return {
    boost: options.boost,
    name: options.name,
    bind(binding) {
      const field = joinOf(binding, clause, join.ignoreUnmapped)
      const parent = field?.parentOf(type)
      if (field === undefined || parent === undefined) {
        if (join.ignoreUnmapped) return unmapped(clause)
        throw binding.refusal(`[${clause}] join field [${field!.name}] doesn't hold [${type}] as a child`)
      }
      const sides = { join: field.name, ids: field.idField(parent)!.name }
      const query = bindInner(binding, join, { ...sides, isParent: true })
      return new JoinQuery(query, { ...sides, from: type, to: [parent], scoreMode, min, max })
    },
  }
}

const hasParent: ParseClause = (body, parser, clause) => {
  const join = readJoin(parser, clause, body, 'parent_type', ['score'])
  const { options, type } = join
  const scoreMode = options.boolean('score') === true ? 'max' : 'none'
  return {
    boost: options.boost,
    name: options.name,
    bind(binding) {
      const field = joinOf(binding, clause, join.ignoreUnmapped)
      const children = field?.relations.get(type)
      if (field === undefined || children === undefined) {
        if (join.ignoreUnmapped) return unmapped(clause)
        throw binding.refusal(`[${clause}] join field [${field!.name}] doesn't hold [${type}] as a parent`)
      }
      const sides = { join: field.name, ids: field.idField(type)!.name }
      const query = bindInner(binding, join, { ...sides, isParent: false })
      if (children.length === 0) return new MatchNoneQuery(`[${type}] has no children`)
      const settings: JoinSettings = {
        ...sides,
        from: type,
        to: children,
        scoreMode,
        min: 1,
        max: maxChildren,
      }
      return new JoinQuery(query, settings)
    },
  }
}

const parentId: ParseClause = (body, parser, clause) => {
  const options = new Options(parser, clause, body, ['type', 'id', 'ignore_unmapped'])
  const type = options.text('type')
  const id = options.text('id')
  const ignoreUnmapped = options.boolean('ignore_unmapped') ?? false
  if (id === undefined) throw illegalArgument(`[${clause}] requires 'id' field`)
  return {
    boost: options.boost,
    name: options.name,
    bind(binding) {
      binding.requireCheap(expensive)
      const { join, index } = binding.context
      const parent = type === undefined ? undefined : join?.parentOf(type)
      if (join === undefined || type === undefined || parent === undefined) {
        if (ignoreUnmapped) return unmapped(clause)
        throw binding.refusal(
          join === undefined
            ? `[${clause}] no join field found for index [${index}]`
            : `[${clause}] no relation found for child [${type ?? 'null'}]`,
        )
      }
      return new BoolQuery([
        { occur: 'must', query: new TermQuery(join.idField(parent)!.name, id) },
        { occur: 'filter', query: new TermQuery(join.name, type) },
      ])
    },
  }
}

export const joinClauses: readonly (readonly [string, ParseClause])[] = [
  ['has_child', hasChild],
  ['has_parent', hasParent],
  ['parent_id', parentId],
]
