/**
 * Reads records from Kafka topics. Offsets are committed only up to where every record is safe, so that a crash repeats
 * records rather than losing them.
 */
import { integer, type Value } from '../../event/value.ts'
import { packageConcern, startConcern } from '../../plugin/concern.ts'
import { defineInput, type Origin, type Sink } from '../../plugin/define.ts'
import { textOf } from '../../plugin/raw-text.ts'
import { loginOf } from '../kafka/security.ts'
import { graceMilliseconds } from '../receiving/arrivals.ts'
import { orAborted, Stop } from '../receiving/stop.ts'
import {
  consumerSettings,
  type KafkaConsumer,
  type KafkaMessage,
  loadKafka,
  packageName,
} from './kafka/client.ts'
import { OffsetCommits } from './kafka/offset-commits.ts'
import { type KafkaOptions, kafkaOptions } from './kafka/options.ts'

const reconnectMilliseconds = 1000

export default defineInput({
  name: 'kafka',
  summary: 'Reads records from Kafka topics.',
  description: [
    'The client is the package `@platformatic/kafka`, which has to be installed beside millrace.',
    '',
    'The offset of a partition is committed up to the last record before which every one is safe: on stable storage where',
    'the queue of the pipeline is persisted, delivered by the outputs where it is in memory. Records that were not safe',
    'when the input ended, or when their partition was given to another consumer, are read again.',
  ].join('\n'),
  options: kafkaOptions,
  concerns: (options) => [
    ...startConcern('topics', () => checkOptions(options)),
    ...packageConcern('bootstrap_servers', packageName),
  ],
  create({ options, logger, abort }) {
    const stop = new Stop()
    const consumers = new Set<KafkaConsumer>()
    const level = decorationLevel(options)
    const nothing: Origin = {}

    const originOf = (message: KafkaMessage): Origin => {
      if (level === 'none') return nothing
      const facts: [string, Value][] = [
        ['[@metadata][kafka][topic]', message.topic],
        ['[@metadata][kafka][consumer_group]', options.group_id],
        ['[@metadata][kafka][partition]', message.partition],
        ['[@metadata][kafka][offset]', integer(BigInt(message.offset))],
        ['[@metadata][kafka][timestamp]', integer(BigInt(message.timestamp))],
      ]
      if (message.key !== null && message.key !== undefined) {
        facts.push(['[@metadata][kafka][key]', String(message.key)])
      }
      if (level === 'extended') {
        for (const [name, value] of message.headers) {
          if (!/[[\]]/.test(String(name))) facts.push([`[@metadata][kafka][headers][${name}]`, String(value)])
        }
      }
      return { overwrite: facts }
    }

    const consume = async (sink: Sink, number: number): Promise<void> => {
      const { Consumer } = await loadKafka()
      const consumer = new Consumer(await consumerSettings(options, number))
      consumers.add(consumer)
      const inIntervals = options.enable_auto_commit
      const offsets: OffsetCommits = new OffsetCommits(
        (error) => logger.warn('Offsets were not committed', { message: error.message }),
        () => {
          if (!inIntervals) offsets.commit()
        },
      )
      followGroup(consumer, offsets)
      const timer = inIntervals
        ? setInterval(() => offsets.commit(), Math.max(1, options.auto_commit_interval_ms))
        : undefined
      try {
        const stream = await consumer.consume({
          topics: options.topics.map(textOf),
          mode: 'committed',
          fallbackMode: options.auto_offset_reset === 'earliest' ? 'earliest' : 'latest',
          autocommit: false,
        })
        await untilStopped(stream, stop, async (message) => {
          const done = offsets.track(message)
          if (message.value === null || message.value === undefined) done()
          else await sink.record(message.value, originOf(message), { done, name: nameOf(message) })
        })
      } finally {
        clearInterval(timer)
        await orAborted(offsets.settled(), abort, graceMilliseconds)
        // While the consumer is still a member of its group.
        await offsets.finish()
        consumers.delete(consumer)
        await consumer.close(true).catch(() => undefined)
      }
    }

    const consumeAlways = async (sink: Sink, number: number): Promise<void> => {
      while (!stop.isRequested) {
        try {
          await consume(sink, number)
        } catch (error) {
          if (stop.isRequested) return
          logger.error('Unable to poll Kafka', { message: (error as Error).message })
        }
        await stop.sleep(reconnectMilliseconds)
      }
    }

    return {
      async register() {
        checkOptions(options)
        await loadKafka()
        await consumerSettings(options, 0)
      },
      async run(sink) {
        const threads = Math.max(1, options.consumer_threads)
        await Promise.all(Array.from({ length: threads }, (_, number) => consumeAlways(sink, number)))
      },
      stop() {
        stop.request()
      },
      async close() {
        for (const consumer of consumers) await consumer.close(true).catch(() => undefined)
      },
    }
  },
})

/** What is safe is committed before partitions are divided anew; afterwards only those count that are still ours. */
function followGroup(consumer: KafkaConsumer, offsets: OffsetCommits): void {
  const joined = () => {
    if (Array.isArray(consumer.assignments)) offsets.keep(consumer.assignments)
  }
  consumer.on?.('consumer:group:rebalance', () => offsets.commit())
  consumer.on?.('consumer:group:join', joined)
  consumer.on?.('consumer:group:rejoin', joined)
}

/** A record is read again after a crash; a topic that was made anew has other times at the same offsets. */
function nameOf({ topic, partition, offset, timestamp }: KafkaMessage): string {
  return `kafka ${topic} ${partition} ${offset} ${timestamp}`
}

/** Hands over message after message; a wait for the next one ends when the input has to stop. */
async function untilStopped(
  stream: AsyncIterable<KafkaMessage>,
  stop: Stop,
  handOver: (message: KafkaMessage) => Promise<void>,
): Promise<void> {
  const messages = stream[Symbol.asyncIterator]()
  while (!stop.isRequested) {
    const next = messages.next()
    await stop.during(next)
    if (stop.isRequested) {
      next.catch(() => undefined)
      return
    }
    const { done, value } = await next
    if (done) return
    await stop.during(handOver(value))
  }
}

type Level = 'none' | 'basic' | 'extended'

function decorationLevel({ decorate_events: given }: KafkaOptions): Level {
  if (given === 'true') return 'basic'
  if (given === 'false') return 'none'
  if (given === 'none' || given === 'basic' || given === 'extended') return given
  throw new Error(`Unsupported value "${given}" for decorate_events; none, basic and extended are supported`)
}

function checkOptions(options: KafkaOptions): void {
  if (options.topics_pattern !== undefined) throw new Error('`topics_pattern` is not supported; use `topics`')
  if (options.schema_registry_url !== undefined) throw new Error('`schema_registry_url` is not supported')
  loginOf(options)
}
