/** Texts that databases send for columns, as values of events. Times without a zone are those of `zone`. */
import { parseTimestamp } from '../../event/parse-timestamp.ts'
import { Timestamp } from '../../event/timestamp.ts'
import { float, integer, type Value } from '../../event/value.ts'
import { utcMillis } from '../../time/utc-millis.ts'
import type { Zone } from '../../time/zone.ts'

export type ColumnKind = 'text' | 'integer' | 'float' | 'boolean' | 'time' | 'bytes'

export function columnValue(text: string, kind: ColumnKind, zone: Zone): Value {
  switch (kind) {
    case 'integer':
      return /^[+-]?\d+$/.test(text) ? integer(BigInt(text)) : text
    case 'float':
      return Number.isNaN(Number(text)) && text !== 'NaN' ? text : float(Number(text))
    case 'boolean':
      return /^(t|true|1)$/i.test(text)
    case 'time':
      return timeValue(text, zone)
    default:
      return text
  }
}

/** `2024-05-06 07:08:09.123456+02`, `2024-05-06`; what is none, such as `infinity`, stays text. */
function timeValue(text: string, zone: Zone): Value {
  const match =
    /^(\d{4,})-(\d\d)-(\d\d)(?:[ T](\d\d):(\d\d):(\d\d)(?:\.(\d+))?)?\s*(Z|[+-]\d\d(?::?\d\d)?(?::\d\d)?)?$/.exec(
      text,
    )
  if (match === null) return text
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '', offset] = match
  if (offset !== undefined) {
    const normal = /^[+-]\d\d$/.test(offset) ? `${offset}:00` : offset
    const zoned = `${year}-${month}-${day}T${hour}:${minute}:${second}${fraction === '' ? '' : `.${fraction}`}${normal}`
    return parseTimestamp(zoned) ?? text
  }
  const local = utcMillis(year, month, day, hour, minute, second)
  const nanos = Number(fraction.padEnd(9, '0').slice(0, 9))
  return new Timestamp(zone.instantOf(local) + Math.floor(nanos / 1e6), nanos % 1e6)
}
