/** The options of the rabbitmq input. */
import { type OptionValues, option } from '../../../plugin/define.ts'
import { connectionOptions } from '../../rabbitmq/options.ts'

export const rabbitOptions = {
  ...connectionOptions,
  queue: option.string({
    default: '',
    doc: 'Queue to read; empty for one that the server names and that goes with the connection.',
    aliases: ['name'],
  }),
  durable: option.boolean({
    default: false,
    doc: 'Whether queue and exchange survive a restart of the server; must be as they were declared.',
  }),
  auto_delete: option.boolean({
    default: false,
    doc: 'Whether the queue goes when its last reader does.',
  }),
  exclusive: option.boolean({
    default: false,
    doc: 'Whether the queue belongs to this connection and goes with it.',
  }),
  exchange: option.string({ doc: 'Exchange to bind the queue to.' }),
  exchange_type: option.string({
    doc: 'Type of the exchange; if given, the exchange is declared in case it does not exist.',
  }),
  key: option.string({ default: 'logstash', doc: 'Routing key of the binding.' }),
  ack: option.boolean({
    default: true,
    doc: 'Whether messages stay on the server until their events are safe; otherwise until the queue of the pipeline has them.',
  }),
  prefetch_count: option.number({
    default: 256,
    doc: 'How many messages the server sends before the first of them is acknowledged.',
  }),
  threads: option.number({ default: 1, doc: 'How many connections read the queue.' }),
  metadata_enabled: option.oneOf(['none', 'basic', 'extended', 'false', 'true'] as const, {
    default: 'none',
    doc: 'Facts to add to the metadata: `none`, `basic` for headers and properties of the message, `extended` for the payload too.',
  }),
  max_inbound_message_body_size: option.number({
    doc: 'Longest message in bytes, 64 MiB unless given; longer ones stay on the server.',
  }),
  subscription_retry_interval_seconds: option.number({
    default: 5,
    doc: 'Seconds to wait when the queue cannot be read before it is tried again.',
  }),
  queue_name: option.string({ doc: 'Old name of `queue`.', removed: 'Use `queue` instead.' }),
}

export type RabbitOptions = OptionValues<typeof rabbitOptions>
