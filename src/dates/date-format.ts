/**
 * One format of the date filter: a name (ISO8601, UNIX, UNIX_MS, TAI64N) or a Joda-Time pattern, compiled
 * once and then asked for each value.
 */
import type { Value } from '../event/value.ts'
import { tai64n, unixMillis, unixSeconds } from './epoch-parsers.ts'
import { isoParser } from './iso-parser.ts'
import { compileJodaParser, type ParserSettings, type TextParser } from './joda-parser.ts'
import type { LocalClock } from './local-clock.ts'

/**
 * The instant in milliseconds, or NaN when the value does not fit. `clock` is that of the zone for texts that
 * name none; without one no text fits, not even one that does.
 */
export type DateFormat = (value: Value, clock: LocalClock | undefined) => number

/** Throws with the sentence of Joda-Time when the format is no pattern. */
export function compileDateFormat(format: string, settings: ParserSettings): DateFormat {
  switch (format) {
    case 'ISO8601':
      return ofText(isoParser())
    case 'UNIX':
      return unixSeconds
    case 'UNIX_MS':
      return unixMillis
    case 'TAI64N':
      return tai64n
    default:
      return ofText(compileJodaParser(format, settings))
  }
}

function ofText(parse: TextParser): DateFormat {
  return (value, clock) =>
    typeof value === 'string' && clock !== undefined ? parse(value, clock) : Number.NaN
}
