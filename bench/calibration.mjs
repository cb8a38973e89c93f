// Two fixed loops, run in a process of their own at the start of every round: a JSON round trip of one fixed event
// and one regular expression over fixed lines. Their CPU time says how fast this machine was during this run, so
// that figures from different machines or days can be put in proportion. Never change the loops: history hangs on them.
import { pathToFileURL } from 'node:url'

const JSON_TURNS = 100_000
const REGEX_TURNS = 200_000
const REPEATS = 3

const event = {
  '@timestamp': '2024-01-15T07:13:42.000Z',
  '@version': '1',
  message:
    '10.1.2.3 - frank [15/Jan/2024:07:13:42 +0000] "GET /images/logo.png HTTP/1.1" 200 2326 "-" "curl/8.5.0"',
  host: 'web-01',
  path: '/var/log/apache2/access.log',
  response: 200,
  took: 12.345,
  labels: { team: 'shop', tags: ['a', 'b', 'c'] },
}
const lines = [
  event.message,
  '172.16.254.1 - - [15/Jan/2024:07:13:43 +0000] "POST /api/v1/users?id=7 HTTP/1.1" 503 17 "-" "Go-http-client/1.1"',
  'a line that does not look like an access log at all and so does not match',
]
const pattern =
  /^(\d+\.\d+\.\d+\.\d+) \S+ (\S+) \[([^\]]+)\] "(\w+) ([^ "]+) HTTP\/([\d.]+)" (\d{3}) (\d+|-) "([^"]*)" "([^"]*)"$/

function jsonRoundTrips() {
  let length = 0
  for (let turn = 0; turn < JSON_TURNS; turn++) {
    event.response = turn
    length += JSON.stringify(JSON.parse(JSON.stringify(event))).length
  }
  return length
}

function regexMatches() {
  let matched = 0
  for (let turn = 0; turn < REGEX_TURNS; turn++) {
    if (pattern.exec(lines[turn % lines.length]) !== null) matched++
  }
  return matched
}

function microsPerTurn(loop, turns) {
  let best = Number.POSITIVE_INFINITY
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    const before = process.cpuUsage()
    if (loop() === 0) throw new Error('the loop did nothing')
    const { user, system } = process.cpuUsage(before)
    best = Math.min(best, (user + system) / turns)
  }
  return best
}

export const calibrationCommand = [process.execPath, import.meta.filename]

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const json = microsPerTurn(jsonRoundTrips, JSON_TURNS)
  const regex = microsPerTurn(regexMatches, REGEX_TURNS)
  process.stdout.write(JSON.stringify({ json, regex }))
}
