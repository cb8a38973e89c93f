/**
 * A fast path for `2024-01-02T03:04:05.678Z` in UTC with any number of decimals, which nearly every log event has.
 * All other texts, also wrong ones, return NaN and go through `date-format.ts`.
 */
import { dayMillis, dayOfDate, lengthOfMonth } from '../../time/calendar.ts'

let keptMonth = Number.NaN
let keptStart = 0

export function readUsualIso(text: string): number {
  const { length } = text
  if (length < 20 || length > 30 || text.charCodeAt(length - 1) !== 90 || text.charCodeAt(10) !== 84) {
    return Number.NaN
  }
  if (text.charCodeAt(4) !== 45 || text.charCodeAt(7) !== 45) return Number.NaN
  if (text.charCodeAt(13) !== 58 || text.charCodeAt(16) !== 58) return Number.NaN
  const year = pair(text, 0) * 100 + pair(text, 2)
  const month = pair(text, 5)
  const day = pair(text, 8)
  const hour = pair(text, 11)
  const minute = pair(text, 14)
  const second = pair(text, 17)
  if (!(month >= 1 && month <= 12 && day >= 1 && hour <= 23 && minute <= 59 && second <= 59))
    return Number.NaN
  const millis = fractionMillis(text, length - 1)
  const monthNumber = year * 12 + month
  if (!(day <= 28 || day <= lengthOfMonth(year, month))) return Number.NaN
  if (monthNumber !== keptMonth) {
    keptStart = dayOfDate(year, month, 1)
    // NaN never equals itself, so an invalid year is not cached.
    keptMonth = monthNumber
  }
  return (keptStart + day - 1) * dayMillis + hour * 3_600_000 + minute * 60_000 + second * 1000 + millis
}

function pair(text: string, at: number): number {
  const tens = text.charCodeAt(at) - 48
  const ones = text.charCodeAt(at + 1) - 48
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN
}

/** Decimals beyond the third are cut off. */
function fractionMillis(text: string, end: number): number {
  if (end === 19) return 0
  if (text.charCodeAt(19) !== 46 || end < 21) return Number.NaN
  let millis = 0
  let unit = 100
  for (let at = 20; at < end; at++) {
    const digit = text.charCodeAt(at) - 48
    if (digit < 0 || digit > 9) return Number.NaN
    millis += digit * unit
    unit = unit === 100 ? 10 : unit === 10 ? 1 : 0
  }
  return millis
}
