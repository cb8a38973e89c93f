/** convert: texts to numbers, booleans and addresses, as Java reads them. */
import { isIP } from 'node:net'
import { illegalArgument, numberFormat } from '../../request/errors.ts'
import { shortestFloat } from '../../request/float-text.ts'
import { javaDouble } from '../../request/java-text.ts'
import { JsonNumber } from '../../request/json-literals.ts'
import { SearchError } from '../../request/search-error.ts'
import { valueText } from '../ingest-document.ts'
import type { ProcessorFactory } from '../processor.ts'

type Convert = (value: unknown) => unknown

const maxInteger = 2n ** 31n - 1n
const maxLong = 2n ** 63n - 1n

/** `Integer.parseInt` and `Long.parseLong`, and their `decode` for hexadecimal texts. */
function whole(text: string, max: bigint): bigint | undefined {
  const [, sign, hexadecimal, digits] = /^([+-]?)(?:0x([0-9a-fA-F]{1,16})|(\d{1,19}))$/.exec(text) ?? []
  if (hexadecimal !== undefined && sign === '+') return undefined
  const number = hexadecimal === undefined ? digits : `0x${hexadecimal}`
  if (number === undefined) return undefined
  const value = sign === '-' ? -BigInt(number) : BigInt(number)
  return value > max || value < -max - 1n ? undefined : value
}

function wholeConvert(name: string, max: bigint): Convert {
  return (value) => {
    const text = valueText(value)
    const number = whole(text, max)
    if (number === undefined)
      throw illegalArgument(`unable to convert [${text}] to ${name}`, notWhole(text, max))
    return Number.isSafeInteger(Number(number)) ? Number(number) : new JsonNumber(String(number))
  }
}

function notWhole(text: string, max: bigint): SearchError {
  const isTooLarge = /^[+-]?\d+$/.test(text) && max === maxInteger
  if (!isTooLarge) return numberFormat(text)
  return new SearchError('number_format_exception', `For input string: "${text}"`)
}

const decimal = /^[ \t\n\r]*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[fFdD]?[ \t\n\r]*$/

/** `Double.parseDouble` */
export function parseDouble(text: string): number | undefined {
  const trimmed = text.trim()
  if (/^[+-]?(?:NaN|Infinity)$/.test(trimmed)) return Number(trimmed.replace('+', ''))
  return decimal.test(text) ? Number(trimmed.replace(/[fFdD]$/, '')) : undefined
}

function decimalConvert(name: string, rounded: (value: number) => number): Convert {
  return (value) => {
    const text = valueText(value)
    const number = parseDouble(text)
    if (number === undefined)
      throw illegalArgument(`unable to convert [${text}] to ${name}`, numberFormat(text.trim()))
    return new JsonNumber(javaDouble(rounded(number)))
  }
}

function booleanConvert(value: unknown): boolean {
  const text = valueText(value)
  if (/^(?:true|false)$/i.test(text)) return text.toLowerCase() === 'true'
  throw illegalArgument(`[${text}] is not a boolean value, cannot convert to boolean`)
}

function ipConvert(value: unknown): unknown {
  const text = valueText(value)
  if (typeof value !== 'string' || isIP(text) === 0)
    throw illegalArgument(`[${text}] is not a valid ipv4/ipv6 address`)
  return value
}

const toInteger = wholeConvert('integer', maxInteger)
const toLong = wholeConvert('long', maxLong)
const toFloat = decimalConvert('float', (value) => shortestFloat(Math.fround(value)))
const toDouble = decimalConvert('double', (value) => value)

function autoConvert(value: unknown): unknown {
  if (typeof value !== 'string') return value
  for (const convert of [booleanConvert, toInteger, toLong, toFloat]) {
    try {
      const converted = convert(value)
      // A text that names no number stays what it is.
      return converted instanceof JsonNumber && !Number.isFinite(converted.value) ? value : converted
    } catch (error) {
      if (!(error instanceof SearchError)) throw error
    }
  }
  return value
}

const conversions: ReadonlyMap<string, Convert> = new Map([
  ['integer', toInteger],
  ['long', toLong],
  ['double', toDouble],
  ['float', toFloat],
  ['boolean', booleanConvert],
  ['string', valueText],
  ['ip', ipConvert],
  ['auto', autoConvert],
])

export const convert: ProcessorFactory = (config) => {
  const field = config.text('field')
  const type = config.text('type')
  const target = config.text('target_field', field)
  const change = conversions.get(type.toLowerCase())
  if (change === undefined) throw config.error('type', `type [${type}] not supported, cannot convert field.`)
  const ignoreMissing = config.flag('ignore_missing')
  return (document) => {
    const value = document.get(field, 'any', ignoreMissing)
    if (value === null) {
      if (ignoreMissing) return true
      throw illegalArgument(`Field [${field}] is null, cannot be converted to type [${type.toLowerCase()}]`)
    }
    document.set(target, Array.isArray(value) ? value.map(change) : change(value))
    return true
  }
}
