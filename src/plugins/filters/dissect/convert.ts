/**
 * Data types of dissected fields. A value that is missing or cannot be converted stays, and the event is
 * tagged with the field and the type.
 */
import type { Event } from '../../../event/event.ts'
import { float, integer, LsFloat, type Value } from '../../../event/value.ts'
import type { Compile } from '../../../plugin/compile.ts'
import type { HashValue, PluginLogger } from '../../../plugin/define.ts'
import { decimalToInteger, textToFloat } from '../../ruby-values/number.ts'
import { rubyText } from '../../ruby-values/text.ts'

export function compileConversions(
  given: HashValue,
  compile: Compile,
  logger: PluginLogger,
): ((event: Event) => void)[] {
  return [...given].map(([field, type]) => {
    const kind = rubyText(type)
    const convert = kind === 'int' ? toInteger : kind === 'float' ? toFloat : undefined
    const get = compile.get(field)
    const set = compile.set(field)
    return (event) => {
      const value = get(event)
      if (convert === undefined) {
        logger.warn('Dissector datatype conversion, datatype not supported', { key: field, datatype: kind })
        event.tag(`_dataconversionmissing_${field}_${kind}`)
      } else if (value === undefined || value === null) {
        logger.warn('Dissector datatype conversion, value is null', { key: field, datatype: kind })
        event.tag(`_dataconversionnullvalue_${field}_${kind}`)
      } else {
        try {
          set(event, convert(value))
        } catch {
          logger.warn('Dissector datatype conversion, value cannot be coerced', { key: field, value })
          event.tag(`_dataconversionuncoercible_${field}_${kind}`)
        }
      }
    }
  })
}

function toInteger(value: Value): Value {
  if (typeof value === 'string') return decimalToInteger(value)
  if (typeof value === 'bigint') return value
  const number = value instanceof LsFloat ? value.value : value
  if (typeof number === 'number' && Number.isFinite(number)) return integer(BigInt(Math.trunc(number)))
  throw new TypeError('no number')
}

function toFloat(value: Value): Value {
  if (typeof value === 'string') return textToFloat(value)
  if (typeof value === 'number' || typeof value === 'bigint') return float(Number(value))
  if (value instanceof LsFloat) return value
  throw new TypeError('no number')
}
