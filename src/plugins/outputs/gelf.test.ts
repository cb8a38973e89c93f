import { createSocket, type Socket } from 'node:dgram'
import { type AddressInfo, createServer } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { inflateSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { Timestamp } from '../../event/timestamp.ts'
import type { Fields } from '../../event/value.ts'
import { outputFor, type TestOptions } from '../../plugin/testing.ts'
import { datagramsOf } from './gelf/datagrams.ts'
import gelf from './gelf.ts'

const at = new Timestamp(1443675967123)
const opened: Socket[] = []
afterEach(() => {
  for (const socket of opened.splice(0)) socket.close()
})

async function receiver(): Promise<{ port: number; datagrams: Buffer[] }> {
  const socket = createSocket('udp4')
  opened.push(socket)
  const datagrams: Buffer[] = []
  socket.on('message', (bytes) => datagrams.push(bytes))
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  return { port: socket.address().port, datagrams }
}

async function sent(events: Fields[], options: TestOptions = {}): Promise<Record<string, unknown>[]> {
  const { port, datagrams } = await receiver()
  const output = outputFor(gelf, { host: '127.0.0.1', port, ...options })
  await output.instance.register!()
  await output.deliver(events.map((event) => ({ '@timestamp': at, ...event })))
  await output.instance.close!()
  while (datagrams.length < events.length) await wait(5)
  return datagrams.map((bytes) => JSON.parse(inflateSync(bytes).toString()))
}

describe('options of the gelf output', () => {
  it('ignore_metadata leaves fields out', async () => {
    const [message] = await sent([{ message: 'm', host: 'h', a: 1, b: 2 }], {
      ignore_metadata: ['@timestamp', '@version', 'host', 'a'],
    })
    expect(message).toMatchObject({ _b: 2 })
    expect(message).not.toHaveProperty('_a')
  })

  it('chunksize is how much goes into a datagram', async () => {
    const { port, datagrams } = await receiver()
    const output = outputFor(gelf, { host: '127.0.0.1', port, chunksize: 100 })
    await output.instance.register!()
    const noise = Array.from({ length: 400 }, (_, n) => String.fromCharCode(33 + ((n * 7919) % 90))).join('')
    await output.deliver([{ message: noise, host: 'h' }])
    await output.instance.close!()
    await expect.poll(() => datagrams.length, { timeout: 2000 }).toBeGreaterThan(2)
    expect(datagrams.every((bytes) => bytes[0] === 0x1e && bytes.length <= 112)).toBe(true)
  })
})

describe('gelf output', () => {
  it('sends messages as Logstash does', async () => {
    const [message] = await sent([
      {
        message: 'hello',
        host: 'web1',
        severity: 'warn',
        id: 7,
        _under: 'u',
        list: [1, 'b'],
        deep: { a: 1, b: { c: 2 } },
        tags: ['x', 'y'],
        nothing: null,
      },
    ])
    expect(message).toEqual({
      version: '1.0',
      host: 'web1',
      facility: 'gelf-rb',
      short_message: 'hello',
      full_message: 'hello',
      level: 4,
      timestamp: 1443675967.123,
      __id: 7,
      _under: 'u',
      _list: '1, b',
      _deep_a: 1,
      _deep_b: { c: 2 },
      _tags: 'x, y',
    })
  })

  it.each<[Fields, TestOptions, Record<string, unknown>]>([
    [{ short_message: 's' }, {}, { short_message: 's', full_message: 'm' }],
    [{ short_message: ['only'] }, {}, { short_message: 'only' }],
    [{ short_message: '' }, {}, { short_message: 'm' }],
    [{ brief: 'b' }, { short_message: 'brief' }, { short_message: 'b' }],
    [{ app: 'a' }, { sender: '%{app}' }, { host: 'a' }],
    [{}, { full_message: 'all: %{message}' }, { full_message: 'all: m' }],
    [{}, { custom_fields: { env: 'prod', id: 'no' } }, { _env: 'prod' }],
    [{}, {}, { level: 6 }],
    [{ severity: 'ERROR' }, {}, { level: 3 }],
    [{ severity: '2' }, {}, { level: 2 }],
    [{ severity: 'e' }, {}, { level: 0 }],
    [{ severity: 'fatal' }, {}, { level: 0 }],
    [{}, { level: '%{none}' }, { level: 0 }],
    [{}, { level: 5 }, { level: 5 }],
  ])('%j with %j', async (fields, options, expected) => {
    const [message] = await sent([{ message: 'm', ...fields }], options)
    expect(message).toMatchObject(expected)
    expect(message).not.toHaveProperty('_id')
  })

  it('ships neither fields nor tags when it shall not', async () => {
    const [message] = await sent([{ message: 'm', a: 1, tags: ['x'] }], {
      ship_metadata: false,
      ship_tags: false,
    })
    expect(Object.keys(message!).filter((name) => name.startsWith('_'))).toEqual([])
  })

  it('gives up on an event without a message', async () => {
    const { port } = await receiver()
    const output = outputFor(gelf, { host: '127.0.0.1', port })
    await output.deliver([{ a: 1 }])
    expect(output.environment.logger.messages('warn')).toEqual(['Trouble sending GELF event'])
  })

  it('divides what is longer than a chunk', () => {
    const message = Buffer.from(Array.from({ length: 100 }, (_, i) => i))
    const chunks = datagramsOf(message, 40)!
    expect(chunks.map((chunk) => [chunk.length, chunk[10], chunk[11]])).toEqual([
      [52, 0, 3],
      [52, 1, 3],
      [32, 2, 3],
    ])
    expect(chunks.every((chunk) => chunk.subarray(2, 10).equals(chunks[0]!.subarray(2, 10)))).toBe(true)
    expect(Buffer.concat(chunks.map((chunk) => chunk.subarray(12)))).toEqual(message)
    expect(datagramsOf(message, 100)).toEqual([message])
    expect(datagramsOf(Buffer.alloc(129), 1)).toBeUndefined()
  })

  it('sends over TCP, uncompressed, with NUL at the end', async () => {
    let text = ''
    const server = createServer((socket) => socket.setEncoding('utf8').on('data', (part) => (text += part)))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const output = outputFor(gelf, { host: '127.0.0.1', port, protocol: 'TCP' })
    await output.instance.register!()
    await output.deliver([{ message: 'one' }, { message: 'two' }])
    while (text.split('\0').length < 3) await wait(5)
    expect(
      text
        .split('\0')
        .slice(0, -1)
        .map((part) => JSON.parse(part).short_message),
    ).toEqual(['one', 'two'])
    await output.instance.close!()
    server.close()
  })
})
