/** The formats `epoch_millis` and `epoch_second`: a count since 1970, with decimals down to nanoseconds. */
import { maxDateMillis } from '../../time/calendar.ts'
import type { Moment } from './date-fields.ts'
import type { TimeZone } from './time-zone.ts'

const decimal = /^(-?)(\d{1,16})(?:\.(\d{1,9}))?$/

interface EpochFormat {
  /** A zone that is given is that of the count, as if it were a local time. */
  read(text: string, roundUp: boolean, zone?: TimeZone): Moment | undefined
  write(moment: Moment): string
}

/** `digits` decimals of the unit make a millisecond: 3 for seconds, 0 for milliseconds. */
function epochFormat(digits: number): EpochFormat {
  const unit = 10 ** digits
  const count = (text: string, roundUp: boolean): Moment | undefined => {
    const match = decimal.exec(text)
    if (match === null) return undefined
    const [, sign, whole = '', part] = match
    // When rounding up, a count without decimals means its last nanosecond.
    const filled = (part ?? '').padEnd(digits + 6, roundUp && part === undefined ? '9' : '0')
    const millis = Number(whole) * unit + Number(filled.slice(0, digits) || '0')
    const nanos = Number(filled.slice(digits, digits + 6))
    if (millis > maxDateMillis) return undefined
    if (sign === '') return { millis, nanos }
    if (part === undefined && roundUp) return { millis: -Number(whole) * unit + unit - 1, nanos }
    return nanos === 0 ? { millis: -millis || 0, nanos } : { millis: -millis - 1, nanos: 1e6 - nanos }
  }
  return {
    read(text, roundUp, zone) {
      const moment = count(text, roundUp)
      if (moment === undefined || zone === undefined || zone.fixed === 0) return moment
      return { ...moment, millis: zone.instantOf(moment.millis) }
    },
    write({ millis, nanos }) {
      const negative = millis < 0
      const total = BigInt(millis) * 1_000_000n + BigInt(nanos)
      const text = String(negative ? -total : total).padStart(digits + 7, '0')
      const point = text.length - digits - 6
      const decimals = text.slice(point).replace(/0+$/, '')
      return `${negative ? '-' : ''}${text.slice(0, point)}${decimals === '' ? '' : `.${decimals}`}`
    },
  }
}

export const epochMillis = epochFormat(0)
export const epochSecond = epochFormat(3)
