/**
 * Reads records from Kafka topics. Offsets are committed only up to where every record is safe, so that a crash repeats
 * records rather than losing them.
 */
import { integer, type Value } from '../../event/value.ts'
import { packageConcern, startConcern } from '../../plugin/concern.ts'
import { defineInput, type Origin, type Sink } from '../../plugin/define.ts'
import { textOf } from '../../plugin/raw-text.ts'
import { eventNameHeader } from '../event-names/kafka-header.ts'
import { loginOf } from '../kafka/security.ts'
import { clientPackage } from '../packages/peer-package.ts'
import { Stop } from '../receiving/stop.ts'
import {
  consumerSettings,
  type KafkaMessage,
  type KafkaPackage,
  loadKafka,
  packageName,
} from './kafka/client.ts'
import { GroupMember } from './kafka/group-member.ts'
import { type KafkaOptions, kafkaOptions } from './kafka/options.ts'

const reconnectMilliseconds = 1000

export default defineInput({
  name: 'kafka',
  summary: 'Reads records from Kafka topics.',
  description: [
    clientPackage(packageName),
    '',
    'The offset of a partition is committed up to the last record before which every one is safe: on stable storage where',
    'the queue of the pipeline is persisted, delivered by the outputs where it is in memory. Records that were not safe',
    'when the input ended are read again. Before partitions are divided anew the input waits for what it has handed over,',
    'for up to half of `session_timeout_ms`, so that nodes may come and go without events that arrive twice.',
    '',
    'A record has a name that is the same each time it is read, so that outputs that make document ids of names store it',
    'once, whichever node reads it. Records of the kafka output keep the name that their event had before.',
  ].join('\n'),
  options: kafkaOptions,
  concerns: (options) => [
    ...startConcern('topics', () => checkOptions(options)),
    ...packageConcern('bootstrap_servers', packageName),
  ],
  create({ options, logger, abort }) {
    const stop = new Stop()
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
          if (String(name) !== eventNameHeader && !/[[\]]/.test(String(name)))
            facts.push([`[@metadata][kafka][headers][${name}]`, String(value)])
        }
      }
      return { overwrite: facts }
    }

    const memberOf = (kafka: KafkaPackage, sink: Sink, number: number): GroupMember =>
      new GroupMember(
        {
          kafka,
          consumer: () => consumerSettings(options, number),
          consume: {
            topics: options.topics.map(textOf),
            mode: 'committed',
            fallbackMode: options.auto_offset_reset === 'earliest' ? 'earliest' : 'latest',
            autocommit: false,
          },
          sessionMilliseconds: options.session_timeout_ms,
          fetchWaitMilliseconds: options.fetch_max_wait_ms,
          commitMilliseconds: options.enable_auto_commit ? Math.max(1, options.auto_commit_interval_ms) : 0,
          logger,
          abort,
          handOver(message, done) {
            if (message.value === null || message.value === undefined) return done()
            return sink.record(message.value, originOf(message), { done, name: nameOf(message) })
          },
        },
        stop,
      )

    const consumeAlways = async (member: GroupMember): Promise<void> => {
      while (!stop.isRequested) {
        try {
          await member.run()
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
        const kafka = await loadKafka()
        const length = Math.max(1, options.consumer_threads)
        const members = Array.from({ length }, (_, number) => memberOf(kafka, sink, number))
        await Promise.all(members.map(consumeAlways))
      },
      stop() {
        stop.request()
      },
    }
  },
})

/**
 * What names a record: the name of its event, where a kafka output has told it; otherwise its place. A topic that was made
 * anew has other times at the same offsets.
 */
function nameOf({ topic, partition, offset, timestamp, headers }: KafkaMessage): string {
  for (const [key, value] of headers) {
    const isName = key.length === eventNameHeader.length && String(key) === eventNameHeader
    if (isName && value !== undefined && value !== null) return `kafka ${topic} ${value}`
  }
  return `kafka ${topic} ${partition} ${offset} ${timestamp}`
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
