/**
 * The kafka output: events as messages on topics. The client is the package `@platformatic/kafka`, which is not
 * installed along with this program; it is loaded when a pipeline starts.
 */
import * as zlib from 'node:zlib'
import type { Event } from '../../event/event.ts'
import { valueText } from '../../event/sprintf.ts'
import { packageConcern, startConcern } from '../../plugin/concern.ts'
import { defineOutput, option, withoutEffect } from '../../plugin/define.ts'
import { encodeOf } from '../../plugin/encode-buffer.ts'
import { exponentialBackOff, pause } from '../delivery/pause.ts'
import { eventNameHeader } from '../event-names/kafka-header.ts'
import { mintLastingIds } from '../event-names/minted-ids.ts'
import { brokersOption, kafkaClientOptions, requestOptions, unusedByClient } from '../kafka/client-options.ts'
import { loginOf, tlsOf } from '../kafka/security.ts'
import { kafkaSecurityOptions } from '../kafka/security-options.ts'
import { type KafkaRecord, KafkaSender, NotSent, type Partitioner } from './kafka/producer.ts'

const peer = '@platformatic/kafka'
const maxPause = 5000

interface Message extends KafkaRecord {
  /** Not sent: what is given up when no broker takes the message. */
  readonly event: Event
}

export default defineOutput({
  name: 'kafka',
  summary: 'Sends events to Apache Kafka.',
  description: [
    'Needs the package `@platformatic/kafka`, to be installed beside this program:',
    '`npm install @platformatic/kafka`; with Node.js 20 its version 1, `npm install @platformatic/kafka@1`.',
    '',
    'A batch is delivered when the brokers have answered as `acks` asks; what some of them did not take is sent again. With',
    '`acks => "all"` and topics of at least three replicas, two of them in sync, nothing is lost with a broker. An event',
    'that may be delivered twice, such as one from a persisted queue, has its name in the header `millrace-event`; the kafka',
    'input of another node goes by it, so that a store that is written there holds the event once.',
  ].join('\n'),
  options: {
    bootstrap_servers: brokersOption,
    topic_id: option.string({ required: true, doc: 'Topic; may contain `%{…}`.' }),
    message_key: option.string({ doc: 'Key of the messages; may contain `%{…}`.' }),
    message_headers: option.hash({ default: new Map(), doc: 'Headers; values may contain `%{…}`.' }),
    client_id: option.string({ doc: 'Name towards the brokers; `logstash` unless given.' }),
    acks: option.oneOf(['0', '1', 'all'], { default: '1', doc: 'Whose acknowledgement is waited for.' }),
    compression_type: option.oneOf(['none', 'gzip', 'snappy', 'lz4', 'zstd'], {
      default: 'none',
      doc: 'How messages are compressed; `zstd` needs Node.js 22.15 or newer.',
    }),
    retries: option.number({ doc: 'How often to try again; for ever unless given.' }),
    ...requestOptions,
    ...kafkaSecurityOptions,
    batch_size: option.number(withoutEffect('a batch is a request.', 16384)),
    linger_ms: option.number(withoutEffect('events never wait for others.', 5)),
    buffer_memory: option.number(
      withoutEffect('no more than the batches of the workers wait in memory.', 33554432),
    ),
    max_request_size: option.number(withoutEffect('the brokers say what is too large.', 1048576)),
    metadata_fetch_timeout_ms: option.number({ default: 60_000, doc: unusedByClient }),
    partitioner: option.string({
      doc:
        'How the partition of a message is chosen: `default` by its key, `round_robin` and `uniform_sticky` without regard ' +
        'to it. The name of a Java class means the default.',
    }),
    key_serializer: option.string({ doc: unusedByClient }),
    value_serializer: option.string({ doc: unusedByClient }),
    ...kafkaClientOptions,
  },
  codec: 'plain',
  concurrency: 'shared',
  concerns: (options) => [
    ...startConcern('sasl_mechanism', () => loginOf(options)),
    ...startConcern('partitioner', () => partitionerOf(options.partitioner)),
    ...packageConcern('bootstrap_servers', peer),
  ],
  create({ options, codec, codecName, compile, abort, logger, giveUp, pipelineId, id }) {
    const encode = encodeOf(codec, codecName)
    const topic = compile.template(options.topic_id)
    const key = options.message_key === undefined ? undefined : compile.template(options.message_key)
    const headers = [...options.message_headers].map(
      ([name, value]) => [Buffer.from(name), compile.template(valueText(value))] as const,
    )
    const acks = { '0': 0, '1': 1, all: -1 }[options.acks]
    const sending = { acks, compression: options.compression_type }
    const nameOf = mintLastingIds(pipelineId, id)
    const nameKey = Buffer.from(eventNameHeader)
    let sender: KafkaSender | undefined

    /** For ever, or as often as the options say; a batch no broker takes is divided until the message is found. */
    const deliver = async (messages: readonly Message[]): Promise<void> => {
      let left = messages
      for (let attempt = 0; ; attempt++) {
        try {
          await sender!.send(left, sending)
          return
        } catch (error) {
          abort.throwIfAborted()
          if (!(error instanceof NotSent)) throw error
          const { message, exception } = error
          left = error.records as readonly Message[]
          if (left.length === 0) return
          if (error.isRefusal) {
            const middle = left.length >> 1
            if (middle > 0) {
              await deliver(left.slice(0, middle))
              return deliver(left.slice(middle))
            }
            return refuse(left[0]!.event, exception, message)
          }
          if (options.retries !== undefined && attempt >= options.retries) {
            const text = 'Exhausted user-configured retry count when sending to Kafka. Dropping these events.'
            logger.error(text, { max_retries: options.retries, drop_count: left.length })
            for (const { event } of left) giveUp(event, `${text} ${message}`)
            return
          }
          logger.warn('KafkaProducer.send() failed', { exception, message })
          await pause(exponentialBackOff(attempt, Math.max(10, options.retry_backoff_ms), maxPause), abort)
        }
      }
    }

    /** Events that may be delivered again, even after a crash, tell their name to whoever reads them. */
    const headersOf = (event: Event): Map<Buffer, Buffer> | undefined => {
      const name = nameOf(event)
      if (name === undefined && headers.length === 0) return undefined
      const made = new Map(headers.map(([key, text]) => [key, Buffer.from(text(event))]))
      if (name !== undefined) made.set(nameKey, Buffer.from(name))
      return made
    }

    const refuse = (event: Event, exception: string, message: string): void => {
      if (!giveUp(event, message))
        logger.error('An event cannot be sent to Kafka and is dropped', { exception, message })
    }

    return {
      async register() {
        if (options.compression_type === 'zstd' && !('zstdCompressSync' in zlib)) {
          throw new Error('compression_type => "zstd" needs Node.js 22.15 or newer')
        }
        const settings = {
          clientId: options.client_id ?? 'logstash',
          bootstrapBrokers: options.bootstrap_servers.split(',').map((server) => server.trim()),
          requestTimeout: options.request_timeout_ms,
          // Brokers are to answer before their answer is waited for no longer.
          timeout: Math.round(options.request_timeout_ms * 0.75),
          autocreateTopics: true,
          metadataMaxAge: options.metadata_max_age_ms,
          ...(options.security_protocol.endsWith('SSL') && { tls: await tlsOf(options) }),
          ...loginOf(options),
        }
        sender = await KafkaSender.open(settings, partitionerOf(options.partitioner))
      },
      async receive(events) {
        if (events.length === 0) return
        const messageOf = (event: Event): Message => {
          const value = encode(event)
          const name = topic(event)
          const made = headersOf(event)
          if (!topicName.test(name)) throw new Error(`Invalid topic name: ${name.slice(0, 300)}`)
          return {
            event,
            topic: name,
            value: typeof value === 'string' ? Buffer.from(value) : Buffer.from(value),
            ...(key !== undefined && { key: Buffer.from(key(event)) }),
            ...(made !== undefined && { headers: made }),
          }
        }
        const messages: Message[] = []
        for (const event of events) {
          try {
            messages.push(messageOf(event))
          } catch (error) {
            refuse(event, (error as Error).name, (error as Error).message)
          }
        }
        if (messages.length === 0) return
        await deliver(messages)
      },
      async close() {
        const closing = sender
        sender = undefined
        await closing?.close()
      },
    }
  },
})

/** What brokers accept as the name of a topic. */
const topicName = /^(?!\.{1,2}$)[a-zA-Z0-9._-]{1,249}$/

/** The name of a class stands for one that nobody has here. */
function partitionerOf(name: string | undefined): Partitioner {
  if (name === 'round_robin' || name === 'uniform_sticky') return name
  if (name === undefined || name === 'default' || name.includes('.')) return 'default'
  throw new Error(`unsupported partitioner: ${JSON.stringify(name)}`)
}
