/**
 * The convert operation of mutate: types of values, strict as since Logstash 8.14. A text that is no
 * number raises, which tags the event; only `boolean` leaves what it does not understand.
 */
import { Timestamp } from '../../../event/timestamp.ts'
import { float, integer, isFields, LsFloat, type Value } from '../../../event/value.ts'
import { inspect } from '../../../log/ruby-inspect.ts'
import type { HashValue } from '../../../plugin/define.ts'
import {
  decimalToInteger,
  hexToDouble,
  hexToInteger,
  isHex,
  shortInteger,
  textToFloat,
} from '../../ruby-values/number.ts'
import { rubyClass, rubyStrip, rubyText } from '../../ruby-values/text.ts'
import { refuseToRegister, type Step, type Tools } from './step.ts'

type Converter = (value: Value) => Value

export function convert(fields: HashValue, tools: Tools): Step[] {
  const { logger } = tools
  // A list of an event may hold any number of items: the first that fails has its line, the others have one together.
  let failures = 0
  const failed = (text: string) => {
    failures += 1
    if (failures === 1) logger.warn(`Failed to convert ${text} into boolean.`)
  }
  const converters: ReadonlyMap<Value, Converter> = new Map<Value, Converter>([
    ['string', rubyText],
    ['integer', toInteger],
    ['float', toFloat],
    ['boolean', (value) => toBoolean(value, failed)],
    ['integer_eu', (value) => toInteger(swapSeparators(value))],
    ['float_eu', (value) => toFloat(swapSeparators(value))],
  ])
  return [...fields].map(([name, type]) => {
    const converter = converters.get(type) ?? refuseType(type, [...converters.keys()])
    const get = tools.get(name)
    const set = tools.set(name)
    return (event) => {
      const value = get(event)
      if (value === undefined || value === null) return
      failures = 0
      if (Array.isArray(value))
        set(
          event,
          value.map((item) => (item === null ? item : converter(item))),
        )
      else if (!isFields(value)) set(event, converter(value))
      if (failures > 1) logger.warn(`Failed to convert ${failures - 1} more items of the list into boolean.`)
    }
  })
}

function refuseType(type: Value, known: readonly Value[]): never {
  const given = typeof type === 'string' ? type : inspect(type)
  refuseToRegister(`Invalid conversion type '${given}', expected one of '${known.join(',')}'`)
}

/** `1.234,56` to `1,234.56`; everything but text stays. */
function swapSeparators(value: Value): Value {
  if (typeof value !== 'string') return value
  return value.replace(/[.,]/g, (separator) => (separator === '.' ? ',' : '.'))
}

function digitsOf(text: string): string {
  const stripped = rubyStrip(text)
  return stripped.includes(',') ? stripped.replaceAll(',', '') : stripped
}

function toInteger(value: Value): Value {
  if (typeof value === 'string') return shortInteger(value) ?? integerOfText(digitsOf(value))
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value === 'bigint') return value
  if (typeof value === 'number') return Number.isInteger(value) ? value : integerOfFloat(value)
  if (value instanceof LsFloat) return integerOfFloat(value.value)
  if (value instanceof Timestamp) return Math.floor(value.millis / 1000)
  throw new TypeError(`can't convert ${rubyClass(value)} into Integer`)
}

/** A hexadecimal text with a point is a hexadecimal float. */
function integerOfText(text: string): number | bigint {
  if (!isHex(text)) return decimalToInteger(text)
  return text.includes('.') ? integerOfFloat(hexToDouble(text)) : hexToInteger(text)
}

function integerOfFloat(value: number): number | bigint {
  if (!Number.isFinite(value)) throw new RangeError(String(value))
  return integer(BigInt(Math.trunc(value)))
}

function toFloat(value: Value): Value {
  if (typeof value === 'string') return textToFloat(digitsOf(value))
  if (typeof value === 'boolean') return float(value ? 1 : 0)
  if (typeof value === 'number') return float(value)
  if (typeof value === 'bigint') return float(Number(value))
  if (value instanceof LsFloat) return value
  if (value instanceof Timestamp) return float(value.millis / 1000 + value.nanos / 1e9)
  throw new TypeError(`can't convert ${rubyClass(value)} into Float`)
}

// Lines, not texts, and any character between the digits of 1.0: the expressions of Logstash read so.
const yes = /(?<![^\n])(?:true|t|yes|y|1|1[^\n]0)(?![^\n])/iu
const no = /(?<![^\n])(?:false|f|no|n|0|0[^\n]0)(?![^\n])/iu

function toBoolean(value: Value, failed: (text: string) => void): Value {
  if (typeof value === 'boolean') return value
  const text = rubyText(value)
  if (yes.test(text)) return true
  if (text === '' || no.test(text)) return false
  failed(text)
  return value
}
