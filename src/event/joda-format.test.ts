import { expect, test } from 'vitest'
import { compileJodaFormat } from './joda-format.ts'
import { parseTimestamp } from './parse-timestamp.ts'

function format(pattern: string, time: string): string {
  return compileJodaFormat(pattern)(parseTimestamp(time)!)
}

const onThursday: [pattern: string, text: string][] = [
  ["xxxx-'W'ww", '2015-W40'],
  ['%ss', '%07'],
  ['EEE MMM d', 'Thu Oct 1'],
  ['ZZ', '+00:00'],
  ['ZZZ', 'UTC'],
  ['ZZZZ', 'UTC'],
  ['Z', '+0000'],
  ['a hh', 'AM 05'],
  ['DDD', '274'],
  ['D', '274'],
  ['DDDDD', '00274'],
  ['S', '0'],
  ['SS', '08'],
  ['SSS', '089'],
  ['SSSSSS', '089000'],
  ['SSSSSSSSSSSSSSSSSS', '089000000000000'],
  ['yy', '15'],
  ['YY', '15'],
  ['xx', '15'],
  ['y', '2015'],
  ['YYYY', '2015'],
  ['yyyy', '2015'],
  ['yyyyyy', '002015'],
  ['C', '20'],
  ['CCC', '020'],
  ['G', 'AD'],
  ['GGGG', 'AD'],
  ['YYYY.MM.dd', '2015.10.01'],
  ['YYYY.MM.dd.HH', '2015.10.01.05'],
  ['M MM MMM MMMM MMMMM', '10 10 Oct October October'],
  ['d dd ddd', '1 01 001'],
  ['E EEEE', 'Thu Thursday'],
  ['e ee', '4 04'],
  ['w ww www', '40 40 040'],
  ['H HH k kk K KK h', '5 05 5 05 5 05 5'],
  ['m mm s ss sss', '6 06 7 07 007'],
  ['z zzz', 'UTC UTC'],
  ['zzzz', 'Coordinated Universal Time'],
  ["yyyy'year'", '2015year'],
  ["'o''clock' HH", "o'clock 05"],
  ["''yy", "'15"],
  ["yy''", "15'"],
  ["HH 'open to the end", '05 open to the end'],
  ["yyyy-MM-dd'T'HH:mm:ss.SSSZ", '2015-10-01T05:06:07.089+0000'],
  ['yyyy年MM月', '2015年10月'],
]

test.each(onThursday)('%s', (pattern, text) => {
  expect(format(pattern, '2015-10-01T05:06:07.089Z')).toBe(text)
})

const otherTimes: [time: string, pattern: string, text: string][] = [
  ['2015-10-01T00:00:00Z', 'k K h a', '24 0 12 AM'],
  ['2015-10-01T12:30:00Z', 'k K h a', '12 0 12 PM'],
  ['2015-10-01T23:59:59Z', 'kk KK hh a', '23 11 11 PM'],
  ['2015-10-01T05:06:07Z', 'SSSSSSSSSSSSSSSSSS', '000000000000000000'],
  ['2015-10-01T05:06:07.123456789Z', 'SSSSSSSSS', '123000000'],
  ['2016-01-03T00:00:00Z', 'xxxx ww e EEE', '2015 53 7 Sun'],
  ['2016-01-04T00:00:00Z', 'xxxx ww e EEE', '2016 01 1 Mon'],
  ['2014-12-29T00:00:00Z', 'YYYY xxxx xx w', '2014 2015 15 1'],
  ['2005-01-01T00:00:00Z', 'YYYY xxxx ww', '2005 2004 53'],
  ['0000-06-01T00:00:00Z', 'G Y YYYY y yyyy yy C', 'BC 1 0001 0 0000 00 0'],
  ['-0005-06-01T00:00:00Z', 'G Y y yyyy yy', 'BC 6 -5 -0005 05'],
  ['+12015-06-01T00:00:00Z', 'YYYY yy C', '12015 15 120'],
  ['1969-12-31T23:59:59.999Z', 'yyyy-MM-dd HH:mm:ss.SSS', '1969-12-31 23:59:59.999'],
]

test.each(otherTimes)('%s as %s', (time, pattern, text) => {
  expect(format(pattern, time)).toBe(text)
})

test('unknown letters and empty patterns are refused', () => {
  expect(() => compileJodaFormat('QQQQ')).toThrow(new Error('Illegal pattern component: QQQQ'))
  expect(() => compileJodaFormat('yyyy-bb')).toThrow(new Error('Illegal pattern component: bb'))
  expect(() => compileJodaFormat('')).toThrow(new Error('Invalid pattern specification'))
})

test('a format that was kept for one instant is right for the next', () => {
  const day = compileJodaFormat('YYYY.MM.dd')
  expect(day(parseTimestamp('2015-10-01T23:59:59.999Z')!)).toBe('2015.10.01')
  expect(day(parseTimestamp('2015-10-02T00:00:00Z')!)).toBe('2015.10.02')
  expect(day(parseTimestamp('2015-10-01T00:00:00Z')!)).toBe('2015.10.01')
  const fine = compileJodaFormat("HH 'h' SSS dd")
  expect(fine(parseTimestamp('2015-10-01T01:00:00.001Z')!)).toBe('01 h 001 01')
  expect(fine(parseTimestamp('2015-10-01T01:00:00.002Z')!)).toBe('01 h 002 01')
  expect(fine(parseTimestamp('2015-10-02T02:00:00.002Z')!)).toBe('02 h 002 02')
})
