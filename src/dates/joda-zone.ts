/**
 * Time zones by the ids Joda-Time knows: those of the IANA database, in their own case, and offsets such as
 * `+02:00`. Abbreviations like PST are no ids; EST, MST and HST are, and mean fixed offsets.
 */
import { findZone, fixedZone, utc, type Zone } from '../time/zone.ts'
import { endOfDigits, numberIn } from './number-readers.ts'

const hour = 3_600_000

const further: ReadonlyMap<string, Zone> = new Map([
  ['UTC', utc],
  ['EST', fixedZone('EST', -5 * hour)],
  ['MST', fixedZone('MST', -7 * hour)],
  ['HST', fixedZone('HST', -10 * hour)],
  ['GMT+0', utc],
  ['GMT-0', utc],
])

export function jodaZone(id: string): Zone | undefined {
  const known = further.get(id)
  if (known !== undefined) return known
  if (id.startsWith('+') || id.startsWith('-')) {
    const found = offsetIn(id, 0)
    return found?.end === id.length ? fixedZone(id, found.offset) : undefined
  }
  return /^[A-Z]/.test(id) ? findZone(id) : undefined
}

/**
 * An offset with its sign: `hh`, `hhmm`, `hhmmss`, `hhmmssSSS`, `hh:mm`, `hh:mm:ss`, `hh:mm:ss.SSS`. Two
 * digits each; what follows a complete part without fitting is left for others to read.
 */
export function offsetIn(text: string, at: number): { offset: number; end: number } | undefined {
  const sign = text.charCodeAt(at)
  if (sign !== 43 && sign !== 45) return undefined
  const parts = unsignedOffset(text, at + 1)
  if (parts === undefined) return undefined
  return sign === 45 ? { offset: -parts.offset, end: parts.end } : parts
}

function unsignedOffset(text: string, at: number): { offset: number; end: number } | undefined {
  if (endOfDigits(text, at, at + 2) < at + 2) return undefined
  const hours = numberIn(text, at, at + 2)
  if (hours > 23) return undefined
  let offset = hours * hour
  let end = at + 2
  const separated = text[end] === ':'
  for (const unit of [60_000, 1000]) {
    if (separated && text[end] !== ':') return { offset, end }
    const from = separated ? end + 1 : end
    const count = endOfDigits(text, from, from + 2) - from
    if (count === 0 && !separated) return { offset, end }
    if (count < 2) return undefined
    const value = numberIn(text, from, from + 2)
    if (value > 59) return undefined
    offset += value * unit
    end = from + 2
  }
  if (separated && text[end] !== '.' && text[end] !== ',') return { offset, end }
  const from = separated ? end + 1 : end
  const to = endOfDigits(text, from, from + 3)
  if (to === from) return separated ? undefined : { offset, end }
  return { offset: offset + numberIn(text, from, to) * 10 ** (3 - (to - from)), end: to }
}
