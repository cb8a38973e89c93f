import { createSocket } from 'node:dgram'
import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { deflateSync, gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { freePort } from '../../../test/support/millrace.ts'
import { Timestamp } from '../../event/timestamp.ts'
import { inputFor, type TestInput, type TestOptions, testTime } from '../../plugin/testing.ts'
import { GelfChunks } from './gelf/chunks.ts'
import { gelfEvent } from './gelf/message.ts'
import gelf from './gelf.ts'

const both = { remap: true, stripUnderscore: true }

function read(payload: string | Buffer, reading = both) {
  const failures: string[] = []
  const event = gelfEvent(Buffer.from(payload), '10.0.0.9', testTime, reading, (text) => failures.push(text))
  return { event, failures }
}

function chunksOf(payload: Buffer, size: number, id = 'abcdefgh'): Buffer[] {
  const count = Math.ceil(payload.length / size)
  return Array.from({ length: count }, (_, i) =>
    Buffer.concat([
      Buffer.from([0x1e, 0x0f]),
      Buffer.from(id, 'latin1'),
      Buffer.from([i, count]),
      payload.subarray(i * size, (i + 1) * size),
    ]),
  )
}

describe('a GELF message', () => {
  // As the documentation of the input describes `remap` and `strip_leading_underscore`.
  it.each([
    [{ short_message: 's', full_message: 'f' }, both, { message: 'f', short_message: 's' }],
    [{ short_message: 'f', full_message: 'f' }, both, { message: 'f' }],
    [{ short_message: 's' }, both, { message: 's' }],
    [{ short_message: 's', full_message: '' }, both, { message: 's', full_message: '' }],
    [{ _foo: 1, _bar: { a: 1 } }, both, { foo: 1, bar: { a: 1 } }],
    [
      { _foo: 1, short_message: 's' },
      { remap: false, stripUnderscore: false },
      { _foo: 1, short_message: 's' },
    ],
    [{ _: 1, '_@timestamp': 'x', _tags: 1 }, both, { _: 1, '_@timestamp': 'x', _tags: 1 }],
    [{ __proto: 1 }, both, { _proto: 1 }],
  ])('%j becomes fields', (message, reading, expected) => {
    const { event } = read(JSON.stringify(message), reading)
    expect(event!.toHash()).toEqual({
      '@timestamp': testTime,
      '@version': '1',
      source_host: '10.0.0.9',
      ...expected,
    })
  })

  it('keeps `__proto__` as plain data', () => {
    const { event } = read('{"___proto__":{"polluted":1},"a":1}')
    expect(Object.getOwnPropertyDescriptor(event!.data, '__proto__')?.value).toEqual({ polluted: 1 })
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })

  it.each([
    [1364608909, new Timestamp(1364608909000)],
    [1364608909.123, new Timestamp(1364608909123)],
    [1364608909.123456, new Timestamp(1364608909123, 456000)],
    [-1.5, new Timestamp(-1500)],
  ])('has the time %d', (timestamp, expected) => {
    const { event } = read(JSON.stringify({ timestamp }))
    expect(event!.timestamp).toEqual(expected)
    expect(event!.include('timestamp')).toBe(false)
  })

  it.each(['"2020-01-01"', '1e300'])('keeps the timestamp %s, which is none', (timestamp) => {
    const { event } = read(`{"timestamp":${timestamp}}`)
    expect(event!.timestamp).toEqual(testTime)
    expect(event!.include('timestamp')).toBe(true)
  })

  it.each([
    ['gzip', gzipSync('{"a":1}')],
    ['zlib', deflateSync('{"a":1}')],
    ['zlib, stored', deflateSync('{"a":1}', { level: 0 })],
    ['marked as plain', Buffer.from('\x1f\x3c{"a":1}', 'latin1')],
    ['a list of one', Buffer.from('[{"a":1}]')],
  ])('is read when it is %s', (_, payload) => {
    expect(read(payload).event!.get('a')).toBe(1)
  })

  it('is tagged when it is no JSON object', () => {
    for (const text of ['{"a":', 'plain text', '17', '"text"', '[1]']) {
      const { event, failures } = read(text)
      expect(event!.toHash()).toMatchObject({ message: text, tags: ['_jsonparsefailure', '_fromjsonparser'] })
      expect(failures).toEqual(['JSON parse failure. Falling back to plain-text'])
    }
    for (const text of ['', ' \n', 'null', '[]']) expect(read(text).event).toBeUndefined()
  })

  it('is tagged when it cannot be unpacked, or unpacks to too much', () => {
    for (const payload of [
      gzipSync('{"a":1}').subarray(0, 12),
      Buffer.from([0x1f, 0x8b, 1, 2, 3]),
      gzipSync(Buffer.alloc(20_000_000)),
    ]) {
      expect(read(payload).event!.get('tags')).toEqual(['_gelfparsefailure'])
    }
  })
})

describe('GELF chunks', () => {
  it('are put together in any order, each sender for itself', () => {
    const chunks = new GelfChunks()
    const [a, b] = [Buffer.from('0123456789'), Buffer.from('abcdefghij')]
    const [a0, a1, a2] = chunksOf(a, 4)
    const [b0, b1, b2] = chunksOf(b, 4)
    expect([
      chunks.add(a2!, 'x'),
      chunks.add(b0!, 'y'),
      chunks.add(a0!, 'x'),
      chunks.add(a0!, 'x'),
      chunks.add(b2!, 'y'),
    ]).toEqual(new Array(5).fill(undefined))
    expect(chunks.add(a1!, 'x')).toEqual(a)
    expect(chunks.add(b1!, 'y')).toEqual(b)
    expect([chunks.size, chunks.bytes]).toEqual([0, 0])
  })

  it('wait five seconds for each other', () => {
    let now = 0
    let lost = 0
    const chunks = new GelfChunks(
      (messages) => (lost += messages),
      { messages: 10, bytes: 1000, milliseconds: 5000 },
      () => now,
    )
    const [first, second] = chunksOf(Buffer.from('0123456789'), 5)
    chunks.add(first!, 'x')
    now = 5001
    expect(chunks.add(second!, 'x')).toBeUndefined()
    expect([lost, chunks.size]).toEqual([1, 1])
  })

  it('are bounded in number and bytes; the oldest go first', () => {
    let lost = 0
    const limits = { messages: 3, bytes: 100, milliseconds: 5000 }
    const chunks = new GelfChunks(
      (messages) => (lost += messages),
      limits,
      () => 0,
    )
    for (let i = 0; i < 10; i++) chunks.add(chunksOf(Buffer.from('0123456789'), 5, `id ${i}    `)[0]!, 'x')
    expect([chunks.size, chunks.bytes, lost]).toEqual([3, 15, 7])
    chunks.add(chunksOf(Buffer.alloc(180), 95, 'large   ')[0]!, 'x')
    expect(chunks.bytes).toBeLessThanOrEqual(100)
    expect(chunks.add(chunksOf(Buffer.from('0123456789'), 5, 'id 9    ')[1]!, 'x')?.toString()).toBe(
      '0123456789',
    )
  })

  it.each([
    [Buffer.from([0x1e, 0x0f, 1])],
    [Buffer.concat([Buffer.from([0x1e, 0x0f]), Buffer.alloc(8), Buffer.from([5, 5]), Buffer.from('x')])],
    [Buffer.concat([Buffer.from([0x1e, 0x0f]), Buffer.alloc(8), Buffer.from([0, 0])])],
    [Buffer.concat([Buffer.from([0x1e, 0x0f]), Buffer.alloc(8), Buffer.from([0, 129])])],
  ])('that cannot be are refused', (chunk) => {
    expect(() => new GelfChunks().add(chunk, 'x')).toThrow()
  })
})

describe('gelf under 10,000 random and mutated packets', () => {
  it('makes an event of each message, or tags it, and holds no more than it may', () => {
    let seed = 1
    const random = (below: number) => {
      seed = (seed * 1103515245 + 12345) % 2147483648
      return Math.floor((seed / 2147483648) * below)
    }
    const good = JSON.stringify({ version: '1.1', host: 'h', short_message: 'hello', _a: 1, timestamp: 1.5 })
    const sources = [Buffer.from(good), gzipSync(good), deflateSync(good), ...chunksOf(deflateSync(good), 20)]
    const chunks = new GelfChunks(
      () => {},
      { messages: 50, bytes: 10_000, milliseconds: 5000 },
      () => 0,
    )
    const tags = new Set<string>()
    let largest = { size: 0, bytes: 0 }
    for (let i = 0; i < 10_000; i++) {
      let packet = Buffer.from(sources[random(sources.length)]!)
      if (i % 3 === 0) packet = Buffer.from(Array.from({ length: random(60) }, () => random(256)))
      else for (let n = random(4); n > 0; n--) packet[random(packet.length)] = random(256)
      if (random(4) === 0) packet = packet.subarray(0, random(packet.length + 1))
      let message: Buffer | undefined = packet
      try {
        if (packet.length > 1 && packet[0] === 0x1e && packet[1] === 0x0f) message = chunks.add(packet, 'x')
      } catch (error) {
        if (!/chunk/.test((error as Error).message)) throw error
        continue
      }
      largest = { size: Math.max(largest.size, chunks.size), bytes: Math.max(largest.bytes, chunks.bytes) }
      if (message === undefined) continue
      const { event } = read(message)
      for (const tag of (event?.get('tags') as string[] | undefined) ?? []) tags.add(tag)
    }
    expect(largest.size).toBeLessThanOrEqual(50)
    expect(largest.bytes).toBeLessThanOrEqual(10_000)
    const known = [
      '_fromjsonparser',
      '_gelfparsefailure',
      '_jsonparsefailure',
      '_tagsparsefailure',
      '_timestampparsefailure',
    ]
    expect([...tags].filter((tag) => !known.includes(tag))).toEqual([])
    expect([...tags]).toEqual(expect.arrayContaining(['_jsonparsefailure', '_gelfparsefailure']))
  })
})

describe('gelf input', () => {
  const running: { input: TestInput; ended: Promise<void> }[] = []
  afterEach(async () => {
    for (const { input, ended } of running.splice(0)) {
      await input.instance.stop()
      await ended
      await input.instance.close?.()
    }
  })

  async function start(options: TestOptions): Promise<{ input: TestInput; ports: number[] }> {
    const input = inputFor(gelf, { host: '127.0.0.1', port: 0, ...options })
    running.push({ input, ended: input.instance.run(input.sink) })
    const ports: number[] = []
    for (const { message, fields } of await listening(input)) {
      if (message.startsWith('Starting')) ports.push(Number(/:(\d+)$/.exec(String(fields?.['address']))![1]))
    }
    return { input, ports }
  }

  async function listening({ environment }: TestInput) {
    while (!environment.logger.messages().some((text) => text.startsWith('Starting'))) await wait(5)
    return environment.logger.lines
  }

  it('receives datagrams, whole and in chunks', async () => {
    const { input, ports } = await start({ type: 'g', tags: ['t'] })
    const socket = createSocket('udp4')
    const packed = gzipSync(JSON.stringify({ short_message: 'chunked', _n: 2 }))
    const datagrams = [Buffer.from('{"short_message":"whole","_n":1}'), ...chunksOf(packed, 10).reverse()]
    for (const datagram of datagrams) socket.send(datagram, ports[0]!, '127.0.0.1')
    const fields = await input.sink.waitFor(2)
    socket.close()
    expect(fields).toEqual([
      { message: 'whole', n: 1, source_host: '127.0.0.1', type: 'g', tags: ['t'] },
      { message: 'chunked', n: 2, source_host: '127.0.0.1', type: 'g', tags: ['t'] },
    ])
  })

  it('listens at the ports it is told, with a buffer of that size', async () => {
    const [udp, tcp] = [await freePort(), await freePort()]
    const { input } = await start({
      use_tcp: true,
      port_udp: udp,
      port_tcp: tcp,
      receive_buffer_bytes: 65_536,
    })
    const socket = createSocket('udp4')
    socket.send('{"short_message":"udp"}', udp, '127.0.0.1')
    await input.sink.waitFor(1)
    socket.close()
    connect(tcp, '127.0.0.1').end('{"short_message":"tcp"}\0')
    const messages = (await input.sink.waitFor(2)).map(({ message }) => message)
    expect(messages).toEqual(['udp', 'tcp'])
  })

  it('receives messages over TCP, which end with NUL', async () => {
    const { input, ports } = await start({ use_udp: false, use_tcp: true })
    const socket = connect(ports[0]!, '127.0.0.1')
    socket.write('{"short_message":"one"}\0{"short_mes')
    await wait(20)
    socket.end('sage":"two"}\0\0{"short_message":"three"}')
    expect(await input.sink.waitFor(3)).toEqual(
      ['one', 'two', 'three'].map((message) => ({ message, source_host: '127.0.0.1' })),
    )
  })
})
