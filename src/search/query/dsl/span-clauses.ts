/** Parses the `span_*` queries and `field_masking_span`. */
import { illegalArgument, parsingError } from '../../request/errors.ts'
import { plainText } from '../../request/plain-text.ts'
import type { Binding } from '../binding/binding.ts'
import { withoutBoost } from '../exec/compound/bool-query.ts'
import { SpanAround, SpanFirst, SpanMask, SpanNot } from '../exec/positions/span-filters.ts'
import { SpanNear } from '../exec/positions/span-near.ts'
import type { SpanNode } from '../exec/positions/span-node.ts'
import { SpanQuery } from '../exec/positions/span-query.ts'
import { SpanGap, SpanOr, SpanPattern, SpanTerm } from '../exec/positions/span-terms.ts'
import type { Query } from '../exec/query.ts'
import { FuzzyQuery } from '../exec/terms/fuzzy-query.ts'
import { MultiTermQuery } from '../exec/terms/multi-term-query.ts'
import { TermQuery } from '../exec/terms/term-query.ts'
import type { Clause, Json, ParseClause } from './clause.ts'
import { Options, readFieldBody } from './options.ts'
import { isJson, type QueryParser } from './parser.ts'

const patterns = ['prefix', 'wildcard', 'regexp', 'fuzzy', 'range']

function isSpan(value: unknown): boolean {
  const name = isJson(value) ? Object.keys(value)[0] : undefined
  return name !== undefined && spanClauses.some(([known]) => known === name)
}

/** The boost in a span query's own body or in that of its field. */
function boostOf(value: unknown): number {
  const [name, body] = isJson(value) ? (Object.entries(value)[0] ?? []) : []
  if (!isJson(body)) return 1
  const given = name === 'span_term' ? Object.values(body).find(isJson) : body
  const boost = given?.['boost'] ?? body['boost']
  return boost === undefined ? 1 : Math.fround(Number(plainText(boost)))
}

function javaFloat(value: number): string {
  return Number.isInteger(value) ? `${value}.0` : String(value)
}

/** Parses an inner clause, which must be a span query. */
function inner(
  parser: QueryParser,
  clause: string,
  owner: unknown,
  key: string | number,
  value: unknown,
): Clause {
  const parsed = parser.parse(value, owner, key)
  const name = typeof key === 'number' ? 'clauses' : key
  if (isSpan(value)) {
    const boost = boostOf(value)
    if (boost === 1) return parsed
    throw parser.errorAfter(
      `${clause} [${name}] as a nested span clause can't have non-default boost value [${javaFloat(boost)}]`,
      value,
    )
  }
  throw parser.errorAfter(`${clause} [${name}] must be of type span query`, value)
}

function one(parser: QueryParser, clause: string, body: Json, name: string): Clause {
  const value = body[name]
  if (value === undefined) {
    const isPair = clause === 'span_within' || clause === 'span_containing'
    const reason = isPair ? `must include [${name}]` : `must have [${name}] span query clause`
    throw parser.errorAfter(`${clause} ${reason}`, body)
  }
  return inner(parser, clause, body, name, value)
}

function many(parser: QueryParser, clause: string, body: Json): readonly unknown[] {
  const value = body['clauses']
  if (value !== undefined && !Array.isArray(value)) {
    throw parser.error(`[${clause}] query does not support [clauses]`, body, 'clauses')
  }
  if (value === undefined || value.length === 0) {
    throw parser.errorAfter(`${clause} must include [clauses]`, body)
  }
  return value
}

function nodeOf(clause: Clause, binding: Binding): SpanNode {
  return (withoutBoost(clause.bind(binding)) as SpanQuery).node
}

function sameField(nodes: readonly SpanNode[]): string {
  const { field } = nodes[0]!
  if (nodes.every((node) => node.field === field)) return field
  throw illegalArgument('Clauses must have same field.')
}

const termClause: ParseClause = (body, parser, clause) => {
  const { field, options } = readFieldBody(parser, clause, body, { known: ['value', 'term'], short: 'value' })
  const value = options.scalar('value') ?? options.scalar('term')
  if (value === undefined) throw illegalArgument('value cannot be null')
  return {
    boost: options.boost,
    name: options.name,
    bind(binding): Query {
      const mapped = binding.field(field)
      if (mapped === undefined) return new SpanQuery(new SpanTerm(field, plainText(value)))
      if (mapped.family !== 'text' && mapped.family !== 'keyword') {
        throw illegalArgument(
          `Span queries are not supported on field [${mapped.name}] of type [${mapped.type}]`,
        )
      }
      return new SpanQuery(new SpanTerm(mapped.name, mapped.toTerm(value)))
    },
  }
}

/** `{"span_gap": {"field": 3}}` */
function gapOf(value: unknown): SpanGap | undefined {
  const gap = isJson(value) ? value['span_gap'] : undefined
  if (!isJson(gap)) return undefined
  const [entry] = Object.entries(gap)
  if (entry === undefined) return undefined
  return new SpanGap(entry[0], Number(plainText(entry[1])))
}

const nearClause: ParseClause = (body, parser, clause) => {
  const options = new Options(parser, clause, body, ['slop', 'in_order', 'collect_payloads'], ['clauses'])
  const list = many(parser, clause, body)
  const parts = list.map((value, index) => gapOf(value) ?? inner(parser, clause, list, index, value))
  if (parts[0] instanceof SpanGap) {
    throw parsingError('span_near [clauses] cannot start with a [span_gap]')
  }
  const slop = options.integer('slop') ?? 0
  const inOrder = options.boolean('in_order') ?? true
  return {
    boost: options.boost,
    name: options.name,
    bind(binding) {
      const nodes = parts.map((part) => (part instanceof SpanGap ? part : nodeOf(part, binding)))
      if (nodes.length === 1) return new SpanQuery(nodes[0]!)
      return new SpanQuery(new SpanNear(sameField(nodes), nodes, slop, inOrder))
    },
  }
}

const orClause: ParseClause = (body, parser, clause) => {
  const options = new Options(parser, clause, body, [], ['clauses'])
  const list = many(parser, clause, body)
  const parts = list.map((value, index) => inner(parser, clause, list, index, value))
  return {
    boost: options.boost,
    name: options.name,
    bind(binding) {
      const nodes = parts.map((part) => nodeOf(part, binding))
      return new SpanQuery(new SpanOr(sameField(nodes), nodes))
    },
  }
}

const firstClause: ParseClause = (body, parser, clause) => {
  const options = new Options(parser, clause, body, ['end'], ['match'])
  const match = one(parser, clause, body, 'match')
  const end = options.integer('end')
  if (end === undefined) throw options.missing('span_first must have [end] set for it')
  if (end < 0) throw illegalArgument('parameter [end] needs to be positive.')
  return {
    boost: options.boost,
    name: options.name,
    bind: (binding) => new SpanQuery(new SpanFirst(nodeOf(match, binding), end)),
  }
}

const notClause: ParseClause = (body, parser, clause) => {
  const options = new Options(parser, clause, body, ['pre', 'post', 'dist'], ['include', 'exclude'])
  const include = one(parser, clause, body, 'include')
  const exclude = one(parser, clause, body, 'exclude')
  const distance = options.integer('dist')
  const [pre, post] = [options.integer('pre'), options.integer('post')]
  if (distance !== undefined && (pre !== undefined || post !== undefined)) {
    throw illegalArgument('span_not can either use [dist] or [pre] & [post] (or none)')
  }
  const [before, after] = [pre ?? distance ?? 0, post ?? distance ?? 0]
  return ofTwo(
    options,
    include,
    exclude,
    (kept, dropped) => new SpanNot(kept, dropped, Math.max(before, 0), Math.max(after, 0)),
  )
}

function aroundClause(kept: 'big' | 'little'): ParseClause {
  return (body, parser, clause) => {
    const options = new Options(parser, clause, body, [], ['big', 'little'])
    const big = one(parser, clause, body, 'big')
    const little = one(parser, clause, body, 'little')
    return ofTwo(options, big, little, (outer, inner) => new SpanAround(outer, inner, kept))
  }
}

/** A clause of two others, which have to search the same field. */
function ofTwo(
  options: Options,
  one: Clause,
  other: Clause,
  make: (one: SpanNode, other: SpanNode) => SpanNode,
): ReturnType<ParseClause> {
  return {
    boost: options.boost,
    name: options.name,
    bind(binding) {
      const nodes = [nodeOf(one, binding), nodeOf(other, binding)] as const
      sameField(nodes)
      return new SpanQuery(make(...nodes))
    },
  }
}

const maskClause: ParseClause = (body, parser, clause) => {
  const options = new Options(parser, clause, body, ['field'], ['query'])
  const query = one(parser, clause, body, 'query')
  const field = options.text('field')
  if (field === undefined) throw options.missing(`${clause} must have [field] set for it`)
  return {
    boost: options.boost,
    name: options.name,
    bind(binding) {
      return new SpanQuery(new SpanMask(nodeOf(query, binding), binding.field(field)?.name ?? field))
    },
  }
}

const multiClause: ParseClause = (body, parser, clause) => {
  const options = new Options(parser, clause, body, [], ['match'])
  const value = body['match']
  const name = isJson(value) ? Object.keys(value)[0] : undefined
  if (value === undefined) throw options.missing('[span_multi] must have [match] multi term query clause')
  const match = parser.parse(value, body, 'match')
  if (name === undefined || !patterns.includes(name)) {
    throw parser.errorAfter('[span_multi] [match] must be of type multi term query', value)
  }
  const field = Object.keys((value as Json)[name] as Json)[0] ?? ''
  return {
    boost: options.boost,
    name: options.name,
    bind(binding) {
      const query = withoutBoost(match.bind(binding))
      const { maxClauses } = binding.context.limits
      if (query instanceof MultiTermQuery) {
        return new SpanQuery(new SpanPattern(query.settings, query.toString(), maxClauses))
      }
      if (query instanceof FuzzyQuery) {
        return new SpanQuery(new SpanPattern(query.expansion, query.toString(), maxClauses))
      }
      if (query instanceof TermQuery) return new SpanQuery(new SpanTerm(query.field, query.term))
      // An unmapped field has no spans.
      return new SpanQuery(new SpanOr(field, []))
    },
  }
}

export const spanClauses: readonly (readonly [string, ParseClause])[] = [
  ['span_term', termClause],
  ['span_near', nearClause],
  ['span_or', orClause],
  ['span_first', firstClause],
  ['span_not', notClause],
  ['span_containing', aroundClause('big')],
  ['span_within', aroundClause('little')],
  ['span_multi', multiClause],
  ['field_masking_span', maskClause],
  ['span_field_masking', maskClause],
]
