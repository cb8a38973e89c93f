import { once } from 'node:events'
import { connect as connectTls } from 'node:tls'
import { afterEach, describe, expect, it } from 'vitest'
import { inputFor, type TestInput, type TestOptions, type TestSettings } from '../../plugin/testing.ts'
import json from '../codecs/json.ts'
import plain from '../codecs/plain.ts'
import {
  compressedFrame,
  dataFrame,
  jsonFrame,
  LumberjackClient,
  windowFrame,
  windowOf,
} from '../lumberjack/test-client.ts'
import { certificateFiles, testCertificate, testKey } from '../tls/test-certificate.ts'
import beats from './beats.ts'
import elasticAgent from './elastic-agent.ts'

const cleanups: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean()
})

function portOf({ environment }: TestInput): number {
  const line = environment.logger.lines.find(({ message }) => message === 'Starting input listener')
  return Number(String(line!.fields!['address']).split(':').pop())
}

async function serving(options: TestOptions = {}, settings: TestSettings = {}, definition = beats) {
  const input = inputFor(
    definition,
    { host: '127.0.0.1', port: 0, ...options },
    { codecs: [plain, json], ...settings },
  )
  await input.instance.register?.()
  const running = input.instance.run(input.sink)
  cleanups.push(async () => {
    await input.instance.stop()
    await running
    await input.instance.close?.()
  })
  return { ...input, port: portOf(input) }
}

async function client(port: number): Promise<LumberjackClient> {
  const opened = await LumberjackClient.connect(port)
  cleanups.push(() => opened.close())
  return opened
}

/** Without the time, which is that of the test run unless the sender gave one. */
function shown({ sink }: Pick<TestInput, 'sink'>) {
  return sink.fields().map(({ '@timestamp': _, ...fields }) => fields)
}

const tags = ['beats_input_codec_plain_applied']

describe('beats input', () => {
  it('takes a window of events and acknowledges its last', async () => {
    const { port, sink, environment } = await serving()
    const sender = await client(port)
    const metadata = { beat: 'filebeat', version: '8.1.0' }
    sender.send(
      windowOf([
        { '@timestamp': '2024-05-06T07:08:09.123Z', '@metadata': metadata, message: 'one', n: 1.0 },
        { '@timestamp': '2024-05-06T07:08:09.124Z', message: 'two', agent: { name: 'a' } },
      ]),
    )
    expect(await sender.ack()).toBe('2A2')
    expect(sink.received.map((event) => String(event.timestamp))).toEqual([
      '2024-05-06T07:08:09.123Z',
      '2024-05-06T07:08:09.124Z',
    ])
    expect(shown({ sink })).toMatchObject([
      { '@metadata': { ...metadata, ip_address: '127.0.0.1' }, message: 'one', n: 1, tags },
      { message: 'two', agent: { name: 'a' }, tags },
    ])
    expect(sink.fields()[1]).not.toHaveProperty('@metadata')
    expect(environment.counts.get('current_connections')).toBe(1)
    expect(environment.counts.get('peak_connections')).toBe(1)
  })

  it('reads compressed frames and several windows', async () => {
    const { port, sink } = await serving()
    const sender = await client(port)
    const frames = Buffer.concat([jsonFrame(1, { message: 'a' }), jsonFrame(2, { message: 'b' })])
    sender.send(windowFrame(2), compressedFrame(frames), windowFrame(1), jsonFrame(1, { message: 'c' }))
    expect(await sender.ack()).toBe('2A2')
    expect(await sender.ack()).toBe('2A1')
    expect(sink.fields().map(({ message }) => message)).toEqual(['a', 'b', 'c'])
  })

  it('speaks version 1 with those who do', async () => {
    const { port, sink } = await serving()
    const sender = await client(port)
    sender.send(windowFrame(1, '1'), dataFrame(7, { line: 'text', file: '/var/log/x', offset: '0' }))
    expect(await sender.ack()).toBe('1A7')
    expect(shown({ sink })).toEqual([{ message: 'text', file: '/var/log/x', offset: '0', tags }])
  })

  it('acknowledges an empty window at once', async () => {
    const { port } = await serving()
    const sender = await client(port)
    sender.send(windowFrame(0))
    expect(await sender.ack()).toBe('2A0')
  })

  it('takes an event without message as it is', async () => {
    const { port, sink } = await serving()
    const sender = await client(port)
    sender.send(windowOf([{ '@metadata': {}, system: { cpu: 0.5 }, tags: ['theirs'] }]))
    await sender.ack()
    expect(shown({ sink })).toEqual([
      {
        '@metadata': { ip_address: '127.0.0.1' },
        system: { cpu: 0.5 },
        tags: ['theirs', 'beats_input_raw_event'],
      },
    ])
  })

  it('lets the codec read the message, and fields of the sender win', async () => {
    const { port, sink } = await serving({ codec: 'json' })
    const sender = await client(port)
    sender.send(windowOf([{ message: '[{"a":1,"b":1},{"a":2}]', b: 'theirs' }]))
    await sender.ack()
    const expected = { b: 'theirs', tags: ['beats_input_codec_json_applied'] }
    expect(shown({ sink })).toEqual([
      { a: 1, ...expected },
      { a: 2, ...expected },
    ])
  })

  it('puts the address where ECS wants it, and keeps the original text', async () => {
    const { port, sink } = await serving({}, { ecs: 'v8' })
    const sender = await client(port)
    sender.send(windowOf([{ '@metadata': { input: { beats: { x: 1 } } }, message: 'm' }]))
    await sender.ack()
    expect(shown({ sink })).toEqual([
      {
        '@metadata': { input: { beats: { x: 1, host: { ip: '127.0.0.1' } } } },
        message: 'm',
        event: { original: 'm' },
        tags,
      },
    ])
  })

  it.each([
    [{ include_codec_tag: false }, { ip_address: '127.0.0.1' }],
    [{ enrich: ['none'] }, {}],
    [{ enrich: ['source_metadata'] }, { ip_address: '127.0.0.1' }],
  ])('with %j adds no tag', async (options, metadata) => {
    const { port, sink } = await serving(options)
    const sender = await client(port)
    sender.send(windowOf([{ '@metadata': {}, message: 'm' }]))
    await sender.ack()
    expect(sink.received[0]!.toHashWithMetadata()).not.toHaveProperty('tags')
    expect(sink.received[0]!.metadata()).toEqual(metadata)
  })

  it('copies the name of the sender when add_hostname is on', async () => {
    const { port, sink } = await serving({ add_hostname: true, enrich: 'none' })
    const sender = await client(port)
    sender.send(
      windowOf([
        { message: 'm', beat: { hostname: 'h' } },
        { message: 'm', beat: { hostname: 'h' }, host: 'o' },
      ]),
    )
    await sender.ack()
    expect(sink.fields().map(({ host }) => host)).toEqual(['h', 'o'])
  })

  it('warns of a time it cannot read and takes the present', async () => {
    const { port, environment } = await serving()
    const sender = await client(port)
    sender.send(windowOf([{ message: 'm', '@timestamp': 'yesterday' }]))
    await sender.ack()
    expect(environment.logger.messages('warn')).toContain(
      'Unrecognized @timestamp value, setting current time to @timestamp',
    )
  })

  it('keeps inherited names as plain data', async () => {
    const { port, sink } = await serving()
    const sender = await client(port)
    sender.send(windowFrame(1), jsonFrame(1, '{"message":"m","__proto__":{"p":1},"constructor":"c"}'))
    await sender.ack()
    const event = sink.received[0]!
    expect(event.get('[__proto__][p]')).toBe(1)
    expect(event.get('constructor')).toBe('c')
    expect(({} as Record<string, unknown>)['p']).toBeUndefined()
  })

  it('finishes a window that is being accepted when it stops', async () => {
    const input = inputFor(beats, { host: '127.0.0.1', port: 0 }, { codecs: [plain] })
    await input.instance.register?.()
    const { payloads } = input.sink
    let open: () => void = () => {}
    let asked: () => void = () => {}
    const opened = new Promise<void>((resolve) => {
      open = resolve
    })
    const reached = new Promise<void>((resolve) => {
      asked = resolve
    })
    input.sink.payloads = (list, origin, options) => {
      asked()
      return opened.then(() => payloads(list, origin, options))
    }
    const running = input.instance.run(input.sink)
    const sender = await client(portOf(input))
    const idle = await client(portOf(input))
    sender.send(windowOf([{ message: 'm' }]))
    await reached
    await input.instance.stop()
    expect(await idle.ack()).toBe('closed')
    open()
    await running
    expect(await sender.ack()).toBe('2A1')
    expect(await sender.ack()).toBe('closed')
    expect(input.sink.fields()).toMatchObject([{ message: 'm' }])
  })

  it('acknowledges events when they are safe, and not those that never are', async () => {
    const input = inputFor(beats, { host: '127.0.0.1', port: 0 }, { codecs: [plain] })
    await input.instance.register?.()
    input.sink.hold()
    const running = input.instance.run(input.sink)
    const sender = await client(portOf(input))
    sender.send(windowOf([{ message: 'a' }, { message: 'b' }]), windowOf([{ message: 'c' }]))
    await input.sink.waitFor(3)
    let ack: string | undefined
    const acknowledged = sender.ack().then((given) => {
      ack = given
    })
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(ack).toBeUndefined()
    input.sink.release(1)
    await acknowledged
    expect(ack).toBe('2A2')
    await input.instance.stop()
    input.environment.stop()
    await running
    expect(await sender.ack()).toBe('closed')
  })

  it('keeps what is no JSON between its braces', async () => {
    const { port, sink, environment } = await serving()
    const sender = await client(port)
    sender.send(Buffer.concat([windowFrame(1), jsonFrame(1, '{"a":}')]))
    expect(await sender.ack()).toBe('2A1')
    expect(sink.fields()).toEqual([{ message: '{"a":}', tags: ['_jsonparsefailure', ...tags] }])
    expect(environment.logger.messages('warn')).toContain('An event is not JSON')
  })

  it('decorates events before it says how they were read', async () => {
    const { port, sink } = await serving({ type: 't', tags: ['mine'], add_field: { text: '%{message}' } })
    const sender = await client(port)
    sender.send(windowOf([{ message: 'm', type: 'theirs', tags: ['sent'] }, { n: 1 }]))
    expect(await sender.ack()).toBe('2A2')
    expect(sink.fields()).toEqual([
      { message: 'm', type: 'theirs', text: 'm', tags: ['sent', 'mine', ...tags] },
      { n: 1, type: 't', text: '%{message}', tags: ['mine', 'beats_input_raw_event'] },
    ])
  })

  it.each([
    ['a wrong version', Buffer.from('9W')],
    ['a broken event', Buffer.concat([windowFrame(1), jsonFrame(1, '{"a":')])],
    ['an event that is no object', Buffer.concat([windowFrame(1), jsonFrame(1, '[1]')])],
    ['broken compression', Buffer.from('2C\0\0\0\x02ab')],
  ])('closes a connection with %s', async (_, bytes) => {
    const { port, sink, environment } = await serving()
    const sender = await client(port)
    sender.send(bytes)
    expect(await sender.ack()).toBe('closed')
    expect(sink.received).toEqual([])
    expect(environment.logger.messages('warn')).toContain('Invalid frame, closing connection')
  })

  it('closes connections that stay silent', async () => {
    const { port } = await serving({ client_inactivity_timeout: 0.05 })
    const sender = await client(port)
    expect(await sender.ack()).toBe('closed')
  })

  it('refuses options that contradict each other', async () => {
    const { certificate, key } = await certificateFiles()
    const register = async (options: TestOptions, settings: TestSettings = {}) =>
      inputFor(beats, { port: 0, ...options }, settings).instance.register?.()
    await expect(register({ ssl_enabled: true, ssl_certificate: certificate })).rejects.toThrow(
      'ssl_key => is a required setting when ssl_enabled => true is configured',
    )
    await expect(register({ ssl_enabled: true, ssl_key: key })).rejects.toThrow(
      'ssl_certificate => is a required setting when ssl_enabled => true is configured',
    )
    await expect(
      register({
        ssl_enabled: true,
        ssl_key: key,
        ssl_certificate: certificate,
        ssl_client_authentication: 'required',
      }),
    ).rejects.toThrow(
      "ssl_certificate_authorities => is a required setting when ssl_client_authentication => 'required' is configured",
    )
    await expect(register({ enrich: 'all', include_codec_tag: true })).rejects.toThrow('Both `enrich` and')
    await expect(register({ codec: 'multiline' })).rejects.toThrow(
      'Multiline codec with beats input is not supported.',
    )
  })

  it('encrypts, and knows the certificate of a sender', async () => {
    const { certificate, key } = await certificateFiles()
    const { port, sink } = await serving({
      ssl: true,
      ssl_certificate: certificate,
      ssl_key: key,
      ssl_certificate_authorities: [certificate],
      ssl_verify_mode: 'force_peer',
      enrich: ['ssl_peer_metadata'],
    })
    const socket = connectTls({ port, ca: testCertificate, cert: testCertificate, key: testKey })
    await once(socket, 'secureConnect')
    const sender = new LumberjackClient(socket)
    sender.send(windowOf([{ message: 'secret', '@metadata': { beat: 'b' } }]))
    expect(await sender.ack()).toBe('2A1')
    sender.close()
    expect(shown({ sink })).toEqual([
      {
        message: 'secret',
        '@metadata': {
          beat: 'b',
          tls_peer: {
            status: 'verified',
            protocol: 'TLSv1.3',
            subject: 'CN=localhost',
            cipher_suite: expect.stringMatching(/^TLS_/),
          },
        },
      },
    ])
  })
})

describe('beats input, TLS of old configurations', async () => {
  const { certificate, key } = await certificateFiles()
  const ours = { ssl: true, ssl_certificate: certificate, ssl_key: key }

  async function handshake(port: number, maxVersion: 'TLSv1.2' | 'TLSv1.3'): Promise<string | null> {
    const socket = connectTls({ port, ca: testCertificate, maxVersion })
    cleanups.push(() => void socket.destroy())
    await once(socket, 'secureConnect')
    return socket.getProtocol()
  }

  it('speaks no version below tls_min_version', async () => {
    const older = await serving({ ...ours, tls_min_version: 1.2, congestion_threshold: 5 })
    expect(await handshake(older.port, 'TLSv1.2')).toBe('TLSv1.2')
    const newer = await serving({ ...ours, tls_min_version: 1.3 })
    expect(await handshake(newer.port, 'TLSv1.3')).toBe('TLSv1.3')
    await expect(handshake(newer.port, 'TLSv1.2')).rejects.toThrow(/protocol version/)
  })

  it('gives a sender ssl_handshake_timeout milliseconds', async () => {
    const { port } = await serving({ ...ours, ssl_handshake_timeout: 50 })
    const sender = await client(port)
    expect(await sender.ack()).toBe('closed')
  })
})

describe('elastic_agent input', () => {
  it('is the same under another name', async () => {
    const { port, sink } = await serving({}, {}, elasticAgent)
    const sender = await client(port)
    sender.send(windowOf([{ message: 'm' }]))
    expect(await sender.ack()).toBe('2A1')
    expect(shown({ sink })).toMatchObject([{ message: 'm' }])
  })
})
