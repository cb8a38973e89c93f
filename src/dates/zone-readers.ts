/**
 * Readers of time zones: an offset in any of its written forms, one of the few zone abbreviations that have
 * one meaning, or a zone id. Unlike names of months, zones are read in the case given.
 */
import { jodaZone, offsetIn } from './joda-zone.ts'
import { type LocalClock, localClock } from './local-clock.ts'
import type { Reader } from './reading.ts'

/** `Z`, `+01`, `+0100`, `+01:00`, `+01:00:00.000` …, whatever the count of pattern letters. */
export const zoneOffset: Reader = (text, at, reading) => {
  const code = text.charCodeAt(at)
  if (code === 90 || code === 122) {
    reading.offset = 0
    reading.hasOffset = true
    return at + 1
  }
  // The usual form in a glance: sign, four digits and the end of the text.
  if (text.length === at + 5) {
    const minutes = fourDigitOffset(text, at + 1)
    if (minutes >= 0 && (code === 43 || code === 45)) {
      reading.offset = (code === 45 ? -minutes : minutes) * 60_000
      reading.hasOffset = true
      return at + 5
    }
  }
  const found = offsetIn(text, at)
  if (found === undefined) return -1
  reading.offset = found.offset
  reading.hasOffset = true
  return found.end
}

/** Minutes of `hhmm`, or -1. */
function fourDigitOffset(text: string, at: number): number {
  const a = text.charCodeAt(at) - 48
  const b = text.charCodeAt(at + 1) - 48
  const c = text.charCodeAt(at + 2) - 48
  const d = text.charCodeAt(at + 3) - 48
  if (!(a >= 0 && a <= 2 && b >= 0 && b <= 9 && c >= 0 && c <= 5 && d >= 0 && d <= 9)) return -1
  const hours = a * 10 + b
  return hours > 23 ? -1 : hours * 60 + c * 10 + d
}

/** Summer and winter names mean the same zone: what holds on the day is taken. */
const abbreviations: readonly (readonly [name: string, zone: string])[] = [
  ['UTC', 'UTC'],
  ['UT', 'UTC'],
  ['GMT', 'UTC'],
  ['EST', 'America/New_York'],
  ['EDT', 'America/New_York'],
  ['CST', 'America/Chicago'],
  ['CDT', 'America/Chicago'],
  ['MST', 'America/Denver'],
  ['MDT', 'America/Denver'],
  ['PST', 'America/Los_Angeles'],
  ['PDT', 'America/Los_Angeles'],
]

export const zoneAbbreviation: Reader = (text, at, reading) => {
  for (const [name, zone] of abbreviations) {
    if (!text.startsWith(name, at)) continue
    reading.clock = clockOf(zone)
    return at + name.length
  }
  return -1
}

const idCharacters = /[\w/+~-]{1,40}/y

/** First parts of ids with a slash; other words are not looked up, as looking up is slow. */
const region =
  /^(?:Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Brazil|Canada|Chile|Etc|Europe|Indian|Mexico|Pacific|US)\//

/** The longest zone id that stands there. */
export const zoneId: Reader = (text, at, reading) => {
  idCharacters.lastIndex = at
  const candidate = idCharacters.exec(text)?.[0] ?? ''
  if (candidate.includes('/') && !region.test(candidate)) return -1
  for (let length = candidate.length; length > 1; length--) {
    const clock = clockOf(candidate.slice(0, length))
    if (clock === undefined) continue
    reading.clock = clock
    return at + length
  }
  return -1
}

const clocks = new Map<string, LocalClock | undefined>()
const clocksLimit = 1000

function clockOf(id: string): LocalClock | undefined {
  if (clocks.has(id)) return clocks.get(id)
  const zone = id.startsWith('+') || id.startsWith('-') ? undefined : jodaZone(id)
  const clock = zone === undefined ? undefined : localClock(zone)
  if (clocks.size >= clocksLimit) clocks.clear()
  clocks.set(id, clock)
  return clock
}
