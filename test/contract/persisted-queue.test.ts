/** A pipeline whose queue is on the disk: what survives, what is delivered once, what the monitoring API says of it. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { freePort, IN, type Json, jsonLines, Millrace, OUT } from '../support/millrace.ts'

const settings = 'queue.type: persisted\nqueue.max_bytes: 64mb\n'
const running: Millrace[] = []
afterEach(async () => {
  for (const one of running.splice(0).reverse()) await one.dispose()
})

async function start(options: Parameters<typeof Millrace.start>[0]): Promise<Millrace> {
  const millrace = await Millrace.start({ settings, ...options })
  running.push(millrace)
  return millrace
}

const post = async (port: number, body: string) =>
  (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body })).status

/** Nobody listens there. */
const deadOutput = 'output { tcp { host => "127.0.0.1" port => 1 } }'
const http = (port: number, options = '') =>
  `input { http { host => "127.0.0.1" port => ${port} ${options} } }`

async function answered(port: number, bodies: readonly string[]): Promise<void> {
  for (const body of bodies) {
    for (let attempt = 0; ; attempt++) {
      const status = await post(port, body).catch(() => 0)
      if (status === 200) break
      if (attempt > 100) throw new Error(`no 200 for ${body}, but ${status}`)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}

const messages = (text: string): string[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => String((JSON.parse(line) as Json)['message']))

async function count(millrace: Millrace): Promise<unknown> {
  await millrace.search('POST', '/logs/_refresh')
  return (await millrace.search('GET', '/logs/_count')).json['count']
}

async function untilCount(millrace: Millrace, expected: number): Promise<void> {
  for (let left = 100; (await count(millrace)) !== expected; left--) {
    if (left === 0) throw new Error(`not ${expected} documents but ${await count(millrace)}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

describe('a persisted queue', () => {
  it('keeps what was acknowledged through kill -9 and delivers it at the next start', async () => {
    const port = await freePort()
    const first = await start({ config: `${http(port)} ${deadOutput}` })
    await first.untilStarted()
    await answered(port, ['one', 'two', 'three'])
    first.signal('SIGKILL')
    await first.exit()
    const second = await start({ folder: first.folder, config: `${http(port)} ${OUT}` })
    await second.until(/three/)
    expect(messages(second.stdout)).toEqual(['one', 'two', 'three'])
  })

  it('decodes what waits with the codec it came with when the input has changed since', async () => {
    const port = await freePort()
    const first = await start({
      config: `input { http { host => "127.0.0.1" port => ${port} codec => json tags => ["old"] } } ${deadOutput}`,
    })
    await first.untilStarted()
    await answered(port, ['{"n":1}'])
    first.signal('SIGKILL')
    await first.exit()
    const second = await start({ folder: first.folder, config: `${IN} ${OUT}` })
    await second.until(/"n":1/)
    expect(second.stdout).toMatch(/"tags":\["old"\]/)
  })

  it('stops at once with events in it, and delivers them after the next start', async () => {
    const port = await freePort()
    const first = await start({
      config: `${http(port)} ${deadOutput}`,
      args: ['-b', '1'],
      settings: `${settings}shutdown.grace: 500ms\n`,
    })
    await first.untilStarted()
    await answered(port, ['a', 'b', 'c', 'd'])
    first.signal('SIGTERM')
    // The batch that is with the output is given up after a while; the other events never were with it.
    expect((await first.exit()).code).toBe(0)
    const second = await start({ folder: first.folder, config: `${http(port)} ${OUT}` })
    await second.until(/"d"/)
    expect(messages(second.stdout)).toEqual(['a', 'b', 'c', 'd'])
  })

  it('counts how long senders wait for room, and stops while they wait without a fault', async () => {
    const port = await freePort()
    const millrace = await start({
      config: `${http(port)} ${deadOutput}`,
      args: ['-b', '1'],
      settings: `${settings}queue.max_events: 2\nshutdown.grace: 500ms\n`,
      api: true,
    })
    await millrace.untilStarted()
    const sending = Array.from({ length: 10 }, (_, n) => post(port, String(n)).catch(() => 0))
    const waited = (body: Json) =>
      (body as { pipelines: { main: { events: { queue_push_duration_in_millis: number } } } }).pipelines.main
        .events.queue_push_duration_in_millis
    await millrace.apiUntil('/_node/stats/pipelines', (body) => waited(body) > 1000)
    millrace.signal('SIGTERM')
    expect((await millrace.exit()).code).toBe(0)
    const answers = await Promise.all(sending)
    expect(answers.filter((status) => status !== 200 && status !== 429 && status !== 503)).toEqual([])
    expect(millrace.stdout).not.toMatch(/nobody handles/)
  })

  it('lets everything out when its inputs have come to their end', async () => {
    const millrace = await start({ config: `${IN} ${OUT}` })
    millrace.write(jsonLines(...Array.from({ length: 500 }, (_, n) => ({ message: String(n) }))))
    millrace.endInput()
    expect((await millrace.exit()).code).toBe(0)
    expect(messages(millrace.stdout)).toEqual(Array.from({ length: 500 }, (_, n) => String(n)))
  })

  it('does not wait for the rest of inputs that have come to their end when it is to stop', async () => {
    const first = await start({
      config: `${IN} ${deadOutput}`,
      settings: `${settings}shutdown.grace: 500ms\n`,
      api: true,
    })
    first.write(jsonLines({ message: 'a' }, { message: 'b' }))
    first.endInput()
    const unacked = (body: Json) =>
      (body as { pipelines?: { main?: { ext: { queue?: { unacked_events: number } } } } }).pipelines?.main
        ?.ext.queue?.unacked_events
    await first.apiUntil('/_node/stats/pipelines', (body) => unacked(body) === 2)
    first.signal('SIGTERM')
    expect((await first.exit()).code).toBe(0)
    const second = await start({ folder: first.folder, config: `${IN} ${OUT}` })
    await second.until(/"b"/)
    expect(messages(second.stdout)).toEqual(['a', 'b'])
  })

  it('is told of when no pipeline has it any more, and not while another node has it', async () => {
    const port = await freePort()
    const first = await start({
      config: `${http(port)} ${deadOutput}`,
      settings: `${settings}pipeline.id: one\nshutdown.grace: 300ms\n`,
    })
    await first.untilStarted()
    await answered(port, ['a', 'b', 'c'])
    const queues = join(first.folder, 'data', 'queue')
    const others = `${settings}pipeline.id: two\npath.queue: ${queues}\n`
    const other = await start({ config: `${http(await freePort())} ${OUT}`, settings: others })
    await other.untilStarted()
    other.signal('SIGTERM')
    await other.exit()
    expect(other.stdout).not.toContain('no pipeline has this queue')
    first.signal('SIGTERM')
    await first.exit()
    writeFileSync(join(queues, 'notes'), 'no queue')
    const next = await start({ folder: other.folder, config: `${http(port)} ${OUT}`, settings: others })
    await next.until(`3 events wait in ${join(queues, 'one')}, and no pipeline has this queue`)
    expect(next.stdout).not.toContain('cannot be read')
  })

  it('stores an event once in the search store however often it is delivered', async () => {
    const port = await freePort()
    const store = `${http(port)} filter { clone { clones => ["copy"] } } output { millrace { id => "store" index => "logs" } }`
    const first = await start({ config: `${store} ${deadOutput}`, search: true })
    await first.untilSearchable()
    await answered(port, ['x', 'y'])
    // The store has them, the other output never will: nothing is acknowledged.
    await untilCount(first, 2)
    first.signal('SIGKILL')
    await first.exit()
    const out = join(first.folder, 'out')
    const config = `${store} output { file { path => "${out}" } }`
    const second = await start({ folder: first.folder, config, search: true })
    await second.untilSearchable()
    await second.until(() => existsSync(out) && readFileSync(out, 'utf8').split('\n').length === 5)
    await untilCount(second, 4)
    expect(await count(second)).toBe(4)
  })

  it.each([
    [
      'packed lines',
      'mode => "read" file_completed_action => "log" file_completed_log_path => "DIR/done"',
      'in.gz',
    ],
    [
      'joined lines',
      'start_position => "beginning" codec => multiline { pattern => "^ " what => "previous" auto_flush_interval => 1 }',
      'in.log',
    ],
    [
      'a last line without an end',
      'mode => "read" file_completed_action => "log" file_completed_log_path => "DIR/done"',
      'in.txt',
    ],
  ])('stores %s of a file once when positions were lost in a crash', async (_what, options, name) => {
    const folder = await mkdtemp(join(tmpdir(), 'millrace-lines-'))
    const text = Array.from({ length: 200 }, (_, number) => `line ${number}\n more\n`)
      .join('')
      .slice(0, -1)
    const path = join(folder, name)
    writeFileSync(path, name.endsWith('.gz') ? gzipSync(text) : `${text}${name.endsWith('.log') ? '\n' : ''}`)
    const sincedb = join(folder, 'sincedb')
    const config = `input { file { path => "${path}" sincedb_path => "${sincedb}" ${options.replace('DIR', folder)} } }
      output { millrace { id => "store" index => "logs" } }`
    const expected = name.endsWith('.log') ? 200 : 400
    const out = join(folder, 'out')
    const first = await start({ config, search: true })
    await first.untilSearchable()
    await untilCount(first, expected)
    first.signal('SIGKILL')
    await first.exit()
    writeFileSync(sincedb, '')
    const again = `${config} output { file { path => "${out}" } }`
    const second = await start({ folder: first.folder, config: again, search: true })
    await second.untilSearchable()
    await second.until(() => existsSync(out) && readFileSync(out, 'utf8').split('\n').length > expected)
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(await count(second)).toBe(expected)
    await rm(folder, { recursive: true })
  })

  it('stores the events of a request once that is sent again with the same Idempotency-Key', async () => {
    const port = await freePort()
    const config = `${http(port, 'codec => json')} output { millrace { id => "store" index => "logs" } }`
    const millrace = await start({ config, search: true })
    await millrace.untilSearchable()
    await millrace.untilStarted()
    const send = async (key: string | undefined, body: unknown) => {
      const headers = { 'content-type': 'application/json', ...(key && { 'idempotency-key': key }) }
      const answer = await fetch(`http://127.0.0.1:${port}/`, {
        method: 'POST',
        body: JSON.stringify(body),
        headers,
      })
      expect(answer.status).toBe(200)
    }
    const three = [{ n: 1 }, { n: 2 }, { n: 3 }]
    await send('first', three)
    await send('"first"', three)
    await send('first', three)
    await untilCount(millrace, 3)
    await send('second', three)
    await untilCount(millrace, 6)
    await send(undefined, { n: 4 })
    await send(undefined, { n: 4 })
    await untilCount(millrace, 8)
    await send('first', three)
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(await count(millrace)).toBe(8)
  })

  it('is shown in the stats as Logstash shows it', async () => {
    const port = await freePort()
    const millrace = await start({ config: `${http(port)} ${deadOutput}`, api: true, args: ['-b', '1'] })
    await millrace.untilStarted()
    await answered(port, ['1', '2', '3', '4', '5', '6'])
    const queue = (body: Json) => (body as { pipelines: { main: { queue: Json } } }).pipelines.main.queue
    const body = await millrace.apiUntil(
      '/_node/stats/pipelines',
      (stats) => Number(queue(stats)?.['events']) > 0,
    )
    expect(queue(body)).toMatchObject({
      type: 'persisted',
      max_queue_size_in_bytes: 64 * 1024 * 1024,
      capacity: {
        page_capacity_in_bytes: 64 * 1024 * 1024,
        max_queue_size_in_bytes: 64 * 1024 * 1024,
        max_unread_events: 0,
      },
      data: { path: join(millrace.folder, 'data', 'queue', 'main') },
    })
    const flow = (body as { pipelines: { main: { flow: Json } } }).pipelines.main.flow
    expect(Object.keys(flow)).toContain('queue_persisted_growth_events')
  })

  it('refuses a page that is larger than the queue', async () => {
    const millrace = await start({
      config: `${IN} ${OUT}`,
      settings: 'queue.type: persisted\nqueue.page_capacity: 2mb\nqueue.max_bytes: 1mb\n',
    })
    expect((await millrace.exit()).code).toBe(1)
    expect(millrace.stdout).toContain("'queue.page_capacity' must be smaller")
  })
})
