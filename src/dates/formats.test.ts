/**
 * Formats people use, each with a text and the instant it means. The expected values are worked out by hand;
 * texts without a zone are UTC, and the clock stands at 15 June 2024.
 */
import { describe, expect, it } from 'vitest'
import { utc as utcZone } from '../time/zone.ts'
import { compileDateFormat } from './date-format.ts'
import { localClock } from './local-clock.ts'

const now = () => Date.UTC(2024, 5, 15, 12)
const clock = localClock(utcZone)

function parse(format: string, text: string): number {
  return compileDateFormat(format, { locale: 'en', now })(text, clock)
}

/** Month as in a calendar, 1 to 12. */
function utc(year: number, month = 1, day = 1, hour = 0, minute = 0, second = 0, milli = 0): number {
  return Date.UTC(year, month - 1, day, hour, minute, second, milli)
}

const hour = 3_600_000

type Row = readonly [format: string, text: string, instant: number]

const found: readonly Row[] = [
  ['ISO8601', '2015-10-01T05:06:07.089Z', utc(2015, 10, 1, 5, 6, 7, 89)],
  ['UNIX', '1443675967', utc(2015, 10, 1, 5, 6, 7)],
  ['UNIX_MS', '1443675967089', utc(2015, 10, 1, 5, 6, 7, 89)],
  ['TAI64N', '@4000000050d506482dbdf024', utc(2012, 12, 22, 1, 0, 46, 767)],
  ['MMM dd HH:mm:ss', 'Oct 01 05:06:07', utc(2024, 10, 1, 5, 6, 7)],
  ['MMM  d HH:mm:ss', 'Oct  1 05:06:07', utc(2024, 10, 1, 5, 6, 7)],
  ['MMM d HH:mm:ss', 'Feb 29 23:59:59', utc(2024, 2, 29, 23, 59, 59)],
  ['MMM  dd HH:mm:ss', 'Nov  30 00:00:00', utc(2024, 11, 30)],
  ['MM dd HH:mm:ss', '10 01 05:06:07', utc(2024, 10, 1, 5, 6, 7)],
  ['dd/MMM/yyyy:HH:mm:ss Z', '18/Sep/2024:11:15:47 +0200', utc(2024, 9, 18, 9, 15, 47)],
  ['dd/MMM/YYYY:HH:mm:ss Z', '18/Sep/2024:11:15:47 -0530', utc(2024, 9, 18, 16, 45, 47)],
  ['dd/MMM/YYYY:H:m:s Z', '1/Jan/2021:1:2:3 +0000', utc(2021, 1, 1, 1, 2, 3)],
  ['[dd/MMM/yyyy:HH:mm:ss Z]', '[18/Sep/2024:11:15:47 +0200]', utc(2024, 9, 18, 9, 15, 47)],
  ['dd/MMM/yyyy:HH:mm:ss', '18/Sep/2024:11:15:47', utc(2024, 9, 18, 11, 15, 47)],
  ['dd/MMM/yyyy:HH:mm:ss.SSS', '18/Sep/2024:11:15:47.250', utc(2024, 9, 18, 11, 15, 47, 250)],
  ['yyyy-MM-dd HH:mm:ss', '2024-02-29 12:34:56', utc(2024, 2, 29, 12, 34, 56)],
  ['YYYY-MM-dd HH:mm:ss', '2023-12-31 23:59:59', utc(2023, 12, 31, 23, 59, 59)],
  ["yyyy-MM-dd'T'HH:mm:ss.SSSSSSZ", '2024-01-02T03:04:05.678901+0100', utc(2024, 1, 2, 2, 4, 5, 678)],
  ["YYYY-MM-dd'T'HH:mm:ss.SSSSSSZ", '2024-01-02T03:04:05.678901Z', utc(2024, 1, 2, 3, 4, 5, 678)],
  ["yyyy-MM-dd'T'HH:mm:ss.SSS'Z'", '2024-01-02T03:04:05.678Z', utc(2024, 1, 2, 3, 4, 5, 678)],
  ["yyyy-MM-dd'T'HH:mm:ss'Z'", '2024-01-02T03:04:05Z', utc(2024, 1, 2, 3, 4, 5)],
  ["yyyy-MM-dd'T'HH:mm:ss.SSSSSSSSS'Z'", '2024-01-02T03:04:05.123456789Z', utc(2024, 1, 2, 3, 4, 5, 123)],
  [
    "yyyy-MM-dd'T'HH:mm:ss.SSSSSSSSSZZ",
    '2024-01-02T03:04:05.123456789+05:30',
    utc(2024, 1, 1, 21, 34, 5, 123),
  ],
  ["YYYY-MM-dd'T'HH:mm:ssZ", '2024-01-02T03:04:05-08:00', utc(2024, 1, 2, 11, 4, 5)],
  ["YYYY-MM-dd'T'HH:mm:ssZ'; '", '2024-01-02T03:04:05+0000; ', utc(2024, 1, 2, 3, 4, 5)],
  ["YYYY-MM-dd'T'HH:mm:ssZ';'", '2024-01-02T03:04:05Z;', utc(2024, 1, 2, 3, 4, 5)],
  ["YYYY-MM-dd'T'HH:mm:ss'.00Z; '", '2024-01-02T03:04:05.00Z; ', utc(2024, 1, 2, 3, 4, 5)],
  ["YYYY-MM-dd'T'HH:mm:ss'.00Z;'", '2024-01-02T03:04:05.00Z;', utc(2024, 1, 2, 3, 4, 5)],
  ["YYYY-MM-dd HH:mm:ss'; '", '2024-01-02 03:04:05; ', utc(2024, 1, 2, 3, 4, 5)],
  ["YYYY-MM-dd HH:mm:ss';'", '2024-01-02 03:04:05;', utc(2024, 1, 2, 3, 4, 5)],
  // The quote is in the wrong place: most of the pattern is text, and only the zone is read besides the date.
  ["YYYY-MM-dd'THH:mm:ss.SSS'Z", '2024-01-02THH:mm:ss.SSS+0100', utc(2024, 1, 1, 23)],
  ['YYYY-MM-dd HH:mm:ss.SSS', '2024-01-02 03:04:05.678', utc(2024, 1, 2, 3, 4, 5, 678)],
  ['yyyy-MM-dd HH:mm:ss.SSS', '2024-01-02 03:04:05.6', utc(2024, 1, 2, 3, 4, 5, 600)],
  ['yyyy-MM-dd HH:mm:ss.SSSSSS', '2024-01-02 03:04:05.678999', utc(2024, 1, 2, 3, 4, 5, 678)],
  ['YYYY-MM-dd HH:mm:ss.SSSSSS', '2024-01-02 03:04:05.67', utc(2024, 1, 2, 3, 4, 5, 670)],
  ['yyyy-MM-dd HH:mm:ss.SSSSSSSSS', '2024-01-02 03:04:05.000999999', utc(2024, 1, 2, 3, 4, 5, 0)],
  ['yyyy-MM-dd HH:mm:ss.SSSSSSZ', '2024-01-02 03:04:05.678901+0100', utc(2024, 1, 2, 2, 4, 5, 678)],
  ['yyyy-MM-dd HH:mm:ss Z', '2024-01-02 03:04:05 +0900', utc(2024, 1, 1, 18, 4, 5)],
  ['yyyy-MM-dd HH:mm:ss ZZZ', '2024-07-02 03:04:05 Europe/Berlin', utc(2024, 7, 2, 1, 4, 5)],
  ['yyyy-MM-dd HH:mm:ss,SSS', '2024-01-02 03:04:05,678', utc(2024, 1, 2, 3, 4, 5, 678)],
  ['YYYY-MM-dd HH:mm:ss,SSS', '2024-01-02 03:04:05,001', utc(2024, 1, 2, 3, 4, 5, 1)],
  ['yyyy-MM-dd HH:mm:ss,SSS Z', '2024-01-02 03:04:05,678 -0100', utc(2024, 1, 2, 4, 4, 5, 678)],
  ['yyyy-MM-dd HH:mm:ss.SSS ZZ', '2024-01-02 03:04:05.678 -01:00', utc(2024, 1, 2, 4, 4, 5, 678)],
  ['yy-MM-dd HH:mm:ss,SSS', '24-01-02 03:04:05,678', utc(2024, 1, 2, 3, 4, 5, 678)],
  ['yyyy-MM-d HH:mm:ss', '2024-01-2 03:04:05', utc(2024, 1, 2, 3, 4, 5)],
  ['yyyy-MM-dd', '2024-01-02', utc(2024, 1, 2)],
  ['yyyy_MM_dd', '2024_01_02', utc(2024, 1, 2)],
  ['MMM dd HH:mm:ss yyyy', 'Jan 02 03:04:05 2024', utc(2024, 1, 2, 3, 4, 5)],
  ['MMM  d HH:mm:ss yyyy', 'Jan  2 03:04:05 2024', utc(2024, 1, 2, 3, 4, 5)],
  ['MMM dd HH:mm:ss YYYY', 'Dec 31 03:04:05 2021', utc(2021, 12, 31, 3, 4, 5)],
  ['MMM  d HH:mm:ss YYYY', 'Dec  1 03:04:05 2021', utc(2021, 12, 1, 3, 4, 5)],
  ['MMM dd yyyy HH:mm:ss', 'Mar 04 2022 05:06:07', utc(2022, 3, 4, 5, 6, 7)],
  ['MMM  d yyyy HH:mm:ss', 'Mar  4 2022 05:06:07', utc(2022, 3, 4, 5, 6, 7)],
  ['MMM dd YYY HH:mm:ss', 'Mar 04 2022 05:06:07', utc(2022, 3, 4, 5, 6, 7)],
  ['yyyyMMddHHmmssZ', '20240102030405+0200', utc(2024, 1, 2, 1, 4, 5)],
  ['yyyyMMddHHmmss', '20240102030405', utc(2024, 1, 2, 3, 4, 5)],
  ['yyyyMMdd-HHmmss', '20240102-030405', utc(2024, 1, 2, 3, 4, 5)],
  ['EEE MMM dd HH:mm:ss.SSSSSS yyyy', 'Tue Jan 02 03:04:05.678901 2024', utc(2024, 1, 2, 3, 4, 5, 678)],
  ['EEE MMM dd HH:mm:ss yyyy', 'Tue Jan 02 03:04:05 2024', utc(2024, 1, 2, 3, 4, 5)],
  ['EEE MMM d HH:mm:ss yyyy', 'Tue Jan 2 03:04:05 2024', utc(2024, 1, 2, 3, 4, 5)],
  ['EEE MMM dd H:m:s YYYY', 'Tue Jan 02 3:4:5 2024', utc(2024, 1, 2, 3, 4, 5)],
  ['EEE MMM dd H:m:s.SSSSSS YYYY', 'Tue Jan 02 3:4:5.5 2024', utc(2024, 1, 2, 3, 4, 5, 500)],
  ['EEE, dd MMM yyyy HH:mm:ss z', 'Tue, 02 Jan 2024 03:04:05 GMT', utc(2024, 1, 2, 3, 4, 5)],
  ['EEE, d MMM yyyy HH:mm:ss Z', 'Tue, 2 Jan 2024 03:04:05 +0100', utc(2024, 1, 2, 2, 4, 5)],
  ['EEE, d MMM yyyy H:m:s Z', 'Tue, 2 Jan 2024 3:4:5 +0100', utc(2024, 1, 2, 2, 4, 5)],
  ['dd MMM yyyy HH:mm:ss Z', '02 Jan 2024 03:04:05 +0100', utc(2024, 1, 2, 2, 4, 5)],
  // H is an hour of 24; AM and PM beside it mean nothing.
  ['MMM dd, yyyy HH:mm:ss a', 'Jan 02, 2024 03:04:05 PM', utc(2024, 1, 2, 3, 4, 5)],
  ['MMM dd, yyyy H:mm:ss a', 'Jan 02, 2024 3:04:05 AM', utc(2024, 1, 2, 3, 4, 5)],
  ['MM/dd/yy HH:mm', '01/02/24 03:04', utc(2024, 1, 2, 3, 4)],
  ['MM/dd/YY HH:mm', '01/02/99 03:04', utc(1999, 1, 2, 3, 4)],
  ['MM/dd/YY H:mm', '01/02/24 3:04', utc(2024, 1, 2, 3, 4)],
  ["yyyy'/'MM'/'dd HH:mm:ss", '2024/01/02 03:04:05', utc(2024, 1, 2, 3, 4, 5)],
  ['yyyy/MM/dd HH:mm:ss', '2024/01/02 03:04:05', utc(2024, 1, 2, 3, 4, 5)],
  ['YYYY/MM/dd HH:mm:ss', '2024/01/02 03:04:05', utc(2024, 1, 2, 3, 4, 5)],
  ['YYYY/MM/dd H:m:s', '2024/01/02 3:4:5', utc(2024, 1, 2, 3, 4, 5)],
  ['yyyy/dd/MM HH:mm:ss.SSS', '2024/31/01 03:04:05.678', utc(2024, 1, 31, 3, 4, 5, 678)],
  ['yyyy/MM/dd HH:mm:ss.SS', '2024/01/02 03:04:05.67', utc(2024, 1, 2, 3, 4, 5, 670)],
  ['yyMMdd HH:mm:ss', '240102 03:04:05', utc(2024, 1, 2, 3, 4, 5)],
  ['YYMMdd H:m:s', '240102 3:4:5', utc(2024, 1, 2, 3, 4, 5)],
  ['dd/MM/YY HH:mm:ss:SSS ZZZ', '02/01/24 03:04:05:678 UTC', utc(2024, 1, 2, 3, 4, 5, 678)],
  ['MM/dd/YY HH:mm:ss:SSS ZZZ', '01/02/24 03:04:05:678 EST', utc(2024, 1, 2, 8, 4, 5, 678)],
  ['M/dd/YY HH:mm:ss:SSS ZZZ', '1/02/24 03:04:05:678 Asia/Tokyo', utc(2024, 1, 1, 18, 4, 5, 678)],
  ['M/d/YY HH:mm:ss:SSS ZZZ', '1/2/24 03:04:05:678 GMT', utc(2024, 1, 2, 3, 4, 5, 678)],
  ['MM/dd/YYYY HH:mm:ss z', '07/02/2024 03:04:05 PDT', utc(2024, 7, 2, 10, 4, 5)],
  ['MM/dd/YYYY HH:mm:ss ZZZ', '07/02/2024 03:04:05 America/Los_Angeles', utc(2024, 7, 2, 10, 4, 5)],
  ['MMddyyyy', '01022024', utc(2024, 1, 2)],
  ['MM/dd/yyyy', '01/02/2024', utc(2024, 1, 2)],
  ['MM/dd-HH:mm:ss.SSSSSS', '01/02-03:04:05.678901', utc(2024, 1, 2, 3, 4, 5, 678)],
  ['MM/dd/yy-HH:mm:ss.SSSSSS', '01/02/24-03:04:05.678901', utc(2024, 1, 2, 3, 4, 5, 678)],
]

const further: readonly Row[] = [
  ['dd-MMM-yyyy HH:mm:ss', '02-Jan-2024 03:04:05', utc(2024, 1, 2, 3, 4, 5)],
  ['dd-MMM-yyyy HH:mm:ss.SSS', '02-JAN-2024 03:04:05.678', utc(2024, 1, 2, 3, 4, 5, 678)],
  ['dd-MMM-yyyy', '02-jan-2024', utc(2024, 1, 2)],
  ['dd-MMM-yy', '02-Jan-24', utc(2024, 1, 2)],
  ['dd-MM-yyyy HH:mm:ss', '02-01-2024 03:04:05', utc(2024, 1, 2, 3, 4, 5)],
  ['dd-MM-yyyy HH:mm', '02-01-2024 03:04', utc(2024, 1, 2, 3, 4)],
  ['dd-MM-yyyy', '02-01-2024', utc(2024, 1, 2)],
  ['dd.MM.yyyy HH:mm:ss', '02.01.2024 03:04:05', utc(2024, 1, 2, 3, 4, 5)],
  ['dd.MM.yyyy HH:mm:ss,SSS', '02.01.2024 03:04:05,678', utc(2024, 1, 2, 3, 4, 5, 678)],
  ['dd.MM.yyyy', '02.01.2024', utc(2024, 1, 2)],
  ['d.M.yyyy H:mm', '2.1.2024 3:04', utc(2024, 1, 2, 3, 4)],
  ['dd/MM/yyyy HH:mm:ss', '02/01/2024 03:04:05', utc(2024, 1, 2, 3, 4, 5)],
  ['dd/MM/yyyy', '02/01/2024', utc(2024, 1, 2)],
  ['dd/MM/yy', '02/01/24', utc(2024, 1, 2)],
  ['dd/MM/yyyy hh:mm:ss a', '02/01/2024 12:04:05 AM', utc(2024, 1, 2, 0, 4, 5)],
  ['MM/dd/yyyy HH:mm:ss', '01/02/2024 03:04:05', utc(2024, 1, 2, 3, 4, 5)],
  ['MM/dd/yyyy HH:mm', '01/02/2024 03:04', utc(2024, 1, 2, 3, 4)],
  ['MM/dd/yyyy hh:mm:ss a', '01/02/2024 12:04:05 PM', utc(2024, 1, 2, 12, 4, 5)],
  ['MM/dd/yyyy hh:mm:ss.SSS a', '01/02/2024 03:04:05.678 PM', utc(2024, 1, 2, 15, 4, 5, 678)],
  ['M/d/yyyy h:mm:ss a', '1/2/2024 3:04:05 pm', utc(2024, 1, 2, 15, 4, 5)],
  ['M/d/yyyy H:mm:ss', '1/2/2024 3:04:05', utc(2024, 1, 2, 3, 4, 5)],
  ['M/d/yyyy', '1/2/2024', utc(2024, 1, 2)],
  ['M/d/yy', '1/2/24', utc(2024, 1, 2)],
  ['MM-dd-yyyy HH:mm:ss', '01-02-2024 03:04:05', utc(2024, 1, 2, 3, 4, 5)],
  ['MM-dd-yyyy', '01-02-2024', utc(2024, 1, 2)],
  ['MM-dd HH:mm:ss.SSS', '01-02 03:04:05.678', utc(2024, 1, 2, 3, 4, 5, 678)],
  ['yyyy-MM-dd HH:mm', '2024-01-02 03:04', utc(2024, 1, 2, 3, 4)],
  ['yyyy-MM-dd HH', '2024-01-02 03', utc(2024, 1, 2, 3)],
  ['yyyy-MM-dd HH:mm:ssZ', '2024-01-02 03:04:05+01', utc(2024, 1, 2, 2, 4, 5)],
  ['yyyy-MM-dd HH:mm:ss.SSSZ', '2024-01-02 03:04:05.678Z', utc(2024, 1, 2, 3, 4, 5, 678)],
  ['yyyy-MM-dd HH:mm:ss.SSS Z', '2024-01-02 03:04:05.678 +0000', utc(2024, 1, 2, 3, 4, 5, 678)],
  ['yyyy-MM-dd HH:mm:ss,SSSZ', '2024-01-02 03:04:05,678+0200', utc(2024, 1, 2, 1, 4, 5, 678)],
  ['yyyy-MM-dd HH:mm:ss:SSS', '2024-01-02 03:04:05:678', utc(2024, 1, 2, 3, 4, 5, 678)],
  ["yyyy-MM-dd HH:mm:ss 'UTC'", '2024-01-02 03:04:05 UTC', utc(2024, 1, 2, 3, 4, 5)],
  ['yyyy-MM-dd HH:mm:ss z', '2024-01-02 03:04:05 EST', utc(2024, 1, 2, 8, 4, 5)],
  ["yyyy-MM-dd'T'HH:mm:ss", '2024-01-02T03:04:05', utc(2024, 1, 2, 3, 4, 5)],
  ["yyyy-MM-dd'T'HH:mm", '2024-01-02T03:04', utc(2024, 1, 2, 3, 4)],
  ["yyyy-MM-dd'T'HH:mm:ss.SSS", '2024-01-02T03:04:05.678', utc(2024, 1, 2, 3, 4, 5, 678)],
  ["yyyy-MM-dd'T'HH:mm:ss.SSSZ", '2024-01-02T03:04:05.678-0300', utc(2024, 1, 2, 6, 4, 5, 678)],
  ["yyyy-MM-dd'T'HH:mm:ss.SSSZZ", '2024-01-02T03:04:05.678-03:00', utc(2024, 1, 2, 6, 4, 5, 678)],
  ["yyyy-MM-dd'T'HH:mm:ssZZ", '2024-01-02T03:04:05+00:00', utc(2024, 1, 2, 3, 4, 5)],
  ["yyyy-MM-dd'T'HH:mm:ss,SSS", '2024-01-02T03:04:05,678', utc(2024, 1, 2, 3, 4, 5, 678)],
  ["yyyy-MM-dd'T'HH:mm:ss.SSSSSS", '2024-01-02T03:04:05.678901', utc(2024, 1, 2, 3, 4, 5, 678)],
  ["yyyy-MM-dd'T'HH:mm:ss.SSSSSSS'Z'", '2024-01-02T03:04:05.6789012Z', utc(2024, 1, 2, 3, 4, 5, 678)],
  ["yyyyMMdd'T'HHmmss", '20240102T030405', utc(2024, 1, 2, 3, 4, 5)],
  ["yyyyMMdd'T'HHmmssZ", '20240102T030405Z', utc(2024, 1, 2, 3, 4, 5)],
  ["yyyyMMdd'T'HHmmss.SSSZ", '20240102T030405.678+0100', utc(2024, 1, 2, 2, 4, 5, 678)],
  ['yyyyMMdd HHmmss', '20240102 030405', utc(2024, 1, 2, 3, 4, 5)],
  ['yyyyMMdd HH:mm:ss', '20240102 03:04:05', utc(2024, 1, 2, 3, 4, 5)],
  ['yyyyMMdd HH:mm:ss.SSS', '20240102 03:04:05.678', utc(2024, 1, 2, 3, 4, 5, 678)],
  ['yyyyMMdd', '20240102', utc(2024, 1, 2)],
  ['yyyyMMddHHmm', '202401020304', utc(2024, 1, 2, 3, 4)],
  ['yyyyMMddHHmmssSSS', '20240102030405678', utc(2024, 1, 2, 3, 4, 5, 678)],
  ['yyyy.MM.dd HH:mm:ss', '2024.01.02 03:04:05', utc(2024, 1, 2, 3, 4, 5)],
  ['yyyy.MM.dd', '2024.01.02', utc(2024, 1, 2)],
  ['yyyy/MM/dd', '2024/01/02', utc(2024, 1, 2)],
  ['yyyy/MM/dd HH:mm:ss.SSS', '2024/01/02 03:04:05.678', utc(2024, 1, 2, 3, 4, 5, 678)],
  ['yyyy/MM/dd HH:mm:ss Z', '2024/01/02 03:04:05 +0800', utc(2024, 1, 1, 19, 4, 5)],
  ['yyyy/MM/dd HH:mm:ss,SSS', '2024/01/02 03:04:05,678', utc(2024, 1, 2, 3, 4, 5, 678)],
  ['yy/MM/dd HH:mm:ss', '24/01/02 03:04:05', utc(2024, 1, 2, 3, 4, 5)],
  ['yyMMdd', '240102', utc(2024, 1, 2)],
  ['yyMMddHHmmss', '240102030405', utc(2024, 1, 2, 3, 4, 5)],
  ['yyyy MMM dd HH:mm:ss', '2024 Jan 02 03:04:05', utc(2024, 1, 2, 3, 4, 5)],
  ['yyyy MMM dd HH:mm:ss.SSS ZZZ', '2024 Jan 02 03:04:05.678 UTC', utc(2024, 1, 2, 3, 4, 5, 678)],
  ['yyyy-MMM-dd HH:mm:ss', '2024-Jan-02 03:04:05', utc(2024, 1, 2, 3, 4, 5)],
  ['dd MMM yyyy HH:mm:ss', '02 Jan 2024 03:04:05', utc(2024, 1, 2, 3, 4, 5)],
  ['dd MMM yyyy HH:mm:ss.SSS', '02 Jan 2024 03:04:05.678', utc(2024, 1, 2, 3, 4, 5, 678)],
  ['dd MMM yyyy HH:mm:ss,SSS', '02 Jan 2024 03:04:05,678', utc(2024, 1, 2, 3, 4, 5, 678)],
  ['dd MMM HH:mm:ss', '02 Jan 03:04:05', utc(2024, 1, 2, 3, 4, 5)],
  ['dd MMM HH:mm:ss.SSS', '02 Jan 03:04:05.678', utc(2024, 1, 2, 3, 4, 5, 678)],
  ['d MMMM yyyy', '2 January 2024', utc(2024, 1, 2)],
  ['MMMM d, yyyy', 'September 2, 2024', utc(2024, 9, 2)],
  ['MMMM dd yyyy HH:mm', 'MAY 02 2024 03:04', utc(2024, 5, 2, 3, 4)],
  ['MMM d, yyyy h:mm:ss a', 'Jan 2, 2024 11:04:05 PM', utc(2024, 1, 2, 23, 4, 5)],
  ['MMM d yyyy HH:mm:ss.SSS', 'Jan 2 2024 03:04:05.678', utc(2024, 1, 2, 3, 4, 5, 678)],
  ['MMM dd HH:mm:ss.SSS', 'Jan 02 03:04:05.678', utc(2024, 1, 2, 3, 4, 5, 678)],
  ['MMM dd HH:mm:ss.SSSSSS', 'Jan 02 03:04:05.678901', utc(2024, 1, 2, 3, 4, 5, 678)],
  ['MMM dd yyyy HH:mm:ss.SSS z', 'Jan 02 2024 03:04:05.678 CST', utc(2024, 1, 2, 9, 4, 5, 678)],
  ['MMM dd HH:mm:ss Z', 'Jan 02 03:04:05 +0100', utc(2024, 1, 2, 2, 4, 5)],
  ['EEE MMM dd HH:mm:ss Z yyyy', 'Tue Jan 02 03:04:05 +0000 2024', utc(2024, 1, 2, 3, 4, 5)],
  ['EEE MMM dd HH:mm:ss z yyyy', 'Tue Jan 02 03:04:05 UTC 2024', utc(2024, 1, 2, 3, 4, 5)],
  ["EEE MMM dd HH:mm:ss 'CET' yyyy", 'Tue Jan 02 03:04:05 CET 2024', utc(2024, 1, 2, 3, 4, 5)],
  ['EEE MMM  d HH:mm:ss yyyy', 'Tue Jan  2 03:04:05 2024', utc(2024, 1, 2, 3, 4, 5)],
  ['EEE, dd MMM yyyy HH:mm:ss Z', 'Tue, 02 Jan 2024 03:04:05 -0800', utc(2024, 1, 2, 11, 4, 5)],
  ["EEE, dd MMM yyyy HH:mm:ss 'GMT'", 'Tue, 02 Jan 2024 03:04:05 GMT', utc(2024, 1, 2, 3, 4, 5)],
  ['EEEE, MMMM d, yyyy', 'Tuesday, January 2, 2024', utc(2024, 1, 2)],
  ['EEEE dd MMM yyyy', 'Tue 02 January 2024', utc(2024, 1, 2)],
  ['HH:mm:ss dd/MM/yyyy', '03:04:05 02/01/2024', utc(2024, 1, 2, 3, 4, 5)],
  ['HH:mm:ss.SSS dd-MM-yyyy', '03:04:05.678 02-01-2024', utc(2024, 1, 2, 3, 4, 5, 678)],
  ['HH:mm:ss', '03:04:05', utc(2024, 1, 1, 3, 4, 5)],
  ['yyyy', '2024', utc(2024)],
  ['yyyy-MM', '2024-05', utc(2024, 5)],
  ['yyyyDDD', '2024060', utc(2024, 2, 29)],
  ['yyyy-DDD HH:mm', '2023-060 03:04', utc(2023, 3, 1, 3, 4)],
  ["xxxx-'W'ww-e", '2024-W01-2', utc(2024, 1, 2)],
  // The year of a week does not count as a year: that of the clock is put in its place.
  ["xxxx'W'ww", '2020W53', utc(2024, 12, 28)],
  ['kk:mm yyyy-MM-dd', '24:30 2024-01-02', utc(2024, 1, 2, 0, 30)],
  ['KK:mm a yyyy-MM-dd', '00:30 PM 2024-01-02', utc(2024, 1, 2, 12, 30)],
  ["yyyy-MM-dd HH 'o''clock'", "2024-01-02 03 O'Clock", utc(2024, 1, 2, 3)],
  ['yyyy G', '2024 AD', utc(2024)],
  ['YYYY GG', '0044 BC', Date.UTC(-43, 0, 1)],
  // Errors of users that Joda-Time accepts: the year's day instead of the month's, seconds instead of fractions.
  ['YYYY-MM-DD HH:mm:ss,SSS', '2016-07-10 02:48:53,927', utc(2016, 1, 10, 2, 48, 53, 927)],
  ['HH:mm:ss.sss yyyy-MM-dd', '03:04:05.007 2024-01-02', utc(2024, 1, 2, 3, 4, 7)],
  ['yyyy-mm-dd', '2024-05-06', utc(2024, 1, 6, 0, 5)],
]

describe('formats in use', () => {
  const rows = [...found, ...further]

  it('are many', () => {
    expect(new Set(rows.map(([format]) => format)).size).toBeGreaterThanOrEqual(155)
  })

  it.each(rows)('%s reads %j', (format, text, instant) => {
    expect(new Date(parse(format, text)).toISOString()).toBe(new Date(instant).toISOString())
  })

  it.each(rows.filter(([format]) => format !== 'TAI64N'))(
    '%s refuses %j with more behind it, with less, and with a letter for its first character',
    (format, text) => {
      expect(parse(format, `${text}x`)).toBeNaN()
      expect(parse(format, '')).toBeNaN()
      expect(parse(format, `ö${text.slice(1)}`)).toBeNaN()
    },
  )
})

describe('values out of range', () => {
  it.each([
    ['yyyy-MM-dd', '2023-02-29'],
    ['yyyy-MM-dd', '2024-00-01'],
    ['yyyy-MM-dd', '2024-13-01'],
    ['yyyy-MM-dd', '2024-01-00'],
    ['yyyy-MM-dd', '2024-04-31'],
    ['yyyy-MM-dd HH', '2024-01-01 24'],
    ['HH:mm', '10:60'],
    ['HH:mm:ss', '10:59:60'],
    ['hh:mm a', '13:00 PM'],
    ['hh:mm a', '00:00 AM'],
    ['KK a', '12 AM'],
    ['kk', '00'],
    ['kk', '25'],
    ['yyyyDDD', '2023366'],
    ['yyyyDDD', '2024000'],
    ['xxxx ww', '2021 53'],
    ['xxxx ww e', '2021 01 8'],
    ['YYYY', '0000'],
    ['HH:mm:ss.sss', '03:04:05.678'],
    ['yyyy-MM-dd HH:mm:ss Z', '2024-01-02 03:04:05 +2400'],
    ['yyyy-MM-dd HH:mm:ss Z', '2024-01-02 03:04:05 +0160'],
    ['yyyy-MM-dd HH:mm:ss Z', '2024-01-02 03:04:05 +1'],
    ['yyyy', '999999999'],
    ['MMM', 'Foo'],
  ])('%s refuses %j', (format, text) => {
    expect(parse(format, text)).toBeNaN()
  })

  it('are not mistaken for the text before', () => {
    const format = compileDateFormat('yyyy-MM-dd Z', { locale: 'en', now })
    expect(format('2024-01-02 +0100', clock)).toBe(utc(2024, 1, 2) - hour)
    expect(format('2024-01-32 +0100', clock)).toBeNaN()
    expect(format('2024-01-02 Z', clock)).toBe(utc(2024, 1, 2))
  })
})
