/** Times in CEF messages: milliseconds since 1970, or `MMM dd[ yyyy] HH:mm:ss[.SSS][ zone]`. */
import { parseTimestamp } from '../../../event/parse-timestamp.ts'
import { Timestamp } from '../../../event/timestamp.ts'

const written =
  /^([A-Z][a-z]{2}) +(\d{1,2})(?: +(\d{4}))? +(\d{2}:\d{2}:\d{2})(\.\d{1,3})?(?: +(UTC|GMT|Z|[+-]\d{2}:?\d{2}))?$/
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** Undefined when the text is no time. Texts without a year are of the year that puts them nearest to now. */
export function readCefTime(text: string, zone: string, now: Timestamp): Timestamp | undefined {
  if (/^\d{1,13}$/.test(text)) return new Timestamp(Number(text))
  const found = written.exec(text)
  if (found === null) return parseTimestamp(text)
  const [, name = '', day = '', year, clock = '', fraction = '', ownZone] = found
  const month = months.indexOf(name)
  if (month < 0) return undefined
  const at = (y: number) =>
    Date.parse(
      `${y}-${String(month + 1).padStart(2, '0')}-${day.padStart(2, '0')}T${clock}${fraction}${offset(ownZone ?? zone)}`,
    )
  if (year !== undefined) return ofMillis(at(Number(year)))
  const current = new Date(now.millis).getUTCFullYear()
  const distance = (millis: number) => Math.abs(millis - now.millis)
  const nearest = [current - 1, current, current + 1].map(at).sort((a, b) => distance(a) - distance(b))
  return ofMillis(nearest[0]!)
}

function ofMillis(millis: number): Timestamp | undefined {
  return Number.isNaN(millis) ? undefined : new Timestamp(millis)
}

function offset(zone: string): string {
  if (/^[+-]\d{4}$/.test(zone)) return `${zone.slice(0, 3)}:${zone.slice(3)}`
  return /^[+-]\d{2}:\d{2}$/.test(zone) ? zone : 'Z'
}
