/**
 * `term`, `terms` and `range` on each field type. Types without an inverted index compare doc values; IP
 * addresses are terms in byte order.
 */

import { ConstantKeywordField, KeywordField } from '../../mapping/fields/keyword-field.ts'
import { NumberField } from '../../mapping/fields/number-field.ts'
import { IpField } from '../../mapping/fields/simple-fields.ts'
import { TextField } from '../../mapping/fields/text-field.ts'
import type { ColumnRange, ColumnValue, MappedField, Reading } from '../../mapping/mapped-field.ts'
import { wholeIp } from '../../mapping/values/ip-address.ts'
import { illegalArgument } from '../../request/errors.ts'
import { javaText } from '../../request/java-text.ts'
import { SearchError } from '../../request/search-error.ts'
import { lowerAscii, type TermMatcher } from '../automata/term-matcher.ts'
import { NumberQuery, type NumberTest, numbersAmong, numbersBetween } from '../exec/columns/number-query.ts'
import { type Relation, rangeFieldQuery } from '../exec/columns/range-field-query.ts'
import { DisMaxQuery } from '../exec/compound/dis-max-query.ts'
import { ConstantScoreQuery, MatchAllQuery, MatchNoneQuery } from '../exec/compound/simple-queries.ts'
import { keyOfTexts } from '../exec/filter-key.ts'
import type { Query } from '../exec/query.ts'
import { among, between, MultiTermQuery, matching } from '../exec/terms/multi-term-query.ts'
import type { Rewrite } from '../exec/terms/rewrite.ts'
import { TermQuery } from '../exec/terms/term-query.ts'
import type { Binding } from './binding.ts'

/** True when the field is not indexed, so ordinals of its doc values are compared. */
export function byColumn(field: MappedField): boolean {
  return field.family === 'keyword' && !field.isIndexed
}

export function termQuery(
  binding: Binding,
  field: MappedField,
  value: unknown,
  caseInsensitive = false,
): Query {
  field.requireSearchable()
  switch (field.family) {
    case 'text':
    case 'keyword': {
      if (field instanceof ConstantKeywordField) return constantQuery(field, (own) => own === javaText(value))
      const term = field.toTerm(value)
      if (caseInsensitive) return caseInsensitiveTerm(field, term)
      return scoredTerm(binding, field, term)
    }
    case 'ip': {
      if (field instanceof IpField) {
        const range = field.toTermRange(value)
        if (range !== undefined) return ipBetween(field, range.from, range.to)
      }
      const term = field.toTerm(value)
      return ipBetween(field, term, term)
    }
    case 'number':
    case 'date': {
      requireInRange(binding, field, value)
      const range = field.termRange(value, { now: binding.context.now })
      return range === undefined ? noValue(value) : numberRange(field, range)
    }
    case 'boolean': {
      const number = field.toNumber(value)
      return new NumberQuery(field.name, numbersBetween(number, number), number === 1 ? 'T' : 'F', true)
    }
    case 'range': {
      const range = field.termRange(value, { now: binding.context.now })
      if (range === undefined) return noValue(value)
      return rangeFieldQuery(field.name, range.from.number, range.to.number, 'intersects')
    }
    case 'geo_point':
      throw binding.refusal(
        `Geometry fields do not support exact searching, use dedicated geometry queries instead: [${field.name}]`,
      )
    default:
      throw opaque(binding, field)
  }
}

function opaque(binding: Binding, field: MappedField): SearchError {
  if (field.type === 'binary') return binding.refusal('Binary fields do not support searching')
  if (field.type === 'percolator')
    return binding.refusal('Percolator fields are not searchable directly, use a percolate query instead')
  if (binding.context.isOpenSearch === true && field.type === 'rank_feature')
    return illegalArgument('Queries on [rank_feature] fields are not supported')
  return illegalArgument(`Field [${field.name}] of type [${field.type}] does not support searching`)
}

function noValue(value: unknown): Query {
  return new MatchNoneQuery(`Value [${javaText(value)}] has a decimal part or is out of range`)
}

/** A BM25-scored term, unless the field's matches all score the same. */
export function scoredTerm({ context }: Binding, field: MappedField, term: string): Query {
  if (byColumn(field)) return columnTerm(field, term)
  if (field.type === 'wildcard') return wildcardTerms(field, [term])
  const query = new TermQuery(field.name, term)
  return isFlat(field, context.isOpenSearch === true) ? new ConstantScoreQuery(query) : query
}

/** True when every match of a term has the same score. */
export function isFlat(field: MappedField, isOpenSearch: boolean): boolean {
  if (field.type === 'wildcard') return true
  if (field instanceof TextField) return !field.isScored || field.similarity === 'boolean'
  if (field instanceof KeywordField)
    return field.similarity === 'boolean' || (isOpenSearch && !field.usesSimilarity)
  return false
}

function caseInsensitiveTerm(field: MappedField, term: string): Query {
  const wanted = lowerAscii(term)
  const matcher = {
    prefix: /^[^a-z]*/i.exec(term)![0],
    exact: false,
    whole: false,
    test: (other: string) => other.length === term.length && lowerAscii(other) === wanted,
  }
  return patternQuery(field, matcher, { kind: 'term', text: term, isAnyCase: true })
}

/** The terms that an automaton accepts. */
interface Pattern {
  readonly kind: 'term' | 'prefix' | 'wildcard' | 'regexp' | 'fuzzy'
  /** As Lucene prints it. */
  readonly text: string
  readonly flags?: number | undefined
  readonly isAnyCase?: boolean
}

export function patternQuery(
  field: MappedField,
  matcher: TermMatcher,
  { kind, text, flags, isAnyCase = false }: Pattern,
  rewrite?: Rewrite,
): Query {
  return new MultiTermQuery({
    field: field.name,
    selection: matching(matcher),
    text: `${field.name}:${text}`,
    key: JSON.stringify(['pattern', kind, field.name, text, flags, isAnyCase]),
    isQuoted: field.type === 'wildcard',
    isAutomaton: isAnyCase && kind !== 'regexp',
    matcher,
    byColumn: byColumn(field),
    ...(rewrite === undefined ? {} : { rewrite }),
  })
}

export function constantQuery(field: ConstantKeywordField, test: (value: string) => boolean): Query {
  const { constant } = field
  if (constant !== undefined && test(constant)) return new ConstantScoreQuery(new MatchAllQuery())
  return new MatchNoneQuery(`The "${field.name}" field has another value`)
}

function ipBetween(field: MappedField, from: string, to: string): Query {
  const bytes = (term: string) => hexBytes(Buffer.from(term, 'hex'))
  return new MultiTermQuery({
    field: field.name,
    selection: between(from, to, true, true),
    text: `${field.name}:[${from} TO ${to}]`,
    points: {
      index: `${field.name}:[${wholeIp(from)} TO ${wholeIp(to)}]`,
      values: `${field.name}:[${bytes(from)} TO ${bytes(to)}]`,
    },
  })
}

const lastIp = 'f'.repeat(32)
const firstIp = '0'.repeat(32)

function besideIp(term: string, step: bigint): string {
  return (BigInt(`0x${term}`) + step).toString(16).padStart(32, '0')
}

/** A range of addresses with both ends inside. */
function ipRange(field: MappedField, { from, to, includeFrom, includeTo }: RangeOptions): Query {
  const low = isOpen(from) ? firstIp : field.toTerm(from)
  const high = isOpen(to) ? lastIp : field.toTerm(to)
  const isEmpty =
    (!isOpen(from) && !includeFrom && low === lastIp) || (!isOpen(to) && !includeTo && high === firstIp)
  if (isEmpty) return new MatchNoneQuery('')
  return ipBetween(
    field,
    isOpen(from) || includeFrom ? low : besideIp(low, 1n),
    isOpen(to) || includeTo ? high : besideIp(high, -1n),
  )
}

/** A term of a field that is not indexed is a range of its doc values. */
function columnTerm(field: MappedField, term: string): Query {
  const bytes = hexBytes(Buffer.from(term))
  return new MultiTermQuery({
    field: field.name,
    selection: among([term]),
    text: `${field.name}:[${bytes} TO ${bytes}]`,
    terms: [term],
    isColumnRange: true,
    byColumn: true,
  })
}

/** As Lucene prints bytes: `[a 0 ff]`. */
function hexBytes(bytes: Iterable<number>): string {
  return `[${Array.from(bytes, (byte) => byte.toString(16)).join(' ')}]`
}

/** Whole values of a `wildcard` field, which are looked for as its patterns are. */
function wildcardTerms(field: MappedField, terms: readonly string[]): Query {
  return new MultiTermQuery({
    field: field.name,
    selection: among(terms),
    text: `${field.name}:${terms.join('|')}`,
    key: JSON.stringify(['among', field.name, keyOfTexts(terms)]),
    isQuoted: true,
    terms,
  })
}

function termsAmong(field: MappedField, terms: readonly string[]): Query {
  return new MultiTermQuery({
    field: field.name,
    selection: among(terms),
    get text() {
      return `${field.name}:(${[...new Set(terms)].sort().join(' ')})`
    },
    get key() {
      return JSON.stringify(['among', field.name, keyOfTexts(terms)])
    },
    terms,
    byColumn: byColumn(field),
  })
}

/** The bounds as 64-bit integers, when doubles cannot represent them exactly. */
function exactBounds(field: MappedField, { from, to }: ColumnRange): readonly [bigint, bigint] | undefined {
  if (!field.isExact) return undefined
  const needed = (value: ColumnValue): boolean =>
    value.exact !== undefined && (field.family === 'date' || !Number.isSafeInteger(value.number))
  if (!needed(from) && !needed(to)) return undefined
  return [from.exact ?? -(2n ** 70n), to.exact ?? 2n ** 70n]
}

/** OpenSearch refuses numbers that the type cannot hold; Elasticsearch matches nothing or everything. */
function requireInRange({ context }: Binding, field: MappedField, value: unknown): void {
  if (context.isOpenSearch === true && field instanceof NumberField) field.requireInRange(value)
}

function numberRange(field: MappedField, range: ColumnRange, isClause = false): Query {
  const { from, to } = range
  const exact = exactBounds(field, range)
  const test = unsigned(field, numbersBetween(from.number, to.number, exact))
  const text =
    exact === undefined
      ? `[${bound(from.number)} TO ${bound(to.number)}]`
      : `[${exactText(from)} TO ${exactText(to)}]`
  const isRelated = isClause && field.family === 'date'
  const query = new NumberQuery(field.name, test, text, false, {
    type: field.type,
    isRelated,
    isRange: isClause,
  })
  if (from.number > to.number && field.type === 'unsigned_long') return new MatchNoneQuery('')
  return from.number > to.number ? new MatchNoneQuery(`${field.name}: empty range`, query) : query
}

function exactText({ exact, number }: ColumnValue): string {
  return exact === undefined ? bound(number) : String(exact)
}

function bound(value: number): string {
  return Number.isFinite(value) ? String(value) : '*'
}

function unsigned(field: MappedField, test: NumberTest): NumberTest {
  const { testExact } = test
  if (testExact === undefined || !(field instanceof NumberField) || !field.isUnsigned) return test
  return { ...test, testExact: (value) => testExact(BigInt.asUintN(64, value)) }
}

/** Matches any of several values with a constant score. */
export function termsQuery(binding: Binding, field: MappedField, values: readonly unknown[]): Query {
  field.requireSearchable()
  switch (field.family) {
    case 'text':
    case 'keyword':
      if (field instanceof ConstantKeywordField) {
        return constantQuery(field, (own) => values.some((value) => javaText(value) === own))
      }
      return field.type === 'wildcard'
        ? wildcardTerms(
            field,
            values.map((value) => field.toTerm(value)),
          )
        : termsAmong(
            field,
            values.map((value) => field.toTerm(value)),
          )
    case 'ip': {
      const single = values.filter((value) => !javaText(value).includes('/'))
      if (single.length === values.length) {
        return termsAmong(
          field,
          single.map((value) => field.toTerm(value)),
        )
      }
      return anyConstant(values.map((value) => termQuery(binding, field, value)))
    }
    case 'number':
      for (const value of values) requireInRange(binding, field, value)
      return numberSet(field, values)
    default:
      return anyConstant(values.map((value) => termQuery(binding, field, value)))
  }
}

function anyConstant(queries: readonly Query[]): Query {
  if (queries.length === 0) return new MatchNoneQuery('No terms supplied')
  return new ConstantScoreQuery(new DisMaxQuery(queries, 0))
}

function numberSet(field: MappedField, values: readonly unknown[]): Query {
  const numbers: number[] = []
  const integers: bigint[] = []
  let isExact = false
  for (const value of values) {
    const range = field.termRange(value)
    if (range === undefined) continue
    numbers.push(range.from.number)
    if (range.from.exact !== undefined) integers.push(range.from.exact)
    if (!Number.isSafeInteger(range.from.number)) isExact = true
  }
  const exact = isExact && field.isExact ? new Set(integers) : undefined
  const test = numbersAmong(numbers, exact)
  const text = () => `{${exact === undefined ? numbers.join(' ') : [...exact].join(' ')}}`
  return new NumberQuery(field.name, unsigned(field, test), text, false, { type: field.type, isSet: true })
}

interface RangeOptions {
  readonly from: unknown
  readonly to: unknown
  readonly includeFrom: boolean
  readonly includeTo: boolean
  readonly format?: string | undefined
  readonly zone?: Reading['zone']
  readonly relation?: Relation
  /** The range is a clause of its own, not part of a query string. */
  readonly isClause?: boolean
}

/** An end that is not given. */
export function isOpen(value: unknown): boolean {
  return value === undefined || value === null
}

export function rangeQuery(binding: Binding, field: MappedField, options: RangeOptions): Query {
  field.requireSearchable()
  const { from, to, includeFrom, includeTo, format, zone } = options
  // OpenSearch has no ranges of wildcard fields yet; this word is the whole text of its error.
  if (field.type === 'wildcard' && binding.context.isOpenSearch === true && binding.context.isStrict === true)
    throw new SearchError('unsupported_operation_exception', 'TODO', { status: 500 })
  const reading: Reading = { now: binding.context.now, format, zone }
  const lower = (): ColumnValue =>
    isOpen(from)
      ? { number: Number.NEGATIVE_INFINITY, exact: undefined }
      : field.lowerBound(from, includeFrom, reading)
  const upper = (): ColumnValue =>
    isOpen(to)
      ? { number: Number.POSITIVE_INFINITY, exact: undefined }
      : field.upperBound(to, includeTo, reading)
  if (!isOpen(from)) requireInRange(binding, field, from)
  // Above the greatest number the other end is not looked at.
  if (field.type === 'unsigned_long' && !isOpen(from) && lower().number === Number.POSITIVE_INFINITY)
    return new MatchNoneQuery('')
  if (!isOpen(to)) requireInRange(binding, field, to)
  switch (field.family) {
    case 'number':
    case 'date':
    case 'boolean':
      return numberRange(field, { from: lower(), to: upper() }, options.isClause === true)
    case 'range': {
      const low = lower().number
      const high = upper().number
      const isBackwards = () =>
        field.lowerBound(from, true, reading).number > field.upperBound(to, true, reading).number
      if (low > high && !isOpen(from) && !isOpen(to) && !isBackwards())
        return new MatchNoneQuery(`${field.name}: empty range`)
      if (low > high && !isOpen(from) && !isOpen(to)) {
        throw illegalArgument(
          `Range query \`from\` value (${javaText(from)}) is greater than \`to\` value (${javaText(to)})`,
        )
      }
      return rangeFieldQuery(field.name, low, high, options.relation ?? 'intersects')
    }
    case 'ip':
      return ipRange(field, options)
    case 'text':
    case 'keyword': {
      binding.requireCheap('[range] queries on [text] or [keyword] fields')
      if (field instanceof ConstantKeywordField) {
        return constantQuery(field, (own) => {
          const low = isOpen(from) || (includeFrom ? own >= javaText(from) : own > javaText(from))
          return low && (isOpen(to) || (includeTo ? own <= javaText(to) : own < javaText(to)))
        })
      }
      return termRange(field, options)
    }
    case 'geo_point':
      throw illegalArgument(`Field [${field.name}] of type [${field.type}] does not support range queries`)
    default:
      if (binding.context.isOpenSearch === true && field.type !== 'binary')
        throw illegalArgument(`Field [${field.name}] of type [${field.type}] does not support range queries`)
      throw opaque(binding, field)
  }
}

function termRange(field: MappedField, { from, to, includeFrom, includeTo }: RangeOptions): Query {
  const low = isOpen(from) ? undefined : field.toTerm(from)
  const high = isOpen(to) ? undefined : field.toTerm(to)
  const open = includeFrom ? '[' : '{'
  const close = includeTo ? ']' : '}'
  return new MultiTermQuery({
    field: field.name,
    selection: between(low, high, includeFrom, includeTo),
    text: `${field.name}:${open}${low ?? '*'} TO ${high ?? '*'}${close}`,
    key: JSON.stringify(['range', field.name, open, low, high, close]),
    isDoubled: field.family === 'keyword' && field.hasDocValues && field.isIndexed,
    byColumn: byColumn(field),
  })
}
