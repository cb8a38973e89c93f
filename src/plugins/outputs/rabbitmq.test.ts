import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { outputFor, type TestOptions, type TestOutput } from '../../plugin/testing.ts'
import json from '../codecs/json.ts'
import { TestBroker } from '../rabbitmq/test-broker.ts'
import amqp from './amqp.ts'
import rabbitmq from './rabbitmq.ts'

let broker: TestBroker
const running: TestOutput[] = []

beforeEach(async () => {
  broker = await TestBroker.open()
  broker.bindings.push({ exchange: 'logs', queue: 'all', key: '' })
  broker.declareQueue('all')
})
afterEach(async () => {
  for (const output of running.splice(0)) await output.instance.close?.()
  await broker.close()
})

async function start(options: TestOptions = {}, definition = rabbitmq): Promise<TestOutput> {
  const output = outputFor(
    definition,
    {
      host: ['127.0.0.1'],
      port: broker.port,
      exchange: 'logs',
      exchange_type: 'topic',
      connect_retry_interval: 0.05,
      ...options,
    },
    { codecs: [json] },
  )
  await output.instance.register!()
  running.push(output)
  return output
}

const texts = () => broker.queues.get('all')!.map(({ content }) => JSON.parse(content.toString()).n)
const batch = (count: number) => Array.from({ length: count }, (_, n) => ({ n }))

describe('rabbitmq output', () => {
  it('declares its exchange and sends JSON under the key of the event', async () => {
    const output = await start({ key: 'app.%{n}', durable: false })
    await output.deliver(batch(3))
    expect(broker.declared.find(({ method }) => method === 'ExchangeDeclare')?.fields).toMatchObject({
      exchange: 'logs',
      type: 'topic',
      durable: false,
      passive: false,
    })
    expect(texts()).toEqual([0, 1, 2])
    expect(broker.queues.get('all')!.map(({ key }) => key)).toEqual(['app.0', 'app.1', 'app.2'])
    expect(broker.queues.get('all')![0]!.properties).toMatchObject({ deliveryMode: 2 })
  })

  it('only checks an exchange that it shall find', async () => {
    const output = await start({ passive: true })
    await output.deliver(batch(1))
    expect(broker.declared.find(({ method }) => method === 'ExchangeDeclare')?.fields).toMatchObject({
      passive: true,
    })
  })

  it('sets the properties of messages, which may depend on the event', async () => {
    const output = await start({
      persistent: false,
      message_properties: {
        app_id: 'mine',
        content_type: 'application/json',
        priority: '%{level}',
        headers: { kind: '%{kind}', n: 1 },
      },
    })
    await output.deliver([{ n: 1, level: 7, kind: 'a' }])
    expect(broker.queues.get('all')![0]!.properties).toMatchObject({
      appId: 'mine',
      contentType: 'application/json',
      priority: 7,
      headers: { kind: 'a', n: 1 },
    })
    expect(broker.queues.get('all')![0]!.properties['deliveryMode']).toBe(1)
  })

  it('gives up on an event alone that cannot be a message', async () => {
    const output = await start({ message_properties: { priority: '%{level}' } })
    await output.deliver([
      { n: 1, level: 'high' },
      { n: 2, level: 1 },
    ])
    expect(texts()).toEqual([2])
    expect(output.environment.logger.messages('error')).toEqual([
      'An event cannot be sent to RabbitMQ and is dropped',
    ])
  })

  it('is done when the server has confirmed', async () => {
    broker.holdsConfirms = true
    const output = await start()
    let isDone = false
    const delivered = output.deliver(batch(2)).then(() => {
      isDone = true
    })
    while (texts().length < 2) await wait(5)
    await wait(30)
    expect(isDone).toBe(false)
    broker.holdsConfirms = false
    // Nobody knows whether the server kept them: they are sent again.
    broker.dropConnections()
    await delivered
    expect(texts()).toEqual([0, 1, 0, 1])
  })

  it('sends again what the server refuses, and that alone', async () => {
    broker.refusals = 2
    const output = await start()
    await output.deliver(batch(5))
    expect(texts()).toEqual([2, 3, 4, 0, 1])
  })

  it('waits for a server that is away', async () => {
    const { port } = broker
    await broker.close()
    const output = await start({ port })
    const delivered = output.deliver(batch(1))
    await wait(100)
    broker = await TestBroker.open(port)
    await delivered
    expect(output.environment.logger.messages('error')).toContain('Error while publishing. Will retry.')
  })

  it('ends its waits when the pipeline has to stop now', async () => {
    broker.holdsConfirms = true
    const output = await start()
    const delivered = output.deliver(batch(1))
    delivered.catch(() => undefined)
    while (texts().length < 1) await wait(5)
    output.environment.stop()
    await expect(delivered).rejects.toThrow()
  })

  it('sends batches that are larger than the socket takes at once', async () => {
    const output = await start()
    const text = 'x'.repeat(100_000)
    await output.deliver(Array.from({ length: 100 }, (_, n) => ({ n, text })))
    expect(texts()).toEqual(Array.from({ length: 100 }, (_, n) => n))
  })

  it('is called amqp in old configurations, and its exchange name', async () => {
    const output = await start({ exchange: undefined, name: 'logs' }, amqp)
    await output.deliver(batch(1))
    expect(texts()).toEqual([0])
  })
})
