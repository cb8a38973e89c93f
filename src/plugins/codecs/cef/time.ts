/** Times in CEF messages: milliseconds since 1970, or `MMM dd[ yyyy] HH:mm:ss[.SSS][ zone]`. */
import { parseTimestamp } from '../../../event/parse-timestamp.ts'
import { Timestamp } from '../../../event/timestamp.ts'
import { shortMonthNames } from '../../../time/english-names.ts'
import { findZone, fixedZone, systemZone, utc, type Zone } from '../../../time/zone.ts'

const written =
  /^([A-Z][a-z]{2}) +(\d{1,2})(?: +(\d{4}))? +(\d{2}:\d{2}:\d{2})(\.\d{1,3})?(?: +([A-Za-z]\w*(?:\/\w+)*|[+-]\d{2}:?\d{2}))?$/

/** Undefined when the text is no time. Texts without a year are of the year that puts them nearest to now. */
export function readCefTime(text: string, zone: Zone, now: Timestamp): Timestamp | undefined {
  if (/^\d{1,13}$/.test(text)) return new Timestamp(Number(text))
  const found = written.exec(text)
  if (found === null) return parseTimestamp(text)
  const [, name = '', day = '', year, clock = '', fraction = '', ownZone] = found
  const month = shortMonthNames.indexOf(name)
  if (month < 0) return undefined
  const own = ownZone === undefined ? zone : zoneNamed(ownZone)
  if (own === undefined) return undefined
  const at = (y: number) => {
    const date = `${y}-${String(month + 1).padStart(2, '0')}-${day.padStart(2, '0')}`
    const local = Date.parse(`${date}T${clock}${fraction}Z`)
    return Number.isNaN(local) ? local : own.instantOf(local)
  }
  if (year !== undefined) return ofMillis(at(Number(year)))
  const current = new Date(now.millis).getUTCFullYear()
  const distance = (millis: number) => Math.abs(millis - now.millis)
  const nearest = [current - 1, current, current + 1].map(at).sort((a, b) => distance(a) - distance(b))
  return ofMillis(nearest[0]!)
}

function ofMillis(millis: number): Timestamp | undefined {
  return Number.isNaN(millis) ? undefined : new Timestamp(millis)
}

/** An offset (`+0200`, `+02:00`), `UTC`, or a name such as `Europe/Paris`; undefined for what is none. */
export function zoneNamed(name: string): Zone | undefined {
  if (/^(?:Z|UTC|GMT)$/.test(name)) return utc
  const offset = /^([+-])(\d{2}):?(\d{2})$/.exec(name.trim())
  if (offset === null) return findZone(name.trim())
  const minutes = Number(offset[2]) * 60 + Number(offset[3])
  return fixedZone(name, (offset[1] === '-' ? -minutes : minutes) * 60_000)
}

/** The zone of the option, that of the computer unless given. */
export function defaultZone(name: string | undefined): Zone {
  if (name === undefined) return systemZone()
  const zone = zoneNamed(name)
  if (zone === undefined) throw new Error(`The time zone ${name} is not known`)
  return zone
}
