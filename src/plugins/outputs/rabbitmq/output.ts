/**
 * The rabbitmq output. Events count as delivered when the server has confirmed them (publisher confirms); what it has not
 * confirmed when the connection is lost is sent again, so that events may arrive twice and are not lost.
 */
import type { Event } from '../../../event/event.ts'
import { packageConcern } from '../../../plugin/concern.ts'
import { defineOutput, type OutputDefinition, option } from '../../../plugin/define.ts'
import { encodeOf } from '../../../plugin/encode-buffer.ts'
import { defaultMaxPause, exponentialBackOff, pause } from '../../delivery/pause.ts'
import { clientPackage } from '../../packages/peer-package.ts'
import { closeConnection, loadAmqp, packageName } from '../../rabbitmq/client.ts'
import { connectionOptions } from '../../rabbitmq/options.ts'
import { ConfirmedChannel, type Message } from './confirmed-channel.ts'
import { propertiesOf, unknownProperties } from './message-properties.ts'

const maxKeyBytes = 255

export function defineRabbitOutput(name: string, summary: string): OutputDefinition {
  return defineOutput({
    name,
    summary,
    description: [
      clientPackage(packageName),
      '',
      'Events count as delivered when the server has confirmed them. Those that it has not confirmed when the connection',
      'is lost, or that it refuses, are sent again: an event may arrive twice.',
    ].join('\n'),
    options: {
      ...connectionOptions,
      exchange: option.string({ required: true, doc: 'Exchange to send to.', aliases: ['name'] }),
      exchange_type: option.oneOf(
        ['fanout', 'direct', 'topic', 'x-consistent-hash', 'x-modulus-hash'] as const,
        {
          required: true,
          doc: 'Type of the exchange, which is declared.',
        },
      ),
      key: option.string({ default: 'logstash', doc: 'Routing key; may contain `%{…}`.' }),
      durable: option.boolean({
        default: true,
        doc: 'Whether the exchange survives a restart of the server.',
      }),
      persistent: option.boolean({
        default: true,
        doc: 'Whether the server keeps messages of durable queues on its disk.',
      }),
      message_properties: option.hash({
        default: new Map(),
        doc: 'Properties of each message, such as `content_type` or `priority`; values may contain `%{…}`.',
      }),
    },
    codec: 'json',
    concurrency: 'shared',
    concerns: (options) => [
      ...unknownProperties(options.message_properties).map((property) => ({
        option: 'message_properties',
        message: `RabbitMQ knows no message property "${property}"; it is left out.`,
      })),
      ...packageConcern('host', packageName),
    ],
    create({ options, codec, codecName, compile, abort, logger, giveUp }) {
      const encode = encodeOf(codec, codecName)
      const key = compile.template(options.key)
      const properties = propertiesOf(options.message_properties, options.persistent, compile.template)
      let channel: ConfirmedChannel | undefined
      let isClosed = false

      const messageOf = (event: Event): Message => {
        const encoded = encode(event)
        const routingKey = key(event)
        if (Buffer.byteLength(routingKey) > maxKeyBytes)
          throw new Error(`The routing key is longer than ${maxKeyBytes} bytes`)
        return {
          content: typeof encoded === 'string' ? Buffer.from(encoded) : Buffer.from(encoded),
          key: routingKey,
          properties: properties(event),
        }
      }

      const connect = async (): Promise<ConfirmedChannel> => {
        const opened = await ConfirmedChannel.open(options, logger)
        if (abort.aborted || isClosed) {
          await closeConnection(opened.connection)
          abort.throwIfAborted()
        }
        logger.info(`Connected to RabbitMQ`, { exchange: options.exchange })
        return opened
      }

      const deliver = async (messages: readonly Message[]): Promise<void> => {
        let rest = messages
        for (let attempt = 0; rest.length > 0; attempt++) {
          try {
            channel ??= await connect()
            const unconfirmed = await channel.publish(rest, abort)
            if (unconfirmed.length < rest.length) attempt = 0
            rest = unconfirmed
            if (rest.length === 0) return
            throw channel.problem ?? new Error('the server did not take all messages')
          } catch (error) {
            if (channel?.problem !== undefined) {
              const broken = channel
              channel = undefined
              await closeConnection(broken.connection, 500)
            }
            abort.throwIfAborted()
            const { message, name: exception } = error as Error
            logger.error('Error while publishing. Will retry.', { message, exception })
            const first = Math.max(10, options.connect_retry_interval * 1000)
            await pause(exponentialBackOff(attempt, first, Math.max(first, defaultMaxPause)), abort)
          }
        }
      }

      const onAbort = () => channel?.connection.connection?.stream?.destroy()
      abort.addEventListener('abort', onAbort, { once: true })

      return {
        async register() {
          await loadAmqp()
        },
        async receive(events) {
          const messages: Message[] = []
          for (const event of events) {
            try {
              messages.push(messageOf(event))
            } catch (error) {
              const { message, name: exception } = error as Error
              if (!giveUp(event, message))
                logger.error('An event cannot be sent to RabbitMQ and is dropped', { exception, message })
            }
          }
          await deliver(messages)
        },
        async close() {
          isClosed = true
          abort.removeEventListener('abort', onAbort)
          const closing = channel
          channel = undefined
          if (closing !== undefined) await closeConnection(closing.connection)
        },
      }
    },
  })
}
