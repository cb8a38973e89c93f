/**
 * The thread of the search store ends or cannot open: it is started again at the same port, pipelines that write to it
 * wait and lose nothing, pipelines that do not write to it do not notice.
 */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { killable, killHook } from '../support/lethal.ts'
import { freePort, type Json, Millrace, OUT, write } from '../support/millrace.ts'
import { open } from '../support/tcp.ts'

const running: { dispose(): Promise<void> }[] = []

afterEach(async () => {
  for (const one of running.splice(0)) await one.dispose()
})

async function start(...options: Parameters<typeof Millrace.start>): Promise<Millrace> {
  const millrace = await Millrace.start(...options)
  running.push(millrace)
  return millrace
}

async function connect(port: number) {
  const socket = await open(port)
  running.push({ dispose: async () => void socket.destroy() })
  return socket
}

const tcp = (port: number) => `input { tcp { host => "127.0.0.1" port => ${port} } }`
const entry = (id: string, config: string) =>
  `- pipeline.id: ${id}\n  pipeline.workers: 1\n  config.string: '${config}'\n`

const isUp = (body: Json) => body['status'] === 'green'
const storeOf = (body: Json) =>
  (body as { indicators?: Record<string, unknown> }).indicators?.['search_store']

async function stored(millrace: Millrace): Promise<number> {
  await millrace.search('POST', '/events/_refresh')
  const { json } = await millrace.search('GET', '/events/_count')
  return Number(json['count'])
}

describe('the search store', () => {
  it('whose thread ends comes back at its port, and every event is stored once', async () => {
    const [writing, other] = await Promise.all([freePort(), freePort()])
    const millrace = await start({
      pipelines:
        entry('writing', `${tcp(writing)} output { millrace { index => "events" } }`) +
        entry('other', `${tcp(other)} ${OUT}`),
      files: killHook,
      env: killable,
      api: true,
      search: true,
    })
    await millrace.untilStarted()
    await millrace.untilSearchable()
    const [toWriting, toOther] = [await connect(writing), await connect(other)]
    let sent = 0
    const send = () => {
      toWriting.write(Array.from({ length: 50 }, () => `${sent++}\n`).join(''))
    }
    for (let round = 1; round <= 2; round++) {
      send()
      await write(join(millrace.folder, 'kill-store.js'), '')
      while (millrace.stdout.split('The search store ended').length <= round) {
        send()
        await wait(5)
      }
      const red = await millrace.apiUntil('/_health_report', (body) => storeOf(body) !== undefined)
      expect(red).toMatchObject({ status: 'red' })
      expect(storeOf(red)).toMatchObject({
        status: 'red',
        diagnosis: [{ cause: expect.stringContaining('killed by a test') }],
      })
      // While it is down.
      send()
      toOther.write(`round ${round}\n`)
      await millrace.until(`"round ${round}"`)
      await millrace.apiUntil('/_health_report', isUp)
    }
    send()
    const port = millrace.searchPort
    for (let tries = 0; tries < 100 && (await stored(millrace)) < sent; tries++) await wait(100)
    expect(await stored(millrace)).toBe(sent)
    expect(millrace.searchPort).toBe(port)
    const { ext } = (await millrace.api('/_node/stats/ext')) as { ext?: Json }
    expect(ext).toMatchObject({
      search_store: { state: 'running', restarts: 2, last_reason: 'killed by a test' },
    })
    expect(toOther.destroyed || toWriting.destroyed).toBe(false)
    expect(millrace.stdout.split('Pipeline started').length).toBe(3)
    millrace.signal('SIGTERM')
    expect(await millrace.exit()).toEqual({ code: 0, signal: null })
  }, 90_000)

  it('that finds its state damaged lets pipelines run and opens when it can', async () => {
    const port = await freePort()
    const millrace = await start({
      config: `${tcp(port)} ${OUT}`,
      files: { 'store/cluster-state-0.json': 'not a state' },
      args: ['--search.path', 'store'],
      api: true,
      search: true,
    })
    await millrace.untilStarted()
    const socket = await connect(port)
    await millrace.until('The search store could not be opened; another try follows')
    socket.write('anyway\n')
    await millrace.until('"anyway"')
    const red = await millrace.apiUntil('/_health_report', (body) => storeOf(body) !== undefined)
    expect(red).toMatchObject({ status: 'red' })
    await rm(join(millrace.folder, 'store', 'cluster-state-0.json'))
    await millrace.untilSearchable(30_000)
    await millrace.apiUntil('/_health_report', isUp)
    expect((await millrace.search('GET', '/')).status).toBe(200)
    expect(socket.destroyed).toBe(false)
    millrace.signal('SIGTERM')
    expect(await millrace.exit()).toEqual({ code: 0, signal: null })
  }, 60_000)
})
