/** The options that the rabbitmq input and output share: how to connect, and tables of arguments. */
import { isFields, type Value } from '../../event/value.ts'
import { option, type Password } from '../../plugin/define.ts'
import { textOf } from '../../plugin/raw-text.ts'

export const connectionOptions = {
  host: option.list(option.string({ doc: 'A host.' }), {
    required: true,
    doc: 'Addresses of RabbitMQ servers; one of them, chosen at random, is used at a time.',
  }),
  port: option.number({ default: 5672, doc: 'Port of the servers.' }),
  user: option.string({ default: 'guest', doc: 'Name to log in with.' }),
  password: option.password({ doc: 'Password to log in with; `guest` unless given.' }),
  vhost: option.string({ default: '/', doc: 'Virtual host to use.' }),
  ssl: option.boolean({
    doc: 'Whether to encrypt the connection; the server is not verified unless `ssl_certificate_path` is given.',
  }),
  ssl_version: option.string({ default: 'TLSv1.2', doc: 'Oldest version of TLS to use.' }),
  ssl_certificate_path: option.path({
    doc: 'Key store in PKCS#12 format: own certificate and key, and the authorities that vouch for the server.',
  }),
  ssl_certificate_password: option.string({ doc: 'Password of that key store.' }),
  automatic_recovery: option.boolean({
    default: true,
    doc: 'Whether a lost connection is opened again at once; otherwise the plugin ends and is started again by its pipeline.',
  }),
  connect_retry_interval: option.number({
    default: 1,
    doc: 'Seconds to wait before a connection is tried again.',
  }),
  connection_timeout: option.number({
    doc: 'Milliseconds a connection may take to open; a minute unless given.',
  }),
  heartbeat: option.number({ doc: 'Seconds between two signs of life; 60 unless given, 0 for none.' }),
  passive: option.boolean({
    default: false,
    doc: 'Whether only to check that the queue, or the exchange of an output, exists, instead of declaring it.',
  }),
  arguments: option.any({
    doc: 'Arguments of the queue, such as `{ "x-queue-type" => "quorum" }`; an output has no queue and ignores them.',
  }),
  verify_ssl: option.boolean({
    doc: 'No longer has a meaning.',
    removed: 'Use `ssl_certificate_path` instead.',
  }),
  debug: option.boolean({ doc: 'No longer has a meaning.', removed: 'Use the flag `--log.level` instead.' }),
  frame_max: option.number({ doc: 'No longer has a meaning.', removed: 'It has no effect.' }),
}

export interface ConnectionChoice {
  readonly host: readonly string[]
  readonly port: number
  readonly user: string
  readonly password: Password | undefined
  readonly vhost: string
  readonly ssl: boolean | undefined
  readonly ssl_version: string
  readonly ssl_certificate_path: string | undefined
  readonly ssl_certificate_password: string | undefined
  readonly connection_timeout: number | undefined
  readonly heartbeat: number | undefined
}

/** A table of arguments as configurations write it: a hash, pairs, or a flat list of names and values. */
export function argumentTable(given: Value | undefined): Record<string, unknown> {
  const table: Record<string, unknown> = Object.create(null)
  if (given === undefined || given === null) return table
  const items = Array.isArray(given) ? given : [given]
  const isFlat = items.every((item) => !isFields(item) && !Array.isArray(item))
  if (isFlat && items.length % 2 !== 0) throw new Error('`arguments` must have a value for each name')
  for (let i = 0; i < items.length; i++) {
    const item = items[i]!
    if (isFields(item)) for (const [name, value] of Object.entries(item)) table[name] = value
    else if (Array.isArray(item)) table[textOf(item[0] ?? '')] = item[1]
    else table[textOf(item)] = items[++i]
  }
  return table
}
