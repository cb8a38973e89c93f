/**
 * A channel on which the server confirms every message. A batch is written as fast as the socket takes it; the confirms
 * come in any order, and what has none when the channel is lost is given back.
 */
import type { PluginLogger } from '../../../plugin/define.ts'
import {
  type AmqpChannel,
  type AmqpConnection,
  closeConnection,
  openConnection,
} from '../../rabbitmq/client.ts'
import type { ConnectionChoice } from '../../rabbitmq/options.ts'

export interface Message {
  readonly content: Buffer
  readonly key: string
  readonly properties: Record<string, unknown>
}

interface ExchangeChoice extends ConnectionChoice {
  readonly exchange: string
  readonly exchange_type: string
  readonly durable: boolean
  readonly passive: boolean
}

export class ConfirmedChannel {
  readonly connection: AmqpConnection
  readonly #channel: AmqpChannel
  readonly #exchange: string
  /** Why the channel is of no use any more. */
  problem: Error | undefined
  #lost: (() => void)[] = []

  private constructor(connection: AmqpConnection, channel: AmqpChannel, exchange: string) {
    this.connection = connection
    this.#channel = channel
    this.#exchange = exchange
  }

  static async open(options: ExchangeChoice, logger: PluginLogger): Promise<ConfirmedChannel> {
    const connection = await openConnection(options)
    connection.on('blocked', () => logger.warn('RabbitMQ output blocked! Check your RabbitMQ instance!'))
    connection.on('unblocked', () => logger.warn('RabbitMQ output unblocked!'))
    let opened: ConfirmedChannel | undefined
    let early: Error | undefined
    const fail = (problem: unknown) => {
      const error = problem instanceof Error ? problem : new Error('the connection was closed')
      if (opened === undefined) early ??= error
      else opened.#fail(error)
    }
    for (const event of ['error', 'close']) connection.on(event, fail)
    try {
      const channel = await connection.createConfirmChannel()
      for (const event of ['error', 'close']) channel.on(event, fail)
      // The default exchange, which has no name, cannot be declared.
      if (options.exchange !== '') {
        if (options.passive) await channel.checkExchange(options.exchange)
        else
          await channel.assertExchange(options.exchange, options.exchange_type, { durable: options.durable })
      }
      opened = new ConfirmedChannel(connection, channel, options.exchange)
      if (early !== undefined) throw early
      return opened
    } catch (error) {
      await closeConnection(connection, 500)
      throw error
    }
  }

  #fail(error: Error): void {
    this.problem ??= error
    for (const wake of this.#lost.splice(0)) wake()
  }

  /** Resolves with the messages that were not confirmed: all others are safe with the server. */
  async publish(messages: readonly Message[], abort: AbortSignal): Promise<Message[]> {
    const open = new Set<Message>(messages)
    let settle: () => void = () => {}
    let pending = 0
    const settled = new Promise<void>((resolve) => {
      settle = resolve
    })
    this.#lost.push(settle)
    abort.addEventListener('abort', settle, { once: true })
    try {
      let written = 0
      for (const message of messages) {
        if (this.problem !== undefined || abort.aborted) break
        pending += 1
        const hasRoom = this.#channel.publish(
          this.#exchange,
          message.key,
          message.content,
          message.properties,
          (error) => {
            if (error === null || error === undefined) open.delete(message)
            pending -= 1
            if (pending === 0 && written === messages.length) settle()
          },
        )
        written += 1
        if (!hasRoom && written < messages.length) await this.#drained(settled)
      }
      if (pending > 0 && this.problem === undefined && !abort.aborted) await settled
    } catch (error) {
      this.#fail(error as Error)
    } finally {
      abort.removeEventListener('abort', settle)
      this.#lost = this.#lost.filter((wake) => wake !== settle)
    }
    return messages.filter((message) => open.has(message))
  }

  /** Resolves when the socket takes more, or the channel is lost. */
  async #drained(lost: Promise<void>): Promise<void> {
    let drained: () => void = () => {}
    const drain = new Promise<void>((resolve) => {
      drained = () => resolve()
    })
    this.#channel.once('drain', drained)
    await Promise.race([drain, lost])
    this.#channel.off('drain', drained)
  }
}
