// date formats, alone; the result goes to a field of its own. By hand a time is its milliseconds, read digit by digit
// with the midnight of the last day remembered; it becomes text only if the event is printed, as in a pipeline. All events
// have the same texts, as those of one second have in most logs: the filter reads a text of a pattern once.

const HOUR = 3_600_000

class Instant {
  constructor(millis) {
    this.millis = millis
  }
  toJSON() {
    return new Date(this.millis).toISOString()
  }
}

const two = (text, at) => (text.charCodeAt(at) - 48) * 10 + text.charCodeAt(at + 1) - 48
const clock = (text, at) => ((two(text, at) * 60 + two(text, at + 3)) * 60 + two(text, at + 6)) * 1000
const thousandths = (text, at) => (text.charCodeAt(at) - 48) * 100 + two(text, at + 1)

function midnights(length) {
  let day
  let midnight
  return (text) => {
    if (day === undefined || !text.startsWith(day)) {
      day = text.slice(0, length)
      midnight = Date.parse(`${day.replaceAll('/', ' ')} UTC`)
    }
    return midnight
  }
}

const apacheDay = midnights(11)
const isoDay = midnights(10)
const apacheTime = (text) => apacheDay(text) + clock(text, 12)
const logTime = (text) => isoDay(text) + clock(text, 11) + thousandths(text, 20)

const fields = {
  apache_time: '15/Jan/2024:07:13:42 +0000',
  iso_time: '2024-01-15T07:13:42.123Z',
  log_time: '2024-01-15 07:13:42,123',
  unix_time: '1705302822.123',
  unix_ms: '1705302822123',
}

const dateCase = (field, formats, read, more = '') => ({
  fields,
  config: (n) => `date { match => ["${[field, ...formats].join('", "')}"] target => "d${n}"${more} }`,
  bare: (n) => `event.d${n} = new Instant(read(event.${field}))`,
  known: { Instant, read },
})

const apacheFormat = 'dd/MMM/yyyy:HH:mm:ss Z'
const logFormat = 'yyyy-MM-dd HH:mm:ss,SSS'

export const dateFilters = {
  [`date ${apacheFormat}`]: dateCase('apache_time', [apacheFormat], apacheTime),
  'date ISO8601': dateCase('iso_time', ['ISO8601'], logTime),
  [`date ${logFormat}`]: dateCase('log_time', [logFormat], logTime, ' timezone => "UTC"'),
  // New York is five hours behind in January.
  'date with a named zone': dateCase(
    'log_time',
    [logFormat],
    (text) => logTime(text) + 5 * HOUR,
    ' timezone => "America/New_York"',
  ),
  'date UNIX': dateCase('unix_time', ['UNIX'], (text) => Math.round(Number(text) * 1000)),
  'date UNIX_MS': dateCase('unix_ms', ['UNIX_MS'], Number),
  'date third format': dateCase('iso_time', ['UNIX', apacheFormat, 'ISO8601'], logTime),
}
