import { once } from 'node:events'
import { mkdtemp } from 'node:fs/promises'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { inputFor, type TestOptions } from '../../plugin/testing.ts'
import json from '../codecs/json.ts'
import plain from '../codecs/plain.ts'
import { TestRedis } from '../redis/test-server.ts'
import redisInput from './redis.ts'

const cleanups: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean()
})

async function server(password?: string): Promise<TestRedis> {
  const redis = await TestRedis.start(password)
  cleanups.push(() => redis.close())
  return redis
}

function reading({ port }: { port: number }, options: TestOptions) {
  const input = inputFor(redisInput, { port, key: 'logs', ...options }, { codecs: [json, plain] })
  const running = input.instance.run(input.sink)
  cleanups.push(async () => {
    await input.instance.stop()
    await running
    await input.instance.close?.()
  })
  return input
}

async function until(condition: () => boolean): Promise<void> {
  for (let i = 0; i < 500 && !condition(); i++) await new Promise((resolve) => setTimeout(resolve, 10))
  expect(condition()).toBe(true)
}

/** Takes commands and begins a reply that it never ends, once it was asked for items. */
async function stallingServer(): Promise<{ port: number; stalled: () => boolean }> {
  let isStalled = false
  const sockets = new Set<Socket>()
  const listener = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('data', (chunk) => {
      const asksForItems = chunk.toString('latin1').includes('EVALSHA')
      isStalled ||= asksForItems
      socket.write(asksForItems ? '*2\r\n$7\r\n{"a":' : '$3\r\nsha\r\n')
    })
  })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  cleanups.push(() => {
    for (const socket of sockets) socket.destroy()
    listener.close()
  })
  return { port: (listener.address() as AddressInfo).port, stalled: () => isStalled }
}

describe('redis input', () => {
  it('stops although the server has stopped in the middle of a reply', async () => {
    const { port, stalled } = await stallingServer()
    const { instance, sink } = inputFor(redisInput, { port, key: 'logs', data_type: 'list' })
    const running = instance.run(sink)
    await until(stalled)
    const started = performance.now()
    await instance.stop()
    await running
    expect(performance.now() - started).toBeLessThan(10_000)
    await instance.close?.()
  })

  it('empties a list in batches', async () => {
    const redis = await server()
    redis.list('logs').push('{"a":1}', '{"a":2}', 'no json')
    const { sink } = reading(redis, { data_type: 'list', batch_count: 2 })
    expect(await sink.waitFor(3)).toEqual([
      { a: 1 },
      { a: 2 },
      { message: 'no json', tags: ['_jsonparsefailure'] },
    ])
    redis.list('logs').push('{"a":4}')
    expect((await sink.waitFor(4))[3]).toEqual({ a: 4 })
    expect(redis.list('logs')).toEqual([])
    expect(redis.commands.slice(0, 2)).toEqual(['SCRIPT', 'EVALSHA'])
  })

  it('reads over a Unix socket, with commands by their own names, on several connections', async () => {
    const path = join(await mkdtemp(join(tmpdir(), 'millrace-redis-')), 'socket')
    const redis = await TestRedis.start(undefined, path)
    cleanups.push(() => redis.close())
    redis.list('logs').push('{"a":1}')
    const command_map = { evalsha: 'own-evalsha', blpop: 'BLPOP' }
    const { sink } = reading(redis, { path, data_type: 'list', batch_count: 1, threads: 3, command_map })
    expect(await sink.waitFor(1)).toEqual([{ a: 1 }])
    await until(() => redis.connections === 3)
    const scripted = reading(redis, { path, data_type: 'list', batch_count: 2, key: 'other', command_map })
    redis.list('other').push('{"a":2}')
    await until(() => redis.commands.includes('OWN-EVALSHA') || redis.commands.includes('own-evalsha'))
    expect(scripted.sink.fields()).toEqual([])
  })

  it('puts items back that are not safe when it has to stop', async () => {
    const redis = await server()
    redis.list('logs').push('{"a":1}', '{"a":2}', '{"a":3}', '{"a":4}')
    const { sink, instance, environment } = reading(redis, { data_type: 'list' })
    sink.hold()
    await sink.waitFor(4)
    expect(redis.list('logs')).toEqual([])
    sink.releaseAt(1)
    await instance.stop()
    environment.stop()
    await until(() => redis.list('logs').length > 0)
    expect(redis.list('logs')).toEqual(['{"a":1}', '{"a":3}', '{"a":4}'])
  })

  it('puts back what a pipeline that failed refuses, and waits for what is safe soon', async () => {
    const redis = await server()
    redis.list('logs').push('{"a":1}', '{"a":2}', '{"a":3}')
    const { sink, instance, environment } = reading(redis, { data_type: 'list' })
    const { record } = sink
    sink.hold()
    sink.record = (payload, ...rest) =>
      sink.received.length === 1 ? Promise.reject(new Error('failed')) : record(payload, ...rest)
    await until(() => environment.logger.messages('warn').length > 0)
    const stopping = instance.stop()
    await new Promise((resolve) => setTimeout(resolve, 50))
    sink.release()
    await stopping
    environment.stop()
    await until(() => redis.list('logs').length > 0)
    expect(redis.list('logs')).toEqual(['{"a":2}', '{"a":3}'])
  })

  it('keeps items in a processing list until they are safe', async () => {
    const redis = await server()
    redis.list('logs').push('{"a":1}', '{"a":2}', '{"a":3}')
    const { sink } = reading(redis, { data_type: 'list', processing_list: 'at-work' })
    sink.hold()
    await sink.waitFor(3)
    expect(redis.list('logs')).toEqual([])
    expect(redis.list('at-work')).toEqual(['{"a":1}', '{"a":2}', '{"a":3}'])
    sink.releaseAt(1)
    await until(() => redis.list('at-work').length === 2)
    expect(redis.list('at-work')).toEqual(['{"a":1}', '{"a":3}'])
  })

  it('reads first what an earlier run left in the processing list, in its order', async () => {
    const redis = await server()
    redis.list('at-work').push('{"a":1}', '{"a":2}')
    redis.list('logs').push('{"a":3}')
    const { sink } = reading(redis, { data_type: 'list', processing_list: 'at-work' })
    expect(await sink.waitFor(3)).toEqual([{ a: 1 }, { a: 2 }, { a: 3 }])
    await until(() => redis.list('at-work').length === 0)
    expect(redis.list('logs')).toEqual([])
  })

  it('gives items of the processing list back when it has to stop before they are safe', async () => {
    const redis = await server()
    redis.list('logs').push('{"a":1}', '{"a":2}', '{"a":3}')
    const { sink, instance, environment } = reading(redis, { data_type: 'list', processing_list: 'at-work' })
    sink.hold()
    await sink.waitFor(3)
    sink.releaseAt(0)
    await instance.stop()
    environment.stop()
    await until(() => redis.list('logs').length > 0)
    expect(redis.list('logs')).toEqual(['{"a":2}', '{"a":3}'])
    expect(redis.list('at-work')).toEqual([])
  })

  it('takes items one by one when asked to', async () => {
    const redis = await server()
    redis.list('logs').push('one')
    const { sink } = reading(redis, { data_type: 'list', batch_count: 1, codec: 'plain' })
    await sink.waitFor(1)
    redis.list('logs').push('two')
    expect(await sink.waitFor(2)).toEqual([{ message: 'one' }, { message: 'two' }])
    expect(redis.commands).not.toContain('EVALSHA')
  })

  it.each([
    [true, 0x16],
    [false, 0x2a],
  ])('with ssl => %s begins with byte %i', async (ssl, byte) => {
    // A handshake of TLS begins with 16, a command of Redis with an asterisk.
    const first: number[] = []
    const fake = createServer((socket) => {
      socket.on('error', () => {})
      socket.once('data', (chunk) => {
        first.push(chunk[0]!)
        socket.destroy()
      })
    })
    fake.listen(0, '127.0.0.1')
    await once(fake, 'listening')
    cleanups.push(() => void fake.close())
    reading({ port: (fake.address() as AddressInfo).port }, { data_type: 'list', ssl })
    await until(() => first.length > 0)
    expect(first[0]).toBe(byte)
  })

  it('asks the host it is told', async () => {
    const redis = await server()
    redis.list('logs').push('{"a":1}')
    const wrong = reading(redis, { host: '127.0.0.2', data_type: 'list' })
    await until(() => wrong.environment.logger.messages('warn').length > 0)
    expect(redis.list('logs')).toHaveLength(1)
    const right = reading(redis, { host: 'localhost', data_type: 'list' })
    expect(await right.sink.waitFor(1)).toEqual([{ a: 1 }])
  })

  it('gives the password and selects the database', async () => {
    const redis = await server('secret')
    redis.list('logs', '2').push('{"a":1}')
    const { sink } = reading(redis, { data_type: 'list', password: 'secret', db: 2 })
    expect(await sink.waitFor(1)).toEqual([{ a: 1 }])
  })

  it.each([
    ['channel', 'logs', 'logs'],
    ['pattern_channel', 'lo*', 'london'],
  ])('listens on a %s', async (data_type, key, channel) => {
    const redis = await server()
    const { sink } = reading(redis, { data_type, key, add_field: { redis_channel: 'x' } })
    await until(() => redis.subscribers === 1)
    redis.publish(channel, '{"a":1}')
    redis.publish('other', '{"a":2}')
    expect(await sink.waitFor(1)).toEqual([
      { a: 1, redis_channel: 'x', '@metadata': { redis_channel: channel } },
    ])
  })

  it('connects again', async () => {
    const redis = await server()
    redis.list('logs').push('{"a":1}')
    const { sink, environment } = reading(redis, { data_type: 'list' })
    await sink.waitFor(1)
    redis.disconnectAll()
    redis.list('logs').push('{"a":2}')
    expect(await sink.waitFor(2)).toEqual([{ a: 1 }, { a: 2 }])
    expect(environment.logger.messages('warn')).toEqual(['Redis connection error'])
  })

  it('loads its script again when the server has forgotten it', async () => {
    const redis = await server()
    const { sink } = reading(redis, { data_type: 'list' })
    await until(() => redis.commands.includes('EVALSHA'))
    redis.forgetScripts()
    redis.list('logs').push('{"a":1}')
    expect(await sink.waitFor(1)).toEqual([{ a: 1 }])
  })

  it('says what the server refuses', async () => {
    const redis = await server('secret')
    const { environment } = reading(redis, { data_type: 'list' })
    await until(() => environment.logger.lines.some(({ level }) => level === 'warn'))
    expect(environment.logger.lines.at(-1)).toMatchObject({
      message: 'Redis connection error',
      fields: { message: 'NOAUTH Authentication required.' },
    })
  })
})

/** A server that answers the first command of each connection as told, and has nothing for the others. */
async function answering(
  ...answers: ((socket: Socket) => void)[]
): Promise<{ port: number; left(): number }> {
  let left = 0
  const sockets = new Set<Socket>()
  const fake = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => {
      left += 1
    })
    socket.once('data', () => {
      answers.shift()?.(socket)
      socket.on('data', () => setTimeout(() => socket.write('*-1\r\n'), 20))
    })
  })
  fake.listen(0, '127.0.0.1')
  await once(fake, 'listening')
  cleanups.push(() => {
    for (const socket of sockets) socket.destroy()
    fake.close()
  })
  return { port: (fake.address() as AddressInfo).port, left: () => left }
}

const item = (text: string) => `*2\r\n$4\r\nlogs\r\n$${text.length}\r\n${text}\r\n`
const tooMuch = 64 * 1024 * 1024 + 1

/** Sends zeros, a mebibyte at a time, and what follows them. */
function sendLong(socket: Socket, head: string, tail: string): void {
  socket.write(`${head}$${tooMuch}\r\n`)
  const piece = Buffer.alloc(1024 * 1024)
  let sent = 0
  const more = () => {
    while (sent < tooMuch) {
      const part = piece.subarray(0, tooMuch - sent)
      sent += part.length
      if (!socket.write(part)) return void socket.once('drain', more)
    }
    socket.write(`\r\n${tail}`)
  }
  more()
}

describe('redis input and values that are too long', () => {
  it('leaves a server that announces more than Redis can store, and connects again', async () => {
    const redis = await answering(
      (socket) => socket.write('*2\r\n$4\r\nlogs\r\n$536870913\r\n'),
      (socket) => socket.write(item('{"a":1}')),
    )
    const { sink, environment } = reading(redis, {
      data_type: 'list',
      batch_count: 1,
    })
    expect(await sink.waitFor(1)).toEqual([{ a: 1 }])
    expect(redis.left()).toBe(1)
    expect(environment.logger.lines.find(({ level }) => level === 'warn')).toMatchObject({
      message: 'Redis connection error',
      fields: { message: 'length 536870913 is too much' },
    })
  })

  it('keeps nothing of a value above 64 MiB, says so, and reads those beside it', async () => {
    const redis = await answering((socket) => sendLong(socket, '*3\r\n$4\r\nlogs\r\n', '$7\r\n{"a":1}\r\n'))
    const before = process.memoryUsage().arrayBuffers
    let most = 0
    const watch = setInterval(() => {
      most = Math.max(most, process.memoryUsage().arrayBuffers - before)
    }, 1)
    const { sink, environment } = reading(redis, {
      data_type: 'list',
      batch_count: 1,
    })
    expect(await sink.waitFor(1)).toEqual([{ a: 1 }])
    clearInterval(watch)
    expect(environment.logger.lines.find(({ level }) => level === 'error')).toMatchObject({
      message: 'A value is too long to be read and is dropped',
      fields: { key: 'logs', bytes: tooMuch },
    })
    expect(redis.left()).toBe(0)
    // What waits in sockets, and garbage.
    expect(most).toBeLessThan(48 * 1024 * 1024)
  })

  it('leaves such a value in the processing list', async () => {
    const redis = await answering(
      (socket) => socket.write('$-1\r\n'.repeat(100)),
      (socket) => sendLong(socket, '', ''),
    )
    const { environment } = reading(redis, {
      data_type: 'list',
      batch_count: 1,
      processing_list: 'at-work',
    })
    await until(() => environment.logger.messages('error').length > 0)
    expect(environment.logger.messages('error')).toEqual([
      'A value is too long to be read; it stays in the processing list',
    ])
    expect(environment.logger.messages('warn')).toEqual([])
  })
})
