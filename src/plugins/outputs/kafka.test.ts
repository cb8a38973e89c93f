import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { Event, lastingName } from '../../event/event.ts'
import { outputFor, type TestOptions } from '../../plugin/testing.ts'
import json from '../codecs/json.ts'
import { certificateFiles, testCertificate } from '../tls/test-certificate.ts'
import kafka from './kafka.ts'

interface Sent {
  messages: {
    topic: string
    value: Buffer
    partition: number
    key?: Buffer
    headers?: Map<Buffer, Buffer>
  }[]
  acks: number
  compression?: string
}

const seen = vi.hoisted(() => ({
  settings: [] as Record<string, unknown>[],
  sent: [] as unknown[],
  failures: 0,
  /** What the failures are. */
  failure: (): Error => new Error('no leader'),
}))

vi.mock('@platformatic/kafka', () => ({
  Producer: class {
    constructor(settings: Record<string, unknown>) {
      seen.settings.push(settings)
    }

    async send(batch: unknown) {
      if (seen.failures-- > 0) throw seen.failure()
      seen.sent.push(batch)
    }

    async metadata({ topics }: { topics: string[] }) {
      return { topics: new Map(topics.map((topic) => [topic, { partitionsCount: 3 }])) }
    }

    clearMetadata() {}
    async close() {}
  },
  compatibilityPartitioner: (_: unknown, key: Buffer) => key[0],
}))

beforeEach(() => {
  Object.assign(seen, { settings: [], sent: [], failures: 0, failure: () => new Error('no leader') })
})

async function sent(options: TestOptions, ...events: Record<string, string>[]) {
  const made = outputFor(kafka, { topic_id: 't', ...options }, { codecs: [json] })
  await made.instance.register!()
  await made.deliver(events)
  await made.instance.close!()
  return { ...made, batches: seen.sent as Sent[], settings: seen.settings.at(-1)! }
}

describe('kafka output', () => {
  it('chooses partitions by the key, or one after the other, or one for a batch', async () => {
    const partitions = async (options: TestOptions) => {
      seen.sent.length = 0
      const keys = ['\u0000', '\u0001', '\u0001', '\u0002'].map((k) => ({ k }))
      const { batches } = await sent({ message_key: '%{k}', ...options }, ...keys)
      return batches[0]!.messages.map(({ partition }) => partition)
    }
    expect(await partitions({})).toEqual([0, 1, 1, 2])
    expect(await partitions({ partitioner: 'org.example.Own' })).toEqual([0, 1, 1, 2])
    const [first = 0, ...others] = await partitions({ partitioner: 'round_robin' })
    expect(others).toEqual([1, 2, 3].map((step) => (first + step) % 3))
    expect(new Set(await partitions({ partitioner: 'uniform_sticky' })).size).toBe(1)
  })

  it('sends a batch as one request, topic, key and headers filled in, with any codec', async () => {
    const { batches, settings } = await sent(
      {
        bootstrap_servers: 'a:9092, b:9092',
        topic_id: 'logs-%{k}',
        message_key: '%{k}',
        message_headers: { h: 'of %{k}' },
        codec: 'json',
        acks: 'all',
        compression_type: 'gzip',
        client_id: 'me',
      },
      { k: 'x' },
      { k: 'y' },
    )
    expect(settings).toMatchObject({ bootstrapBrokers: ['a:9092', 'b:9092'], clientId: 'me' })
    expect(batches).toHaveLength(1)
    const [{ messages, acks, compression }] = batches as [Sent]
    expect([acks, compression]).toEqual([-1, 'gzip'])
    expect(messages.map(({ topic, key }) => [topic, String(key)])).toEqual([
      ['logs-x', 'x'],
      ['logs-y', 'y'],
    ])
    expect(JSON.parse(String(messages[0]!.value))).toMatchObject({ k: 'x' })
    expect([...messages[1]!.headers!].map(([name, value]) => `${name}: ${value}`)).toEqual(['h: of y'])
  })

  it('asks one broker, at the usual place and in the clear, unless told otherwise', async () => {
    const { batches, settings } = await sent({}, { a: 'x' })
    expect(settings).toMatchObject({ bootstrapBrokers: ['localhost:9092'], clientId: 'logstash' })
    expect(settings).not.toHaveProperty('tls')
    expect(settings).not.toHaveProperty('sasl')
    expect(batches[0]).toMatchObject({ acks: 1 })
    expect(batches[0]).not.toHaveProperty('compression')
  })

  it.each([
    [{}, { requestTimeout: 40_000, timeout: 30_000 }],
    [{ request_timeout_ms: 1000 }, { requestTimeout: 1000, timeout: 750 }],
  ])('with %j waits for answers as long as %j', async (options, wanted) => {
    expect((await sent(options, { a: 'x' })).settings).toMatchObject(wanted)
  })

  it.each([
    ['https', undefined],
    ['', expect.any(Function)],
  ])('with ssl_endpoint_identification_algorithm => "%s" checks names by %s', async (algorithm, check) => {
    const { certificate } = await certificateFiles()
    const { settings } = await sent(
      {
        security_protocol: 'SSL',
        ssl_truststore_location: certificate,
        ssl_endpoint_identification_algorithm: algorithm,
      },
      { a: 'x' },
    )
    expect((settings['tls'] as { checkServerIdentity?: unknown }).checkServerIdentity).toEqual(check)
  })

  it('logs in and encrypts', async () => {
    const { certificate } = await certificateFiles()
    const jaas_path = join(await mkdtemp(join(tmpdir(), 'millrace-jaas-')), 'jaas.conf')
    await writeFile(jaas_path, 'KafkaClient { Module required username="u" password="p"; };')
    const options = {
      security_protocol: 'SASL_SSL',
      sasl_mechanism: 'SCRAM-SHA-256',
      ssl_truststore_location: certificate,
      ssl_truststore_password: 'not needed',
    }
    const { settings } = await sent({ ...options, jaas_path }, { a: 'x' })
    expect(settings['sasl']).toEqual({ mechanism: 'SCRAM-SHA-256', username: 'u', password: 'p' })
    expect(String((settings['tls'] as { ca: Buffer }).ca)).toBe(testCertificate)
    const line = { ...options, jaas_path, sasl_jaas_config: 'M required username="v" password="q";' }
    expect((await sent(line, { a: 'x' })).settings['sasl']).toMatchObject({ username: 'v', password: 'q' })
    await expect(sent({ ...options, sasl_mechanism: 'GSSAPI' })).rejects.toThrow('GSSAPI is not supported')
    await expect(sent(options)).rejects.toThrow('sasl_jaas_config must hold username')
  })

  it('tries again, so often as retries says', async () => {
    seen.failures = 1
    const patient = await sent({ retry_backoff_ms: 10 }, { a: 'x' })
    expect(patient.batches).toHaveLength(1)
    expect(patient.environment.logger.messages('warn')).toEqual(['KafkaProducer.send() failed'])
    seen.failures = 5
    const hasty = await sent({ retry_backoff_ms: 10, retries: 1 }, { a: 'x' })
    expect(hasty.batches).toHaveLength(1)
    expect(hasty.environment.logger.messages('error')).toEqual([
      'Exhausted user-configured retry count when sending to Kafka. Dropping these events.',
    ])
  })

  it('gives a key the partition that Kafka gives it, and a batch without keys one after the other', async () => {
    const keyed = await sent({ message_key: '%{k}' }, { k: 'a' }, { k: 'b' }, { k: 'a' })
    expect(keyed.batches[0]!.messages.map(({ partition }) => partition)).toEqual([97 % 3, 98 % 3, 97 % 3])
    seen.sent = []
    const made = outputFor(kafka, { topic_id: 't' }, { codecs: [json] })
    await made.instance.register!()
    for (let batch = 0; batch < 4; batch++) await made.deliver([{ k: 'a' }, { k: 'b' }])
    const partitions = (seen.sent as Sent[]).map(({ messages }) => messages.map(({ partition }) => partition))
    for (const batch of partitions) expect(new Set(batch).size).toBe(1)
    const [first] = partitions[0]!
    expect(partitions.map(([partition]) => partition)).toEqual([0, 1, 2, 3].map((n) => (first! + n) % 3))
  })

  it('sends again only what did not arrive, to the same partitions', async () => {
    seen.failures = 1
    seen.failure = () =>
      Object.assign(new AggregateError([new Error('broker 2 is away')], 'Producing messages failed.'), {
        produced: {
          offsets: [
            { topic: 't', partition: 0 },
            { topic: 't', partition: 2 },
          ],
        },
      })
    const events = [{ n: '0' }, { n: '1' }, { n: '2' }, { n: '3' }, { n: '4' }]
    const options = { retry_backoff_ms: 10, codec: 'json', message_key: '%{n}' }
    const { batches, environment } = await sent(options, ...events)
    expect(batches).toHaveLength(1)
    expect(batches[0]!.messages.map(({ value }) => JSON.parse(String(value)).n)).toEqual(['1', '4'])
    expect(batches[0]!.messages.map(({ partition }) => partition)).toEqual([1, 1])
    expect(environment.logger.messages('warn')).toEqual(['KafkaProducer.send() failed'])
  })

  it('asks another broker first after one that hangs', async () => {
    seen.failures = 1
    seen.failure = () => Object.assign(new Error('Request timed out'), { code: 'PLT_KFK_TIMEOUT' })
    const { batches } = await sent({ bootstrap_servers: 'a:1,b:1', retry_backoff_ms: 10 }, { a: 'x' })
    expect(batches).toHaveLength(1)
    expect(seen.settings.map(({ bootstrapBrokers }) => bootstrapBrokers)).toEqual([
      ['a:1', 'b:1'],
      ['b:1', 'a:1'],
    ])
  })

  it('tells the names of events that may be delivered again', async () => {
    const made = outputFor(kafka, { topic_id: 't', message_headers: { h: 'v' } }, { codecs: [json] })
    await made.instance.register!()
    const lasting = Event.from({ a: 'x' })
    lasting.lineage = lastingName('somewhere')
    await made.instance.receive!([lasting, Event.from({ a: 'y' })])
    const [{ messages }] = seen.sent as [Sent]
    const texts = messages.map(({ headers }) => [...headers!].map(([key, value]) => `${key}=${value}`))
    expect(texts).toEqual([['h=v', expect.stringMatching(/^millrace-event=p[\w-]{27}/)], ['h=v']])
  })
})
