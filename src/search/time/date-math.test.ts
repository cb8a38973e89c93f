import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SearchError } from '../request/search-error.ts'
import { compileDateFormat, defaultDateFormat } from './date-format.ts'
import { parseDateMath } from './date-math.ts'
import { findTimeZone } from './time-zone.ts'

const format = compileDateFormat(defaultDateFormat)
const now = Date.UTC(2024, 1, 29, 13, 14, 15, 167)

function iso(text: string, roundUp = false, zone?: string): string {
  const found = zone === undefined ? undefined : findTimeZone(zone)
  return new Date(parseDateMath(text, { format, now, roundUp, zone: found })).toISOString()
}

describe('date math', () => {
  it.each([
    ['now', '2024-02-29T13:14:15.167Z'],
    ['now-1d', '2024-02-28T13:14:15.167Z'],
    ['now+1y', '2025-02-28T13:14:15.167Z'],
    ['now+1M', '2024-03-29T13:14:15.167Z'],
    ['now-1M', '2024-01-29T13:14:15.167Z'],
    ['now+w', '2024-03-07T13:14:15.167Z'],
    ['now-90m', '2024-02-29T11:44:15.167Z'],
    ['now-1h-30s', '2024-02-29T12:13:45.167Z'],
    ['now/d', '2024-02-29T00:00:00.000Z'],
    ['now/y', '2024-01-01T00:00:00.000Z'],
    ['now/M', '2024-02-01T00:00:00.000Z'],
    ['now/w', '2024-02-26T00:00:00.000Z'],
    ['now/H', '2024-02-29T13:00:00.000Z'],
    ['now/m', '2024-02-29T13:14:00.000Z'],
    ['now-1d/d', '2024-02-28T00:00:00.000Z'],
    ['now/d-1h', '2024-02-28T23:00:00.000Z'],
    ['2024-01-31||+1M/d', '2024-02-29T00:00:00.000Z'],
    ['2024-01-01||', '2024-01-01T00:00:00.000Z'],
    ['2024-01-01T10:00:00Z||/d', '2024-01-01T00:00:00.000Z'],
    ['1704067200000', '2024-01-01T00:00:00.000Z'],
  ])('evaluates %s', (text, expected) => {
    expect(iso(text)).toBe(expected)
  })

  it.each([
    ['now', '2024-02-29T13:14:15.167Z'],
    ['now/d', '2024-02-29T23:59:59.999Z'],
    ['now/M', '2024-02-29T23:59:59.999Z'],
    ['now/y', '2024-12-31T23:59:59.999Z'],
    ['now/w', '2024-03-03T23:59:59.999Z'],
    ['now/h', '2024-02-29T13:59:59.999Z'],
    ['now-1d/d', '2024-02-28T23:59:59.999Z'],
    ['2024-01-01', '2024-01-01T23:59:59.999Z'],
    ['2024-01-01||/M', '2024-01-31T23:59:59.999Z'],
    ['2024-01-01||+1d', '2024-01-02T00:00:00.000Z'],
  ])('rounds up %s', (text, expected) => {
    expect(iso(text, true)).toBe(expected)
  })

  it('rounds in local time of the zone', () => {
    expect(iso('now/d', false, 'America/New_York')).toBe('2024-02-29T05:00:00.000Z')
    expect(iso('now/d', true, '+05:30')).toBe('2024-02-29T18:29:59.999Z')
    expect(iso('now', false, 'America/New_York')).toBe('2024-02-29T13:14:15.167Z')
    // The day on which daylight saving time begins has 23 hours.
    expect(iso('2024-03-10||+1d', false, 'America/New_York')).toBe('2024-03-11T04:00:00.000Z')
    expect(iso('2024-03-10||+24h', false, 'America/New_York')).toBe('2024-03-11T05:00:00.000Z')
    expect(iso('2024-03-10T12:00||/d', true, 'America/New_York')).toBe('2024-03-11T03:59:59.999Z')
  })

  it.each([
    ['now*1d', 'operator not supported for date math [*1d]'],
    ['now+', 'truncated date math [+]'],
    ['now+12', 'truncated date math [+12]'],
    ['now/2d', 'rounding `/` can only be used on single unit types [/2d]'],
    ['now-1x', 'unit [x] not supported for date math [-1x]'],
    ['', 'cannot parse empty date'],
    ['||+1d', 'cannot parse empty date'],
    [
      'abc',
      'failed to parse date field [abc] with format [strict_date_optional_time||epoch_millis]: [failed to parse date field [abc] with format [strict_date_optional_time||epoch_millis]]',
    ],
  ])('%s is refused', (text, message) => {
    try {
      iso(text)
      expect.unreachable()
    } catch (error) {
      expect(error).toBeInstanceOf(SearchError)
      expect(error).toMatchObject({ type: 'parse_exception', message })
    }
  })

  it('returns a moment or a parse_exception for any text', () => {
    const pieces = fc.constantFrom(
      ...['now', '2024-01-01', '||', '+', '-', '/', '1', '99', 'y', 'M', 'w', 'd', 'h', 's', 'x'],
    )
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 10 }), fc.boolean(), (list, roundUp) => {
        try {
          expect(parseDateMath(list.join(''), { format, now, roundUp })).not.toBeNaN()
        } catch (error) {
          if (!(error instanceof SearchError)) throw error
        }
      }),
      { numRuns: 1000 },
    )
  })
})
