import { get, type IncomingMessage, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { setLevel } from '../../log/logger.ts'
import { type NodeApi, startNodeApi } from './server.ts'
import { testAgent, testPipeline, testSettings } from './testing.ts'

setLevel('logstash.agent', 'OFF')
let api: NodeApi
let main = testPipeline('main')
const open: IncomingMessage[] = []

beforeEach(async () => {
  main = testPipeline('main')
  const settings = testSettings({ 'api.http.port': '19600-19900', 'log.level': 'fatal' })
  api = await startNodeApi({ settings, agent: testAgent(main), id: 'x' })
})

afterEach(async () => {
  for (const response of open.splice(0)) response.destroy()
  await api.close()
})

interface Message {
  event?: string
  id?: string
  data?: Record<string, unknown>
}

/** Every listener has a connection of its own. */
function listen(query = ''): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(`http://${api.address}/_node/stats/stream${query}`, { agent: false }, (response) => {
      open.push(response)
      // Connections are cut at the end of a test.
      resolve(response.setEncoding('utf8').on('error', () => undefined))
    }).on('error', reject)
  })
}

async function statusOf(query: string): Promise<number | undefined> {
  const { statusCode } = await listen(query)
  open.pop()?.destroy()
  return statusCode
}

/** Reads messages until the condition holds or the stream ends; the test has its own time limit. */
async function messages(response: IncomingMessage, holds: (all: Message[]) => boolean): Promise<Message[]> {
  const all: Message[] = []
  let text = ''
  for await (const chunk of response) {
    text += chunk
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const fields = text.slice(0, end).split('\n')
      text = text.slice(end + 2)
      const field = (name: string) =>
        fields.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2)
      if (field('data') === undefined) continue
      all.push({ event: field('event')!, id: field('id')!, data: JSON.parse(field('data')!) })
    }
    if (holds(all)) break
  }
  return all
}

describe('the stream of stats', () => {
  it('begins at once and goes on', async () => {
    const response = await listen('?interval=250ms')
    expect(response.headers['content-type']).toBe('text/event-stream')
    expect(response.headers['cache-control']).toBe('no-store')
    const [first, second] = await messages(response, (all) => all.length === 2)
    expect([first?.event, first?.id, second?.id]).toEqual(['stats', '0', '1'])
    for (const part of ['jvm', 'process', 'events', 'pipelines', 'reloads', 'queue'])
      expect(Object.keys(first!.data!)).toContain(part)
  })

  it('sends only the parts that were asked for', async () => {
    const [first] = await messages(await listen('?metrics=events,nothing'), (all) => all.length === 1)
    expect(first?.data).toHaveProperty('events.in', 0)
    expect(first?.data).not.toHaveProperty('jvm')
  })

  it('refuses what it cannot do before it begins', async () => {
    for (const interval of ['', '1', '0s', '249ms', '61s', '2m', 'x', '-1s', '99999999s'])
      expect([interval, await statusOf(`?interval=${interval}`)]).toEqual([interval, 400])
    for (const list of ['nothing', 'stream', 'hot_threads', '', 'jvm%2F..'])
      expect([list, await statusOf(`?metrics=${list}`)]).toEqual([list, 404])
    expect(await statusOf(`?metrics=${'x'.repeat(300)}`)).toBe(400)
  })

  it('tells about reloads', async () => {
    const response = await listen('?interval=250ms&metrics=reloads')
    const told = messages(response, (all) => all.filter(({ event }) => event === 'reload').length === 2)
    await sleep(50)
    main.reloads.successes += 1
    await sleep(300)
    main.reloads.failures += 1
    main.reloads.lastError = { message: 'broken', backtrace: [] }
    expect((await told).filter(({ event }) => event === 'reload').map(({ data }) => data)).toEqual([
      { pipeline: 'main', result: 'success', message: null },
      { pipeline: 'main', result: 'failure', message: 'broken' },
    ])
  })

  it('takes a bounded number of listeners, and takes others when some have gone', async () => {
    const all = await Promise.all(Array.from({ length: 32 }, () => listen('?metrics=reloads')))
    expect(new Set(all.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
    const refused = await listen('?metrics=reloads')
    let body = ''
    for await (const chunk of refused) body += chunk
    expect(refused.statusCode).toBe(503)
    expect(JSON.parse(body)).toEqual({
      path: '/_node/stats/stream',
      status: 503,
      error: { message: 'Too many streams' },
    })
    open.shift()!.destroy()
    for (let i = 0; i < 100; i++) {
      if ((await statusOf('?metrics=reloads')) === 200) return
      await sleep(20)
    }
    expect.unreachable('no place was given back')
  })

  it('ends when the API closes', async () => {
    const response = await listen('?metrics=reloads')
    const all = messages(response, () => false)
    await sleep(50)
    const began = performance.now()
    await api.close()
    expect((await all).length).toBeGreaterThan(0)
    // The limit after which connections are cut is a second.
    expect(performance.now() - began).toBeLessThan(900)
  })

  it('answers HEAD without beginning', async () => {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      request(`http://${api.address}/_node/stats/stream`, { method: 'HEAD', agent: false }, resolve)
        .on('error', reject)
        .end()
    })
    for await (const _ of response) expect.unreachable()
    expect(response.statusCode).toBe(200)
    expect(response.headers['content-type']).toBe('text/event-stream')
  })
})
