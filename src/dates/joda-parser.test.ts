import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileJodaFormat } from '../event/joda-format.ts'
import { Timestamp } from '../event/timestamp.ts'
import { findZone, utc } from '../time/zone.ts'
import { compileJodaParser, isUnreadable } from './joda-parser.ts'
import { LocalClock } from './local-clock.ts'

const inUtc = new LocalClock(utc)

interface Surroundings {
  now?: number
  zone?: string
  locale?: string
}

function parse(pattern: string, text: string, { now, zone, locale = 'en' }: Surroundings = {}): string {
  const clock = zone === undefined ? inUtc : new LocalClock(findZone(zone)!)
  const at = now ?? Date.UTC(2024, 5, 15)
  const instant = compileJodaParser(pattern, { locale, now: () => at })(text, clock)
  return Number.isNaN(instant) ? 'no match' : new Date(instant).toISOString()
}

describe('digits', () => {
  it('may be fewer than letters', () => {
    expect(parse('yyyy-MM-dd HH:mm:ss', '2024-1-2 3:4:5')).toBe('2024-01-02T03:04:05.000Z')
    expect(parse('yyyy-MM-dd', '24-01-02')).toBe('0024-01-02T00:00:00.000Z')
  })

  it('may be more than letters up to what the field can have', () => {
    expect(parse('y-M-d', '2024-11-12')).toBe('2024-11-12T00:00:00.000Z')
    expect(parse('M/d', '111/2')).toBe('no match')
    expect(parse('yyyy-MM-dd', '12024-01-02')).toBe('+012024-01-02T00:00:00.000Z')
    expect(parse('yyyyMMdd', '120240102')).toBe('no match')
  })

  it('are ASCII', () => {
    expect(parse('yyyy', '٢٠٢٤')).toBe('no match')
  })

  it('carry a sign in years only', () => {
    expect(parse('yyyy-MM', '-0001-02')).toBe('-000001-02-01T00:00:00.000Z')
    expect(parse('yyyy-MM', '+2024-02')).toBe('2024-02-01T00:00:00.000Z')
    expect(parse('YYYY-MM', '-2024-02')).toBe('no match')
    expect(parse('yyyy-MM', '2024-+2')).toBe('no match')
    expect(parse('yyyy', '-')).toBe('no match')
    expect(parse('yyyyMMdd', '+20241-2')).toBe('no match')
  })
})

describe('years of two digits', () => {
  it('lie between 80 years ago and 19 years ahead', () => {
    const now = Date.UTC(2024, 0, 1)
    expect(parse('yy', '44', { now })).toBe('1944-01-01T00:00:00.000Z')
    expect(parse('yy', '43', { now })).toBe('2043-01-01T00:00:00.000Z')
    expect(parse('YY', '99', { now })).toBe('1999-01-01T00:00:00.000Z')
    expect(parse('xx ww', '24 01', { now })).toBe('2024-01-01T00:00:00.000Z')
  })

  it('are taken literally with another count of digits, unless digits follow', () => {
    expect(parse('dd/MM/yy', '02/01/2015')).toBe('2015-01-02T00:00:00.000Z')
    expect(parse('yy-MM', '5-01')).toBe('0005-01-01T00:00:00.000Z')
    expect(parse('yy-MM', '+24-01')).toBe('0024-01-01T00:00:00.000Z')
    expect(parse('yyMMdd', '20240102')).toBe('no match')
    expect(parse('yyMM', '5')).toBe('no match')
  })
})

describe('fractions', () => {
  it('have at most as many digits as letters', () => {
    expect(parse('yyyy HH:mm:ss.SSS', '2024 01:02:03.4')).toBe('2024-01-01T01:02:03.400Z')
    expect(parse('yyyy HH:mm:ss.SSS', '2024 01:02:03.4567')).toBe('no match')
    expect(parse('yyyy HH:mm:ss.SSSSSS', '2024 01:02:03.456999')).toBe('2024-01-01T01:02:03.456Z')
    expect(parse('yyyy HH:mm:ss.SSS', '2024 01:02:03.')).toBe('no match')
  })

  it('have at most 18 digits', () => {
    expect(parse(`yyyy ${'S'.repeat(30)}`, `2024 ${'1'.repeat(18)}`)).toBe('2024-01-01T00:00:00.111Z')
    expect(parse(`yyyy ${'S'.repeat(30)}`, `2024 ${'1'.repeat(19)}`)).toBe('no match')
  })
})

describe('names', () => {
  it('are short or long, in any case, whatever the count of letters', () => {
    for (const text of ['Sep', 'SEP', 'sep', 'September', 'SEPTEMBER']) {
      expect(parse('yyyy MMM', `2024 ${text}`)).toBe('2024-09-01T00:00:00.000Z')
      expect(parse('yyyy MMMM', `2024 ${text}`)).toBe('2024-09-01T00:00:00.000Z')
    }
    expect(parse('yyyy MMM', '2024 Sept')).toBe('no match')
    expect(parse('yyyy MMM', '2024 09')).toBe('no match')
  })

  it('are those of the locale', () => {
    for (const text of ['Okt.', 'Oktober', 'okt.', 'OKTOBER']) {
      expect(parse('yyyy MMM', `2024 ${text}`, { locale: 'de' })).toBe('2024-10-01T00:00:00.000Z')
    }
    for (const text of ['März', 'MÄRZ']) {
      expect(parse('yyyy MMM', `2024 ${text}`, { locale: 'de-AT' })).toBe('2024-03-01T00:00:00.000Z')
    }
    // Java's names have the dot, and there is one spelling besides all small and all capital letters.
    expect(parse('yyyy MMM', '2024 Okt', { locale: 'de' })).toBe('no match')
    expect(parse('d MMM yyyy', '2 Mai 2024', { locale: 'fr' })).toBe('no match')
    expect(parse('d MMM yyyy', '2 mai 2024', { locale: 'fr' })).toBe('2024-05-02T00:00:00.000Z')
    expect(parse('yyyy MMM', '2024 Oct', { locale: 'de' })).toBe('no match')
    expect(parse('EEEE d MMMM yyyy', 'mardi 13 août 2024', { locale: 'fr-FR' })).toBe(
      '2024-08-13T00:00:00.000Z',
    )
    expect(parse('d MMMM yyyy', '1 мая 2024', { locale: 'ru' })).toBe('2024-05-01T00:00:00.000Z')
    expect(parse('yyyy MMM', '2024 Sept', { locale: 'en-GB' })).toBe('2024-09-01T00:00:00.000Z')
    expect(parse('yyyy MMM', '2024 Sep', { locale: 'en-GB' })).toBe('no match')
  })

  it('are English for locales nobody knows', () => {
    for (const locale of ['', 'x', 'not a locale', 'zz-ZZ']) {
      expect(parse('yyyy MMM', '2024 Oct', { locale })).toBe('2024-10-01T00:00:00.000Z')
    }
  })

  it('of a weekday move the date within its week', () => {
    // 2 January 2020 was a Thursday.
    expect(parse('EEE yyyy-MM-dd HH', 'Thu 2020-01-02 05')).toBe('2020-01-02T05:00:00.000Z')
    expect(parse('EEE yyyy-MM-dd HH', 'Mon 2020-01-02 05')).toBe('2019-12-30T05:00:00.000Z')
  })

  it('of the half of the day count with hours of 12 only', () => {
    expect(parse('yyyy h a', '2024 12 AM')).toBe('2024-01-01T00:00:00.000Z')
    expect(parse('yyyy h a', '2024 12 pm')).toBe('2024-01-01T12:00:00.000Z')
    expect(parse('yyyy K a', '2024 11 PM')).toBe('2024-01-01T23:00:00.000Z')
    expect(parse('yyyy h', '2024 11')).toBe('2024-01-01T11:00:00.000Z')
    expect(parse('yyyy a', '2024 PM')).toBe('2024-01-01T12:00:00.000Z')
    expect(parse('yyyy H a', '2024 3 PM')).toBe('2024-01-01T03:00:00.000Z')
  })
})

describe('text of a pattern', () => {
  it('ignores case', () => {
    expect(parse("yyyy-MM-dd'T'HH'h'", '2024-01-02t03H')).toBe('2024-01-02T03:00:00.000Z')
    expect(parse("'day 'yyyy", 'DAY 2024')).toBe('2024-01-01T00:00:00.000Z')
  })

  it('is not lenient about blanks', () => {
    expect(parse('MMM  d', 'Jan 2')).toBe('no match')
    expect(parse('MMM d', 'Jan  2')).toBe('no match')
    expect(parse('yyyy', ' 2024')).toBe('no match')
    expect(parse('yyyy', '2024 ')).toBe('no match')
  })

  it('may be quoted', () => {
    expect(parse("yyyy''MM", "2024'05")).toBe('2024-05-01T00:00:00.000Z')
    expect(parse("yyyy'''T'MM", "2024'T05")).toBe('2024-05-01T00:00:00.000Z')
    expect(parse("yyyy 'open", '2024 open')).toBe('2024-01-01T00:00:00.000Z')
  })
})

describe('zones', () => {
  it.each([
    ['Z', 0],
    ['z', 0],
    ['+01', -1],
    ['+0100', -1],
    ['+01:00', -1],
    ['-0800', 8],
    ['+010000', -1],
    ['+01:00:00', -1],
    ['+01:00:00.000', -1],
    ['+010000000', -1],
  ])('as offsets are read in all forms: %s', (text, hours) => {
    const expected = new Date(Date.UTC(2024, 0, 2, hours)).toISOString()
    expect(parse('yyyy-MM-dd Z', `2024-01-02 ${text}`)).toBe(expected)
    expect(parse('yyyy-MM-dd ZZ', `2024-01-02 ${text}`)).toBe(expected)
  })

  it.each([
    '',
    '+',
    '+1',
    '+1:00',
    '+01:',
    '+01:0',
    '+010',
    '+24',
    '+01:60',
    '+01:00:',
    'UTC',
    '0100',
    '+01:00:00.',
  ])('as offsets are not %j', (text) => {
    expect(parse('yyyy-MM-dd Z', `2024-01-02 ${text}`)).toBe('no match')
  })

  it('as ids are read in their own case', () => {
    const pattern = 'yyyy-MM-dd ZZZ'
    expect(parse(pattern, '2024-07-02 Europe/Berlin')).toBe('2024-07-01T22:00:00.000Z')
    expect(parse(pattern, '2024-07-02 America/Argentina/Buenos_Aires')).toBe('2024-07-02T03:00:00.000Z')
    expect(parse(pattern, '2024-07-02 Etc/GMT+5')).toBe('2024-07-02T05:00:00.000Z')
    expect(parse(pattern, '2024-07-02 EST5EDT')).toBe('2024-07-02T04:00:00.000Z')
    expect(parse(pattern, '2024-07-02 EST')).toBe('2024-07-02T05:00:00.000Z')
    expect(parse("yyyy-MM-dd ZZZ'x'", '2024-07-02 UTCx')).toBe('2024-07-02T00:00:00.000Z')
    for (const text of ['utc', 'europe/berlin', 'PST', '+01:00', '+0100', 'Z', 'Nowhere/City', '']) {
      expect(parse(pattern, `2024-07-02 ${text}`)).toBe('no match')
    }
  })

  it('as abbreviations are UTC or American, by the rules of the day', () => {
    const pattern = 'yyyy-MM-dd z'
    expect(parse(pattern, '2024-07-02 EST')).toBe('2024-07-02T04:00:00.000Z')
    expect(parse(pattern, '2024-01-02 PDT')).toBe('2024-01-02T08:00:00.000Z')
    expect(parse(pattern, '2024-01-02 UT')).toBe('2024-01-02T00:00:00.000Z')
    for (const text of ['CET', 'CEST', 'gmt', 'JST', '+0100']) {
      expect(parse(pattern, `2024-07-02 ${text}`)).toBe('no match')
    }
  })

  it('with long names cannot be read', () => {
    expect(parse('yyyy zzzz', '2024 Coordinated Universal Time')).toBe('no match')
    expect(isUnreadable('yyyy zzzz')).toBe(true)
    expect(isUnreadable('yyyy zzz ZZZZ')).toBe(false)
  })

  it('in the text win over the given one', () => {
    expect(parse('yyyy-MM-dd Z', '2024-01-02 +0000', { zone: 'Asia/Tokyo' })).toBe('2024-01-02T00:00:00.000Z')
    expect(parse('yyyy-MM-dd', '2024-01-02', { zone: 'Asia/Tokyo' })).toBe('2024-01-01T15:00:00.000Z')
    // An offset beside a zone wins.
    expect(parse('yyyy-MM-dd ZZZ Z', '2024-01-02 Asia/Tokyo +0100')).toBe('2024-01-01T23:00:00.000Z')
  })
})

describe('changes of clocks', () => {
  const pattern = 'yyyy-MM-dd HH:mm:ss'
  it.each([
    ['Europe/Berlin', '2024-03-31 01:59:59', '2024-03-31T00:59:59.000Z'],
    ['Europe/Berlin', '2024-03-31 02:00:00', 'no match'],
    ['Europe/Berlin', '2024-03-31 02:59:59', 'no match'],
    ['Europe/Berlin', '2024-03-31 03:00:00', '2024-03-31T01:00:00.000Z'],
    ['Europe/Berlin', '2024-10-27 01:59:59', '2024-10-26T23:59:59.000Z'],
    ['Europe/Berlin', '2024-10-27 02:30:00', '2024-10-27T00:30:00.000Z'],
    ['Europe/Berlin', '2024-10-27 03:00:00', '2024-10-27T02:00:00.000Z'],
    ['America/New_York', '2024-03-10 01:59:59', '2024-03-10T06:59:59.000Z'],
    ['America/New_York', '2024-03-10 02:30:00', 'no match'],
    ['America/New_York', '2024-03-10 03:00:00', '2024-03-10T07:00:00.000Z'],
    ['America/New_York', '2024-11-03 01:30:00', '2024-11-03T05:30:00.000Z'],
    ['America/New_York', '2024-11-03 02:00:00', '2024-11-03T07:00:00.000Z'],
    ['Pacific/Apia', '2011-12-29 23:59:59', '2011-12-30T09:59:59.000Z'],
    ['Pacific/Apia', '2011-12-30 12:00:00', 'no match'],
    ['Pacific/Apia', '2011-12-31 00:00:00', '2011-12-30T10:00:00.000Z'],
  ])('in %s at %s', (zone, text, expected) => {
    expect(parse(pattern, text, { zone })).toBe(expected)
  })

  it('do not disturb offsets in the text', () => {
    expect(parse(`${pattern} Z`, '2024-03-31 02:30:00 +0100', { zone: 'Europe/Berlin' })).toBe(
      '2024-03-31T01:30:00.000Z',
    )
  })
})

describe('a missing year', () => {
  const pattern = 'MMM dd HH:mm:ss'
  it.each([
    [Date.UTC(2024, 0, 1), 'Dec 31 23:59:59', '2023-12-31T23:59:59.000Z'],
    [Date.UTC(2024, 0, 31), 'Jan 01 00:00:00', '2024-01-01T00:00:00.000Z'],
    [Date.UTC(2024, 0, 1), 'Nov 30 00:00:00', '2024-11-30T00:00:00.000Z'],
    [Date.UTC(2023, 11, 31), 'Jan 01 00:00:00', '2024-01-01T00:00:00.000Z'],
    [Date.UTC(2023, 11, 31), 'Dec 31 00:00:00', '2023-12-31T00:00:00.000Z'],
    [Date.UTC(2023, 11, 31), 'Feb 01 00:00:00', '2023-02-01T00:00:00.000Z'],
    [Date.UTC(2024, 6, 1), 'Feb 29 00:00:00', '2024-02-29T00:00:00.000Z'],
    [Date.UTC(2023, 6, 1), 'Feb 29 00:00:00', '2023-02-28T00:00:00.000Z'],
    [Date.UTC(2023, 6, 1), 'Mar 01 00:00:00', '2023-03-01T00:00:00.000Z'],
    [Date.UTC(2023, 6, 1), 'Feb 30 00:00:00', 'no match'],
  ])('is guessed from the month of now', (now, text, expected) => {
    expect(parse(pattern, text, { now })).toBe(expected)
  })

  it('is guessed by the clock of the zone', () => {
    const now = Date.UTC(2023, 11, 31, 23, 30)
    expect(parse(pattern, 'Dec 31 12:00:00', { now, zone: 'Europe/Berlin' })).toBe('2023-12-31T11:00:00.000Z')
    expect(parse(pattern, 'Jan 01 00:30:00', { now, zone: 'Europe/Berlin' })).toBe('2023-12-31T23:30:00.000Z')
    expect(parse(pattern, 'Jan 01 00:30:00', { now })).toBe('2024-01-01T00:30:00.000Z')
  })

  it('is guessed anew when time passes', () => {
    let now = Date.UTC(2023, 11, 31, 23, 59)
    const parser = compileJodaParser(pattern, { locale: 'en', now: () => now })
    const clock = new LocalClock(utc)
    expect(parser('Dec 31 00:00:00', clock)).toBe(Date.UTC(2023, 11, 31))
    now = Date.UTC(2024, 0, 1, 0, 1)
    expect(parser('Dec 31 00:00:00', clock)).toBe(Date.UTC(2023, 11, 31))
    now = Date.UTC(2024, 1, 1)
    expect(parser('Dec 31 00:00:00', clock)).toBe(Date.UTC(2024, 11, 31))
  })

  it('is guessed with an offset too', () => {
    const now = Date.UTC(2024, 0, 1)
    expect(parse(`${pattern} Z`, 'Dec 31 23:00:00 -0200', { now })).toBe('2024-01-01T01:00:00.000Z')
    expect(parse(`${pattern} Z`, 'Dec 31 20:00:00 -0200', { now })).toBe('2023-12-31T22:00:00.000Z')
  })
})

describe('patterns that are none', () => {
  it.each([
    ['', 'Invalid pattern specification'],
    ['yyyy-MM-ddTHH:mm:ss', 'Illegal pattern component: T'],
    ['yyyy QQ', 'Illegal pattern component: QQ'],
    ['SYSLOG5424SD', 'Illegal pattern component: L'],
    ["'", 'Both printing and parsing not supported'],
  ])('%j is refused', (pattern, message) => {
    expect(() => compileJodaParser(pattern, { locale: 'en' })).toThrow(message)
  })
})

describe('any instant', () => {
  const full = [
    'yyyy-MM-dd HH:mm:ss.SSS',
    "yyyy-MM-dd'T'HH:mm:ss.SSSZZ",
    'EEE, dd MMM YYYY HH:mm:ss,SSS Z',
    'EEEE MMMM d hh:mm:ss.SSSSSS a y',
    'yyyyMMddHHmmssSSS',
    "xxxx-'W'ww-e kk:mm:ss.SSS 'y'",
    'yyyy-DDD KK:mm:ss.SSS a ZZZ',
    'YYYY G MMM dd H:m:s.SSS z',
    "SSS:ss:mm:HH e/ww/xxxx 'year'",
  ]

  it('printed and read again is the same', () => {
    const instants = fc.integer({ min: Date.UTC(1000, 0, 1), max: Date.UTC(9998, 0, 1) })
    fc.assert(
      fc.property(fc.constantFrom(...full), instants, (pattern, instant) => {
        const text = compileJodaFormat(pattern)(new Timestamp(instant))
        expect(compileJodaParser(pattern, { locale: 'en' })(text, inUtc)).toBe(instant)
      }),
      { numRuns: 500 },
    )
  })

  it('of a zone is read by its wall clock', () => {
    const zones = [
      'Europe/Berlin',
      'America/St_Johns',
      'Australia/Lord_Howe',
      'Asia/Kathmandu',
      'Africa/Casablanca',
    ]
    const instants = fc.integer({ min: Date.UTC(1990, 0, 1) / 1000, max: Date.UTC(2030, 0, 1) / 1000 })
    const pattern = 'yyyy-MM-dd HH:mm:ss'
    const format = compileJodaFormat(pattern)
    const parser = compileJodaParser(pattern, { locale: 'en' })
    const clocks = zones.map((name) => new LocalClock(findZone(name)!))
    fc.assert(
      fc.property(fc.constantFrom(...clocks), instants, (clock, seconds) => {
        const instant = seconds * 1000
        const read = parser(format(new Timestamp(instant + clock.zone.offsetAt(instant))), clock)
        // The second of two equal times is read as the first.
        const offsets = [clock.zone.offsetAt(instant), clock.zone.offsetAt(read)]
        expect(read + offsets[1]!).toBe(instant + offsets[0]!)
        expect(read).toBeLessThanOrEqual(instant)
      }),
      { numRuns: 300 },
    )
  })
})

describe('texts that come again', () => {
  const texts: Readonly<Record<string, readonly string[]>> = {
    'yyyy-MM-dd HH:mm:ss': [
      '2024-03-10 02:30:00',
      '2024-03-10 12:00:00',
      '',
      'no date',
      '2024-13-10 02:30:00',
    ],
    'dd/MMM/yyyy:HH:mm:ss Z': [
      '04/May/2026:08:15:42 +0000',
      '04/May/2026:08:15:42 +0200',
      '04/May/2026:08:15:42',
    ],
    'yyyy HH:mm ZZZ': ['2024 10:00 Europe/Paris', '2024 10:00 UTC', '2024 10:00 Nowhere'],
    'MMM dd HH:mm:ss': ['Dec 31 23:00:00', 'Jan 01 00:10:00', 'Feb 30 00:00:00'],
  }

  it('are read as by a parser that never saw them, whatever came between and whatever the clock', () => {
    const clocks = ['UTC', 'America/New_York', 'Asia/Kolkata'].map((name) => new LocalClock(findZone(name)!))
    const step = fc.tuple(fc.nat(), fc.constantFrom(...clocks), fc.constantFrom(0, 6, 11))
    for (const [pattern, choices] of Object.entries(texts)) {
      fc.assert(
        fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
          let now = 0
          const settings = { locale: 'en', now: () => now }
          const parser = compileJodaParser(pattern, settings)
          for (const [at, clock, month] of steps) {
            now = Date.UTC(2024, month, 20)
            const text = choices[at % choices.length]!
            expect(parser(text, clock)).toBe(compileJodaParser(pattern, settings)(text, clock))
          }
        }),
        { numRuns: 200 },
      )
    }
  })
})

describe('any text', () => {
  it('is read or refused, by any pattern', () => {
    const letters = fc.constantFrom(...'GCyYxwedDEMaKhHkmsSzZ', "'", '/', '-', ' ', ':', '.', 'T', 'é')
    const runs = fc
      .tuple(letters, fc.integer({ min: 1, max: 5 }))
      .map(([letter, count]) => letter.repeat(count))
    const patterns = fc.array(runs, { maxLength: 8 }).map((parts) => parts.join(''))
    const pieces = fc.constantFrom(
      ...[
        '2024',
        '1',
        '02',
        '31',
        '99',
        'Jan',
        'monday',
        'PM',
        'AD',
        'BC',
        '+01',
        ':',
        '/',
        '-',
        ' ',
        '.',
        "'",
      ],
      ...['UTC', 'EST', 'Europe/', 'Berlin', 'Z', '\ud800', 'é', '999999999999999999999'],
    )
    const texts = fc.oneof(
      fc.string(),
      fc.array(pieces, { maxLength: 10 }).map((parts) => parts.join('')),
    )
    fc.assert(
      fc.property(patterns, texts, (pattern, text) => {
        let parser: ReturnType<typeof compileJodaParser>
        try {
          parser = compileJodaParser(pattern, { locale: 'en' })
        } catch (error) {
          expect((error as Error).message).toMatch(
            /^Illegal pattern component: |^Invalid pattern specification$|^Both printing and parsing not supported$/,
          )
          return
        }
        const instant = parser(text, inUtc)
        expect(Number.isNaN(instant) || Number.isInteger(instant)).toBe(true)
      }),
      { numRuns: 3000 },
    )
  })
})
