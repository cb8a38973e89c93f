/** Texts of each format with the moment they mean, computed by hand or printed by java.time. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileDateFormat, DateFormatError, defaultDateFormat } from './date-format.ts'
import { findTimeZone, utc } from './time-zone.ts'

function at(year: number, month = 1, day = 1, hour = 0, minute = 0, second = 0, milli = 0): number {
  return Date.UTC(year, month - 1, day, hour, minute, second, milli)
}

const moment = at(2024, 1, 2, 3, 4, 5, 678)
const second = at(2024, 1, 2, 3, 4, 5)

describe('the default format', () => {
  const format = compileDateFormat(defaultDateFormat)
  it.each([
    ['2024', at(2024)],
    ['2024-03', at(2024, 3)],
    ['2024-03-04', at(2024, 3, 4)],
    ['2024-03-04T', at(2024, 3, 4)],
    ['2024-03-04T05', at(2024, 3, 4, 5)],
    ['2024-03-04T05Z', at(2024, 3, 4, 5)],
    ['2024-03-04T05:06', at(2024, 3, 4, 5, 6)],
    ['2024-03-04T05:06:07', at(2024, 3, 4, 5, 6, 7)],
    ['2024-03-04T05:06:07.8', at(2024, 3, 4, 5, 6, 7, 800)],
    ['2024-03-04T05:06:07,891', at(2024, 3, 4, 5, 6, 7, 891)],
    ['2024-03-04T05:06:07.123456789Z', at(2024, 3, 4, 5, 6, 7, 123)],
    ['2024-03-04T05:06:07+01:00', at(2024, 3, 4, 4, 6, 7)],
    ['2024-03-04T05:06:07-0230', at(2024, 3, 4, 7, 36, 7)],
    ['2024-03-04T05:06:07.000+01', at(2024, 3, 4, 4, 6, 7)],
    ['2024-07-04T05:06:07Europe/Paris', at(2024, 7, 4, 3, 6, 7)],
    ['2024-02-29T00:00:00.000Z', at(2024, 2, 29)],
    ['0001-01-01T00:00:00Z', Date.parse('0001-01-01T00:00:00Z')],
    ['1704164645678', moment],
    ['-1', -1],
    ['20240304', 20_240_304],
  ])('parses %s', (text, expected) => {
    expect(format.parse(text)).toBe(expected)
  })

  it.each(['', 'abc', '2024-1-1', '2024-13-01', '2023-02-29', '2023-02-29T00:00:00Z', '2024-01-01 10:00:00'])(
    'refuses %s',
    (text) => {
      expect(format.tryParse(text)).toBeNaN()
    },
  )

  it('explains the failure', () => {
    expect(() => format.parse('abc')).toThrow(
      'failed to parse date field [abc] with format [strict_date_optional_time||epoch_millis]',
    )
    expect(() => format.parse('')).toThrow('cannot parse empty datetime')
  })

  it('rounds up the time of day only', () => {
    const up = (text: string): number => format.parse(text, { roundUp: true })
    expect(up('2024')).toBe(at(2024, 1, 1, 23, 59, 59, 999))
    expect(up('2024-02')).toBe(at(2024, 2, 1, 23, 59, 59, 999))
    expect(up('2024-02-03')).toBe(at(2024, 2, 3, 23, 59, 59, 999))
    expect(up('2024-02-03T04')).toBe(at(2024, 2, 3, 4, 59, 59, 999))
    expect(up('2024-02-03T04:05Z')).toBe(at(2024, 2, 3, 4, 5, 59, 999))
    expect(up('2024-02-03T04:05:06Z')).toBe(at(2024, 2, 3, 4, 5, 6, 999))
    expect(up('2024-02-03T04:05:06.1Z')).toBe(at(2024, 2, 3, 4, 5, 6, 100))
    expect(up('1704164645678')).toBe(moment)
  })

  it('parses texts without a zone in the given zone', () => {
    const zone = findTimeZone('America/New_York')!
    expect(format.parse('2024-07-01', { zone })).toBe(at(2024, 7, 1, 4))
    expect(format.parse('2024-07-01T00:00:00Z', { zone })).toBe(at(2024, 7, 1))
    // A count since 1970 is read as a local time too.
    expect(format.parse('1704164645678', { zone })).toBe(moment + 5 * 3_600_000)
    expect(format.parse('2024-03-10T02:30', { zone })).toBe(at(2024, 3, 10, 7, 30))
    expect(format.parse('2024-11-03T01:30', { zone })).toBe(at(2024, 11, 3, 5, 30))
  })

  it('prints milliseconds and offset', () => {
    expect(format.format(moment)).toBe('2024-01-02T03:04:05.678Z')
    expect(format.format(at(2024))).toBe('2024-01-01T00:00:00.000Z')
    expect(format.format(moment, findTimeZone('+05:30')!)).toBe('2024-01-02T08:34:05.678+05:30')
    expect(format.format(moment, findTimeZone('America/New_York')!)).toBe('2024-01-01T22:04:05.678-05:00')
    expect(format.format(at(12_024))).toBe('+12024-01-01T00:00:00.000Z')
    expect(format.format(Date.parse('-000001-01-01T00:00:00Z'))).toBe('-0001-01-01T00:00:00.000Z')
  })

  it('keeps nanoseconds', () => {
    const nanos = compileDateFormat('strict_date_optional_time_nanos')
    const count = nanos.parseNanos('2024-01-02T03:04:05.123456789Z')
    expect(count).toBe(BigInt(second) * 1_000_000n + 123_456_789n)
    expect(nanos.formatNanos(count)).toBe('2024-01-02T03:04:05.123456789Z')
    expect(nanos.formatNanos(count - 456_789n)).toBe('2024-01-02T03:04:05.123Z')
    expect(nanos.formatNanos(-1n)).toBe('1969-12-31T23:59:59.999999999Z')
    expect(nanos.parseNanos('1969-12-31T23:59:59.999999999Z')).toBe(-1n)
  })

  it('parses what it prints', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -62_167_219_200_000, max: 253_402_300_799_999 }),
        fc.constantFrom('Z', '+05:30', '-03:00', 'Europe/Paris', 'Australia/Lord_Howe'),
        (millis, id) => {
          // Local mean times have seconds in their offset; since 1970 zones are as now.
          const zone = millis > 0 || id.length < 7 ? findTimeZone(id)! : utc
          expect(format.parse(format.format(millis, zone))).toBe(millis)
        },
      ),
    )
  })

  it("agrees with JavaScript's Date", () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date(at(1000)), max: new Date(at(9000)), noInvalidDate: true }),
        (date) => {
          expect(format.parse(date.toISOString())).toBe(date.getTime())
          expect(format.parse(date.toISOString().replace('Z', '+00:00'))).toBe(date.getTime())
        },
      ),
    )
  })
})

describe('built-in formats', () => {
  it.each([
    ['basic_date', '20240102', at(2024, 1, 2)],
    ['basic_date_time', '20240102T030405.678Z', moment],
    ['basic_date_time_no_millis', '20240102T030405Z', second],
    ['basic_ordinal_date', '2024002', at(2024, 1, 2)],
    ['basic_ordinal_date_time', '2024002T030405.678Z', moment],
    ['basic_ordinal_date_time_no_millis', '2024002T030405Z', second],
    ['basic_time', '030405.678Z', at(1970, 1, 1, 3, 4, 5, 678)],
    ['basic_time_no_millis', '030405Z', at(1970, 1, 1, 3, 4, 5)],
    ['basic_t_time', 'T030405.678Z', at(1970, 1, 1, 3, 4, 5, 678)],
    ['basic_t_time_no_millis', 'T030405Z', at(1970, 1, 1, 3, 4, 5)],
    ['basic_week_date', '2024W012', at(2024, 1, 2)],
    ['strict_basic_week_date', '2024W012', at(2024, 1, 2)],
    ['basic_week_date_time', '2024W012T030405.678Z', moment],
    ['basic_week_date_time_no_millis', '2024W012T030405Z', second],
    ['strict_date', '2024-01-02', at(2024, 1, 2)],
    ['date_hour', '2024-01-02T03', at(2024, 1, 2, 3)],
    ['date_hour_minute', '2024-01-02T03:04', at(2024, 1, 2, 3, 4)],
    ['strict_date_hour_minute_second', '2024-01-02T03:04:05', second],
    ['date_hour_minute_second_fraction', '2024-01-02T03:04:05.678', moment],
    ['strict_date_hour_minute_second_millis', '2024-01-02T03:04:05.678', moment],
    ['date_time', '2024-01-02T03:04:05.678Z', moment],
    ['strict_date_time_no_millis', '2024-01-02T03:04:05Z', second],
    ['hour', '03', at(1970, 1, 1, 3)],
    ['strict_hour_minute', '03:04', at(1970, 1, 1, 3, 4)],
    ['hour_minute_second', '03:04:05', at(1970, 1, 1, 3, 4, 5)],
    ['ordinal_date', '2024-002', at(2024, 1, 2)],
    ['strict_ordinal_date_time', '2024-002T03:04:05.678Z', moment],
    ['ordinal_date_time_no_millis', '2024-002T03:04:05Z', second],
    ['time', '03:04:05.678Z', at(1970, 1, 1, 3, 4, 5, 678)],
    ['t_time_no_millis', 'T03:04:05Z', at(1970, 1, 1, 3, 4, 5)],
    ['week_date', '2024-W01-2', at(2024, 1, 2)],
    ['strict_week_date_time', '2024-W01-2T03:04:05.678Z', moment],
    ['strict_weekyear', '2024', at(2024, 1, 1)],
    ['weekyear_week', '2021-W01', at(2021, 1, 4)],
    ['strict_weekyear_week_day', '2020-W53-7', at(2021, 1, 3)],
    ['strict_year', '2024', at(2024)],
    ['year_month', '2024-01', at(2024)],
    ['strict_year_month_day', '2024-01-02', at(2024, 1, 2)],
    ['epoch_second', '1704164645', second],
    ['epoch_millis', '1704164645678', moment],
    ['iso8601', '2024-01-02T03:04:05.678Z', moment],
  ])('%s parses %s', (name, text, expected) => {
    const format = compileDateFormat(name)
    expect(format.parse(text)).toBe(expected)
    expect(format.format(expected)).toBe(text)
  })

  it('accept fewer digits without strict', () => {
    expect(compileDateFormat('date_optional_time').parse('2024-1-2T3:4:5')).toBe(second)
    expect(compileDateFormat('year_month_day').parse('2024-1-2')).toBe(at(2024, 1, 2))
    expect(compileDateFormat('strict_year_month_day').tryParse('2024-1-2')).toBeNaN()
  })

  it('epoch formats accept decimals', () => {
    const seconds = compileDateFormat('epoch_second')
    expect(seconds.parse('1704164645.678')).toBe(moment)
    expect(seconds.parse('-1.5')).toBe(-1500)
    expect(seconds.parse('1704164645', { roundUp: true })).toBe(second + 999)
    expect(seconds.format(moment)).toBe('1704164645.678')
    expect(compileDateFormat('epoch_millis').parseNanos('1.5')).toBe(1_500_000n)
    expect(compileDateFormat('epoch_millis').parseNanos('-1.25')).toBe(-1_250_000n)
    expect(compileDateFormat('epoch_millis').tryParse('1e3')).toBeNaN()
  })
})

describe('java.time patterns', () => {
  it.each([
    ['yyyy-MM-dd HH:mm:ss', '2024-01-02 03:04:05', second],
    ['yyyy/MM/dd HH:mm:ss||yyyy/MM/dd||epoch_millis', '2024/01/02', at(2024, 1, 2)],
    ['dd/MMM/yyyy:HH:mm:ss Z', '02/Jan/2024:04:04:05 +0100', second],
    ['yyyyMMddHHmmssSSS', '20240102030405678', moment],
    ["yyyy-MM-dd'T'HH:mm:ss.SSSXXX", '2024-01-02T03:04:05.678Z', moment],
    ['d/M/yyyy h:mm a', '2/1/2024 12:05 AM', at(2024, 1, 2, 0, 5)],
    ['EEE MMM dd HH:mm:ss yyyy', 'Tue Jan 02 03:04:05 2024', second],
    ['EEEE, MMMM d, uuuu', 'Tuesday, January 2, 2024', at(2024, 1, 2)],
    ['yy-MM-dd', '24-01-02', at(2024, 1, 2)],
    ['uuuu-DDD', '2024-060', at(2024, 2, 29)],
    ['MMM dd HH:mm:ss', 'Jan 02 03:04:05', at(1970, 1, 2, 3, 4, 5)],
    ['yyyy-MM-dd[ HH[:mm[:ss]]]', '2024-01-02 03', at(2024, 1, 2, 3)],
    ["yyyy 'o''clock' HH", "2024 o'clock 03", at(2024, 1, 1, 3)],
    ['yyyy-MM-dd HH:mm:ss VV', '2024-07-02 03:04:05 Europe/Paris', at(2024, 7, 2, 1, 4, 5)],
    ['8uuuu-MM-dd', '2024-01-02', at(2024, 1, 2)],
    ['YYYY-MM-dd', '2020-05-01', at(2019, 12, 30)],
  ])('%s parses %s', (pattern, text, expected) => {
    expect(compileDateFormat(pattern).parse(text)).toBe(expected)
  })

  it.each([
    ['yyyy-MM-dd', '2024-02-30'],
    ['yyyy-MM-dd', '12024-01-01'],
    ['HH:mm', '24:00'],
    ['uuuu-MM-dd EEE', '2024-01-02 Mon'],
    ["yyyy-MM-dd'T'HH:mm:ssZ", '2024-01-01T00:00:00Z'],
    ["yyyy-MM-dd'T'HH:mm:ssXXX", '2024-01-01T00:00:00+0100'],
  ])('%s refuses %s', (pattern, text) => {
    expect(() => compileDateFormat(pattern).parse(text)).toThrow(
      new DateFormatError(`failed to parse date field [${text}] with format [${pattern}]`),
    )
  })

  it.each([
    ['bogus', 'Invalid format: [bogus]: Unknown pattern letter: b'],
    ["yyyy'x", "Invalid format: [yyyy'x]: Pattern ends with an incomplete string literal: yyyy'x"],
    ['yyyy]', 'Invalid format: [yyyy]]: Pattern invalid as it contains ] without previous ['],
    ['yyyy{', "Invalid format: [yyyy{]: Pattern includes reserved character: '{'"],
    ['ddd', 'Invalid format: [ddd]: Too many pattern letters: d'],
    ['', 'No date pattern provided'],
  ])('%s is an invalid pattern', (pattern, message) => {
    expect(() => compileDateFormat(pattern)).toThrow(new DateFormatError(message))
  })

  it('return a number or a DateFormatError for any pattern and text', () => {
    const letters = fc.array(fc.constantFrom(..."yuYMdDEeHhkKmsSaXxZzVOGQqwAnN-/:. '[]"), { maxLength: 12 })
    fc.assert(
      fc.property(letters, fc.string(), fc.integer({ min: -1e14, max: 1e14 }), (pattern, text, millis) => {
        try {
          const format = compileDateFormat(pattern.join(''))
          format.tryParse(text, { roundUp: true })
          format.tryParse(format.format(millis))
        } catch (error) {
          if (!(error instanceof DateFormatError)) throw error
        }
      }),
      { numRuns: 1000 },
    )
  })
})

describe('time zones', () => {
  it.each([
    ['Z', 0],
    ['UTC', 0],
    ['+01:00', 3_600_000],
    ['-0330', -12_600_000],
    ['+5', 18_000_000],
    ['GMT+2', 7_200_000],
    ['Europe/Paris', 3_600_000],
  ])('%s has the expected offsets', (id, offset) => {
    expect(findTimeZone(id)?.offsetAt(at(2024))).toBe(offset)
  })

  it.each(['', 'Nowhere/City', '+19:00', '+01:60', 'PST', '__proto__'])('%s is no time zone', (id) => {
    expect(findTimeZone(id)).toBeUndefined()
  })
})
