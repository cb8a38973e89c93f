/** Dead letters of the running program: who writes them, who reads them, what the monitoring API says of them. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { contents } from '../../src/queue/dead-letters/test-segments.ts'
import { diskFiles } from '../../src/storage/files.ts'
import { freePort, IN, type Json, jsonLines, Millrace, OUT, write } from '../support/millrace.ts'
import { open } from '../support/tcp.ts'

const settings = 'dead_letter_queue.enable: true\n'
const running: Millrace[] = []
afterEach(async () => {
  for (const one of running.splice(0)) await one.dispose()
})

async function start(options: Parameters<typeof Millrace.start>[0]): Promise<Millrace> {
  const millrace = await Millrace.start({ settings, ...options })
  running.push(millrace)
  return millrace
}

const queueOf = (millrace: Millrace) => join(millrace.folder, 'data', 'dead_letter_queue', 'main')
const numbersOf = (millrace: Millrace) => contents(diskFiles, queueOf(millrace)).numbers

describe('a pipeline with dead letters', () => {
  it.each(['1', '3'])('keeps events whose condition fails, with %s workers', async (workers) => {
    const millrace = await start({
      config: `${IN} filter { if [a] > 2 { noop { } } } ${OUT}`,
      args: ['-w', workers, '-b', '2'],
    })
    const events = Array.from({ length: 40 }, (_, number) => ({ number, a: number % 2 === 0 ? 1 : 'x' }))
    millrace.write(jsonLines(...events))
    millrace.endInput()
    expect((await millrace.exit()).code).toBe(0)
    expect(millrace.stdout).toContain('Failing event was sent to dead letter queue')
    const odd = events.filter(({ a }) => a === 'x').map(({ number }) => number)
    expect(numbersOf(millrace).sort((a, b) => a - b)).toEqual(odd)
  })

  it('keeps what a cluster refuses, and says so in the stats', async () => {
    const cluster = createServer(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      response.setHeader('x-elastic-product', 'Elasticsearch')
      response.setHeader('content-type', 'application/json')
      const lines = Buffer.concat(chunks).toString().split('\n').length - 1
      const item = { index: { status: 400, error: { type: 'mapper_parsing_exception', reason: 'no' } } }
      const isBulk = request.url?.includes('_bulk')
      response.end(
        JSON.stringify(
          isBulk
            ? { errors: true, items: Array.from({ length: lines / 2 }, () => item) }
            : { version: { number: '8.15.0', build_flavor: 'default' }, tagline: 'You Know, for Search' },
        ),
      )
    })
    await new Promise<void>((resolve) => cluster.listen(0, '127.0.0.1', resolve))
    const { port } = cluster.address() as AddressInfo
    try {
      const millrace = await start({
        config: `${IN} output { elasticsearch { id => "es" hosts => ["http://127.0.0.1:${port}"] index => "i" manage_template => false ilm_enabled => false data_stream => false } }`,
        api: true,
      })
      await millrace.untilStarted()
      millrace.write(jsonLines({ number: 1 }, { number: 2 }))
      const letters = (body: Json) =>
        (body as { pipelines: { main: { dead_letter_queue: Json } } }).pipelines.main.dead_letter_queue
      const body = await millrace.apiUntil(
        '/_node/stats/pipelines',
        (stats) => (letters(stats)?.['queue_size_in_bytes'] as number) > 100,
      )
      expect(letters(body)).toMatchObject({
        max_queue_size_in_bytes: 1024 ** 3,
        storage_policy: 'drop_newer',
        dropped_events: 0,
        expired_events: 0,
        last_error: 'no errors',
      })
      millrace.signal('SIGKILL')
      await millrace.exit()
      expect(numbersOf(millrace)).toEqual([1, 2])
    } finally {
      cluster.closeAllConnections()
      cluster.close()
    }
  })

  it('loses none of them when a reload changes the settings of the queue', async () => {
    const port = await freePort()
    const entry = (age: string) =>
      `- pipeline.id: main\n  dead_letter_queue.retain.age: ${age}\n  config.string: 'input { tcp { port => ${port} codec => json_lines } } filter { if [a] > 2 { noop { } } } output { null { } }'\n`
    const millrace = await start({
      pipelines: entry('1d'),
      settings: `${settings}dead_letter_queue.flush_check_interval: 100\nconfig.reload.automatic: true\nconfig.reload.interval: 200ms\n`,
      args: ['-b', '10'],
    })
    await millrace.untilStarted()
    const socket = await open(port)
    let sent = 0
    let isOver = false
    const sending = (async () => {
      while (!isOver) {
        const few = Array.from({ length: 5 }, () => ({ number: sent++, a: 'x' }))
        if (!socket.write(jsonLines(...few))) await once(socket, 'drain')
        await wait(1)
      }
    })()
    for (let age = 2; age < 4; age++) {
      const before = millrace.stdout.split('Reloading pipeline').length
      await write(`${millrace.folder}/settings/pipelines.yml`, entry(`${age}d`))
      await millrace.until(() => millrace.stdout.split('Reloading pipeline').length > before)
      await wait(300)
    }
    isOver = true
    await sending
    socket.end()
    await millrace.until(() => numbersOf(millrace).length >= sent).catch(() => undefined)
    expect(numbersOf(millrace).sort((a, b) => a - b)).toEqual(Array.from({ length: sent }, (_, i) => i))
    expect(millrace.stdout).not.toContain('could not be written to the dead letter queue')
  })

  it('reads them again and does not give them up a second time', async () => {
    const first = await start({ config: `${IN} filter { if [a] > 2 { noop { } } } ${OUT}` })
    first.write(jsonLines({ number: 1, a: 'x' }, { number: 2, a: 'y' }))
    first.endInput()
    await first.exit()
    const second = await start({
      config: `input { dead_letter_queue { path => "${join(first.folder, 'data', 'dead_letter_queue')}" sincedb_path => "${join(first.folder, 'sincedb')}" } }
        filter { mutate { add_field => { "why" => "%{[@metadata][dead_letter_queue][reason]}" } } if [number] < 2 and [a] > 2 { noop { } } } ${OUT}`,
    })
    await second.until('"number":2')
    second.signal('SIGTERM')
    expect((await second.exit()).code).toBe(0)
    expect(second.stdout).toContain('"why":"condition evaluation error, ')
    expect(second.stdout).toContain('Event previously submitted to dead letter queue. Skipping...')
    expect(numbersOf(second)).toEqual([])
    expect(numbersOf(first)).toEqual([1, 2])
  })
})

describe('a shutdown that cannot deliver', () => {
  const stalled = 'shutdown.stall_limit: 1s\n'
  const config = `${IN} output { tcp { host => "127.0.0.1" port => 1 } }`

  it('keeps in the dead letters what nobody else has', async () => {
    const millrace = await start({ config, settings: `${settings}${stalled}`, args: ['-b', '5'] })
    await millrace.untilStarted()
    const numbers = Array.from({ length: 20 }, (_, number) => number)
    millrace.write(jsonLines(...numbers.map((number) => ({ number }))))
    await millrace.until('failed to connect')
    millrace.signal('SIGTERM')
    expect((await millrace.exit()).code).toBe(1)
    expect(numbersOf(millrace).sort((a, b) => a - b)).toEqual(numbers)
  })

  it.each(['memory', 'persisted'])('keeps what filters held back, with a %s queue', async (type) => {
    const millrace = await start({
      config: `${IN} filter { aggregate { task_id => "%{task}" push_previous_map_as_event => true
        code => "map['number'] ||= 0; map['number'] += event.get('number'); event.cancel" } }
        output { tcp { host => "127.0.0.1" port => 1 } }`,
      settings: `${settings}${stalled}queue.type: ${type}\n`,
      args: ['-w', '1'],
      api: true,
    })
    await millrace.untilStarted()
    millrace.write(jsonLines({ task: 'a', number: 1 }, { task: 'a', number: 2 }, { task: 'a', number: 4 }))
    await millrace.apiUntil('/_node/stats/events', (stats) => (stats['events'] as Json)['filtered'] === 3)
    millrace.signal('SIGTERM')
    expect((await millrace.exit()).code).toBe(1)
    expect(numbersOf(millrace)).toEqual([7])
  })

  it.each(['1', '3'])('keeps what is in the memory queue of one output, with %s workers', async (workers) => {
    const millrace = await start({
      config: `${IN} ${OUT} output { tcp { id => "far" host => "127.0.0.1" port => 1 } }`,
      settings: `${settings}${stalled}output.isolation: true\n`,
      args: ['-b', '5', '-w', workers],
    })
    await millrace.untilStarted()
    const numbers = Array.from({ length: 20 }, (_, number) => number)
    millrace.write(jsonLines(...numbers.map((number) => ({ number }))))
    await millrace.until(() => millrace.events().length === numbers.length)
    await millrace.until('failed to connect')
    millrace.signal('SIGTERM')
    expect((await millrace.exit()).code).toBe(1)
    expect(numbersOf(millrace).sort((a, b) => a - b)).toEqual(numbers)
  })

  it('says how many events are lost when there are no dead letters', async () => {
    const millrace = await start({ config, settings: stalled })
    await millrace.untilStarted()
    millrace.write(jsonLines({ number: 1 }, { number: 2 }))
    await millrace.until('failed to connect')
    millrace.signal('SIGTERM')
    expect((await millrace.exit()).code).toBe(1)
    expect(millrace.stdout).toMatch(/could not be delivered before the end of the shutdown.*:lost=>2/)
  })
})
