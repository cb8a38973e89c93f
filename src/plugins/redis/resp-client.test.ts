import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { RespClient, RespError } from './resp-client.ts'
import { commandBytes, RespReader, type RespValue } from './resp-reader.ts'
import { TestRedis } from './test-server.ts'

const cleanups: (() => void)[] = []
afterEach(() => {
  for (const clean of cleanups.splice(0).reverse()) clean()
})

async function server(password?: string, listenOn?: number | string): Promise<TestRedis> {
  const redis = await TestRedis.start(password, listenOn)
  cleanups.push(() => redis.close())
  return redis
}

async function client({ port }: TestRedis, more: object = {}): Promise<RespClient> {
  const opened = await RespClient.connect({ host: '127.0.0.1', port, connectMilliseconds: 5000, ...more })
  cleanups.push(() => opened.close())
  return opened
}

function readAll(bytes: Buffer, cuts: readonly number[] = []): RespValue[] {
  const reader = new RespReader()
  const places = [0, ...[...cuts].sort((a, b) => a - b), bytes.length]
  return places.slice(1).flatMap((end, i) => reader.push(bytes.subarray(places[i], end)))
}

const sample = Buffer.from(
  '+OK\r\n:42\r\n$6\r\na\r\nb\u00e9\r\n*3\r\n$-1\r\n*2\r\n:1\r\n-ERR no\r\n*0\r\n*-1\r\n:9223372036854775807\r\n',
)

describe('a server that is silent', () => {
  it('is given up when a reply is owed, and only then', async () => {
    const redis = await server()
    const opened = await client(redis, { silenceMilliseconds: 500 })
    await opened.command('RPUSH', 'l', 'x')
    await new Promise((resolve) => setTimeout(resolve, 1000))
    expect(opened.isOpen).toBe(true)
    await expect(opened.command('BLPOP', 'nothing', 5)).rejects.toThrow('Nothing came from Redis for 500 ms')
    expect(opened.isOpen).toBe(false)
  })
})

describe('replies', () => {
  it('of every kind are read', () => {
    expect(readAll(sample)).toEqual([
      'OK',
      42,
      Buffer.from('a\r\nb\u00e9').subarray(0, 6),
      [null, [1, new RespError('ERR no')], []],
      null,
      9223372036854775807n,
    ])
  })

  it('are the same however the stream is cut into chunks', () => {
    const whole = readAll(sample)
    fc.assert(
      fc.property(fc.array(fc.nat(sample.length), { maxLength: 30 }), (cuts) => {
        expect(readAll(sample, cuts)).toEqual(whole)
      }),
    )
  })

  it.each(['?\r\n', '$99999999999\r\n', '*9999999\r\n', ':x\r\n', '*1\r\n'.repeat(20)])(
    'like %j are refused',
    (text) => {
      expect(() => readAll(Buffer.from(text))).toThrow()
    },
  )

  it('are asked for by a list of texts', () => {
    expect(commandBytes(['SET', 'é', 1]).toString()).toBe('*3\r\n$3\r\nSET\r\n$2\r\né\r\n$1\r\n1\r\n')
  })
})

describe('a client', () => {
  it('sends commands and gets their replies in order', async () => {
    const redis = await server()
    const opened = await client(redis)
    const replies = await Promise.all([
      opened.command('RPUSH', 'l', 'a', 'b'),
      opened.command('LLEN', 'l'),
      opened.command('PING'),
    ])
    expect(replies).toEqual([2, 2, Buffer.from('PONG')])
  })

  it('rejects with what the server says', async () => {
    const opened = await client(await server())
    const refused = opened.command('NONSENSE')
    await expect(refused).rejects.toBeInstanceOf(RespError)
    await expect(refused).rejects.toMatchObject({ code: 'ERR' })
  })

  it('gives the results of a pipeline, errors among them', async () => {
    const opened = await client(await server())
    const [first, second] = await opened.pipeline([['NONSENSE'], ['LLEN', 'x']])
    expect(first).toBeInstanceOf(RespError)
    expect(second).toBe(0)
  })

  it('authenticates and selects a database', async () => {
    const redis = await server('secret')
    const opened = await client(redis, { password: 'secret', db: 3 })
    await opened.command('RPUSH', 'l', 'x')
    expect(redis.list('l', '3')).toEqual(['x'])
    await expect(client(redis, { password: 'wrong' })).rejects.toThrow('WRONGPASS')
    const without = await client(redis)
    await expect(without.command('PING')).rejects.toThrow('NOAUTH')
  })

  it('reaches a server over a Unix socket', async () => {
    const path = join(await mkdtemp(join(tmpdir(), 'millrace-redis-')), 'socket')
    const opened = await client(await server(undefined, path), { path })
    expect(String(await opened.command('PING'))).toBe('PONG')
  })

  it('uses other names of commands', async () => {
    const redis = await server()
    const opened = await client(redis, { renamed: new Map([['rpush', 'LLEN']]) })
    expect(await opened.command('RPUSH', 'l', 'x')).toBe(0)
  })

  it('receives the messages of a channel one by one', async () => {
    const redis = await server()
    const opened = await client(redis)
    const received: string[] = []
    let running = 0
    let arrived: () => void = () => {}
    const three = new Promise<void>((resolve) => {
      arrived = resolve
    })
    await opened.subscribe('SUBSCRIBE', 'c', async ({ channel, payload }) => {
      running += 1
      expect(running).toBe(1)
      await new Promise((resolve) => setTimeout(resolve, 5))
      received.push(`${channel}:${payload}`)
      running -= 1
      if (received.length === 3) arrived()
    })
    for (const message of ['1', '2', '3']) redis.publish('c', message)
    await three
    expect(received).toEqual(['c:1', 'c:2', 'c:3'])
  })

  it('fails what is under way when the connection ends or a reply does not come', async () => {
    const redis = await server()
    const opened = await client(redis)
    const pending = opened.command('BLPOP', 'empty', 60)
    redis.disconnectAll()
    await expect(pending).rejects.toThrow(/closed the connection|ECONNRESET/)
    await opened.closed
    await expect(opened.command('PING')).rejects.toThrow()
    expect(opened.isOpen).toBe(false)
    const impatient = await client(redis, { replyMilliseconds: 30 })
    await expect(impatient.command('BLPOP', 'empty', 60)).rejects.toThrow('No reply of Redis after 30 ms')
  })

  it('says when nobody listens', async () => {
    const redis = await server()
    redis.close()
    await expect(client(redis)).rejects.toThrow('ECONNREFUSED')
  })
})
