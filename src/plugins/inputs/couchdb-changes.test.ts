import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { inputFor, type TestInput, type TestOptions } from '../../plugin/testing.ts'
import couchdb from './couchdb-changes.ts'

let server: Server
let port: number
let path: string
let status = 200
const requests: { url: string; login: string | undefined }[] = []
const feeds: ServerResponse[] = []
const running: { input: TestInput; ended: Promise<void> }[] = []

beforeEach(async () => {
  status = 200
  requests.length = 0
  feeds.length = 0
  server = createServer(({ url = '', headers }, response) => {
    requests.push({ url, login: headers.authorization })
    response.writeHead(status)
    if (status !== 200) return response.end()
    response.write('\n')
    feeds.push(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
  path = join(await mkdtemp(join(tmpdir(), 'millrace-couch-')), 'sequence')
})
afterEach(async () => {
  for (const { input, ended } of running.splice(0)) {
    input.environment.stop()
    await input.instance.stop()
    await ended
  }
  server.closeAllConnections()
  server.close()
})

async function start(options: TestOptions = {}): Promise<TestInput> {
  const input = inputFor(couchdb, {
    host: '127.0.0.1',
    port,
    db: 'my/db',
    sequence_path: path,
    reconnect_delay: 0.02,
    ...options,
  })
  await input.instance.register!()
  running.push({ input, ended: input.instance.run(input.sink) })
  return input
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let i = 0; !(await holds()); i++) {
    if (i > 500) throw new Error('waited for nothing')
    await wait(10)
  }
}

const change = (seq: number | string, doc: object) =>
  `${JSON.stringify({ seq, id: 'x', changes: [], doc })}\n`
const saved = () => readFile(path, 'utf8').catch(() => '')

describe('couchdb_changes input', () => {
  it('makes updates and deletes of changes', async () => {
    const { sink } = await start({ username: 'me', password: 'secret' })
    await until(() => feeds.length === 1)
    expect(requests).toEqual([
      {
        url: '/my%2Fdb/_changes?feed=continuous&include_docs=true&since=0&heartbeat=1000',
        login: `Basic ${Buffer.from('me:secret').toString('base64')}`,
      },
    ])
    const text = change(1, { _id: 'a', _rev: '1-x', n: 1 }) + change('2-abc', { _id: 'b', _deleted: true })
    feeds[0]!.write(text.slice(0, 30))
    await wait(20)
    feeds[0]!.write(`${text.slice(30)}\n{"last_seq":2}\n`)
    await sink.waitFor(2)
    expect(sink.received.map((event) => event.metadata())).toEqual([
      { _id: 'a', seq: 1, action: 'update' },
      { _id: 'b', seq: '2-abc', action: 'delete' },
    ])
    expect(sink.received.map((event) => event.get('doc'))).toEqual([{ n: 1 }, undefined])
    expect(sink.received[0]!.get('doc_as_upsert')).toBe(true)
    await until(async () => (await saved()) === '2-abc')
  })

  it('keeps what it shall keep', async () => {
    const { sink } = await start({ keep_id: true, keep_revision: true })
    await until(() => feeds.length === 1)
    feeds[0]!.write(change(1, { _id: 'a', _rev: '1-x' }))
    await sink.waitFor(1)
    expect(sink.received[0]!.get('doc')).toEqual({ _id: 'a', _rev: '1-x' })
  })

  it('remembers a sequence when its event and all before it are safe', async () => {
    const { sink } = await start()
    sink.hold()
    await until(() => feeds.length === 1)
    for (const seq of [1, 2, 3]) feeds[0]!.write(change(seq, { _id: String(seq) }))
    await sink.waitFor(3)
    sink.releaseAt(1)
    await wait(30)
    expect(await saved()).toBe('')
    sink.release(1)
    await until(async () => (await saved()) === '2')
    sink.release()
    await until(async () => (await saved()) === '3')
  })

  it('goes on behind what it has when the server comes back', async () => {
    const { sink, environment } = await start()
    await until(() => feeds.length === 1)
    feeds[0]!.write(change(7, { _id: 'a' }))
    await sink.waitFor(1)
    feeds[0]!.destroy()
    await until(() => feeds.length === 2)
    expect(requests[1]!.url).toContain('since=7')
    expect(environment.logger.messages('error')[0]).toMatch(/^Connection problem encountered: Retrying/)
  })

  it('begins behind the sequence of its file, or the one it is given', async () => {
    await writeFile(path, '41-x\n')
    await start()
    await until(() => requests.length === 1)
    expect(requests[0]!.url).toContain('since=41-x')
    await start({ initial_sequence: 5, timeout: 777 })
    await until(() => requests.length === 2)
    expect(requests[1]!.url).toMatch(/since=5&timeout=777$/)
    expect(await saved()).toBe('5')
  })

  it.each([
    [401, 'Authentication error! (401)'],
    [404, 'Database not found! (404)'],
    [500, 'Server error! (500)'],
  ])('tries again after %d', async (code, text) => {
    status = code
    const { environment } = await start()
    await until(() => requests.length >= 2)
    expect(environment.logger.lines.find(({ level }) => level === 'error')?.fields).toMatchObject({
      error: text,
    })
  })
})
