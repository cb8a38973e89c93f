/** The stream of stats, and reloads over HTTP, of the real program. */
import { get, type IncomingMessage } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { Patience, patientSignal } from '../../src/plugin/testing/patience.ts'
import { Millrace, type MillraceOptions, write } from '../support/millrace.ts'

const running: Millrace[] = []

afterEach(async () => {
  for (const one of running.splice(0)) await one.dispose()
})

async function start(options: MillraceOptions): Promise<Millrace> {
  const millrace = await Millrace.start({ api: true, ...options })
  running.push(millrace)
  await millrace.untilStarted()
  return millrace
}

interface Message {
  event: string
  data: Record<string, unknown>
}

class Listener {
  readonly messages: Message[] = []
  ended = false

  constructor(response: IncomingMessage) {
    let text = ''
    response.setEncoding('utf8').on('data', (chunk: string) => {
      const parts = (text + chunk).split('\n\n')
      text = parts.pop() ?? ''
      for (const part of parts) {
        const [, event = '', data = ''] = /^event: (.*)\nid: \d+\ndata: (.*)$/.exec(part) ?? []
        if (event !== '') this.messages.push({ event, data: JSON.parse(data) })
      }
    })
    response.on('end', () => {
      this.ended = true
    })
  }

  static open(millrace: Millrace, query: string): Promise<Listener> {
    return new Promise((resolve, reject) => {
      const path = `/_node/stats/stream${query}`
      get({ port: millrace.apiPort, host: '127.0.0.1', path, agent: false }, (response) => {
        expect(response.statusCode).toBe(200)
        resolve(new Listener(response))
      }).on('error', reject)
    })
  }

  counts(): number[] {
    return this.messages
      .filter(({ event }) => event === 'stats')
      .map(({ data }) => (data as { events: { out: number } }).events.out)
  }
}

async function until(what: string, holds: () => boolean, limit = 20_000): Promise<void> {
  const patience = new Patience(limit)
  while (!holds()) {
    if (patience.isOver) throw new Error(`${what} not within ${limit} ms`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

const ticking = 'input { generator { count => 100 } heartbeat { interval => 1 } }'
const config = (tag: string) => `${ticking} filter { mutate { add_tag => ["${tag}"] } } output { null { } }`

async function reload(millrace: Millrace, id: string, headers = {}): Promise<[number, unknown]> {
  const url = `http://127.0.0.1:${millrace.apiPort}/_node/pipelines/${id}/_reload`
  const response = await fetch(url, { method: 'POST', headers, signal: patientSignal(10_000) })
  return [response.status, await response.json()]
}

describe('the stream of stats', () => {
  it('shows counters growing, and ends in good order when the program does', async () => {
    const millrace = await start({ config: config('a') })
    const listener = await Listener.open(millrace, '?interval=250ms&metrics=events')
    await until('growth', () => (listener.counts().at(-1) ?? 0) > Math.max(100, listener.counts()[0] ?? 0))
    const counts = listener.counts()
    expect(counts).toEqual([...counts].sort((a, b) => a - b))
    expect(listener.messages[0]?.data).toHaveProperty('version')
    expect(listener.messages[0]?.data).not.toHaveProperty('jvm')
    millrace.signal('SIGTERM')
    expect((await millrace.exit()).code).toBe(0)
    await until('the end of the stream', () => listener.ended)
  })

  it('tells when a pipeline was reloaded, and when it could not be', async () => {
    const millrace = await start({ config: config('a') })
    const listener = await Listener.open(millrace, '?interval=250ms&metrics=reloads')
    const [status, body] = await reload(millrace, 'main')
    expect(status).toBe(200)
    expect(body).toMatchObject({ acknowledged: true, version: '9.5.2' })
    const told = () => listener.messages.filter(({ event }) => event === 'reload').map(({ data }) => data)
    await until('a reload', () => told().length === 1)
    await write(millrace.configPath, 'input { heartbeat { } } output { nonsense')
    const [refused, problem] = await reload(millrace, 'main')
    expect(refused).toBe(400)
    expect((problem as { error: { message: string } }).error.message).toMatch(/^Expected one of/)
    await until('a failure', () => told().length === 2)
    expect(told()[0]).toEqual({ pipeline: 'main', result: 'success', message: null })
    expect(told()[1]).toMatchObject({ pipeline: 'main', result: 'failure' })
  })
})

describe('a reload over HTTP', () => {
  it('loads the changed text of one pipeline', async () => {
    const millrace = await start({ config: config('a') })
    const hash = async () => {
      const { pipelines } = (await millrace.api('/_node/pipelines')) as {
        pipelines: { main: { hash: string } }
      }
      return pipelines.main.hash
    }
    const before = await hash()
    await write(millrace.configPath, config('b'))
    expect((await reload(millrace, 'main'))[0]).toBe(200)
    expect(await hash()).not.toBe(before)
    expect(await millrace.api('/_node/stats/pipelines/main')).toMatchObject({
      pipelines: { main: { reloads: { successes: 1, failures: 0 } } },
    })
  })

  it('knows what it must not do', async () => {
    const millrace = await start({ config: config('a'), settings: 'pipeline.reloadable: false' })
    const path = '/_node/pipelines/main/_reload'
    expect(await reload(millrace, 'main')).toEqual([
      409,
      {
        path,
        status: 409,
        error: { message: 'Cannot reload pipeline, because the existing pipeline is not reloadable' },
      },
    ])
    expect((await reload(millrace, 'nope'))[0]).toBe(404)
    expect((await reload(millrace, 'main', { origin: 'https://elsewhere.example' }))[0]).toBe(403)
    expect(await millrace.api('/_node/stats/reloads')).toMatchObject({
      reloads: { successes: 0, failures: 0 },
    })
  })

  it('starts what has ended', async () => {
    const millrace = await start({
      pipelines: [
        '- pipeline.id: lasting',
        "  config.string: 'input { heartbeat { } } output { null { } }'",
        '- pipeline.id: ended',
        "  config.string: 'input { generator { count => 7 } } output { null { } }'",
      ].join('\n'),
    })
    const finished = (body: Record<string, unknown>) => JSON.stringify(body).includes('"state":"FINISHED"')
    await millrace.apiUntil('/_health_report', finished)
    const instance = async () => {
      const { pipelines } = (await millrace.api('/_node/stats/pipelines/ended')) as {
        pipelines: { ended: { ephemeral_id: string } }
      }
      return pipelines.ended.ephemeral_id
    }
    const before = await instance()
    expect((await reload(millrace, 'ended'))[0]).toBe(200)
    expect(await instance()).not.toBe(before)
    await millrace.apiUntil('/_health_report', finished)
    await millrace.apiUntil('/_node/stats/events', (body) => {
      const { events } = body as { events?: { out?: number } }
      return (events?.out ?? 0) >= 14
    })
  })
})
