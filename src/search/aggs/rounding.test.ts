import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findTimeZone } from '../time/time-zone.ts'
import { type CalendarUnit, calendarRounding, fixedRounding, shifted } from './rounding.ts'

const at = (text: string) => Date.parse(text)
const iso = (instant: number) => new Date(instant).toISOString()
const berlin = findTimeZone('Europe/Berlin')!
const kathmandu = findTimeZone('Asia/Kathmandu')!
const lordHowe = findTimeZone('Australia/Lord_Howe')!
const saoPaulo = findTimeZone('America/Sao_Paulo')!

describe('rounding to calendar units', () => {
  it.each([
    ['second', '2024-02-29T13:14:15.000Z'],
    ['minute', '2024-02-29T13:14:00.000Z'],
    ['hour', '2024-02-29T13:00:00.000Z'],
    ['day', '2024-02-29T00:00:00.000Z'],
    ['week', '2024-02-26T00:00:00.000Z'],
    ['month', '2024-02-01T00:00:00.000Z'],
    ['quarter', '2024-01-01T00:00:00.000Z'],
    ['year', '2024-01-01T00:00:00.000Z'],
  ] as const)('%s', (unit, expected) => {
    expect(iso(calendarRounding(unit).round(at('2024-02-29T13:14:15.678Z')))).toBe(expected)
  })

  it('rounds in the time zone', () => {
    expect(iso(calendarRounding('day', kathmandu).round(at('2024-01-01T18:20:00Z')))).toBe(
      '2024-01-01T18:15:00.000Z',
    )
    expect(iso(calendarRounding('month', berlin).round(at('2024-04-15T00:00:00Z')))).toBe(
      '2024-03-31T22:00:00.000Z',
    )
  })

  it('has days of 23 and 25 hours', () => {
    const day = calendarRounding('day', berlin)
    const spring = day.round(at('2024-03-31T12:00:00Z'))
    expect(day.next(spring) - spring).toBe(23 * 3_600_000)
    const autumn = day.round(at('2024-10-27T12:00:00Z'))
    expect(day.next(autumn) - autumn).toBe(25 * 3_600_000)
  })

  it('separates the two occurrences of a repeated hour', () => {
    const hour = calendarRounding('hour', berlin)
    expect(iso(hour.round(at('2024-10-27T00:30:00Z')))).toBe('2024-10-27T00:00:00.000Z')
    expect(iso(hour.round(at('2024-10-27T01:30:00Z')))).toBe('2024-10-27T01:00:00.000Z')
    expect(iso(hour.next(at('2024-10-27T00:00:00Z')))).toBe('2024-10-27T01:00:00.000Z')
  })

  it('joins an hour cut by half an hour with the one before', () => {
    // Clocks go from 2:00 to 2:30 at 15:30 UTC: there is no 2:00 to round down to.
    const hour = calendarRounding('hour', lordHowe)
    expect(iso(hour.round(at('2024-10-05T15:45:00Z')))).toBe('2024-10-05T14:30:00.000Z')
  })

  it('begins a day whose midnight is skipped at the transition', () => {
    // In 2018 summer time of São Paulo began at midnight of November 4.
    expect(iso(calendarRounding('day', saoPaulo).round(at('2018-11-04T12:00:00Z')))).toBe(
      '2018-11-04T03:00:00.000Z',
    )
  })

  it('shifts intervals by an offset', () => {
    expect(iso(shifted(calendarRounding('day'), 6 * 3_600_000).round(at('2024-01-02T05:59:00Z')))).toBe(
      '2024-01-01T06:00:00.000Z',
    )
  })
})

describe('any rounding', () => {
  const units: CalendarUnit[] = ['second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year']
  const roundings = [
    ...units.flatMap((unit) =>
      [undefined, berlin, kathmandu, lordHowe, saoPaulo].map((zone) => calendarRounding(unit, zone)),
    ),
    ...[1, 60_000, 90 * 60_000, 86_400_000].flatMap((length) => [
      fixedRounding(length),
      fixedRounding(length, berlin),
      fixedRounding(length, lordHowe),
    ]),
  ]

  it('puts a moment into the interval that begins last', () => {
    const moment = fc.integer({ min: Date.UTC(2017, 0, 1), max: Date.UTC(2025, 0, 1) })
    fc.assert(
      fc.property(fc.constantFrom(...roundings), moment, (rounding, instant) => {
        const start = rounding.round(instant)
        expect(start).toBeLessThanOrEqual(instant)
        expect(rounding.round(start)).toBe(start)
        expect(rounding.next(start)).toBeGreaterThan(instant)
      }),
      { numRuns: 400 },
    )
  })
})
