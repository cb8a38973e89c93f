/** Numeric queries as Lucene prints them, with the bounds of their types and the bits of doc values. */
import { shortestFloat } from '../../../request/float-text.ts'
import { javaDouble } from '../../../request/java-text.ts'
import { doubleBits, floatBits, halfBits } from './sortable-bits.ts'

const integers = new Set(['byte', 'short', 'integer', 'token_count'])
const isDate = (type: string | undefined) => type === 'date' || type === 'date_nanos'

/** The bounds of a type that has none, and how its doc values spell a number. */
function kindOf(type: string): {
  readonly min: string
  readonly max: string
  readonly text: (number: string) => string
  readonly stored: (number: string) => string
} {
  const same = (number: string) => number
  if (integers.has(type)) return { min: '-2147483648', max: '2147483647', text: same, stored: same }
  if (type === 'unsigned_long') return { min: '0', max: '18446744073709551615', text: same, stored: same }
  const bits = { float: floatBits, half_float: halfBits, double: doubleBits }[type]
  if (bits !== undefined) {
    const isDouble = type === 'double'
    const text = (number: string) =>
      javaDouble(isDouble ? Number(number) : shortestDigits(Math.fround(Number(number))))
    return { min: '-Infinity', max: 'Infinity', text, stored: (number) => String(bits(Number(number))) }
  }
  const [min, max] = ['-9223372036854775808', '9223372036854775807']
  // A scaled number may be beyond all longs, and becomes the nearest.
  const long = (number: string) => (!number.includes('e+') ? number : number.startsWith('-') ? min : max)
  return { min, max, text: long, stored: long }
}

/** The fewest digits that name a float, also of whole numbers. */
function shortestDigits(value: number): number {
  if (!Number.isInteger(value) || Math.abs(value) < 1e7) return shortestFloat(value)
  for (let digits = 6; digits < 9; digits++) {
    const shorter = Number(value.toPrecision(digits))
    if (Math.fround(shorter) === value) return shorter
  }
  return value
}

const maxLong = 2n ** 63n

export interface NumberTexts {
  /** Over the index alone, and over doc values alone. */
  readonly index: string
  readonly values: string
  /** Over the index or doc values. */
  readonly both: string
  /** A range, which OpenSearch wraps. */
  readonly approximation?: string
}

function byNumber(one: string, other: string): number {
  if (!/^-?\d+$/.test(one) || !/^-?\d+$/.test(other)) return Number(one) - Number(other)
  const [a, b] = [BigInt(one), BigInt(other)]
  return a < b ? -1 : a > b ? 1 : 0
}

/** The order in which Lucene's LongHashSet has numbers: by the slots of its open addressing. */
function longHashOrder(texts: readonly string[]): readonly string[] {
  const size = 2 ** Math.floor((texts.length * 3) / 2).toString(2).length
  const table = new Array<string | undefined>(size)
  let min: string | undefined
  const signed = texts.map((text) => ({ text, long: BigInt.asIntN(64, BigInt(text)) }))
  signed.sort((one, other) => (one.long < other.long ? -1 : one.long > other.long ? 1 : 0))
  for (const { text, long } of signed) {
    if (long === -maxLong) {
      min = text
      continue
    }
    const bits = BigInt.asUintN(64, long)
    let slot = Number((bits ^ (bits >> 32n)) & BigInt(size - 1))
    while (table[slot] !== undefined && table[slot] !== text) slot = (slot + 1) & (size - 1)
    table[slot] = text
  }
  const found = table.filter((text) => text !== undefined)
  return min === undefined ? found : [min, ...found]
}

/** `plain` is a set `{1 2}` or a range `[1 TO *]`. */
export function numberTexts(
  field: string,
  plain: string,
  type: string | undefined,
  isSet: boolean,
  /** All values of the shard are inside of the range. */
  isWhole = false,
  /** The range may have one value, and is a range still. */
  isRange = false,
): NumberTexts {
  const whole = `${field}:${plain}`
  if (type === undefined) return { index: whole, values: whole, both: whole }
  const { min, max, text: spelled, stored } = kindOf(type)
  if (isSet) {
    const values = plain === '{}' ? [] : plain.slice(1, -1).split(' ').toSorted(byNumber)
    const place = type === 'unsigned_long' ? '' : field
    const index = `${field}:{${[...new Set(values)].map(spelled).join(' ')}}`
    const columns = `${place}: [${longHashOrder(values.map(stored)).join(', ')}]`
    return {
      index,
      values: columns,
      both: `IndexOrDocValuesQuery(indexQuery=${index}, dvQuery=${columns})`,
    }
  }
  const [, from = '*', to = '*'] = /^\[(\S+) TO (\S+)\]$/.exec(plain) ?? []
  const isOpen = (bound: string) =>
    bound === '*' || (/^-?\d{20,}$/.test(bound) && BigInt(bound) ** 2n > maxLong ** 2n)
  const isUnsigned = type === 'unsigned_long'
  const exists = `FieldExistsQuery [field=${field}]`
  if (from === '*' && to === '*') {
    const constant = `ConstantScore(${exists})`
    return { index: constant, values: constant, both: constant }
  }
  const low = from === '*' || (isUnsigned ? from.startsWith('-') : isOpen(from)) ? min : from
  const high = isOpen(to) && !(isUnsigned && to !== '*') ? max : to
  const index = isWhole ? exists : `${field}:[${spelled(low)} TO ${spelled(high)}]`
  const isAll = isWhole && low === min && high === max && !integers.has(type)
  const values = isAll ? exists : `${field}:[${stored(low)} TO ${stored(high)}]`
  const both = `IndexOrDocValuesQuery(indexQuery=${index}, dvQuery=${values})`
  const isTerm = low === high && !isRange && !isDate(type)
  if (isTerm) return { index, values, both }
  return {
    index,
    values,
    both,
    approximation: `ApproximateScoreQuery(originalQuery=${both}, approximationQuery=Approximate(${index}))`,
  }
}
