/** `include` and `exclude` of terms aggregations: values, regular expressions or partitions. */

import { murmur3 } from '../../../text/murmur3.ts'
import { regexpMatcher } from '../../query/automata/regexp.ts'
import { asSearchError, illegalArgument } from '../../request/errors.ts'
import { isObject, scalarText } from '../../request/request-values.ts'
import { SearchError } from '../../request/search-error.ts'
import type { AggOptions } from '../agg-options.ts'
import type { AggContext } from '../aggregator.ts'
import { type BoundField, columnNumber, columnTerm, type ValueOptions } from './value-field.ts'

export interface KeyFilter {
  acceptsTerm(term: string): boolean
  acceptsNumber(value: number | bigint): boolean
}

type Selection =
  | { readonly kind: 'values'; readonly values: readonly unknown[] }
  | { readonly kind: 'pattern'; readonly pattern: string }
  | { readonly kind: 'partition'; readonly partition: number; readonly of: number }

export interface KeySelection {
  readonly include: Selection | undefined
  readonly exclude: Selection | undefined
}

export function readKeySelection(options: AggOptions): KeySelection {
  const include = selection(options, 'include')
  const exclude = selection(options, 'exclude')
  if (include?.kind === 'partition' && exclude !== undefined) {
    throw illegalArgument('Cannot specify both partition-based include and exclude')
  }
  return { include, exclude }
}

function selection(options: AggOptions, name: string): Selection | undefined {
  const given = options.raw(name)
  if (given === undefined) return undefined
  if (Array.isArray(given)) return { kind: 'values', values: given as unknown[] }
  if (!isObject(given)) return { kind: 'pattern', pattern: scalarText(given) ?? '' }
  if (name !== 'include') {
    throw illegalArgument('Unexpected token START_OBJECT in exclude')
  }
  const inner = options.inner(given)
  const partition = inner.int('partition')
  const of = inner.int('num_partitions')
  if (partition === undefined) {
    throw illegalArgument('Missing [partition] parameter for partition-based include')
  }
  if (of === undefined) {
    throw illegalArgument('Missing [num_partitions] parameter for partition-based include')
  }
  if (partition < 0 || partition >= of) {
    throw illegalArgument(`partition must be >=0 and < num_partitions which is ${of}`)
  }
  inner.done()
  return { kind: 'partition', partition, of }
}

interface Tester {
  term(term: string): boolean
  number(value: number | bigint): boolean
}

/** Undefined when nothing is excluded. */
export function keyFilter(
  { include, exclude }: KeySelection,
  field: BoundField,
  options: ValueOptions,
  aggregation: string,
  context: AggContext,
): KeyFilter | undefined {
  if (include === undefined && exclude === undefined) return undefined
  const isText = field.type === 'string' || !field.isMapped
  if (!isText && (include?.kind === 'pattern' || exclude?.kind === 'pattern')) {
    const instead =
      field.type === 'ip'
        ? 'Use an array of values for include/exclude clauses'
        : 'Use an array of numeric values for include/exclude clauses used to filter numeric fields'
    throw new SearchError(
      'aggregation_execution_exception',
      `Aggregation [${aggregation}] cannot support regular expression style include/exclude settings as they can only be applied to string fields. ${instead}`,
    )
  }
  const read = (given: Selection | undefined) =>
    given === undefined ? undefined : tester(given, field, options, context)
  const wanted = read(include)
  const unwanted = read(exclude)
  return {
    acceptsTerm: (term) => (wanted?.term(term) ?? true) && !(unwanted?.term(term) ?? false),
    acceptsNumber: (value) => (wanted?.number(value) ?? true) && !(unwanted?.number(value) ?? false),
  }
}

function tester(selection: Selection, field: BoundField, options: ValueOptions, context: AggContext): Tester {
  switch (selection.kind) {
    case 'partition':
      return partitionTester(selection.partition, selection.of, field.type === 'double')
    case 'pattern':
      try {
        const matcher = regexpMatcher(selection.pattern)
        return { term: (term) => matcher.test(term), number: () => true }
      } catch (error) {
        throw asSearchError(error)
      }
    case 'values': {
      if (field.type === 'string' || field.type === 'ip') {
        const terms = new Set(selection.values.map((value) => columnTerm(value, field.type)))
        return { term: (term) => terms.has(term), number: () => true }
      }
      const numbers = new Set(selection.values.map((value) => numberOf(value, field, options, context)))
      return { term: () => true, number: (value) => numbers.has(Number(value)) }
    }
  }
}

/** What is no number is refused when all aggregations have found their fields. */
function numberOf(value: unknown, field: BoundField, options: ValueOptions, context: AggContext): number {
  try {
    return columnNumber(value, field, options, context.now) ?? 0
  } catch (error) {
    context.refused.push(asSearchError(error))
    return 0
  }
}

const partitionSeed = 31
const encoder = new TextEncoder()

function partitionTester(partition: number, of: number, isDouble: boolean): Tester {
  return {
    term: (term) => modulo(murmur3(bytesOf(term), partitionSeed), of) === partition,
    number: (value) =>
      Number(((mix64(longOf(value, isDouble)) % BigInt(of)) + BigInt(of)) % BigInt(of)) === partition,
  }
}

function bytesOf(term: string): Uint8Array {
  return encoder.encode(term)
}

function modulo(value: number, of: number): number {
  return ((value % of) + of) % of
}

/** The long that Elasticsearch stores for a value; for doubles the sortable bits. */
function longOf(value: number | bigint, isDouble: boolean): bigint {
  if (typeof value === 'bigint') return BigInt.asIntN(64, value)
  if (!isDouble) return BigInt(Math.trunc(value))
  const bits = new BigInt64Array(Float64Array.of(value).buffer)[0]!
  return bits < 0n ? BigInt.asIntN(64, bits ^ 0x7fff_ffff_ffff_ffffn) : bits
}

/** The 64-bit finalizer of MurmurHash3, as Elasticsearch's BitMixer uses it. */
function mix64(value: bigint): bigint {
  let mixed = BigInt.asUintN(64, value)
  mixed = BigInt.asUintN(64, (mixed ^ (mixed >> 32n)) * 0x4cd6944c5cc20b6dn)
  mixed = BigInt.asUintN(64, (mixed ^ (mixed >> 29n)) * 0xfc12c5b19d3259e9n)
  return BigInt.asIntN(64, mixed ^ (mixed >> 32n))
}
