/** The memcached filter against a real memcached; a plain socket reads and writes on the other side. */
import { createConnection } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { filterFor, runFilter, testEvent } from '../../../src/plugin/testing.ts'
import memcached from '../../../src/plugins/filters/memcached.ts'
import { freePort } from '../../support/millrace.ts'
import { ServerProcess, serverFolder } from '../support/server-process.ts'

let server: ServerProcess
let port: number

function startServer(): Promise<ServerProcess> {
  const args = ['-p', String(port), '-l', '127.0.0.1', '-u', 'nobody', '-m', '16']
  return ServerProcess.start({ command: 'memcached', args, folder: serverFolder('memcached'), port })
}

beforeAll(async () => {
  port = await freePort()
  server = await startServer()
})
afterAll(() => server?.dispose())

/** One command of the text protocol. */
function ask(command: string, end: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    const socket = createConnection(port, '127.0.0.1', () => socket.write(command))
    socket.setTimeout(5000, () => reject(new Error('no answer')))
    socket.on('error', reject)
    socket.on('data', (chunk) => {
      text += chunk.toString('utf8')
      if (!end.test(text)) return
      socket.destroy()
      resolve(text)
    })
  })
}

describe('memcached filter', () => {
  it('reads what others wrote, and writes what others read', async () => {
    await ask('set threats:host:x 0 0 5\r\nböse\r\n', /STORED\r\n/)
    const options = {
      hosts: [`127.0.0.1:${port}`],
      namespace: 'threats',
      get: { 'host:%{h}': 'level' },
      set: { '[a][b]': 'seen' },
      ttl: 100,
    }
    const [event] = await runFilter(memcached, options, [{ h: 'x', a: { b: 'value €' } }])
    expect(event).toMatchObject({ level: 'böse' })
    expect(await ask('get threats:seen\r\n', /END\r\n/)).toContain('value €')
  })

  it('keeps values of every kind, and keys with blanks', async () => {
    const value = { n: 5, big: 2n ** 70n, list: ['a', null, true, 1.5], map: { x: 'y' } }
    const options = { hosts: [`127.0.0.1:${port}`], set: { v: 'a key' }, get: { 'a key': 'back' } }
    const [event] = await runFilter(memcached, options, [{ v: value }])
    expect(event!['back']).toEqual(value)
  })

  it('takes batches of thousands', async () => {
    const options = { hosts: [`127.0.0.1:${port}`], set: { n: 'k%{n}' }, get: { 'k%{n}': 'back' } }
    const events = await runFilter(
      memcached,
      options,
      Array.from({ length: 5000 }, (_, n) => ({ n: `${n}` })),
    )
    expect(events.filter((event) => event['back'] !== event['n'])).toEqual([])
  })

  it('tags a value the server refuses, and goes on when the server comes back', async () => {
    const { instance, filter } = filterFor(memcached, { hosts: [`127.0.0.1:${port}`], set: { v: 'large' } })
    const [large] = await filter([testEvent({ v: 'x'.repeat(2_000_000) })])
    expect(large!.get('tags')).toEqual(['_memcached_failure'])
    await server.end()
    const [lost] = await filter([testEvent({ v: 'x' })])
    expect(lost!.get('tags')).toEqual(['_memcached_failure'])
    server = await startServer()
    await expect
      .poll(async () => (await filter([testEvent({ v: 'x' })]))[0]!.get('tags'), {
        timeout: 10_000,
        interval: 200,
      })
      .toBeUndefined()
    await instance.close!()
  })
})
