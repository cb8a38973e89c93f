import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Stop } from '../receiving/stop.ts'
import { parseCron } from './cron.ts'
import { parseDuration } from './duration.ts'
import { everySchedule, runOnSchedule, scheduleOf } from './schedule.ts'

function next(cron: string, after: string): string | undefined {
  const instant = parseCron(cron).next(Date.parse(after))
  return instant === undefined ? undefined : new Date(instant).toISOString().replace('.000Z', 'Z')
}

describe('cron expressions', () => {
  it.each([
    ['* * * * * UTC', '2024-01-01T00:00:00Z', '2024-01-01T00:01:00Z'],
    ['*/5 * * * * UTC', '2024-01-01T00:04:59Z', '2024-01-01T00:05:00Z'],
    ['*/10 * * * * * UTC', '2024-01-01T00:00:51Z', '2024-01-01T00:01:00Z'],
    ['30 2 * * * UTC', '2024-01-01T02:30:00Z', '2024-01-02T02:30:00Z'],
    ['* 5 * 1-3 * UTC', '2024-03-31T05:59:00Z', '2025-01-01T05:00:00Z'],
    ['0 6 * * * America/Chicago', '2024-07-01T00:00:00Z', '2024-07-01T11:00:00Z'],
    ['0 6 * * * America/Chicago', '2024-12-01T00:00:00Z', '2024-12-01T12:00:00Z'],
    ['0 0 29 2 * UTC', '2024-03-01T00:00:00Z', '2028-02-29T00:00:00Z'],
    ['0 0 L * * UTC', '2024-02-01T00:00:00Z', '2024-02-29T00:00:00Z'],
    ['0 0 -2 * * UTC', '2024-02-01T00:00:00Z', '2024-02-28T00:00:00Z'],
    ['0 0 * * sun UTC', '2024-05-01T00:00:00Z', '2024-05-05T00:00:00Z'],
    ['0 0 * * 7 UTC', '2024-05-01T00:00:00Z', '2024-05-05T00:00:00Z'],
    ['0 0 * * mon-wed UTC', '2024-05-02T00:00:00Z', '2024-05-06T00:00:00Z'],
    ['0 0 * * mon#1 UTC', '2024-05-07T00:00:00Z', '2024-06-03T00:00:00Z'],
    ['0 0 * * fri#-1 UTC', '2024-05-01T00:00:00Z', '2024-05-31T00:00:00Z'],
    ['0 0 13 * fri UTC', '2024-05-01T00:00:00Z', '2024-05-03T00:00:00Z'],
    ['0 0 1 jan,jul * UTC', '2024-01-01T00:00:00Z', '2024-07-01T00:00:00Z'],
    ['0 22-2/2 * * * UTC', '2024-01-01T00:30:00Z', '2024-01-01T02:00:00Z'],
    ['5/20 * * * * UTC', '2024-01-01T00:26:00Z', '2024-01-01T00:45:00Z'],
    ['@daily', '2024-01-01T00:00:00Z', undefined],
    // The clocks of Berlin skip 2:30 that day.
    ['30 2 * * * Europe/Berlin', '2024-03-30T12:00:00Z', '2024-04-01T00:30:00Z'],
  ])('%s after %s', (cron, after, expected) => {
    if (expected === undefined) expect(next(cron, after)).toBeDefined()
    else expect(next(cron, after)).toBe(expected)
  })

  it('that never come say so', () => {
    expect(next('0 0 31 2 * UTC', '2024-01-01T00:00:00Z')).toBeUndefined()
  })

  it.each([
    '',
    '* * *',
    '60 * * * *',
    '* * * * * Moon/Base',
    'a b c d e',
    '*/0 * * * *',
    '* * * * mon#9',
    '1-2-3 * * * *',
  ])('%j is none', (text) => {
    expect(() => parseCron(text)).toThrow('invalid cron string')
  })

  it('come later than asked for, at full seconds', () => {
    const field = fc.constantFrom('*', '*/7', '3', '1-5')
    fc.assert(
      fc.property(field, field, field, fc.nat(4e9), (second, minute, hour, after) => {
        const instant = parseCron(`${second} ${minute} ${hour} * * * UTC`).next(after * 1000 + 1)!
        expect(instant).toBeGreaterThan(after * 1000)
        expect(instant % 1000).toBe(0)
      }),
    )
  })
})

describe('durations', () => {
  it.each([
    ['5', 5000],
    ['1.5s', 1500],
    ['1h30m', 5_400_000],
    ['2w', 1_209_600_000],
    ['250ms', 250],
    ['1 minute', undefined],
    ['', undefined],
  ])('%j', (text, expected) => {
    expect(parseDuration(text)).toBe(expected)
  })
})

describe('schedules', () => {
  it('every so often begin at once and make up for one missed run', () => {
    const every = everySchedule(1000)
    expect(every.next(5, undefined)).toBe(5)
    expect(every.next(10, 5)).toBe(1005)
    expect(every.next(9000, 5)).toBe(9000)
  })

  it.each([
    [{ in: '2s' }, 3000],
    [{ at: '1970-01-01T00:01:00Z' }, 60_000],
    [{ at: '1970-01-01 00:01:00 UTC' }, 60_000],
    [{ at: '1970/01/01 00:01:00 +0000' }, 60_000],
  ])('%j run once', (given, due) => {
    const schedule = scheduleOf(new Map(Object.entries(given)))
    expect(schedule.next(1000, undefined)).toBe(due)
    expect(schedule.next(70_000, due)).toBeUndefined()
  })

  it.each([{}, { cron: '* * * * *', every: '5s' }, { daily: '1' }])('%j are none', (given) => {
    expect(() => scheduleOf(new Map(Object.entries(given)))).toThrow(
      'Invalid config. schedule hash must contain exactly one of the following keys - cron, at, every or in',
    )
  })

  it('end with their input', async () => {
    const stop = new Stop()
    let runs = 0
    await runOnSchedule(everySchedule(1), stop, async () => {
      runs += 1
      if (runs === 3) stop.request()
    })
    expect(runs).toBe(3)
    const far = new Stop()
    const waiting = runOnSchedule(scheduleOf(new Map([['in', '1y']])), far, async () => {})
    far.request()
    await waiting
  })
})
