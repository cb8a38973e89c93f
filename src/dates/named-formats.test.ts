import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Timestamp } from '../event/timestamp.ts'
import { LsFloat, type Value } from '../event/value.ts'
import { findZone, utc } from '../time/zone.ts'
import { compileDateFormat } from './date-format.ts'
import { LocalClock } from './local-clock.ts'

function parse(format: string, value: Value, zone?: string): string {
  const clock = new LocalClock(zone === undefined ? utc : findZone(zone)!)
  const instant = compileDateFormat(format, { locale: 'en' })(value, clock)
  return Number.isNaN(instant) ? 'no match' : new Date(instant).toISOString()
}

describe('ISO8601', () => {
  it.each([
    ['2015-10-01T05:06:07.089Z', '2015-10-01T05:06:07.089Z'],
    ['2015-10-01T05:06:07Z', '2015-10-01T05:06:07.000Z'],
    ['2015-10-01T05:06:07,089Z', '2015-10-01T05:06:07.089Z'],
    ['2015-10-01T05:06:07.089999999Z', '2015-10-01T05:06:07.089Z'],
    ['2015-10-01T05:06:07.1+02:00', '2015-10-01T03:06:07.100Z'],
    ['2015-10-01T05:06:07+0200', '2015-10-01T03:06:07.000Z'],
    ['2015-10-01T05:06:07-02', '2015-10-01T07:06:07.000Z'],
    ['2015-10-01t05:06:07z', '2015-10-01T05:06:07.000Z'],
    ['2015-10-01T05:06:07', '2015-10-01T05:06:07.000Z'],
    ['2015-10-01T05:06', '2015-10-01T05:06:00.000Z'],
    ['2015-10-01T05:06Z', '2015-10-01T05:06:00.000Z'],
    ['2015-10-01T05', '2015-10-01T05:00:00.000Z'],
    ['2015-10-01T05.5Z', '2015-10-01T05:30:00.000Z'],
    ['2015-10-01T05:06.25Z', '2015-10-01T05:06:15.000Z'],
    ['2015-10-01T', '2015-10-01T00:00:00.000Z'],
    ['2015-10-01T+01:00', '2015-09-30T23:00:00.000Z'],
    ['2015-10-01', '2015-10-01T00:00:00.000Z'],
    ['2015-10', '2015-10-01T00:00:00.000Z'],
    ['2015', '2015-01-01T00:00:00.000Z'],
    ['2015-1-2T3:4:5Z', '2015-01-02T03:04:05.000Z'],
    ['2024-060', '2024-02-29T00:00:00.000Z'],
    ['2024-060T01:00Z', '2024-02-29T01:00:00.000Z'],
    ['2020-W53-5', '2021-01-01T00:00:00.000Z'],
    ['2020-w53T01', '2020-12-28T01:00:00.000Z'],
    ['T05:06:07Z', '1970-01-01T05:06:07.000Z'],
    ['-0001-01-01', '-000001-01-01T00:00:00.000Z'],
    ['2015-10-01 05:06:07.089', '2015-10-01T05:06:07.089Z'],
    ['2015-10-01 05:06:07,089', '2015-10-01T05:06:07.089Z'],
    ['2015-10-01 05:06:07.089+0200', '2015-10-01T03:06:07.089Z'],
    ['2015-10-01 05:06:07,089-02:00', '2015-10-01T07:06:07.089Z'],
    ['2015-10-01 05:06:07.089Z', '2015-10-01T05:06:07.089Z'],
    ['2015-1-2 3:4:5.6', '2015-01-02T03:04:05.600Z'],
  ])('%s', (text, expected) => {
    expect(parse('ISO8601', text)).toBe(expected)
  })

  it.each([
    ...[
      '',
      'x',
      'T',
      '2015-',
      '2015-10-',
      '2015-13-01',
      '2015-02-29',
      '2015-10-01T24:00:00Z',
      '2015-10-01T05:60Z',
    ],
    ...['2015-10-01T05:06:60Z', '2015-10-01T05:', '2015-10-01T05:06:07.', '2015-10-01T05:06:07.089ZZ'],
    ...[
      '2015-10-01 05:06:07',
      '2015-10-01 05:06:07Z',
      '2015-10-01 05:06:07.089123',
      '2015-10-01  05:06:07.089',
    ],
    ...[
      '2015-10-01T05:06:07.089 Z',
      '2015-10-01T05:06:07 +0200',
      '20151001T050607Z',
      '2015/10/01',
      '2015-W54',
    ],
    ...[
      '2015-W00',
      '2015-366',
      '2015-10-01T05:06:07.1234567890Z',
      ' 2015-10-01',
      '2015-10-01T05:06:07+1',
      '999999999',
    ],
    ...['2015-10-01TZZ', '2015-10-01T05:06:07 Europe/Paris', '2015-W'],
  ])('not %j', (text) => {
    expect(parse('ISO8601', text)).toBe('no match')
  })

  it('uses the zone given for texts without one', () => {
    expect(parse('ISO8601', '2015-07-01T00:00:00', 'Europe/Paris')).toBe('2015-06-30T22:00:00.000Z')
    expect(parse('ISO8601', '2015-07-01 00:00:00.0', 'Europe/Paris')).toBe('2015-06-30T22:00:00.000Z')
    expect(parse('ISO8601', '2015-07', 'Europe/Paris')).toBe('2015-06-30T22:00:00.000Z')
    expect(parse('ISO8601', '2015-07-01T00:00:00Z', 'Europe/Paris')).toBe('2015-07-01T00:00:00.000Z')
    expect(parse('ISO8601', '2015-03-29T02:30:00', 'Europe/Paris')).toBe('no match')
    expect(parse('ISO8601', '2015-03-29 02:30:00.000', 'Europe/Paris')).toBe('no match')
  })

  it('reads every instant it is given', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
        (date) => {
          expect(parse('ISO8601', date.toISOString())).toBe(date.toISOString())
          expect(parse('ISO8601', date.toISOString().replace('T', ' '))).toBe(date.toISOString())
        },
      ),
    )
  })
})

describe('UNIX', () => {
  it.each<[Value, string]>([
    ['0', '1970-01-01T00:00:00.000Z'],
    [0, '1970-01-01T00:00:00.000Z'],
    ['1350414944', '2012-10-16T19:15:44.000Z'],
    [1350414944, '2012-10-16T19:15:44.000Z'],
    [1350414944.123456, '2012-10-16T19:15:44.123Z'],
    ['1350414944.123456', '2012-10-16T19:15:44.123Z'],
    ['1350414944.123999', '2012-10-16T19:15:44.123Z'],
    [1478207457.456, '2016-11-03T21:10:57.456Z'],
    ['1478207457.4', '2016-11-03T21:10:57.400Z'],
    ['+5', '1970-01-01T00:00:05.000Z'],
    ['-1', '1969-12-31T23:59:59.000Z'],
    ['-1.5', '1969-12-31T23:59:59.500Z'],
    [-1, '1969-12-31T23:59:59.000Z'],
    [new LsFloat(1350414944), '2012-10-16T19:15:44.000Z'],
    [2147483647, '2038-01-19T03:14:07.000Z'],
    ['2147483647', '2038-01-19T03:14:07.000Z'],
    ['2147483647.999', '2038-01-19T03:14:07.999Z'],
  ])('%s', (value, expected) => {
    expect(parse('UNIX', value)).toBe(expected)
  })

  it.each<[Value]>([
    ...([2147483648, '2147483648', '1350414944123', 1350414944123, 1e300, 2n ** 70n] as Value[]).map(
      (value): [Value] => [value],
    ),
    ...(
      [
        '',
        ' ',
        '12 ',
        ' 12',
        'x',
        '%{bad_value}',
        '0x10',
        '1e',
        '.',
        '-',
        '1_000',
        '1e9999',
        '1.5e9',
        '.5',
        '5.',
      ] as Value[]
    ).map((value): [Value] => [value]),
    ...(
      [true, [1], { a: 1 }, new LsFloat(Number.NaN), new LsFloat(Infinity), new Timestamp(0)] as Value[]
    ).map((value): [Value] => [value]),
  ])('not %o', (value) => {
    expect(parse('UNIX', value)).toBe('no match')
  })
})

describe('UNIX_MS', () => {
  it('reads whole milliseconds', () => {
    expect(parse('UNIX_MS', '1350414944123')).toBe('2012-10-16T19:15:44.123Z')
    expect(parse('UNIX_MS', 1350414944123)).toBe('2012-10-16T19:15:44.123Z')
    expect(parse('UNIX_MS', '-1')).toBe('1969-12-31T23:59:59.999Z')
    expect(parse('UNIX_MS', new LsFloat(456))).toBe('1970-01-01T00:00:00.456Z')
    expect(parse('UNIX_MS', 456.7)).toBe('1970-01-01T00:00:00.456Z')
  })

  it('refuses the rest', () => {
    for (const value of ['', 'x', '1.5', '1e3', ' 1', true, [1], 2n ** 64n, '9'.repeat(30)]) {
      expect(parse('UNIX_MS', value)).toBe('no match')
    }
  })
})

describe('TAI64N', () => {
  it('reads labels with and without @', () => {
    expect(parse('TAI64N', '@4000000050d506482dbdf024')).toBe('2012-12-22T01:00:46.767Z')
    expect(parse('TAI64N', '4000000050D506482DBDF024')).toBe('2012-12-22T01:00:46.767Z')
  })

  it('refuses the rest', () => {
    for (const value of ['', '@', '@4000000050d50648', 'g000000050d506482dbdf024', 5]) {
      expect(parse('TAI64N', value)).toBe('no match')
    }
  })
})

describe('patterns and ISO8601', () => {
  it('need a text', () => {
    for (const value of [
      20240102,
      2024,
      true,
      ['2024'],
      { a: '2024' },
      new Timestamp(0),
      new LsFloat(2024),
    ]) {
      expect(parse('yyyyMMdd', value)).toBe('no match')
      expect(parse('ISO8601', value)).toBe('no match')
    }
  })

  it('need a zone that exists even for texts that name one', () => {
    expect(compileDateFormat('ISO8601', { locale: 'en' })('2024-01-02T00:00:00Z', undefined)).toBeNaN()
    expect(compileDateFormat('yyyy Z', { locale: 'en' })('2024 Z', undefined)).toBeNaN()
    expect(compileDateFormat('UNIX', { locale: 'en' })('1', undefined)).toBe(1000)
  })
})
