import { getEventListeners } from 'node:events'
import { afterEach, describe, expect, it } from 'vitest'
import { outputFor, type TestOptions } from '../../plugin/testing.ts'
import { TestRedis } from '../redis/test-server.ts'
import redis from './redis.ts'

const atEnd: (() => unknown)[] = []
afterEach(async () => {
  for (const end of atEnd.splice(0)) await end()
})

async function server(password?: string, port?: number): Promise<TestRedis> {
  const made = await TestRedis.start(password, port)
  atEnd.push(() => made.close())
  return made
}

async function output({ port }: { port: number }, options: TestOptions = {}) {
  const quick = { host: '127.0.0.1', port, data_type: 'list', key: 'k', reconnect_interval: 0 }
  const made = outputFor(redis, { ...quick, ...options })
  await made.instance.register!()
  atEnd.unshift(() => made.instance.close!())
  return made
}

const numbers = (texts: string[]) => texts.map((text) => (JSON.parse(text) as { a: number }).a)

describe('redis', () => {
  it('appends events to lists named by them', async () => {
    const store = await server()
    const { deliver } = await output(store, { key: 'l-%{a}' })
    await deliver([{ a: 1 }, { a: 2 }, { a: 1 }])
    expect(numbers(store.list('l-1'))).toEqual([1, 1])
    expect(store.list('l-2')).toEqual(['{"a":2,"@timestamp":"2015-10-01T05:06:07.089Z","@version":"1"}'])
  })

  it('leaves nothing on the signal of the pipeline when it is closed', async () => {
    const { instance, environment } = await output(await server())
    expect(getEventListeners(environment.abort, 'abort')).toHaveLength(1)
    await instance.close!()
    expect(getEventListeners(environment.abort, 'abort')).toEqual([])
  })

  it('sends several at once', async () => {
    const store = await server()
    const { deliver } = await output(store, { batch: true, batch_events: 2 })
    await deliver([{ a: 1 }, { a: 2 }, { a: 3 }])
    expect(numbers(store.list('k'))).toEqual([1, 2, 3])
  })

  it('logs in, chooses a database, takes a port with the host', async () => {
    const store = await server('secret')
    const { deliver } = await output(
      { port: 1 },
      { host: [`127.0.0.1:${store.port}`], password: 'secret', db: 2 },
    )
    await deliver([{ a: 1 }])
    expect(numbers(store.list('k', '2'))).toEqual([1])
  })

  it('comes back after a lost connection, and goes to another host', async () => {
    const store = await server()
    const host = ['127.0.0.1:1', `127.0.0.1:${store.port}`]
    const { deliver, environment } = await output(store, { host, shuffle_hosts: false })
    await deliver([{ a: 1 }])
    store.disconnectAll()
    await deliver([{ a: 2 }])
    expect(numbers(store.list('k'))).toEqual([1, 2])
    expect(environment.logger.messages('warn')).toContain('Failed to send event to Redis')
  })

  it('waits while a list is too long', async () => {
    const store = await server()
    const { deliver, environment } = await output(store, { congestion_threshold: 1, congestion_interval: 0 })
    await deliver([{ a: 1 }, { a: 2 }])
    const waiting = deliver([{ a: 3 }])
    await expect.poll(() => environment.logger.messages('warn').length).toBeGreaterThan(1)
    expect(environment.logger.messages('warn')[0]).toBe(
      'Redis key size has hit a congestion threshold 1 suspending output for 0 seconds',
    )
    environment.stop()
    await expect(waiting).rejects.toThrow()
  })

  it('refuses batches on channels', () => {
    expect(() => outputFor(redis, { data_type: 'channel', key: 'k', batch: true })).toThrow('batch is not')
  })
})
