/**
 * The rabbitmq input. A message is acknowledged when its events are safe, so that whatever was not goes back to the queue
 * when the connection ends; the server sends at most `prefetch_count` messages ahead of that.
 */
import { packageConcern, startConcern } from '../../../plugin/concern.ts'
import { defineInput, type InputDefinition, type Sink } from '../../../plugin/define.ts'
import { clientPackage } from '../../packages/peer-package.ts'
import { AckWindow } from '../../rabbitmq/ack-window.ts'
import {
  type AmqpChannel,
  type AmqpConnection,
  type AmqpMessage,
  closeConnection,
  loadAmqp,
  openConnection,
  packageName,
} from '../../rabbitmq/client.ts'
import { argumentTable } from '../../rabbitmq/options.ts'
import { graceMilliseconds } from '../../receiving/arrivals.ts'
import { orAborted, Stop } from '../../receiving/stop.ts'
import { type MetadataLevel, originOf } from './message-facts.ts'
import { type RabbitOptions, rabbitOptions } from './options.ts'

const maxBodyBytes = 64 * 1024 * 1024
/** Waits between two tries double up to this. */
const maxRetryMilliseconds = 30_000

export function defineRabbitInput(name: string, summary: string): InputDefinition {
  return defineInput({
    name,
    summary,
    description: [
      clientPackage(packageName),
      '',
      'With `ack`, which is the default, a message is acknowledged when its events are safe: on stable storage where the',
      'queue of the pipeline is persisted, delivered by the outputs where it is in memory. Messages that were not safe',
      'when the connection ended are sent again by the server, and may arrive twice. Without `ack` a message is',
      'acknowledged when the queue of the pipeline has it.',
    ].join('\n'),
    codec: 'json',
    originLast: true,
    options: rabbitOptions,
    concerns: (options) => [
      ...startConcern('arguments', () => argumentTable(options.arguments)),
      ...packageConcern('host', packageName),
    ],
    create({ options, logger, abort }) {
      const stop = new Stop()
      const connections = new Set<AmqpConnection>()
      const queueArguments = argumentTable(options.arguments)
      const level = levelOf(options.metadata_enabled)
      const prefetch = Math.min(65_535, Math.max(1, Math.trunc(options.prefetch_count)))
      const maxBodyLength = options.max_inbound_message_body_size ?? maxBodyBytes

      const declare = async (channel: AmqpChannel): Promise<string> => {
        const { durable, auto_delete, exclusive, exchange, exchange_type } = options
        const { queue } = options.passive
          ? await channel.checkQueue(options.queue)
          : await channel.assertQueue(options.queue, {
              durable,
              autoDelete: auto_delete,
              exclusive,
              arguments: queueArguments,
            })
        if (exchange !== undefined) {
          if (exchange_type !== undefined) {
            logger.info(`Declaring exchange '${exchange}' with type ${exchange_type}`)
            await channel.assertExchange(exchange, exchange_type, { durable })
          }
          await channel.bindQueue(queue, exchange, options.key)
        }
        await channel.prefetch(prefetch)
        return queue
      }

      /** Hands messages over in their order until the connection is lost or the input has to stop. */
      const consume = async (sink: Sink, connected: () => void): Promise<void> => {
        const connection = await openConnection(options)
        connections.add(connection)
        const lost = new Promise<never>((_, reject) => {
          const fail = (problem: unknown) => reject(problem ?? new Error('the connection was closed'))
          connection.on('error', fail)
          connection.on('close', fail)
        })
        lost.catch(() => undefined)
        let window: AckWindow<AmqpMessage> | undefined
        try {
          const channel = await Promise.race([connection.createChannel(), lost])
          window = new AckWindow((message, allUpTo) => {
            try {
              channel.ack(message, allUpTo)
            } catch {
              // The channel is gone: the server sends the message again.
            }
          })
          const over = new Promise<never>((_, reject) => {
            const fail = (problem: unknown) => reject(problem ?? new Error('the channel was closed'))
            channel.on('error', fail)
            channel.on('close', fail)
            lost.catch(reject)
          })
          over.catch(() => undefined)
          const queue = await Promise.race([declare(channel), over])
          connected()
          const receiver = new Receiver(sink, window, {
            stop,
            level,
            maxBodyLength,
            ack: options.ack,
            logger,
          })
          const { consumerTag } = await Promise.race([
            channel.consume(queue, (message) => receiver.receive(message), { noAck: false }),
            over,
          ])
          logger.info(`Connected to RabbitMQ`, { queue })
          await stop.during(Promise.race([receiver.ended, over]))
          // The server sends no more; what it has sent and was not handed over goes back to the queue.
          await Promise.race([channel.cancel(consumerTag).catch(() => undefined), over]).catch(
            () => undefined,
          )
          await orAborted(window.settled(), abort, graceMilliseconds)
          window.flush()
        } finally {
          window?.close()
          connections.delete(connection)
          await closeConnection(connection)
        }
      }

      const consumeAlways = async (sink: Sink): Promise<void> => {
        let wait = Math.max(10, options.connect_retry_interval * 1000)
        while (!stop.isRequested) {
          let wasConnected = false
          try {
            await consume(sink, () => {
              wasConnected = true
            })
          } catch (error) {
            if (stop.isRequested) return
            const { message, name: exception } = error as Error
            const text = wasConnected
              ? 'RabbitMQ connection was lost, will retry.'
              : 'RabbitMQ connection error, will retry.'
            logger.error(text, { message, exception })
            if (!options.automatic_recovery && wasConnected) throw error
            const isSubscription = /Operation failed|NOT_FOUND|PRECONDITION|RESOURCE_LOCKED|cancelled/.test(
              message,
            )
            if (wasConnected) wait = Math.max(10, options.connect_retry_interval * 1000)
            await stop.sleep(
              isSubscription ? Math.max(10, options.subscription_retry_interval_seconds * 1000) : wait,
            )
            wait = Math.min(Math.max(wait, maxRetryMilliseconds), wait * 2)
          }
        }
      }

      return {
        async register() {
          await loadAmqp()
          const old = options.metadata_enabled
          if (old === 'true' || old === 'false')
            logger.warn(
              `Deprecated value \`${old}\` for \`metadata_enabled\` option; use \`${level}\` instead.`,
            )
        },
        async run(sink) {
          const threads = Math.max(1, options.threads)
          await Promise.all(Array.from({ length: threads }, () => consumeAlways(sink)))
        },
        stop() {
          stop.request()
        },
        async close() {
          for (const connection of connections) await closeConnection(connection, 500)
        },
      }
    },
  })
}

interface ReceiverSettings {
  readonly stop: Stop
  readonly level: MetadataLevel
  readonly maxBodyLength: number
  readonly ack: boolean
  readonly logger: { error(message: string, fields?: Record<string, unknown>): void }
}

/** Messages between the channel and the pipeline: at most `prefetch_count`, because the server waits for acknowledgements. */
class Receiver {
  /** Rejects when the server takes the queue away, or the pipeline does not take messages. */
  readonly ended: Promise<never>
  readonly #sink: Sink
  readonly #window: AckWindow<AmqpMessage>
  readonly #settings: ReceiverSettings
  readonly #waiting: AmqpMessage[] = []
  #isBusy = false
  #fail: (error: Error) => void = () => {}

  constructor(sink: Sink, window: AckWindow<AmqpMessage>, settings: ReceiverSettings) {
    this.#sink = sink
    this.#window = window
    this.#settings = settings
    this.ended = new Promise((_, reject) => {
      this.#fail = reject
    })
    this.ended.catch(() => undefined)
  }

  receive(message: AmqpMessage | null): void {
    if (message === null) return this.#fail(new Error('the consumer was cancelled by the server'))
    if (this.#settings.stop.isRequested) return
    this.#waiting.push(message)
    if (!this.#isBusy) void this.#drain()
  }

  async #drain(): Promise<void> {
    const { stop } = this.#settings
    this.#isBusy = true
    try {
      for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
        if (stop.isRequested) return
        await this.#handOver(next)
      }
    } catch (error) {
      this.#fail(error as Error)
    } finally {
      this.#isBusy = false
    }
  }

  async #handOver(message: AmqpMessage): Promise<void> {
    const { stop, level, maxBodyLength, ack, logger } = this.#settings
    const { length } = message.content
    if (length > maxBodyLength) {
      logger.error('A message is longer than max_inbound_message_body_size and stays on the server', {
        length,
      })
      this.#window.leave(message)
      return
    }
    const done = this.#window.track(message)
    const accepted = this.#sink.record(message.content, originOf(message, level), ack ? { done } : {})
    if (accepted !== undefined) await stop.during(accepted)
    if (!ack && !stop.isRequested) done()
  }
}

function levelOf(given: RabbitOptions['metadata_enabled']): MetadataLevel {
  if (given === 'true') return 'basic'
  return given === 'false' ? 'none' : given
}
