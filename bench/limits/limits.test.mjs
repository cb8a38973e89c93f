// Each limit program against an expectation computed the plain way: a limit that is wrong would make every right
// output wrong. The inputs have what breaks fast paths: quotes, control characters, non-ASCII, chunk borders.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { awaitLines } from '../await-lines.mjs'
import { groups } from '../filters/index.mjs'
import { expectedEvent } from '../filters/sample-event.mjs'
import { lines as apacheLines } from '../generate/apache.mjs'
import { notAscii, truncated } from '../generate/apache-variants.mjs'
import { lines as garbageLines } from '../generate/garbage.mjs'
import { cityOf, geoDatabase } from '../generate/geo-database.mjs'
import { lines as jsonLines } from '../generate/json-logs.mjs'
import { lines as syslogLines } from '../generate/syslog.mjs'
import { freePorts } from '../ports.mjs'
import { isoTime } from './apache-line.mjs'

const directory = mkdtempSync(join(tmpdir(), 'limits-'))
afterAll(() => rmSync(directory, { recursive: true }))
const program = (name) => join(import.meta.dirname, name)
const iso = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

const awkward = ['', 'a "quoted" \\ line', 'tab\there', '\u0001\u007f', 'Zoë', '東京 😀', 'carriage\r']
const messages = Array.from({ length: 4000 }, (_, n) =>
  n % 500 === 0 ? awkward[(n / 500) % awkward.length] : `line ${n} ${'x'.repeat(n % 90)}`,
)
const input = join(directory, 'input.log')
writeFileSync(input, messages.map((message) => `${message}\n`).join(''))

function eventsIn(text) {
  expect(text.endsWith('\n')).toBe(true)
  return text
    .slice(0, -1)
    .split('\n')
    .map((line) => {
      const { '@timestamp': timestamp, ...event } = JSON.parse(line)
      expect(timestamp).toMatch(iso)
      return event
    })
}

test('file-lines-json', () => {
  const output = join(directory, 'file.json')
  execFileSync(process.execPath, [program('file-lines-json.mjs'), input, output])
  expect(eventsIn(readFileSync(output, 'utf8'))).toEqual(
    messages.map((message) => ({ '@version': '1', message, host: hostname(), path: input })),
  )
})

test('stdin-lines-json', () => {
  const stdin = openSync(input)
  const output = execFileSync(process.execPath, [program('stdin-lines-json.mjs')], {
    stdio: [stdin, 'pipe', 'inherit'],
    maxBuffer: 1 << 26,
  })
  expect(eventsIn(output.toString())).toEqual(
    messages.map((message) => ({ '@version': '1', message, host: hostname() })),
  )
})

test('generator-dots writes one dot per event, generator-null nothing', () => {
  const run = (name, count) => execFileSync(process.execPath, [program(name), String(count)]).toString()
  expect(run('generator-dots.mjs', 70_001)).toBe('.'.repeat(70_001))
  expect(run('generator-null.mjs', 1001)).toBe('')
})

test('tcp-json-mutate, fed by tcp-send', async () => {
  const lines = [...jsonLines(2000, 1)]
  const source = join(directory, 'source.json')
  writeFileSync(source, lines.map((line) => `${line}\n`).join(''))
  const output = join(directory, 'tcp.json')
  const [port] = await freePorts(1)
  const server = spawn(process.execPath, [program('tcp-json-mutate.mjs'), String(port), output])
  try {
    execFileSync(process.execPath, [join(import.meta.dirname, '..', 'tcp-send.mjs'), String(port), source])
    await awaitLines(output, lines.length, AbortSignal.timeout(20_000))
  } finally {
    server.kill()
    await once(server, 'exit')
  }
  const events = eventsIn(readFileSync(output, 'utf8'))
  const ports = new Set(events.map((event) => event.port))
  expect(ports.size).toBe(1)
  const expected = lines.map((line) => {
    const { msg, ...rest } = JSON.parse(line)
    const tags = rest.level === 'error' ? { tags: ['alert'] } : {}
    return {
      ...rest,
      ...tags,
      '@version': '1',
      message: msg,
      env: 'prod',
      host: '127.0.0.1',
      port: [...ports][0],
    }
  })
  expect(events).toEqual(expected)
})

// The plain way to take an access line apart: at its quotes and blanks, and with Date.
function takenApart(line) {
  const [front, request, middle, referrer, , agent] = line.split('"')
  const [clientip, ident, auth, time, zone] = front.trim().split(' ')
  const [verb, target, protocol] = request.split(' ')
  const [response, bytes] = middle.trim().split(' ')
  const [day, hour, minute, second] = time.slice(1).split(':')
  const instant = new Date(`${day.replaceAll('/', ' ')} ${hour}:${minute}:${second} ${zone.slice(0, -1)}`)
  return { clientip, ident, auth, verb, target, protocol, response, bytes, referrer, agent, instant }
}

function written(name, lines) {
  const path = join(directory, name)
  writeFileSync(path, lines.map((line) => `${line}\n`).join(''))
  return path
}

function outputOf(name, ...parameters) {
  return execFileSync(process.execPath, [program(name), ...parameters.map(String)]).toString()
}

const access = [...apacheLines(1500, 3), ...notAscii(3).lines(1500, 4)]
const accessFile = written('access.log', access)

test('apache-full', () => {
  const output = join(directory, 'full.json')
  outputOf('apache-full.mjs', accessFile, output)
  const expected = access.map((message) => {
    const { target, protocol, instant, response, bytes, ...line } = takenApart(message)
    return {
      '@timestamp': instant.toISOString(),
      '@version': '1',
      message,
      host: hostname(),
      path: accessFile,
      clientip: line.clientip,
      ident: line.ident,
      auth: line.auth,
      verb: line.verb,
      request: target,
      httpversion: protocol.slice('HTTP/'.length),
      response: Number(response),
      ...(bytes !== '-' && { bytes: Number(bytes) }),
      referrer: `"${line.referrer}"`,
      agent: `"${line.agent}"`,
      ...(Number(response) >= 500 && { tags: ['error'] }),
    }
  })
  const events = readFileSync(output, 'utf8').trimEnd().split('\n').map(JSON.parse)
  expect(events).toEqual(expected)
  expect(expected.filter((event) => event.tags).length).toBeGreaterThan(100)
})

test('apache-parity', () => {
  const output = join(directory, 'parity.json')
  outputOf('apache-parity.mjs', accessFile, output)
  const expected = access.map((message) => {
    const { clientip, auth, verb, target, response, bytes, referrer, agent } = takenApart(message)
    return {
      host: clientip,
      user: auth,
      method: verb,
      path: target,
      code: response,
      size: bytes,
      referer: referrer,
      agent,
    }
  })
  expect(readFileSync(output, 'utf8').trimEnd().split('\n').map(JSON.parse)).toEqual(expected)
})

test('enrich writes a dot for each line', () => {
  expect(outputOf('enrich.mjs', accessFile)).toBe('.'.repeat(access.length))
})

test('the database of enrich is found by the first byte of an address', async () => {
  const { open } = await import('maxmind')
  const reader = await open(geoDatabase(directory))
  for (const byte of [0, 1, 127, 128, 255]) {
    const { name, code, latitude } = cityOf(byte)
    const found = reader.get(`${byte}.2.3.4`)
    expect([found.city.names.en, found.country.iso_code, found.location.latitude]).toEqual([
      name,
      code,
      latitude,
    ])
  }
})

test('syslog-chain', () => {
  const lines = [...syslogLines(1000, 5)]
  const from = written('syslog.log', lines)
  const output = join(directory, 'syslog.json')
  outputOf('syslog-chain.mjs', from, output)
  const events = readFileSync(output, 'utf8').trimEnd().split('\n').map(JSON.parse)
  expect(events).toHaveLength(lines.length)
  lines.forEach((line, n) => {
    const [head, ...rest] = line.split(': ')
    const [, priority, stamp, sender, program, pid] = /^<(\d+)>(.{15}) (\S+) (.+)\[(\d+)\]$/.exec(head)
    const at = new Date(`${stamp} ${new Date().getUTCFullYear()} UTC`)
    expect(events[n]).toMatchObject({
      '@timestamp': at.toISOString(),
      message: rest.join(': '),
      path: from,
      syslog_pri: priority,
      syslog_program: program,
      syslog_pid: pid,
      origin: `${sender}/${program}`,
      received_from: hostname(),
      syslog_severity_code: Number(priority) % 8,
      syslog_facility_code: Math.floor(Number(priority) / 8),
    })
  })
})

test('isoTime reads the zone and refuses what is no time', () => {
  expect(isoTime('15/Jan/2024:07:13:42 +0000')).toBe('2024-01-15T07:13:42.000Z')
  expect(isoTime('15/Jan/2024:00:13:42 +0130')).toBe('2024-01-14T22:43:42.000Z')
  expect(isoTime('29/Feb/2024:23:59:59 -0800')).toBe('2024-03-01T07:59:59.000Z')
  for (const text of ['', '15/Foo/2024:07:13:42 +0000', '15/Jan/2024:27:13:42 +0000', '15/Jan/2024']) {
    expect(isoTime(text)).toBeUndefined()
  }
})

test('apache-null writes a dot for each line that does not match, and nothing else', () => {
  expect(outputOf('apache-null.mjs', accessFile)).toBe('')
  expect(outputOf('apache-null.mjs', written('mixed.log', [...access, 'no', '', access[0]]))).toBe('..')
})

test('grok-miss: the tenth pattern matches every access line, no pattern matches the others', () => {
  expect(outputOf('grok-miss.mjs', accessFile, 'tenth')).toBe('.'.repeat(access.length))
  expect(outputOf('grok-miss.mjs', accessFile, 'none')).toBe('')
  const cut = written('cut.log', [...truncated.lines(2000, 5)])
  expect(outputOf('grok-miss.mjs', cut, 'none')).toBe('.'.repeat(2000))
  const garbage = written('garbage.log', [...garbageLines(2000, 5)])
  expect(outputOf('grok-miss.mjs', garbage, 'none')).toBe('.'.repeat(2000))
  expect(outputOf('grok-miss.mjs', garbage, 'tenth')).toBe('')
})

test.each(Object.keys(groups))('filters: a figure for each filter of the group %s', (group) => {
  const values = JSON.parse(outputOf('filters.mjs', group, 125))
  expect(Object.keys(values)).toEqual(Object.keys(groups[group]))
  for (const value of Object.values(values)) expect(value).toBeGreaterThan(0)
})

test.each([
  ['grok', 'grok NUMBER to int', 'int49', 12345],
  ['grok', 'grok IP found late', 'ip0', '10.1.2.3'],
  ['grok', 'grok no match', 'tags', ['none']],
  ['date', 'date dd/MMM/yyyy:HH:mm:ss Z', 'd3', '2024-01-15T07:13:42.000Z'],
  ['date', 'date ISO8601', 'd0', '2024-01-15T07:13:42.123Z'],
  ['date', 'date with a named zone', 'd49', '2024-01-15T12:13:42.123Z'],
  ['date', 'date UNIX', 'd0', '2024-01-15T07:13:42.123Z'],
  ['mutate', 'mutate gsub', 'text7', 'Some Text, #'],
  ['mutate', 'mutate split', 'text7', ['Some Text', ' 42']],
  ['mutate', 'mutate rename', 'renamed7', 'Some Text, 42'],
  ['other', 'sprintf fields', 'f1', 'error-503 on a'],
  ['other', 'sprintf date', 'f49', 'logs-2024.01.15'],
  ['other', 'if in', 'tags', undefined],
])('%s by hand: %s', (group, name, field, value) => {
  const event = JSON.parse(JSON.stringify(expectedEvent(groups[group][name])))
  expect(event[field]).toEqual(value)
})

test('json-bulk, fed by tcp-send into the bulk sink', async () => {
  const lines = [...jsonLines(2000, 1)]
  const source = join(directory, 'bulk-source.json')
  writeFileSync(source, lines.map((line) => `${line}\n`).join(''))
  const output = join(directory, 'bulk.json')
  const [port, sinkPort] = await freePorts(2)
  const bench = join(import.meta.dirname, '..')
  const sink = spawn(process.execPath, [join(bench, 'bulk-sink.mjs'), String(sinkPort), output])
  await once(sink.stdout, 'data')
  const shipper = spawn(process.execPath, [program('tcp-json-bulk.mjs'), String(port), String(sinkPort)])
  try {
    execFileSync(process.execPath, [join(bench, 'tcp-send.mjs'), String(port), source])
    await awaitLines(output, lines.length, AbortSignal.timeout(20_000))
  } finally {
    for (const child of [shipper, sink]) {
      child.kill()
      await once(child, 'exit')
    }
  }
  const events = eventsIn(readFileSync(output, 'utf8'))
  const own = { '@version': '1', host: '127.0.0.1', port: events[0].port }
  expect(events).toEqual(lines.map((line) => ({ ...JSON.parse(line), ...own })))
})
