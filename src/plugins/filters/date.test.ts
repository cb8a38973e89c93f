import { afterEach, describe, expect, it, vi } from 'vitest'
import { Timestamp } from '../../event/timestamp.ts'
import type { Value } from '../../event/value.ts'
import { filterFor, runFilter, type TestOptions, testEvent, testTime } from '../../plugin/testing.ts'
import date from './date.ts'

async function run(value: Value, formats: string[], options: TestOptions = {}) {
  const created = filterFor(date, { match: ['at', ...formats], ...options })
  const [event] = await created.filter([testEvent({ at: value })])
  const { counts, logger } = created.environment
  return { event: event!, counts: Object.fromEntries(counts), logger }
}

async function timeOf(
  value: Value,
  formats: string[],
  options: TestOptions = {},
): Promise<string | undefined> {
  const { event } = await run(value, formats, options)
  return event.timestamp === testTime ? undefined : event.timestamp?.toString()
}

afterEach(() => {
  vi.useRealTimers()
})

describe('date', () => {
  it('sets the time of the event', async () => {
    const { event, counts } = await run('18/Sep/2024:11:15:47 +0200', ['dd/MMM/yyyy:HH:mm:ss Z'])
    expect(event.timestamp).toEqual(new Timestamp(Date.UTC(2024, 8, 18, 9, 15, 47)))
    expect(event.get('at')).toBe('18/Sep/2024:11:15:47 +0200')
    expect(counts).toEqual({ matches: 1 })
  })

  it('forgets the text an event arrived as', async () => {
    const { filter } = filterFor(date, { match: ['at', 'UNIX'] })
    const event = testEvent({ at: 1 })
    event.raw = '{"at":1}'
    await filter([event])
    expect(event.raw).toBeNull()
  })

  it('tries formats in order', async () => {
    const formats = ['yyyy-MM-dd HH:mm:ss', 'UNIX', 'UNIX_MS', 'ISO8601']
    const options = { timezone: 'UTC' }
    expect(await timeOf('2024-01-02 03:04:05', formats, options)).toBe('2024-01-02T03:04:05.000Z')
    expect(await timeOf('1443675967', formats, options)).toBe('2015-10-01T05:06:07.000Z')
    expect(await timeOf(1443675967089, formats, options)).toBe('2015-10-01T05:06:07.089Z')
    // Four digits are seconds before they are a year.
    expect(await timeOf('2024', formats, options)).toBe('1970-01-01T00:33:44.000Z')
    expect(await timeOf('2024', ['ISO8601', 'UNIX'], options)).toBe('2024-01-01T00:00:00.000Z')
  })

  it('stores a time in another field', async () => {
    const { event } = await run('1', ['UNIX'], { target: '[a][b]' })
    expect(event.get('[a][b]')).toEqual(new Timestamp(1000))
    expect(event.timestamp).toBe(testTime)
    const overItself = await run('1', ['UNIX'], { target: 'at' })
    expect(overItself.event.get('at')).toEqual(new Timestamp(1000))
    const metadata = await run('1', ['UNIX'], { target: '[@metadata][t]' })
    expect(metadata.event.get('[@metadata][t]')).toEqual(new Timestamp(1000))
  })

  it('does nothing without the field', async () => {
    const options = { match: ['at', 'ISO8601'], add_tag: ['x'], add_field: { y: 'z' } }
    expect(await runFilter(date, options, [{ a: 1 }, { at: null }])).toEqual([{ a: 1 }, { at: null }])
  })

  it.each<[Value]>([['yesterday'], [''], [5], [false], [true], [['2024-01-02T03:04:05Z']], [{ a: 1 }]])(
    'tags %j and leaves the time',
    async (value) => {
      const { event, counts, logger } = await run(value, ['ISO8601'], {
        remove_field: ['at'],
        add_tag: ['ok'],
      })
      expect(event.get('tags')).toEqual(['_dateparsefailure'])
      expect(event.get('at')).toEqual(value)
      expect(event.timestamp).toBe(testTime)
      expect(counts).toEqual({ failures: 1 })
      expect(logger.lines).toEqual([])
    },
  )

  it('tags a time that is already a time', async () => {
    expect((await run(new Timestamp(0), ['ISO8601', 'UNIX'])).event.get('tags')).toEqual([
      '_dateparsefailure',
    ])
  })

  it('survives odd values, names and targets', async () => {
    const values: Value[] = [
      2n ** 80n,
      1e300,
      -0,
      'lone\ud800',
      [[], {}, null],
      { y: [] },
      '\u0000',
      '9'.repeat(500),
    ]
    const formats = ['UNIX', 'UNIX_MS', 'ISO8601', 'TAI64N', 'yyyy-MM-dd ZZZ']
    for (const at of values) {
      const { event } = await run(at, formats, { target: '[__proto__][constructor]' })
      expect(event.get('tags') ?? event.get('[__proto__][constructor]')).toBeTruthy()
      expect(Object.getPrototypeOf(event.data)).toBe(Object.prototype)
    }
    const created = filterFor(date, { match: ['constructor', 'ISO8601'] })
    const [untouched] = await created.filter([testEvent({ a: 1 })])
    expect(untouched!.get('tags')).toBeUndefined()
    expect(untouched!.timestamp).toBe(testTime)
  })

  it('uses the tags it is given, none twice', async () => {
    const options = { match: ['at', 'UNIX'], tag_on_failure: ['one', 'two'] }
    expect(await runFilter(date, options, [{ at: 'x', tags: ['two'] }])).toEqual([
      { at: 'x', tags: ['two', 'one'] },
    ])
    expect(await runFilter(date, { ...options, tag_on_failure: [] }, [{ at: 'x' }])).toEqual([{ at: 'x' }])
  })

  it('decorates what matched', async () => {
    const { event } = await run('1', ['UNIX'], {
      add_tag: ['ok'],
      remove_field: ['at'],
      add_field: { y: '%{+YYYY}' },
    })
    expect(event.get('tags')).toEqual(['ok'])
    expect(event.get('at')).toBeUndefined()
    expect(event.get('y')).toBe('1970')
  })

  it('guesses the year as time passes', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const created = filterFor(date, { match: ['at', 'MMM dd HH:mm:ss'], timezone: 'UTC' })
    const guess = async () => {
      const [event] = await created.filter([testEvent({ at: 'Dec 31 23:59:59' })])
      return event!.timestamp!.toString()
    }
    vi.setSystemTime(Date.UTC(2023, 11, 31, 23, 59, 59))
    expect(await guess()).toBe('2023-12-31T23:59:59.000Z')
    vi.setSystemTime(Date.UTC(2024, 0, 1, 0, 0, 1))
    expect(await guess()).toBe('2023-12-31T23:59:59.000Z')
    vi.setSystemTime(Date.UTC(2024, 1, 1))
    expect(await guess()).toBe('2024-12-31T23:59:59.000Z')
  })
})

describe('timezone', () => {
  const format = ['yyyy-MM-dd HH:mm:ss']
  const text = '2024-07-01 12:00:00'

  it.each([
    ['UTC', '2024-07-01T12:00:00.000Z'],
    ['GMT', '2024-07-01T12:00:00.000Z'],
    ['EST', '2024-07-01T17:00:00.000Z'],
    ['CET', '2024-07-01T10:00:00.000Z'],
    ['Europe/Berlin', '2024-07-01T10:00:00.000Z'],
    ['America/Los_Angeles', '2024-07-01T19:00:00.000Z'],
    ['+02:00', '2024-07-01T10:00:00.000Z'],
    ['-0330', '2024-07-01T15:30:00.000Z'],
  ])('%s', async (timezone, expected) => {
    expect(await timeOf(text, format, { timezone })).toBe(expected)
  })

  it.each(['PST', 'Mars/Phobos', 'utc', '', '+2', '+25:00', '+02:00x'])('cannot be %j', (timezone) => {
    expect(() => filterFor(date, { match: ['at', 'ISO8601'], timezone })).toThrow(
      `The datetime zone id '${timezone}' is not recognised`,
    )
  })

  it('may come from the event', async () => {
    const options = { match: ['at', 'yyyy-MM-dd HH:mm:ss', 'ISO8601', 'UNIX'], timezone: '%{tz}' }
    const { filter } = filterFor(date, options)
    const times = async (fields: Record<string, Value>) => {
      const [event] = await filter([testEvent(fields)])
      return event!.timestamp === testTime ? event!.get('tags') : event!.timestamp!.toString()
    }
    expect(await times({ at: text, tz: 'Asia/Tokyo' })).toBe('2024-07-01T03:00:00.000Z')
    expect(await times({ at: text, tz: 'Europe/Berlin' })).toBe('2024-07-01T10:00:00.000Z')
    expect(await times({ at: text, tz: '+01:00' })).toBe('2024-07-01T11:00:00.000Z')
    expect(await times({ at: text, tz: 'nowhere' })).toEqual(['_dateparsefailure'])
    expect(await times({ at: text })).toEqual(['_dateparsefailure'])
    expect(await times({ at: '2024-07-01T00:00:00Z' })).toEqual(['_dateparsefailure'])
    expect(await times({ at: '1' })).toBe('1970-01-01T00:00:01.000Z')
  })

  it('refuses times the clocks skipped', async () => {
    const { event } = await run('2017-03-26 02:59:33', format, { timezone: 'Europe/Madrid' })
    expect(event.get('tags')).toEqual(['_dateparsefailure'])
  })
})

describe('locale', () => {
  it('names months', async () => {
    const options = { timezone: 'UTC', locale: 'de' }
    expect(await timeOf('14 Dezember 2024', ['dd MMMM yyyy'], options)).toBe('2024-12-14T00:00:00.000Z')
    expect(await timeOf('14 December 2024', ['dd MMMM yyyy'], options)).toBeUndefined()
  })

  it('may be written with an underscore', async () => {
    const options = { timezone: 'UTC', locale: 'fr_FR' }
    const { event, logger } = await run('14 août 2024', ['dd MMMM yyyy'], options)
    expect(event.timestamp?.toString()).toBe('2024-08-14T00:00:00.000Z')
    expect(logger.messages('warn')).toEqual([
      'Date filter now use BCP47 format for locale, replacing underscore with dash',
    ])
  })

  it('of a computer that speaks another language still lets English through', async () => {
    const original = Intl.DateTimeFormat.prototype.resolvedOptions
    const spy = vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions').mockImplementation(function (
      this: Intl.DateTimeFormat,
    ) {
      return { ...original.call(this), locale: 'de-DE' }
    })
    vi.stubEnv('LC_ALL', 'de_DE.UTF-8')
    try {
      const options = { timezone: 'UTC' }
      expect(await timeOf('14 Dez. 2024', ['dd MMM yyyy'], options)).toBe('2024-12-14T00:00:00.000Z')
      expect(await timeOf('14 Dec 2024', ['dd MMM yyyy'], options)).toBe('2024-12-14T00:00:00.000Z')
    } finally {
      spy.mockRestore()
      vi.unstubAllEnvs()
    }
  })
})

describe('a wrong configuration', () => {
  it.each<[string[], string]>([
    [[], '[]'],
    [['at'], '["at"]'],
  ])('has no format: %j', (match, shown) => {
    expect(() => filterFor(date, { match })).toThrow(
      'Cannot register filter date plugin. The error reported is:\n' +
        '  The match setting should contains first a field name and at least one date format, ' +
        `current value is ${shown}`,
    )
  })

  it.each([
    ['yyyy-MM-ddTHH:mm:ss', 'Illegal pattern component: T'],
    ['SYSLOG5424SD', 'Illegal pattern component: L'],
    ['', 'Invalid pattern specification'],
  ])('has the format %j', (format, message) => {
    expect(() => filterFor(date, { match: ['at', 'ISO8601', format] })).toThrow(message)
  })

  it('asks for long names of zones', async () => {
    const { logger, event } = await run('2024 UTC', ['yyyy zzzz'])
    expect(logger.messages('warn')).toEqual([
      'Date patterns with long names of time zones (zzzz) never match',
    ])
    expect(event.get('tags')).toEqual(['_dateparsefailure'])
  })
})

describe('the old option timestamp of date', () => {
  it('is a match on that field, unless there is a match', async () => {
    const events = [{ timestamp: '2024-05-06 07:08:09' }]
    const time = new Timestamp(Date.UTC(2024, 4, 6, 7, 8, 9))
    const old = { timestamp: ['ISO8601', 'yyyy-MM-dd HH:mm:ss'], timezone: 'UTC' }
    expect(await runFilter(date, old, events)).toEqual([{ ...events[0], '@timestamp': time }])
    const both = { ...old, match: ['at', 'UNIX'] }
    expect(await runFilter(date, both, events)).toEqual(events)
  })
})
