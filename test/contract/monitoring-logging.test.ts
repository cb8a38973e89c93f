/**
 * Levels of loggers over HTTP (check 21 of the monitoring API), and that they take effect in the threads of
 * pipelines while these work.
 */
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { patientSignal } from '../../src/plugin/testing/patience.ts'
import { binary } from '../support/build.ts'
import { type Json, Millrace } from '../support/millrace.ts'

const library = new URL('../dist/plugin.js', pathToFileURL(binary)).href

/** A filter that says something with every event. */
const chatty = `
import { defineFilter } from '${library}'
export default defineFilter({
  name: 'chatty', summary: 'Talks.', options: {},
  create: ({ logger }) => ({
    filter(event) { logger.debug('chatty saw ' + event.get('message')) },
  }),
})
`

let node: Millrace

beforeAll(async () => {
  node = await Millrace.start({
    config:
      'input { stdin { } } filter { chatty { } } output { stdout { codec => line { format => "out %{message}" } } }',
    files: { 'plugins/filters/chatty.js': chatty },
    args: ['--path.plugins', 'plugins'],
    api: true,
  })
  await node.untilStarted()
})
afterAll(() => node.dispose())
beforeEach(() => put('/reset', undefined))

function request(method: string, path: string, body?: string): Promise<Response> {
  return fetch(`http://127.0.0.1:${node.apiPort}/_node/logging${path}`, {
    method,
    ...(body !== undefined && { body }),
    signal: patientSignal(5000),
  })
}

async function put(path: string, body: unknown): Promise<{ status: number; body: Json }> {
  const response = await request('PUT', path, typeof body === 'string' ? body : JSON.stringify(body))
  return { status: response.status, body: (await response.json()) as Json }
}

async function loggers(): Promise<Record<string, string>> {
  return (await node.api('/_node/logging'))['loggers'] as Record<string, string>
}

let lines = 0
async function say(): Promise<string> {
  const word = `word${++lines}`
  node.write(`${word}\n`)
  await node.until(`out ${word}`)
  return word
}

describe('GET /_node/logging', () => {
  it('lists loggers with their levels, sorted, the root without a name', async () => {
    const found = await loggers()
    expect(found).toMatchObject({
      '': 'INFO',
      'logstash.agent': 'INFO',
      'logstash.runner': 'INFO',
      'logstash.filters.chatty': 'INFO',
      'logstash.inputs.stdin': 'INFO',
      slowlog: 'TRACE',
    })
    expect(found).toHaveProperty('deprecation')
    expect(Object.keys(found)).toEqual(Object.keys(found).sort())
    expect(await node.api('/_node/logging')).toMatchObject({
      host: expect.any(String),
      version: expect.any(String),
    })
  })
})

describe('PUT /_node/logging', () => {
  it('changes a level and says so', async () => {
    const { status, body } = await put('', { 'logger.logstash.agent': 'DEBUG' })
    expect([status, body['acknowledged']]).toEqual([200, true])
    expect(body).toHaveProperty('host')
    expect(await loggers()).toMatchObject({
      'logstash.agent': 'DEBUG',
      'logstash.runner': 'INFO',
      '': 'INFO',
    })
  })

  it('takes effect at once in the thread of a pipeline, and ends with a reset', async () => {
    const before = await say()
    await put('', { 'logger.logstash.filters.chatty': 'debug' })
    const during = await say()
    expect((await put('/reset', undefined)).body).toMatchObject({ acknowledged: true })
    const after = await say()
    expect(node.stdout).not.toContain(`chatty saw ${before}`)
    expect(node.stdout).toMatch(
      new RegExp(`\\[DEBUG\\]\\[logstash\\.filters\\.chatty.*\\] chatty saw ${during}\\n`),
    )
    expect(node.stdout).not.toContain(`chatty saw ${after}`)
  })

  it('is inherited, but not by a logger with a level of its own', async () => {
    await put('', { 'logger.logstash.agent': 'error' })
    await put('', { 'logger.logstash': 'debug', 'logger.': 'warn' })
    expect(await loggers()).toMatchObject({
      '': 'WARN',
      'logstash.agent': 'ERROR',
      'logstash.runner': 'DEBUG',
      'logstash.filters.chatty': 'DEBUG',
      slowlog: 'TRACE',
    })
  })

  it('refuses what is no level', async () => {
    const { status, body } = await put('', { 'logger.logstash.agent': 'DEBUG', 'logger.x': 'nope' })
    expect(status).toBe(400)
    expect(body).toMatchObject({ host: expect.any(String), error: 'invalid level[nope] for logger[x]' })
    expect(body).not.toHaveProperty('acknowledged')
    expect((await loggers())['logstash.agent']).toBe('INFO')
  })

  it('refuses what is no logger', async () => {
    const { status, body } = await put('', { invalid: 'ERROR' })
    expect([status, body['error']]).toEqual([400, 'unrecognized option [invalid]'])
  })

  it.each(['', 'nonsense', '[]', '"x"', 'null', '{"logger.x":'])('refuses the body %j', async (text) => {
    expect((await put('', text)).status).toBe(400)
  })

  it('refuses bodies and sets of loggers that are too large', async () => {
    expect((await put('', `{"logger.${'x'.repeat(100_000)}":"INFO"}`)).status).toBe(413)
    const many = Object.fromEntries(
      Array.from({ length: 1000 }, (_, n) => [`logger.${'y'.repeat(30)}${n}`, 'INFO']),
    )
    const more = Object.fromEntries(
      Array.from({ length: 1000 }, (_, n) => [`logger.${'z'.repeat(30)}${n}`, 'INFO']),
    )
    expect((await put('', many)).status).toBe(200)
    expect((await put('', more)).status).toBe(400)
  })

  it('is not there for other methods', async () => {
    for (const method of ['POST', 'DELETE', 'PATCH']) expect((await request(method, '')).status).toBe(404)
    expect((await request('GET', '/reset')).status).toBe(404)
  })
})
