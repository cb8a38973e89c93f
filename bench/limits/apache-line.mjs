// Combined access lines by hand: one anchored expression with positional groups, no look-around, no alternatives
// but `-`; and the time read digit by digit, the midnight of its day remembered. It accepts what the generator makes,
// not everything that %{COMBINEDAPACHELOG} does.
export const combined =
  /^(\S+) (\S+) (\S+) \[([^\]]+)\] "(\w+) (\S+) HTTP\/([\d.]+)" (\d+) (?:-|(\d+)) ("[^"]*") ("[^"]*")$/

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
let day = ''
let date = ''

const two = (text, at) => (text.charCodeAt(at) - 48) * 10 + text.charCodeAt(at + 1) - 48

/** `15/Jan/2024:07:13:42 +0000` as `2024-01-15T07:13:42.000Z`; undefined when it is not of that form. */
export function isoTime(text) {
  if (text.length !== 26 || text.charCodeAt(11) !== 58) return undefined
  if (!text.endsWith(' +0000')) return shifted(text)
  if (!text.startsWith(day) || day === '') {
    const month = months.indexOf(text.slice(3, 6)) + 1
    if (month === 0) return undefined
    day = text.slice(0, 11)
    date = `${text.slice(7, 11)}-${String(month).padStart(2, '0')}-${text.slice(0, 2)}T`
  }
  if (!(two(text, 12) < 24 && two(text, 15) < 60 && two(text, 18) < 60)) return undefined
  return `${date}${text.slice(12, 20)}.000Z`
}

function shifted(text) {
  const parsed = new Date(`${text.slice(0, 11).replaceAll('/', ' ')} ${text.slice(12)}`)
  return Number.isNaN(parsed.getTime()) ? undefined : parsed.toISOString()
}

/** What grok makes of a line, as an event of the file input: one object literal. */
export const combinedEvent = (line, found, time, host, path) => ({
  '@timestamp': time,
  '@version': '1',
  message: line,
  host,
  path,
  clientip: found[1],
  ident: found[2],
  auth: found[3],
  timestamp: found[4],
  verb: found[5],
  request: found[6],
  httpversion: found[7],
  response: found[8],
  bytes: found[9],
  referrer: found[10],
  agent: found[11],
})
