/**
 * A fast path for `2024-01-02T03:04:05.678Z` in UTC with any number of decimals, which nearly every log event has.
 * All other texts, also wrong ones, return NaN and go through `date-format.ts`.
 */
import { readIsoDateTime } from '../../time/iso-date-time.ts'

export function readUsualIso(text: string): number {
  const { length } = text
  if (length < 20 || length > 30 || text.charCodeAt(length - 1) !== 90 || text.charCodeAt(10) !== 84) {
    return Number.NaN
  }
  return readIsoDateTime(text) * 1000 + fractionMillis(text, length - 1)
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
