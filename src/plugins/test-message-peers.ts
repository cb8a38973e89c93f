/** Brokers for the tables of plugins: Kafka, which is played by a stand-in for its package, and RabbitMQ. */
import { setTimeout as wait } from 'node:timers/promises'
import { playedKafka } from './kafka/test-package.ts'
import { TestBroker } from './rabbitmq/test-broker.ts'
import type { Peer } from './test-peers.ts'

/** Holds `{"records": [{"topic": …, "value": …, "key": …, "headers": {…}}]}`; fails with `{"failures": ["name"]}`. */
export async function kafkaPeer(): Promise<Peer> {
  playedKafka.records.length = 0
  playedKafka.sent.length = 0
  playedKafka.failures.length = 0
  return {
    words: {},
    give({ records = [], failures = [] }) {
      playedKafka.records.push(...(records as typeof playedKafka.records))
      playedKafka.failures.push(...(failures as string[]))
    },
    sent: () => playedKafka.sent.splice(0),
    settle: async () => {},
    close() {},
  }
}

/** RABBIT stands for its address. Holds `{"queue": …, "text": …, "properties": {…}}`; tells what was declared and bound. */
export async function rabbitPeer(): Promise<Peer> {
  const broker = await TestBroker.open()
  return {
    words: { RABBIT: `host => "127.0.0.1" port => ${broker.port} connect_retry_interval => 0.05` },
    give({ queue, text, properties }) {
      broker.put(String(queue), String(text), (properties ?? {}) as Record<string, unknown>)
    },
    sent: () =>
      broker.declared
        .splice(0)
        .filter(({ method }) => method !== 'ConnectionOpen')
        .map(({ method, fields }) => ({ [method]: fields })),
    close: () => broker.close(),
  }
}

/** For an output: tells the messages that came to the exchange `logs`. */
export async function rabbitQueuePeer(): Promise<Peer> {
  const broker = await TestBroker.open()
  broker.bindings.push({ exchange: 'logs', queue: 'all', key: '' })
  const queue = broker.declareQueue('all')
  return {
    words: {
      RABBIT: `host => ["127.0.0.1"] port => ${broker.port} connect_retry_interval => 0.05 exchange => "logs" exchange_type => "topic"`,
    },
    give() {},
    sent: () =>
      broker.queues
        .get(queue)!
        .splice(0)
        .map(({ key, content, properties }) => ({
          key,
          text: content.toString('utf8'),
          properties: Object.fromEntries(
            Object.entries(properties).filter(([, value]) => value !== undefined),
          ),
        })),
    settle: () => wait(20),
    close: () => broker.close(),
  }
}
