// Each limit program against an expectation computed the plain way: a limit that is wrong would make every right
// output wrong. The inputs have what breaks fast paths: quotes, control characters, non-ASCII, chunk borders.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { awaitLines } from '../await-lines.mjs'
import { lines as jsonLines } from '../generate/json-logs.mjs'
import { freePorts } from '../ports.mjs'

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
