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
      javaDouble(isDouble ? Number(number) : shortestFloat(Math.fround(Number(number))))
    return { min: '-Infinity', max: 'Infinity', text, stored: (number) => String(bits(Number(number))) }
  }
  return { min: '-9223372036854775808', max: '9223372036854775807', text: same, stored: same }
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

/** `plain` is a set `{1 2}` or a range `[1 TO *]`. */
export function numberTexts(
  field: string,
  plain: string,
  type: string | undefined,
  isSet: boolean,
): NumberTexts {
  const whole = `${field}:${plain}`
  if (type === undefined) return { index: whole, values: whole, both: whole }
  const { min, max, text: spelled, stored } = kindOf(type)
  if (isSet) {
    const values = plain
      .slice(1, -1)
      .split(' ')
      .toSorted((one, other) => Number(one) - Number(other))
    const place = type === 'unsigned_long' ? '' : field
    const index = `${field}:{${values.map(spelled).join(' ')}}`
    const columns = `${place}: [${values.map(stored).join(', ')}]`
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
  const low = isOpen(from) && !(isUnsigned && from !== '*') ? min : from
  const high = isOpen(to) && !(isUnsigned && to !== '*') ? max : to
  if (low === min && high === max) {
    const exists = `FieldExistsQuery [field=${field}]`
    const constant = `ConstantScore(${exists})`
    return { index: constant, values: constant, both: constant }
  }
  const index = `${field}:[${spelled(low)} TO ${spelled(high)}]`
  const values = `${field}:[${stored(low)} TO ${stored(high)}]`
  const both = `IndexOrDocValuesQuery(indexQuery=${index}, dvQuery=${values})`
  const isTerm = low === high && !isDate(type)
  if (isTerm) return { index, values, both }
  return {
    index,
    values,
    both,
    approximation: `ApproximateScoreQuery(originalQuery=${both}, approximationQuery=Approximate(${index}))`,
  }
}
