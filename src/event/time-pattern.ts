/**
 * What the two date pattern languages share: a pattern is a list of parts, each with the span of time
 * during which its text cannot change. Runs of parts are joined and their text is kept for that span,
 * so an index name such as `logs-%{+YYYY.MM.dd}` is computed once per day.
 */

import { dayMillis } from '../time/calendar.ts'
import type { Timestamp } from './timestamp.ts'
import { type UtcTime, utcTime } from './utc-time.ts'

export type TimeFormat = (time: Timestamp) => string

/** Milliseconds during which the text of a part stays the same; 0 for parts finer than a millisecond. */
export const span = { day: dayMillis, hour: 3_600_000, minute: 60_000, second: 1000, millisecond: 1, none: 0 }

export interface TimePart {
  span: number
  text(time: UtcTime): string
}

export function literalPart(text: string): TimePart {
  return { span: span.day, text: () => text }
}

export function joinParts(parts: readonly TimePart[]): TimeFormat {
  const runs: TimeFormat[] = []
  let from = 0
  for (let to = 1; to <= parts.length; to++) {
    const next = parts[to]
    if (next !== undefined && isKept(next) === isKept(parts[from]!)) continue
    runs.push(run(parts.slice(from, to)))
    from = to
  }
  if (runs.length === 1) return runs[0]!
  return (time) => {
    let text = ''
    for (const part of runs) text += part(time)
    return text
  }
}

function isKept(part: TimePart): boolean {
  return part.span >= span.second
}

function run(parts: readonly TimePart[]): TimeFormat {
  const shortest = Math.min(...parts.map((part) => part.span))
  if (shortest === span.none) return (time) => joined(parts, utcTime(time))
  let keptFor = Number.NaN
  let kept = ''
  return (time) => {
    const tick = Math.floor(time.millis / shortest)
    if (tick !== keptFor) {
      kept = joined(parts, utcTime(time))
      keptFor = tick
    }
    return kept
  }
}

function joined(parts: readonly TimePart[], time: UtcTime): string {
  let text = ''
  for (const part of parts) text += part.text(time)
  return text
}

export function isLetter(character: string): boolean {
  return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z')
}

/** Where the run of one letter that begins at `from` ends. */
export function endOfRun(pattern: string, from: number): number {
  let end = from + 1
  while (end < pattern.length && pattern[end] === pattern[from]) end++
  return end
}

/** Digits with zeros in front up to a width; the sign of a negative number does not count. */
export function padded(value: number, width: number): string {
  return value < 0 ? `-${String(-value).padStart(width, '0')}` : String(value).padStart(width, '0')
}
