/**
 * `2024-01-02T03:04:05` in full width, the form nearly every log line has. Each reader of times has this fast path in
 * front of its own grammar, and looks itself at the separator and at what follows the seconds.
 */
import { dayOfDate, lengthOfMonth } from './calendar.ts'

const daySeconds = 86_400

let cachedMonth = Number.NaN
let cachedStart = 0

/**
 * Reads the first nineteen characters, of which the eleventh may be any, as a time in UTC: seconds since 1970, NaN for
 * every other form and for dates and times that do not exist. Seconds are small integers, which V8 need not allocate.
 */
export function readIsoDateTime(text: string): number {
  if (text.charCodeAt(4) !== 45 || text.charCodeAt(7) !== 45) return Number.NaN
  if (text.charCodeAt(13) !== 58 || text.charCodeAt(16) !== 58) return Number.NaN
  const year = pair(text, 0) * 100 + pair(text, 2)
  const month = pair(text, 5)
  const day = pair(text, 8)
  const hour = pair(text, 11)
  const minute = pair(text, 14)
  const second = pair(text, 17)
  // A pair that is not two digits is NaN and fails these comparisons.
  if (!(month >= 1 && month <= 12 && day >= 1 && hour <= 23 && minute <= 59 && second <= 59))
    return Number.NaN
  if (!(day <= 28 || day <= lengthOfMonth(year, month))) return Number.NaN
  const monthNumber = year * 12 + month
  if (monthNumber !== cachedMonth) {
    cachedStart = dayOfDate(year, month, 1)
    // NaN never equals itself, so an invalid year is not cached.
    cachedMonth = monthNumber
  }
  return (cachedStart + day - 1) * daySeconds + hour * 3600 + minute * 60 + second
}

/** Two digits, or NaN. */
function pair(text: string, at: number): number {
  const tens = text.charCodeAt(at) - 48
  const ones = text.charCodeAt(at + 1) - 48
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN
}
