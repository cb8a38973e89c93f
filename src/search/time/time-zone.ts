/** Time zones of requests, by the rules of java.time: `UTC`, `+01:00`, `Europe/Paris`. */
import { fixedZone, regionZone, type Zone } from '../../time/zone.ts'

export type TimeZone = Zone

export function fixedOffset(offset: number, id = offsetText(offset, true)): TimeZone {
  return fixedZone(id, offset)
}

export const utc: TimeZone = fixedOffset(0, 'Z')

/** `Z`, `+01:00`, `-03:30:12`; without colons `+0100`. */
export function offsetText(offset: number, colons: boolean, zero = 'Z'): string {
  if (offset === 0) return zero
  const seconds = Math.abs(offset) / 1000
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  if (seconds % 60 !== 0) parts.push(seconds % 60)
  return (offset < 0 ? '-' : '+') + parts.map((part) => String(part).padStart(2, '0')).join(colons ? ':' : '')
}

/** Regions without a slash in their name; Intl knows abbreviations that Java does not accept. */
const plainRegions = new Set(
  (
    'CET CST6CDT Cuba EET EST5EDT Egypt Eire GB GB-Eire GMT0 Greenwich Hongkong Iceland Iran Israel Jamaica ' +
    'Japan Kwajalein Libya MET MST7MDT NZ NZ-CHAT Navajo PRC PST8PDT Poland Portugal ROK Singapore Turkey UCT ' +
    'Universal W-SU WET Zulu'
  ).split(' '),
)

const offsetForm = /^([+-])(\d{1,2})(?::?(\d\d)(?::?(\d\d))?)?$/
const maxZones = 1000
const known = new Map<string, TimeZone | undefined>()

/** Returns undefined when there is no such zone. */
export function findTimeZone(id: string): TimeZone | undefined {
  if (known.has(id)) return known.get(id)
  const zone = openZone(id)
  if (known.size >= maxZones) known.clear()
  known.set(id, zone)
  return zone
}

function openZone(id: string): TimeZone | undefined {
  if (id === 'Z') return utc
  if (id === 'UTC' || id === 'GMT' || id === 'UT') return fixedOffset(0, id)
  const offset = readOffset(id.replace(/^(?:UTC|GMT|UT)(?=[+-])/, ''))
  if (offset !== undefined) return fixedOffset(offset)
  if (!/^[A-Za-z][\w~./+-]{1,63}$/.test(id) || !(id.includes('/') || plainRegions.has(id))) return undefined
  return regionZone(id)
}

function readOffset(text: string): number | undefined {
  const match = offsetForm.exec(text)
  if (match === null) return undefined
  const [, sign, hours = '0', minutes = '0', seconds = '0'] = match
  if (Number(minutes) > 59 || Number(seconds) > 59) return undefined
  const total = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000
  if (total > 18 * 3_600_000) return undefined
  return sign === '-' && total !== 0 ? -total : total
}
