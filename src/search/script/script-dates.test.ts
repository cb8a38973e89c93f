import { describe, expect, it } from 'vitest'
import { compileScript, readScript } from './script.ts'
import { ScriptDate } from './script-dates.ts'
import { type ScriptValue, textOf } from './values.ts'

/** Friday. */
const moment = new ScriptDate(Date.UTC(2024, 0, 5, 22, 30, 15, 250))

function told(source: string, date: ScriptValue = moment): string {
  return textOf(compileScript(readScript(source), ['d'])(new Map([['d', date]])))
}

describe('a date of a script', () => {
  it.each([
    ['d', '2024-01-05T22:30:15.250Z'],
    ['d.millis', '1704493815250'],
    ['d.toInstant().toEpochMilli()', '1704493815250'],
    ['d.toEpochSecond()', '1704493815'],
    ['d.year + "-" + d.monthValue + "-" + d.dayOfMonth', '2024-1-5'],
    ['d.getMonth()', 'JANUARY'],
    ['d.getDayOfWeekEnum().getDisplayName(TextStyle.FULL, Locale.ROOT)', 'Friday'],
    ['d.dayOfWeek.getDisplayName(TextStyle.SHORT, Locale.ROOT)', 'Fri'],
    ['d.dayOfYear', '5'],
    ["d.withZoneSameInstant(ZoneId.of('Asia/Tokyo')).dayOfYear", '6'],
    ['d.hour * 60 + d.minute', '1350'],
    ['d.second + "." + d.nano', '15.250000000'],
    ['d.plusDays(27)', '2024-02-01T22:30:15.250Z'],
    ['d.plusDays(26).plusMonths(1)', '2024-02-29T22:30:15.250Z'],
    ['d.minusYears(1).getDayOfWeek()', 'THURSDAY'],
    ['d.isBefore(d.plusHours(1)) && d.isAfter(d.minusSeconds(1)) && d.isEqual(d)', 'true'],
    ['d == d.plusDays(1).minusDays(1)', 'true'],
    ['d.compareTo(d.plusWeeks(1))', '-1'],
    ["d.format(DateTimeFormatter.ofPattern('dd.MM.yyyy HH:mm'))", '05.01.2024 22:30'],
    ["d.withZoneSameInstant(ZoneId.of('Europe/Berlin')).getHour()", '23'],
    ["d.withZoneSameInstant(ZoneId.of('Asia/Tokyo')).getDayOfMonth()", '6'],
    [
      "ZonedDateTime.ofInstant(d.toInstant(), ZoneId.of('America/New_York'))",
      '2024-01-05T17:30:15.250-05:00[America/New_York]',
    ],
    ["d.withZoneSameInstant(ZoneId.of('+02:00')).format(DateTimeFormatter.ofPattern('HH:mm'))", '00:30'],
    ["ChronoUnit.HOURS.between(ZonedDateTime.parse('2024-01-05T20:00:00Z'), d)", '2'],
    ["ZonedDateTime.parse('2024-01-05T20:00:00Z')", '2024-01-05T20:00Z'],
    ['Instant.ofEpochMilli(0L)', '1970-01-01T00:00:00Z'],
  ])('%s', (source, expected) => {
    expect(told(source)).toBe(expected)
  })

  it('keeps nanoseconds', () => {
    const fine = ScriptDate.ofNanos(1_704_493_815_250_123_456n)
    expect(told('d', fine)).toBe('2024-01-05T22:30:15.250123456Z')
    expect(told('d.nano', fine)).toBe('250123456')
    expect(fine.json()).toBe('2024-01-05T22:30:15.250123456Z')
    expect(ScriptDate.ofNanos(-1n).millis).toBe(-1)
  })

  it.each([
    ["ZoneId.of('Nowhere/There')", 'Unknown time-zone ID: Nowhere/There'],
    ['d.isBefore(1)', 'Cannot cast from [java.lang.Integer] to [java.time.ZonedDateTime].'],
    ['d.plusYears(2000000000)', 'the date is out of range'],
    ['Instant.ofEpochMilli(9000000000000000L)', 'the date is out of range'],
    [
      "ZonedDateTime.parse('never')",
      'failed to parse date field [never] with format [strict_date_optional_time]',
    ],
    ['d.nothing()', 'dynamic method [java.time.ZonedDateTime, nothing/0] not found'],
  ])('%s fails', (source, reason) => {
    let cause: unknown
    try {
      told(source)
    } catch (error) {
      cause = (error as Error).cause
    }
    expect(cause).toMatchObject({ message: reason })
  })
})
