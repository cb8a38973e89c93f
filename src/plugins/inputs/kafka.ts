/**
 * Reads records from Kafka topics. Offsets are committed only for records that the queue has taken, so that a crash
 * repeats records rather than losing them.
 */
import { integer, type Value } from '../../event/value.ts'
import { defineInput, type Origin, type Sink } from '../../plugin/define.ts'
import { textOf } from '../../plugin/raw-text.ts'
import { consumerSettings, type KafkaConsumer, type KafkaMessage, loadKafka } from './kafka/client.ts'
import { type KafkaOptions, kafkaOptions } from './kafka/options.ts'
import { Stop } from './stop.ts'

const reconnectMilliseconds = 1000

export default defineInput({
  name: 'kafka',
  summary: 'Reads records from Kafka topics.',
  description: 'The client is the package `@platformatic/kafka`, which has to be installed beside millrace.',
  options: kafkaOptions,
  create({ options, logger }) {
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
      try {
        const stream = await consumer.consume({
          topics: options.topics.map(textOf),
          mode: 'committed',
          fallbackMode: options.auto_offset_reset === 'earliest' ? 'earliest' : 'latest',
          autocommit: false,
        })
        const pause = options.enable_auto_commit ? options.auto_commit_interval_ms : 0
        const pending = new Map<string, KafkaMessage>()
        let lastCommit = Date.now()
        const commit = async () => {
          lastCommit = Date.now()
          const messages = [...pending.values()]
          pending.clear()
          for (const message of messages) await message.commit()
        }
        for await (const message of stream) {
          if (message.value !== null && message.value !== undefined) {
            await sink.record(message.value, originOf(message))
          }
          pending.set(`${message.topic}/${message.partition}`, message)
          if (Date.now() - lastCommit >= pause) await commit()
          if (stop.isRequested) break
        }
        await commit()
      } finally {
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
        if (options.topics_pattern !== undefined)
          throw new Error('`topics_pattern` is not supported; use `topics`')
        if (options.schema_registry_url !== undefined)
          throw new Error('`schema_registry_url` is not supported')
        await loadKafka()
        await consumerSettings(options, 0)
      },
      async run(sink) {
        const threads = Math.max(1, options.consumer_threads)
        const all = Promise.all(Array.from({ length: threads }, (_, number) => consumeAlways(sink, number)))
        await stop.during(all)
        for (const consumer of consumers) await consumer.close(true).catch(() => undefined)
        await all
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

type Level = 'none' | 'basic' | 'extended'

function decorationLevel({ decorate_events: given }: KafkaOptions): Level {
  if (given === 'true') return 'basic'
  if (given === 'false') return 'none'
  if (given === 'none' || given === 'basic' || given === 'extended') return given
  throw new Error(`Unsupported value "${given}" for decorate_events; none, basic and extended are supported`)
}
