// Compares the pattern library and the grok expressions made of it with Ruby itself: every name of both sets
// on golden lines where they are at hand, on the lines of our own examples and on lines made from those by
// small changes. What grok would show is compared: field, cast and text of every capture that is not empty.
// Runs only where `ruby` is on the PATH; prints searches and mismatches. Usage:
//   node test/extra/grok-differential.mjs --engine path.mjs [--seed N] [--lines N] [--verbose]
// The engine is a bundle of test/extra/grok-engine.ts; Node 22 and later can do without and run the sources.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const argument = (name, fallback) => {
  const at = process.argv.indexOf(name)
  return at === -1 ? fallback : process.argv[at + 1]
}
const here = new URL('.', import.meta.url)
const engine = argument('--engine', undefined)
const seed = Number(argument('--seed', '1'))
const lineCount = Number(argument('--lines', '150'))
const verbose = process.argv.includes('--verbose')

if (spawnSync('ruby', ['-v']).error) {
  console.log('grok-differential: skipped, no ruby on the PATH')
  process.exit(0)
}

const { compileGrok, expandGrok, grokLibrary, examples } = await import(
  engine ? pathToFileURL(resolve(engine)) : new URL('./grok-engine.ts', here)
)

// The oracle does what grok does with a match: names in their order, the first of each converted.
const oracle = `
require 'json'
require 'timeout'
lines = JSON.parse($stdin.gets)
$stdin.each_line do |row|
  source, picked = JSON.parse(row)
  begin
    re = Regexp.new(source, Regexp::MULTILINE)
  rescue RegexpError => e
    puts JSON.generate({ error: e.message })
    next
  end
  out = picked.map do |number|
    begin
      m = Timeout.timeout(5) { re.match(lines[number]) }
      next nil if m.nil?
      found = []
      re.named_captures.each do |name, indices|
        pattern, field, cast = name.split(':')
        field = pattern if field.nil?
        cast = nil unless cast == 'int' || cast == 'float'
        indices.each do |index|
          text = m[index]
          found << [field, cast, text] unless text.nil? || text.empty?
          cast = nil
        end
      end
      [m.begin(0), m[0], found]
    rescue Timeout::Error
      'timeout'
    end
  end
  puts JSON.generate({ matches: out })
end
`

const random = randomFrom(seed)
const golden = goldenRows()
const given = [
  ...new Set([...golden.map(({ line }) => line), ...examples.map(([, , line]) => line), ...ownLines()]),
]
const lines = [...given, ...given.flatMap((line) => [changed(line), changed(changed(line))]), ...odd()]

const rows = []
for (const set of ['legacy', 'ecs-v1']) {
  const definitions = grokLibrary(set)
  for (const name of definitions.keys()) {
    const own = golden
      .filter((row) => row.set === set && row.pattern === name)
      .map(({ line }) => lines.indexOf(line))
    const picked = new Set(own)
    for (let i = 0; i < lineCount; i++) picked.add(random(lines.length))
    rows.push({ set, expression: `%{${name}}`, definitions, picked: [...picked] })
    rows.push({
      set,
      expression: `^%{${name}:whole}$`,
      definitions,
      picked: [...picked].slice(0, own.length + 30),
    })
  }
}

const input = rows.map(({ expression, definitions, picked }) =>
  JSON.stringify([expandGrok(expression, definitions), picked]),
)
const ruby = spawnSync('ruby', ['-W0', '-EUTF-8:UTF-8', '-e', oracle], {
  input: `${JSON.stringify(lines)}\n${input.join('\n')}\n`,
  encoding: 'utf8',
  maxBuffer: 1 << 30,
})
const answers = ruby.stdout
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line))
if (answers.length !== rows.length)
  throw new Error(`ruby stopped after ${answers.length} rows: ${ruby.stderr}`)

let searches = 0
let matches = 0
let timeouts = 0
let mismatches = 0
for (const [i, { set, expression, definitions, picked }] of rows.entries()) {
  const answer = answers[i]
  if (answer.error !== undefined) {
    mismatches++
    console.log(`${set} ${expression}: Ruby refuses it: ${answer.error}`)
    continue
  }
  const { pattern, captures } = compileGrok(expression, definitions, { timeout: 5000 })
  for (const [j, number] of picked.entries()) {
    const expected = answer.matches[j]
    if (expected === 'timeout') {
      timeouts++
      continue
    }
    searches++
    const actual = search(pattern, captures, lines[number])
    if (actual === 'timeout') timeouts++
    else if (JSON.stringify(actual) === JSON.stringify(expected)) matches += expected === null ? 0 : 1
    else {
      mismatches++
      if (verbose || mismatches <= 20)
        console.log(
          set,
          expression,
          JSON.stringify(lines[number]),
          'ruby',
          JSON.stringify(expected),
          'ours',
          JSON.stringify(actual),
        )
    }
  }
}
console.log(
  `grok-differential: ${rows.length} expressions, ${lines.length} lines, ${searches} searches, ${matches} equal matches, ${mismatches} mismatches, ${timeouts} time-outs`,
)
process.exitCode = mismatches === 0 ? 0 : 1

function search(pattern, captures, line) {
  let match
  try {
    match = pattern.search(line)
  } catch (error) {
    if (error.name !== 'PatternTimeout') throw error
    return 'timeout'
  }
  if (match === null) return null
  const found = captures.flatMap(({ field, cast, groups }) => {
    const group = groups.findLast((number) => match[number] !== undefined)
    const text = group === undefined ? '' : match[group]
    return text === '' ? [] : [[field, cast, text]]
  })
  // Ruby counts characters.
  return [[...line.slice(0, match.index)].length, match[0], found]
}

function goldenRows() {
  const file = new URL('../../../shared/conformance/grok-golden.json', here)
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).rows : []
}

function ownLines() {
  return [
    '127.0.0.1 - frank [10/Oct/2000:13:55:36 -0700] "GET /a.gif HTTP/1.0" 200 2326 "http://example.org/x?y=z" "Mozilla/5.0 (X11; Linux)"',
    '::1 - - [01/Jan/2024:00:00:00 +0000] "-" 408 -',
    '[Wed Oct 11 14:32:52 2000] [error] [client 127.0.0.1] client denied by server configuration: /export/home/live/ap/htdocs/test',
    '[Mon Aug 31 09:30:48.958285 2015] [proxy_fcgi:error] [pid 28787:tid 140169587934976] (70008)Partial results are valid: [client 58.13.45.166:59307] AH01075: Error dispatching request',
    "Oct 11 22:14:15 mymachine su[230]: 'su root' failed for lonvick on /dev/pts/8",
    '<165>1 2003-10-11T22:14:15.003Z mymachine.example.com evntslog - ID47 [exampleSDID@32473 iut="3"] BOMAn application',
    '2024-02-29T23:59:60.123+01:00 host.example.com prog[12]: WARN disk /dev/sda1 is 99.5% full',
    'May 25 18:00:53 fw kernel: IN=eth0 OUT= MAC=00:11:22:33:44:55:66:77:88:99:aa:bb:08:00 SRC=192.0.2.1 DST=203.0.113.9 LEN=40 TTL=64 ID=0 DF PROTO=TCP SPT=443 DPT=51234 WINDOW=0 RES=0x00 ACK SYN URGP=0',
    'Dec  9 13:01:26 localhost haproxy[28029]: 127.0.0.1:39759 [09/Dec/2013:12:59:46.633] loadbalancer default/instance8 0/51536/1/48082/99627 200 83285 - - ---- 87/87/87/1/0 0/67 {77.24.148.74} "GET /path/to/image HTTP/1.1"',
    '\tat com.example.app.Main$Inner.run(Main.java:41)',
    '%ASA-6-302013: Built inbound TCP connection 5 for outside:192.0.2.5/49152 (192.0.2.5/49152) to inside:10.0.0.5/443 (10.0.0.5/443)',
    'user@example.com urn:isbn:0451450523 550e8400-e29b-41d4-a716-446655440000 00-1B-44-11-3A-B7 C:\\Temp\\x.txt /var/log/x 0x1F -3.14 "a \\"b\\" c"',
    'https://user:pw@www.example.com:8443/a/b;c?d=e#f 2001:db8::ff00:42:8329 12/31/1999 31.12.1999-23:59:59 Mon, 02 Jan 2006 15:04:05 +0000',
  ]
}

/** Short texts at the edge of what patterns take. */
function odd() {
  const words = [
    '',
    ' ',
    '-',
    '0',
    '00',
    '9',
    '12',
    '31',
    '2024',
    '24:00:00',
    '23:59',
    '256.1.1.1',
    '1.2.3.4.5',
    '::',
    '::ffff:1.2.3.4',
    'fe80::1%eth0',
    'GET',
    'äöü',
    'März',
    'ſ',
    '\u0663',
    'a\nb',
    '\t',
    '"',
    "''",
    '[]',
    '()',
    'x=y',
    '🙂',
    'UTC',
    'Z',
    '+01:00',
    'Jan',
    'Mai',
    'Sunday',
    'INFO',
    'err',
    '/',
  ]
  return [
    ...words,
    ...Array.from({ length: 200 }, () =>
      Array.from({ length: 1 + random(6) }, () => words[random(words.length)]).join(
        [' ', '', ':', '-', '.'][random(5)],
      ),
    ),
  ]
}

/** One place of the line is left out, doubled, replaced or cut off. */
function changed(line) {
  const at = random(line.length + 1)
  const pieces = [
    '0',
    '9',
    'a',
    'Z',
    ' ',
    '  ',
    '-',
    ':',
    '.',
    '"',
    '[',
    ']',
    '/',
    '\t',
    '%',
    'é',
    '\n',
    '::',
    '=',
    '(',
  ]
  switch (random(5)) {
    case 0:
      return line.slice(0, at) + line.slice(at + 1)
    case 1:
      return line.slice(0, at) + pieces[random(pieces.length)] + line.slice(at)
    case 2:
      return line.slice(0, at) + pieces[random(pieces.length)] + line.slice(at + 1)
    case 3:
      return line.slice(0, at)
    default:
      return line.slice(at)
  }
}

function randomFrom(start) {
  let state = start >>> 0
  return (n) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0
    return ((state ^ (state >>> 13)) >>> 0) % n
  }
}
