/**
 * What senders are told of their events: with a queue in memory nothing before the outputs have delivered them, also
 * when they go through a second pipeline, whatever happens to that one meanwhile.
 */
import { readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { Patience } from '../../src/plugin/testing/patience.ts'
import { LumberjackClient, windowOf } from '../../src/plugins/lumberjack/test-client.ts'
import { freePort, Millrace, write } from '../support/millrace.ts'

const cleanups: (() => Promise<unknown> | unknown)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean()
})

async function start(...options: Parameters<typeof Millrace.start>): Promise<Millrace> {
  const millrace = await Millrace.start(...options)
  cleanups.push(() => millrace.dispose())
  await millrace.untilStarted()
  return millrace
}

/** The place events are delivered to; it comes up when the test says so. */
async function receiver(port: number) {
  const messages: string[] = []
  const server: Server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      messages.push(String(JSON.parse(body).message))
      response.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  cleanups.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return { messages }
}

/** Sends a body, and says what came of it so far. */
function post(port: number, body: string) {
  const state: { status: number | undefined } = { status: undefined }
  const answered = fetch(`http://127.0.0.1:${port}`, { method: 'POST', body }).then(({ status }) => {
    state.status = status
  })
  return { state, answered }
}

async function beat(port: number, ...messages: string[]) {
  const sender = await LumberjackClient.connect(port)
  cleanups.push(() => sender.close())
  sender.send(windowOf(messages.map((message) => ({ message }))))
  const state: { ack: string | undefined } = { ack: undefined }
  const acknowledged = (async () => {
    do state.ack = await sender.ack()
    while (state.ack === '2A0')
  })()
  return { state, acknowledged }
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

async function until(holds: () => boolean, limit = 20_000): Promise<void> {
  const patience = new Patience(limit)
  while (!holds()) {
    if (patience.isOver) throw new Error(`not within ${limit} ms: ${holds}`)
    await pause(50)
  }
}

describe('acknowledgement with a queue in memory', () => {
  it('waits for an output that is down, and comes when it is back', async () => {
    const [down, http, beats] = [await freePort(), await freePort(), await freePort()]
    await start({
      config: `
        input { http { host => "127.0.0.1" port => ${http} } beats { host => "127.0.0.1" port => ${beats} } }
        output { http { url => "http://127.0.0.1:${down}" http_method => "post" } }`,
    })
    const request = post(http, 'by http')
    const window = await beat(beats, 'by beats', 'and more')
    await pause(1500)
    expect(request.state.status).toBeUndefined()
    expect(window.state.ack).toBeUndefined()
    const { messages } = await receiver(down)
    await Promise.all([request.answered, window.acknowledged])
    expect([request.state.status, window.state.ack]).toEqual([200, '2A2'])
    expect(messages.sort()).toEqual(['and more', 'by beats', 'by http'])
  })

  it('waits for a second pipeline, also while that one is reloaded', async () => {
    const [down, http] = [await freePort(), await freePort()]
    const second = (tag: string) => `
      input { pipeline { address => "second" tags => ["${tag}"] } }
      output { http { url => "http://127.0.0.1:${down}" http_method => "post" } }`
    const millrace = await start({
      pipelines: `
- pipeline.id: first
  path.config: DIR/first.conf
- pipeline.id: second
  path.config: DIR/second.conf`,
      files: {
        'first.conf': `input { http { host => "127.0.0.1" port => ${http} } } output { pipeline { send_to => "second" } }`,
        'second.conf': second('old'),
      },
      args: ['--config.reload.automatic', '--config.reload.interval', '500ms'],
    })
    const first = post(http, 'one')
    await pause(1500)
    expect(first.state.status).toBeUndefined()
    await write(`${millrace.folder}/second.conf`, second('new'))
    await pause(1000)
    const late = post(http, 'two')
    await pause(500)
    expect([first.state.status, late.state.status]).toEqual([undefined, undefined])
    const { messages } = await receiver(down)
    await Promise.all([first.answered, late.answered])
    expect([first.state.status, late.state.status]).toEqual([200, 200])
    // What the old second pipeline had and the first one did not hear of in time comes twice.
    expect([...new Set(messages)].sort()).toEqual(['one', 'two'])
  })

  it('comes for every event of a circle of pipelines under load', async () => {
    const http = await freePort()
    const millrace = await start({
      pipelines: `
- pipeline.id: a
  path.config: DIR/a.conf
- pipeline.id: b
  path.config: DIR/b.conf`,
      files: {
        'a.conf': `
          input { http { host => "127.0.0.1" port => ${http} } pipeline { address => "a" } }
          output {
            if "back" in [tags] { file { path => "out.txt" codec => line { format => "%{message}" } } }
            else { pipeline { send_to => "b" } }
          }`,
        'b.conf': `
          input { pipeline { address => "b" } }
          filter { mutate { add_tag => "back" } }
          output { pipeline { send_to => "a" } }`,
      },
    })
    const bodies = Array.from({ length: 400 }, (_, n) => `message ${n}`)
    const statuses = await Promise.all(
      bodies.map(async (body) => {
        for (;;) {
          const { state, answered } = post(http, body)
          await answered
          if (state.status !== 429) return state.status
        }
      }),
    )
    expect(new Set(statuses)).toEqual(new Set([200]))
    const out = `${millrace.folder}/out.txt`
    await until(() => new Set(readFileSync(out, 'utf8').trim().split('\n')).size === bodies.length)
    millrace.signal('SIGTERM')
    expect((await millrace.exit()).code).toBe(0)
    rmSync(out)
  })

  it('goes on over three pipelines with many batches under way, nothing lost and nothing doubled', async () => {
    const millrace = await Millrace.start({
      pipelines: `
- pipeline.id: one
  path.config: DIR/one.conf
- pipeline.id: two
  path.config: DIR/two.conf
- pipeline.id: three
  path.config: DIR/three.conf`,
      files: {
        'one.conf': 'input { generator { count => 50000 } } output { pipeline { send_to => ["two"] } }',
        'two.conf': 'input { pipeline { address => "two" } } output { pipeline { send_to => ["three"] } }',
        'three.conf':
          'input { pipeline { address => "three" } } output { file { path => "out.txt" codec => line { format => "%{[event][sequence]}%{sequence}" } } }',
      },
    })
    cleanups.push(() => millrace.dispose())
    const lines = () => {
      try {
        return readFileSync(`${millrace.folder}/out.txt`, 'utf8').trim().split('\n')
      } catch {
        return []
      }
    }
    await until(() => lines().length >= 50_000)
    millrace.signal('SIGTERM')
    expect((await millrace.exit()).code).toBe(0)
    const numbers = lines().map((line) => Number(/\d+/.exec(line)![0]))
    expect(numbers.length).toBe(50_000)
    expect(new Set(numbers).size).toBe(50_000)
  })
})
