import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ConnectionOptions } from 'node:tls'
import { describe, expect, it, vi } from 'vitest'
import { inputFor, type TestOptions, validOptions } from '../../plugin/testing.ts'
import json from '../codecs/json.ts'
import { saslOf } from '../kafka/security.ts'
import { certificateFiles, testCertificate } from '../tls/test-certificate.ts'
import { consumerSettings } from './kafka/client.ts'
import type { KafkaOptions } from './kafka/options.ts'
import kafka from './kafka.ts'

const seen = vi.hoisted(() => ({
  settings: [] as Record<string, unknown>[],
  consumed: [] as Record<string, unknown>[],
  committed: [] as string[],
}))

vi.mock('@platformatic/kafka', () => {
  const { EventEmitter } = process.getBuiltinModule('node:events')
  const { Readable } = process.getBuiltinModule('node:stream')
  return {
    kGetApi: undefined,
    Consumer: class extends EventEmitter {
      memberId: string | null = null
      generationId = 0
      assignments = [{ topic: 't', partitions: [1] }]

      constructor(settings: Record<string, unknown>) {
        super()
        seen.settings.push(settings)
      }

      async consume(options: Record<string, unknown>) {
        seen.consumed.push(options)
        const message = (offset: bigint, value: string | null) => ({
          topic: 't',
          partition: 1,
          offset,
          timestamp: 1700000000000n,
          key: Buffer.from('k'),
          value: value === null ? null : Buffer.from(value),
          headers: new Map([[Buffer.from('h'), Buffer.from('v')]]),
        })
        this.memberId = 'm'
        this.generationId = 1
        this.emit('consumer:group:join')
        const stream = new Readable({ objectMode: true, read() {} })
        for (const one of [message(5n, 'one'), message(6n, null), message(7n, 'two')]) stream.push(one)
        return stream
      }

      async commit({ offsets }: { offsets: { offset: bigint }[] }) {
        for (const { offset } of offsets) seen.committed.push(String(offset))
      }

      async close() {}
    },
  }
})

describe('kafka input', () => {
  it('reads records, tells about them, and commits what was taken', async () => {
    const { instance, sink } = inputFor(kafka, {
      bootstrap_servers: 'a:9092, b:9092',
      topic_id: 't',
      decorate_events: 'extended',
      auto_offset_reset: 'earliest',
      enable_auto_commit: false,
    })
    await instance.register?.()
    const running = instance.run(sink)
    const metadata = {
      topic: 't',
      consumer_group: 'logstash',
      partition: 1,
      timestamp: 1700000000000,
      key: 'k',
    }
    expect(await sink.waitFor(2)).toEqual([
      { message: 'one', '@metadata': { kafka: { ...metadata, offset: 5, headers: { h: 'v' } } } },
      { message: 'two', '@metadata': { kafka: { ...metadata, offset: 7, headers: { h: 'v' } } } },
    ])
    await instance.stop()
    await running
    expect(seen.settings[0]).toMatchObject({ groupId: 'logstash' })
    // In any order.
    expect([...(seen.settings[0]!['bootstrapBrokers'] as string[])].sort()).toEqual(['a:9092', 'b:9092'])
    expect(seen.consumed[0]).toMatchObject({ topics: ['t'], fallbackMode: 'earliest' })
    expect(seen.committed.at(-1)).toBe('8')
  })

  it('commits in intervals, or with enable_auto_commit => false as soon as records are taken', async () => {
    const run = async (options: TestOptions) => {
      seen.committed.length = 0
      const { instance, sink } = inputFor(kafka, options)
      const running = instance.run(sink)
      await sink.waitFor(2)
      return async () => {
        await instance.stop()
        await running
      }
    }
    const endLazy = await run({ enable_auto_commit: true, auto_commit_interval_ms: 600_000 })
    expect(seen.committed).toEqual([])
    await endLazy()
    expect(seen.committed).toEqual(['8'])
    const endEager = await run({ enable_auto_commit: false, auto_commit_interval_ms: 600_000 })
    await vi.waitFor(() => expect(seen.committed.length).toBeGreaterThan(0))
    await endEager()
    expect(seen.committed.at(-1)).toBe('8')
  })

  it('commits up to where every record is safe', async () => {
    seen.committed.length = 0
    const { instance, sink } = inputFor(kafka, { enable_auto_commit: false })
    sink.hold()
    const running = instance.run(sink)
    await sink.waitFor(2)
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(seen.committed).toEqual([])
    sink.releaseAt(1)
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(seen.committed).toEqual([])
    const stopping = instance.stop()
    sink.release()
    await stopping
    await running
    expect(seen.committed.at(-1)).toBe('8')
  })

  it('commits nothing of what never is safe, and ends', async () => {
    seen.committed.length = 0
    const { instance, sink, environment } = inputFor(kafka, { auto_commit_interval_ms: 1 })
    sink.hold()
    const running = instance.run(sink)
    await sink.waitFor(2)
    sink.release(0)
    await instance.stop()
    environment.stop()
    await running
    expect(seen.committed).toEqual([])
  })

  it('reads the topics it is given', async () => {
    const { instance, sink } = inputFor(kafka, { topics: ['a', 'b'] })
    const running = instance.run(sink)
    await sink.waitFor(2)
    await instance.stop()
    await running
    expect(seen.consumed.at(-1)).toMatchObject({ topics: ['a', 'b'] })
  })

  it('adds nothing unless asked to', async () => {
    const { instance, sink } = inputFor(kafka, { decorate_events: 'false' })
    const running = instance.run(sink)
    expect(await sink.waitFor(2)).toEqual([{ message: 'one' }, { message: 'two' }])
    await instance.stop()
    await running
  })

  it.each(['true', 'basic'])('leaves headers out with decorate_events %s', async (decorate_events) => {
    const { instance, sink } = inputFor(kafka, { decorate_events, topics: 't' })
    const running = instance.run(sink)
    const [event] = await sink.waitFor(1)
    expect(event).toEqual({
      message: 'one',
      '@metadata': {
        kafka: {
          topic: 't',
          consumer_group: 'logstash',
          partition: 1,
          offset: 5,
          timestamp: 1700000000000,
          key: 'k',
        },
      },
    })
    await instance.stop()
    await running
  })

  it('runs several consumers of one group, under its own names, with any codec', async () => {
    seen.settings.length = 0
    const { instance, sink } = inputFor(
      kafka,
      {
        group_id: 'g',
        client_id: 'c',
        consumer_threads: 2,
        session_timeout_ms: 30_000,
        heartbeat_interval_ms: 1000,
        group_instance_id: 'i',
        auto_create_topics: false,
        codec: 'json',
        tags: ['k'],
        max_poll_records: '50',
        max_poll_interval_ms: '60000',
        fetch_min_bytes: 10,
        fetch_max_bytes: 20_000,
        fetch_max_wait_ms: 700,
        max_partition_fetch_bytes: 5000,
        retry_backoff_ms: 200,
        metadata_max_age_ms: 60_000,
        isolation_level: 'read_committed',
        // No longer has a meaning.
        zk_connect: 'a:2181',
      },
      { codecs: [json] },
    )
    const running = instance.run(sink)
    const events = await sink.waitFor(4)
    await instance.stop()
    await running
    expect(seen.settings.map(({ clientId, groupId }) => [clientId, groupId])).toEqual([
      ['c-0', 'g'],
      ['c-1', 'g'],
    ])
    expect(seen.settings[0]).toMatchObject({
      sessionTimeout: 30_000,
      heartbeatInterval: 1000,
      groupInstanceId: 'i-0',
      autocreateTopics: false,
      highWaterMark: 50,
      rebalanceTimeout: 60_000,
      minBytes: 10,
      maxBytes: 20_000,
      maxWaitTime: 700,
      maxBytesPerPartition: 5000,
      retryDelay: 200,
      metadataMaxAge: 60_000,
      isolationLevel: 1,
    })
    expect(seen.settings[0]).not.toHaveProperty('tls')
    expect(events.map(({ message, tags }) => [message, tags]).sort()).toEqual([
      ['one', ['_jsonparsefailure', 'k']],
      ['one', ['_jsonparsefailure', 'k']],
      ['two', ['_jsonparsefailure', 'k']],
      ['two', ['_jsonparsefailure', 'k']],
    ])
  })

  it.each([
    [{}, 40_000],
    [{ request_timeout_ms: 1234 }, 1234],
  ])('with %j waits for answers for %i ms', async (options, requestTimeout) => {
    const settings = await consumerSettings(validOptions(kafka, options) as unknown as KafkaOptions, 0)
    expect(settings).toMatchObject({ requestTimeout })
  })

  it('encrypts with stores in PEM and PKCS#12 format', async () => {
    const { certificate, key } = await certificateFiles()
    const settings = async (options: TestOptions) =>
      consumerSettings(validOptions(kafka, options) as unknown as KafkaOptions, 0)
    const stores = {
      ssl_truststore_location: certificate,
      ssl_truststore_password: 'not needed',
      ssl_keystore_location: key,
      ssl_key_password: 'of the key',
    }
    const { tls } = (await settings({ ...stores, security_protocol: 'SSL' })) as { tls: ConnectionOptions }
    expect(String(tls.ca)).toBe(testCertificate)
    expect(String(tls.pfx)).toContain('PRIVATE KEY')
    expect(tls.passphrase).toBe('of the key')
    expect(tls.checkServerIdentity).toBeUndefined()
    const other = { ssl_keystore_password: 'of the store', ssl_endpoint_identification_algorithm: '' }
    const loose = await settings({ ...stores, ...other, security_protocol: 'SSL' })
    expect(loose['tls']).toMatchObject({
      passphrase: 'of the store',
      checkServerIdentity: expect.any(Function),
    })
    expect(await settings({ ...stores, security_protocol: 'PLAINTEXT' })).not.toHaveProperty('tls')
    await writeFile(key, Buffer.from([0xfe, 0xed, 0xfe, 0xed]))
    await expect(settings({ security_protocol: 'SSL', ssl_truststore_location: key })).rejects.toThrow(
      'is not in PEM format; export its certificates',
    )
  })

  it('reads user and password from a JAAS file', async () => {
    const path = join(await mkdtemp(join(tmpdir(), 'millrace-jaas-')), 'jaas.conf')
    await writeFile(
      path,
      'KafkaServer { M required username="s" password="t"; };\nKafkaClient {\n  M required\n  username="u"\n  password="p";\n};\n',
    )
    const options = { sasl_mechanism: 'PLAIN', jaas_path: path, security_protocol: 'SASL_PLAINTEXT' }
    const valid = validOptions(kafka, options) as unknown as KafkaOptions
    expect((await consumerSettings(valid, 0))['sasl']).toEqual({
      mechanism: 'PLAIN',
      username: 'u',
      password: 'p',
    })
  })

  it('reads user and password from JAAS lines', () => {
    const options = (jaas: string, mechanism = 'PLAIN') =>
      validOptions(kafka, { sasl_jaas_config: jaas, sasl_mechanism: mechanism }) as unknown as KafkaOptions
    const line =
      'org.apache.kafka.common.security.plain.PlainLoginModule required username="u" password=\'p=1\';'
    expect(saslOf(options(line))).toEqual({ mechanism: 'PLAIN', username: 'u', password: 'p=1' })
    expect(() => saslOf(options('nothing'))).toThrow('must hold username')
    expect(() => saslOf(options(line, 'GSSAPI'))).toThrow('GSSAPI is not supported')
  })

  it.each([
    [{ topics_pattern: '.*' }, '`topics_pattern` is not supported'],
    [{ schema_registry_url: 'http://x' }, '`schema_registry_url` is not supported'],
  ])('refuses %j', async (options, message) => {
    const { instance } = inputFor(kafka, options)
    await expect((async () => instance.register?.())()).rejects.toThrow(message)
  })
})
