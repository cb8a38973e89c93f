import { describe, expect, it, vi } from 'vitest'
import { inputFor, validOptions } from '../../plugin/testing.ts'
import { saslOf } from './kafka/client.ts'
import type { KafkaOptions } from './kafka/options.ts'
import kafka from './kafka.ts'

const seen = vi.hoisted(() => ({
  settings: [] as Record<string, unknown>[],
  consumed: [] as Record<string, unknown>[],
  committed: [] as string[],
}))

vi.mock('@platformatic/kafka', () => ({
  Consumer: class {
    #end: () => void = () => {}
    readonly #ended = new Promise<void>((resolve) => {
      this.#end = resolve
    })

    constructor(settings: Record<string, unknown>) {
      seen.settings.push(settings)
    }

    async consume(options: Record<string, unknown>) {
      seen.consumed.push(options)
      const ended = this.#ended
      const message = (offset: bigint, value: string | null) => ({
        topic: 't',
        partition: 1,
        offset,
        timestamp: 1700000000000n,
        key: Buffer.from('k'),
        value: value === null ? null : Buffer.from(value),
        headers: new Map([[Buffer.from('h'), Buffer.from('v')]]),
        commit: () => {
          seen.committed.push(String(offset))
        },
      })
      return (async function* () {
        yield message(5n, 'one')
        yield message(6n, null)
        yield message(7n, 'two')
        await ended
      })()
    }

    async close() {
      this.#end()
    }
  },
}))

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
    expect(seen.settings[0]).toMatchObject({ bootstrapBrokers: ['a:9092', 'b:9092'], groupId: 'logstash' })
    expect(seen.consumed[0]).toMatchObject({ topics: ['t'], fallbackMode: 'earliest' })
    expect(seen.committed.at(-1)).toBe('7')
  })

  it('adds nothing unless asked to', async () => {
    const { instance, sink } = inputFor(kafka, { decorate_events: 'false' })
    const running = instance.run(sink)
    expect(await sink.waitFor(2)).toEqual([{ message: 'one' }, { message: 'two' }])
    await instance.stop()
    await running
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
