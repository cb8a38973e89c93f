/** The redis plugins against a real Redis server; `redis-cli` writes and reads on the other side. */
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { freePort, IN, jsonLines, Millrace, OUT } from '../../support/millrace.ts'
import { runCommand, ServerProcess, serverFolder } from '../support/server-process.ts'

const password = 'a "secret" €'
let server: ServerProcess
let port: number
const running: Millrace[] = []

beforeAll(async () => {
  port = await freePort()
  server = await startServer(serverFolder('redis'))
})
afterEach(async () => {
  for (const millrace of running.splice(0)) await millrace.dispose()
})
afterAll(() => server?.dispose())

function startServer(folder: string): Promise<ServerProcess> {
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--appendonly', 'yes']
  return ServerProcess.start({
    command: 'redis-server',
    args: [...args, '--unixsocket', `${folder}/socket`],
    folder,
    port,
  })
}

function redis(...args: string[]): string {
  return runCommand('redis-cli', ['-p', String(port), ...args]).trimEnd()
}

async function start(config: string): Promise<Millrace> {
  const millrace = await Millrace.start({ config })
  running.push(millrace)
  await millrace.untilStarted()
  return millrace
}

function input(options: string): Promise<Millrace> {
  return start(`input { redis { port => ${port} ${options} } }
    output { stdout { codec => rubydebug { metadata => true } } stdout { codec => json_lines } }`)
}

describe('redis input', () => {
  it('empties a list in order, in batches', async () => {
    const items = Array.from({ length: 1000 }, (_, n) => JSON.stringify({ n, text: 'naïve €' }))
    runCommand('redis-cli', ['-p', String(port)], items.map((item) => `RPUSH batched '${item}'\n`).join(''))
    const millrace = await input('data_type => "list" key => "batched"')
    await millrace.until(() => millrace.events().length === 1000)
    expect(millrace.events().map((event) => event['n'])).toEqual(items.map((_, n) => n))
    expect(millrace.events()[7]).toMatchObject({ n: 7, text: 'naïve €' })
    expect(redis('EXISTS', 'batched')).toBe('0')
  })

  it('waits for items one by one when a batch is one', async () => {
    const millrace = await input('data_type => "list" key => "single" batch_count => 1')
    redis('RPUSH', 'single', '{"n":1}', 'no json')
    await millrace.until(() => millrace.events().length === 2)
    expect(millrace.events()[1]).toMatchObject({ message: 'no json', tags: ['_jsonparsefailure'] })
    await wait(2500)
    redis('RPUSH', 'single', '{"n":3}')
    await millrace.until(() => millrace.events().length === 3)
  })

  it('hears a channel', async () => {
    const millrace = await input('data_type => "channel" key => "news"')
    await millrace.until('Subscribed')
    expect(redis('PUBLISH', 'news', '{"n":1}')).toBe('1')
    await millrace.until(() => millrace.events().length === 1)
    expect(millrace.stdout).toMatch(/"redis_channel" => "news"/)
  })

  it('hears all channels that fit a pattern', async () => {
    const millrace = await input('data_type => "pattern_channel" key => "app.*"')
    await millrace.until('Subscribed')
    redis('PUBLISH', 'other', '{"n":0}')
    redis('PUBLISH', 'app.a', '{"n":1}')
    redis('PUBLISH', 'app.b', '{"n":2}')
    await millrace.until(() => millrace.events().length === 2)
    expect(millrace.stdout).toMatch(/"redis_channel" => "app.a"[\s\S]*"redis_channel" => "app.b"/)
  })

  it('selects a database, logs in, uses a Unix socket', async () => {
    redis('CONFIG', 'SET', 'requirepass', password)
    try {
      const config = `path => "${server.folder}/socket" db => 3 password => '${password}' data_type => "list" key => "db"`
      const millrace = await start(`input { redis { ${config} } } ${OUT}`)
      redis('-a', password, '-n', '3', 'RPUSH', 'db', '{"n":1}')
      await millrace.until(() => millrace.events().length === 1)
    } finally {
      redis('-a', password, 'CONFIG', 'SET', 'requirepass', '')
    }
  })

  it('goes on after the server was away', async () => {
    const millrace = await input('data_type => "list" key => "away"')
    const channel = await input('data_type => "channel" key => "away-news"')
    redis('RPUSH', 'away', '{"n":1}')
    await millrace.until(() => millrace.events().length === 1)
    await server.end()
    await millrace.until('Redis connection error')
    await channel.until('Redis connection error')
    server = await startServer(server.folder)
    redis('RPUSH', 'away', '{"n":2}')
    await millrace.until(() => millrace.events().length === 2)
    await channel.until(/Subscribed[\s\S]*Subscribed/)
    redis('PUBLISH', 'away-news', '{"n":3}')
    await channel.until(() => channel.events().length === 1)
  })

  it('stops while it waits', async () => {
    for (const batch of [1, 125]) {
      const millrace = await input(`data_type => "list" key => "nothing" batch_count => ${batch}`)
      millrace.signal('SIGTERM')
      expect(await millrace.exit(10_000)).toMatchObject({ code: 0 })
    }
  })
})

describe('redis output', () => {
  it.each([
    ['one by one', ''],
    ['in batches', 'batch => true batch_events => 7'],
  ])('appends to lists by the name in the event, %s', async (_, more) => {
    const key = more === '' ? 'out' : 'out-batched'
    const millrace = await start(`${IN}
      output { redis { port => ${port} data_type => "list" key => "${key}-%{kind}" ${more} } }`)
    const events = Array.from({ length: 500 }, (_, n) => ({ n, kind: n % 2 === 0 ? 'even' : 'odd' }))
    millrace.write(jsonLines(...events))
    millrace.endInput()
    expect(await millrace.exit()).toMatchObject({ code: 0 })
    const even = redis('LRANGE', `${key}-even`, '0', '-1').split('\n')
    expect(even.map((line) => (JSON.parse(line) as { n: number }).n)).toEqual(
      events.filter(({ kind }) => kind === 'even').map(({ n }) => n),
    )
    expect(redis('LLEN', `${key}-odd`)).toBe('250')
  })

  it('publishes what the input hears', async () => {
    const reader = await input('data_type => "channel" key => "through"')
    await reader.until('Subscribed')
    const writer = await start(
      `${IN} output { redis { port => ${port} data_type => "channel" key => "through" } }`,
    )
    writer.write(jsonLines({ n: 1, text: 'ü' }, { n: 2 }))
    await reader.until(() => reader.events().length === 2)
    expect(reader.events()[0]).toMatchObject({ n: 1, text: 'ü' })
  })

  it('holds back while a list is too long, and sends again after the server was away', async () => {
    const options = 'congestion_threshold => 10 congestion_interval => 1 reconnect_interval => 1'
    const millrace = await start(
      `${IN} output { redis { port => ${port} data_type => "list" key => "long" ${options} } }`,
    )
    redis('RPUSH', 'long', ...Array.from({ length: 20 }, (_, n) => String(n)))
    millrace.write(jsonLines({ n: 'held' }))
    await millrace.until('congestion threshold')
    expect(redis('LLEN', 'long')).toBe('20')
    redis('DEL', 'long')
    await untilTrue(() => redis('LLEN', 'long') === '1')
    await server.end()
    millrace.write(jsonLines({ n: 'late' }))
    await millrace.until('Failed to send event to Redis')
    server = await startServer(server.folder)
    await untilTrue(() => redis('LLEN', 'long') === '2')
  })
})

async function untilTrue(holds: () => boolean): Promise<void> {
  for (const end = Date.now() + 20_000; !holds(); await wait(200)) {
    if (Date.now() > end) throw new Error('it does not become true')
  }
}
