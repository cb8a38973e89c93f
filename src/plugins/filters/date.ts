/**
 * date: reads a time out of a field and makes it the time of the event, or the value of another field.
 * Formats are compiled when the pipeline is built; the first one that fits an event is taken.
 */

import { compileDateFormat, type DateFormat } from '../../dates/date-format.ts'
import { isUnreadable } from '../../dates/joda-parser.ts'
import { jodaZone } from '../../dates/joda-zone.ts'
import { LocalClock, localClock } from '../../dates/local-clock.ts'
import { hostLocale } from '../../dates/locale-names.ts'
import { zoneClocks } from '../../dates/zone-clocks.ts'
import type { Event } from '../../event/event.ts'
import { Timestamp } from '../../event/timestamp.ts'
import type { Value } from '../../event/value.ts'
import { inspect } from '../../log/ruby-inspect.ts'
import type { Compile } from '../../plugin/compile.ts'
import { defineFilter, option, type PluginLogger } from '../../plugin/define.ts'
import { maxDateMillis } from '../../time/calendar.ts'
import { systemZone } from '../../time/zone.ts'
import { rubyText } from '../ruby-values/text.ts'

export default defineFilter({
  name: 'date',
  oneToOne: true,
  summary: 'Reads the time of an event out of a field.',
  description: [
    'Besides patterns there are four named formats: `ISO8601`, `UNIX` (seconds since 1970, decimals allowed),',
    '`UNIX_MS` (milliseconds) and `TAI64N`. Patterns are those of Joda-Time and need a text:',
    '',
    '| letters | meaning |',
    '|---|---|',
    '| `yyyy` `YYYY` `yy` | year; two digits mean a year from 80 years ago to 19 years ahead |',
    '| `M` `MM` `MMM` `MMMM` | month, as number or name |',
    '| `d` `dd`, `D` | day of the month, day of the year |',
    '| `E` `EEEE`, `e` | day of the week, as name or as number from Monday 1 |',
    '| `xxxx` `ww` | year and number of the ISO week |',
    '| `H` `k`, `K` `h` `a` | hour 0-23, 1-24; hour 0-11, 1-12 with AM or PM |',
    '| `m` `s` `S` | minute, second, fraction with at most as many digits as letters |',
    '| `Z` `ZZ`, `ZZZ`, `z` | offset (`Z`, `+0100`, `+01:00`); zone id; UTC, GMT or a zone name of the US |',
    "| `'text'` `''` | text as it stands; a quote |",
    '',
    'Numbers may have fewer digits than letters, names are read in any case, and the whole text must fit.',
    'Without a year in the pattern it is the current one; but in January, December is of last year, and in',
    'December, January is of next year. A time that the clocks of its zone skipped does not fit.',
    'An event without the field passes unchanged.',
  ].join('\n'),
  options: {
    match: option.array({ default: [], doc: 'The field, then one or more formats to try in this order.' }),
    target: option.fieldReference({ default: '@timestamp', doc: 'Field to store the time in.' }),
    timezone: option.string({
      doc:
        'Zone of times that do not name one: an id such as `Europe/Paris` or an offset such as `+02:00`; may ' +
        'contain `%{…}`. The zone of the computer unless given.',
    }),
    locale: option.string({
      doc: 'Language of month and day names, such as `en` or `de-AT`; that of the computer unless given.',
    }),
    tag_on_failure: option.array({
      default: ['_dateparsefailure'],
      doc: 'Tags for events whose field fits none of the formats.',
    }),
    timestamp: option.array({
      doc: 'Old form of `match` for the field `timestamp`: formats to try in this order.',
      removed: 'Use `match => ["timestamp", …]` instead.',
    }),
  },
  metrics: {
    matches: 'Events whose field fitted a format.',
    failures: 'Events whose field fitted none of the formats.',
  },
  examples: [
    {
      title: 'Time of a web server log',
      config: 'date { match => ["timestamp", "dd/MMM/yyyy:HH:mm:ss Z"] remove_field => ["timestamp"] }',
      in: { timestamp: '18/Sep/2024:11:15:47 +0200' },
      out: { '@timestamp': new Timestamp(Date.UTC(2024, 8, 18, 9, 15, 47)) },
    },
    {
      title: 'Several formats, another field, a zone',
      config:
        'date { match => ["at", "yyyy-MM-dd HH:mm:ss", "UNIX_MS"] target => "[event][start]" timezone => "Asia/Tokyo" }',
      in: [{ at: '2024-02-29 09:00:00' }, { at: 1709164800123 }],
      out: [
        { at: '2024-02-29 09:00:00', event: { start: new Timestamp(Date.UTC(2024, 1, 29)) } },
        { at: 1709164800123, event: { start: new Timestamp(Date.UTC(2024, 1, 29, 0, 0, 0, 123)) } },
      ],
    },
    {
      title: 'Not a date',
      config: 'date { match => ["at", "ISO8601"] remove_field => ["at"] }',
      in: { at: 'yesterday' },
      out: { at: 'yesterday', tags: ['_dateparsefailure'] },
    },
  ],
  create({ options, metrics, compile, logger }) {
    const { target } = options
    const old = options.timestamp === undefined ? [] : ['timestamp', ...options.timestamp]
    const match = options.match.length === 0 ? old : options.match
    if (match.length < 2) {
      throw new Error(
        'Cannot register filter date plugin. The error reported is:\n' +
          '  The match setting should contains first a field name and at least one date format, ' +
          `current value is ${inspect(match)}`,
      )
    }
    const get = compile.get(rubyText(match[0]!))
    const formats = compileFormats(match.slice(1).map(rubyText), options.locale, logger)
    const clockOf = compileClock(options.timezone, compile)
    const set = target === '@timestamp' ? undefined : compile.set(target)
    const failureTags = options.tag_on_failure.map(rubyText)
    const { matches, failures } = metrics

    function instantOf(value: Value, event: Event): number {
      const clock = clockOf(event)
      for (let i = 0; i < formats.length; i++) {
        const instant = formats[i]!(value, clock)
        if (Math.abs(instant) <= maxDateMillis) return instant
      }
      return Number.NaN
    }

    return {
      filter(event) {
        const value = get(event)
        if (value === undefined || value === null) return false
        const instant = instantOf(value, event)
        if (Number.isNaN(instant)) {
          for (const tag of failureTags) event.tag(tag)
          failures.increment()
          return false
        }
        const time = new Timestamp(instant)
        if (set === undefined) event.timestamp = time
        else set(event, time)
        matches.increment()
        return true
      },
    }
  },
})

function compileFormats(
  formats: readonly string[],
  given: string | undefined,
  logger: PluginLogger,
): DateFormat[] {
  if (given?.includes('_')) {
    logger.warn('Date filter now use BCP47 format for locale, replacing underscore with dash')
  }
  const locale = given?.replaceAll('_', '-') ?? hostLocale()
  const alsoEnglish = given === undefined && !/^en\b/i.test(locale)
  return formats.flatMap((format) => {
    const own = compileDateFormat(format, { locale })
    if (!isNamed(format) && isUnreadable(format)) {
      logger.warn('Date patterns with long names of time zones (zzzz) never match', { format })
    }
    return alsoEnglish && /MMM|E/.test(format) ? [own, compileDateFormat(format, { locale: 'en-US' })] : [own]
  })
}

function isNamed(format: string): boolean {
  return ['ISO8601', 'UNIX', 'UNIX_MS', 'TAI64N'].includes(format)
}

type ClockOf = (event: Event) => LocalClock | undefined

/** The clock of the zone an event asks for, undefined when there is no such zone. */
function compileClock(timezone: string | undefined, compile: Compile): ClockOf {
  if (timezone === undefined) {
    const clock = new LocalClock(systemZone)
    return () => clock
  }
  if (compile.isConstant(timezone)) {
    const zone = jodaZone(timezone)
    if (zone === undefined) throw new Error(`The datetime zone id '${timezone}' is not recognised`)
    const clock = localClock(zone)
    return () => clock
  }
  const nameOf = compile.template(timezone)
  const clockIn = zoneClocks()
  return (event) => clockIn(nameOf(event))
}
