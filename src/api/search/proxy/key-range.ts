/**
 * Which documents have a smaller sort key than a given value, as queries: what a page far behind is found by. All that
 * counts is that the documents of `before` are a beginning of the sort order, and that the same query counts them and
 * leaves them out afterwards. Of several values the smallest counts in ascending order and the largest in descending
 * order, which is what a range query over any of the values says, too.
 */
import { JsonNumber } from '../../../search/request/json-literals.ts'
import type { JsonObject } from '../../../search/request/json-object.ts'
import type { SortKey } from './sort-keys.ts'

export type Query = JsonObject

/** A sort value as an answer has it: numbers beyond a double keep their digits. */
export type SortValue = unknown

export interface KeyRange {
  /** Matches documents that sort before the value; undefined for none. */
  before(value: SortValue): Query | undefined
  /** Matches documents that sort as the value does, and maybe some that sort before it. */
  same(value: SortValue): Query
}

const smallIntegers = new Set(['integer', 'short', 'byte', 'boolean'])
const numeric = new Set([
  ...smallIntegers,
  ...['long', 'unsigned_long', 'double', 'float', 'half_float', 'scaled_float'],
])
const texts = new Set(['keyword', 'ip', 'version', 'wildcard'])
const exact = new Set([...texts, 'integer', 'short', 'byte', 'long', 'unsigned_long'])
const dates = new Set(['date', 'date_nanos'])

/** Undefined for keys whose order no range query follows. `type` is that of the field. */
export function keyRange(key: SortKey, type: string | undefined): KeyRange | undefined {
  if (type === undefined || !(numeric.has(type) || dates.has(type) || texts.has(type))) return undefined
  const { mode, nested, nested_path, nested_filter, numeric_type, missing = '_last' } = key.options
  const natural = key.isAscending ? 'min' : 'max'
  if (mode !== undefined && mode !== natural) return undefined
  if ([nested, nested_path, nested_filter, numeric_type].some((one) => one !== undefined)) return undefined
  if (missing === '_last') return missingLast(key, type)
  if (missing === '_first') return type === 'unsigned_long' ? undefined : missingFirst(key, type)
  return numeric.has(type) && type !== 'boolean' ? missingAs(key, type, missing) : undefined
}

function missingLast(key: SortKey, type: string): KeyRange {
  const { name, isAscending } = key
  return {
    before(value) {
      return isMissing(value, type, isAscending) ? exists(name) : less(key, type, value)
    },
    same(value) {
      // Nothing sorts behind documents without a value.
      if (isMissing(value, type, isAscending)) return not(exists(name))
      return equal(key, type, value)
    },
  }
}

function missingFirst(key: SortKey, type: string): KeyRange {
  const { name, isAscending } = key
  const absent = not(exists(name))
  return {
    before(value) {
      return isMissing(value, type, !isAscending) ? undefined : anyOf([absent, less(key, type, value)])
    },
    same(value) {
      return isMissing(value, type, !isAscending) ? absent : equal(key, type, value)
    },
  }
}

/** `missing` is a number of the user's. */
function missingAs(key: SortKey, type: string, missing: unknown): KeyRange | undefined {
  const stand = numberOf(missing)
  if (!Number.isFinite(stand)) return undefined
  const absent = not(exists(key.name))
  return {
    before(value) {
      const distance = numberOf(value) - stand
      const isBefore = key.isAscending ? distance > 0 : distance < 0
      return isBefore ? anyOf([absent, less(key, type, value)]) : less(key, type, value)
    },
    same(value) {
      return numberOf(value) === stand ? anyOf([absent, equal(key, type, value)]) : equal(key, type, value)
    },
  }
}

function numberOf(value: unknown): number {
  return value instanceof JsonNumber ? value.value : typeof value === 'number' ? value : Number.NaN
}

/** Returns whether a sort value stands for a missing one: null, or the minimum or maximum of the type. */
function isMissing(value: SortValue, type: string, isHighEnd: boolean): boolean {
  if (value === null) return true
  const text = value instanceof JsonNumber ? value.text : String(value)
  if (isHighEnd) {
    if (text === 'Infinity' || text === '9223372036854775807' || text === '18446744073709551615') return true
    return smallIntegers.has(type) && text === '2147483647'
  }
  if (text === '-Infinity' || text === '-9223372036854775808') return true
  return smallIntegers.has(type) && text === '-2147483648'
}

function less({ name, isAscending }: SortKey, type: string, value: SortValue): Query {
  return range(name, isAscending ? 'lt' : 'gt', type, value)
}

/** Matches documents with the value; of types that no query compares exactly, also some that sort before it. */
function equal({ name, isAscending }: SortKey, type: string, value: SortValue): Query {
  if (type === 'boolean') return { term: { [name]: numberOf(value) !== 0 } }
  if (exact.has(type)) return { term: { [name]: value } }
  return range(name, isAscending ? 'lte' : 'gte', type, value)
}

function range(name: string, limit: 'lt' | 'lte' | 'gt' | 'gte', type: string, value: SortValue): Query {
  if (type === 'boolean') return { range: { [name]: { [limit]: numberOf(value) !== 0 } } }
  if (!dates.has(type)) return { range: { [name]: { [limit]: value } } }
  const text = timeText(value, type)
  return text === undefined
    ? { range: { [name]: { [limit]: value, format: 'epoch_millis' } } }
    : { range: { [name]: { [limit]: text, format: 'strict_date_optional_time_nanos' } } }
}

/** Milliseconds, or nanoseconds of a `date_nanos`, since 1970 as a date; undefined for years that have no four digits. */
function timeText(value: SortValue, type: string): string | undefined {
  const number = BigInt(value instanceof JsonNumber ? value.text : Math.trunc(Number(value)))
  const nanos = type === 'date_nanos' ? number : number * 1_000_000n
  const fraction = ((nanos % 1_000_000_000n) + 1_000_000_000n) % 1_000_000_000n
  const seconds = (nanos - fraction) / 1_000_000_000n
  const date = new Date(Number(seconds) * 1000)
  const text = Number.isNaN(date.getTime()) ? '' : date.toISOString()
  if (text.length !== '2024-01-01T00:00:00.000Z'.length) return undefined
  return text.replace(/\.\d+Z$/, `.${String(fraction).padStart(9, '0')}Z`)
}

function exists(field: string): Query {
  return { exists: { field } }
}

function not(query: Query): Query {
  return { bool: { must_not: [query] } }
}

function anyOf(queries: readonly Query[]): Query {
  return { bool: { should: queries, minimum_should_match: 1 } }
}

/**
 * Matches documents whose leading keys sort before the tuple; undefined for none. Where `same` matches documents that
 * sort before, those are in by the way that leads to them.
 */
export function beforeTuple(ranges: readonly KeyRange[], tuple: readonly SortValue[]): Query | undefined {
  const ways: Query[] = []
  const equalSoFar: Query[] = []
  ranges.forEach((key, place) => {
    const before = key.before(tuple[place])
    if (before !== undefined)
      ways.push(equalSoFar.length === 0 ? before : { bool: { filter: [...equalSoFar, before] } })
    equalSoFar.push(key.same(tuple[place]))
  })
  return ways.length === 0 ? undefined : anyOf(ways)
}
