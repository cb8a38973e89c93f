import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { inputFor, type TestInput, type TestOptions } from '../../plugin/testing.ts'
import json from '../codecs/json.ts'
import { TestBroker } from '../rabbitmq/test-broker.ts'
import amqp from './amqp.ts'
import rabbitmq from './rabbitmq.ts'

let broker: TestBroker
const running: { input: TestInput; ended: Promise<void> }[] = []

beforeEach(async () => {
  broker = await TestBroker.open()
})
afterEach(async () => {
  for (const { input, ended } of running.splice(0)) {
    input.environment.stop()
    await input.instance.stop()
    await ended
    await input.instance.close?.()
  }
  await broker.close()
})

async function start(options: TestOptions, definition = rabbitmq): Promise<TestInput> {
  const input = inputFor(
    definition,
    { host: '127.0.0.1', port: broker.port, connect_retry_interval: 0.05, ...options },
    { codecs: [json] },
  )
  await input.instance.register!()
  running.push({ input, ended: input.instance.run(input.sink) })
  return input
}

async function until(holds: () => boolean): Promise<void> {
  for (let i = 0; !holds(); i++) {
    if (i > 500) throw new Error('waited for nothing')
    await wait(10)
  }
}

describe('connections of the rabbitmq input', () => {
  it('are as many as threads', async () => {
    await start({ queue: 'jobs', threads: 3 })
    await until(() => broker.consumers.size === 3)
    expect(broker.connections.size).toBe(3)
  })

  it('are opened again, or end the input without automatic_recovery', async () => {
    const input = await start({ queue: 'jobs', automatic_recovery: false })
    await until(() => broker.consumers.size === 1)
    const { ended } = running.at(-1)!
    const outcome = ended.then(
      () => 'ended',
      () => 'failed',
    )
    running.pop()
    for (const { socket } of broker.connections) socket.destroy()
    expect(await outcome).toBe('failed')
    await input.instance.close?.()

    await start({ queue: 'jobs' })
    await until(() => broker.consumers.size === 1)
    const [lost] = broker.connections
    lost!.socket.destroy()
    await until(() => [...broker.consumers].some(({ connection }) => connection !== lost))
  })
})

describe('rabbitmq input', () => {
  it('declares queue, exchange and binding as its options say', async () => {
    await start({
      queue: 'jobs',
      durable: true,
      auto_delete: true,
      exclusive: true,
      arguments: { 'x-queue-type': 'quorum', 'x-max-length': 10 },
      exchange: 'logs',
      exchange_type: 'topic',
      key: 'app.*',
      prefetch_count: 17,
      user: 'me',
      password: 'mine',
      vhost: 'a/b',
    })
    await until(() => broker.consumers.size === 1)
    const declared = new Map(broker.declared.map(({ method, fields }) => [method, fields]))
    expect(broker.logins).toEqual(['me mine'])
    expect(declared.get('ConnectionOpen')).toMatchObject({ virtualHost: 'a/b' })
    expect(declared.get('QueueDeclare')).toMatchObject({
      queue: 'jobs',
      durable: true,
      autoDelete: true,
      exclusive: true,
      passive: false,
      arguments: { 'x-queue-type': 'quorum', 'x-max-length': 10 },
    })
    expect(declared.get('ExchangeDeclare')).toMatchObject({ exchange: 'logs', type: 'topic', durable: true })
    expect(broker.bindings).toEqual([{ exchange: 'logs', queue: 'jobs', key: 'app.*' }])
    expect(declared.get('BasicQos')).toMatchObject({ prefetchCount: 17 })
  })

  it('only checks a queue that it shall find', async () => {
    await start({ queue: 'there', passive: true })
    await until(() => broker.consumers.size === 1)
    expect(broker.declared.find(({ method }) => method === 'QueueDeclare')?.fields).toMatchObject({
      passive: true,
    })
  })

  it('reads a queue in order, JSON unless said', async () => {
    const { sink } = await start({ queue: 'jobs' })
    for (let n = 0; n < 5; n++) broker.put('jobs', `{"n":${n}}`)
    expect(await sink.waitFor(5)).toEqual([0, 1, 2, 3, 4].map((n) => ({ n })))
    await until(() => broker.unacknowledged === 0)
  })

  it('acknowledges a message when its events are safe, and no sooner', async () => {
    const { sink } = await start({ queue: 'jobs', prefetch_count: 3 })
    sink.hold()
    for (let n = 0; n < 5; n++) broker.put('jobs', `{"n":${n}}`)
    await sink.waitFor(3)
    await wait(50)
    expect(broker.unacknowledged).toBe(3)
    expect(sink.received).toHaveLength(3)
    sink.releaseAt(1)
    await sink.waitFor(4)
    expect(broker.queues.get('jobs')).toHaveLength(1)
    sink.release()
    await sink.waitFor(5)
    await until(() => broker.unacknowledged === 0)
  })

  it('acknowledges what the queue of the pipeline has, without ack', async () => {
    const { sink } = await start({ queue: 'jobs', ack: false })
    sink.hold()
    broker.put('jobs', '{"n":1}')
    await sink.waitFor(1)
    await until(() => broker.unacknowledged === 0)
  })

  it('reads again what was not safe when the connection was lost', async () => {
    const { sink, environment } = await start({ queue: 'jobs' })
    sink.hold()
    for (let n = 0; n < 3; n++) broker.put('jobs', `{"n":${n}}`)
    await sink.waitFor(3)
    sink.release(1)
    await until(() => broker.unacknowledged === 2)
    broker.dropConnections()
    await sink.waitFor(5)
    sink.release()
    expect(sink.fields().slice(3)).toEqual([{ n: 1 }, { n: 2 }])
    await until(() => broker.unacknowledged === 0)
    expect(environment.logger.messages('error')).toContain('RabbitMQ connection was lost, will retry.')
  })

  it('gives back what is not safe when it stops', async () => {
    const input = await start({ queue: 'jobs' })
    input.sink.hold()
    broker.put('jobs', '{"n":1}')
    await input.sink.waitFor(1)
    const { ended } = running.splice(0)[0]!
    await input.instance.stop()
    input.environment.stop()
    await ended
    await until(() => broker.queues.get('jobs')?.length === 1)
  })

  it('waits for a server that is not there yet', async () => {
    const { port } = broker
    await broker.close()
    const { sink, environment } = await start({ queue: 'jobs', port })
    await until(() => environment.logger.messages('error').length > 0)
    expect(environment.logger.messages('error')[0]).toBe('RabbitMQ connection error, will retry.')
    broker = await TestBroker.open(port)
    broker.put('jobs', '{"n":1}')
    await sink.waitFor(1)
  })

  it.each([
    ['none', {}],
    ['false', {}],
    [
      'basic',
      {
        rabbitmq_headers: { from: 'here', deep: { n: 1 }, many: [1, 'two'] },
        rabbitmq_properties: {
          'app-id': 'app',
          'consumer-tag': 'consumer',
          'content-type': 'application/json',
          'delivery-mode': 2,
          exchange: '',
          priority: 3,
          'routing-key': 'jobs',
          timestamp: 1364608909,
        },
      },
    ],
  ])('adds the metadata of level %s', async (metadata_enabled, expected) => {
    const { sink } = await start({ queue: 'jobs', metadata_enabled })
    broker.put('jobs', '{"n":1}', {
      appId: 'app',
      contentType: 'application/json',
      deliveryMode: 2,
      priority: 3,
      timestamp: 1364608909,
      headers: { from: 'here', deep: { n: 1 }, many: [1, 'two'] },
    })
    await sink.waitFor(1)
    expect(sink.received[0]!.metadata()).toEqual(expected)
  })

  it('adds the payload to extended metadata', async () => {
    const { sink } = await start({ queue: 'jobs', metadata_enabled: 'extended' })
    broker.put('jobs', '{"n":1}')
    await sink.waitFor(1)
    expect(sink.received[0]!.get('[@metadata][rabbitmq_payload]')).toBe('{"n":1}')
  })

  it('leaves messages that are too long on the server', async () => {
    const { sink, environment } = await start({ queue: 'jobs', max_inbound_message_body_size: 10 })
    broker.put('jobs', '{"n":"much too long"}')
    broker.put('jobs', '{"n":2}')
    await sink.waitFor(1)
    expect(sink.fields()).toEqual([{ n: 2 }])
    await until(() => broker.unacknowledged === 1)
    expect(environment.logger.messages('error')[0]).toMatch(/max_inbound_message_body_size/)
  })

  it('is called amqp in old configurations, and its queue name', async () => {
    const { sink } = await start({ name: 'old' }, amqp)
    broker.put('old', '{"n":1}')
    await sink.waitFor(1)
  })
})
