/** What a message of RabbitMQ carries besides its payload, as fields under `@metadata`. */
import { utf8Text } from '../../../event/utf8-text.ts'
import { type Fields, isFields, putField, type Value } from '../../../event/value.ts'
import type { Origin } from '../../../plugin/define.ts'
import type { AmqpMessage } from '../../rabbitmq/client.ts'

export type MetadataLevel = 'none' | 'basic' | 'extended'

/** Name of the property in events, and in the package. */
const propertyNames = [
  ['app-id', 'appId'],
  ['cluster-id', 'clusterId'],
  ['consumer-tag', 'consumerTag'],
  ['content-encoding', 'contentEncoding'],
  ['content-type', 'contentType'],
  ['correlation-id', 'correlationId'],
  ['delivery-mode', 'deliveryMode'],
  ['exchange', 'exchange'],
  ['expiration', 'expiration'],
  ['message-id', 'messageId'],
  ['priority', 'priority'],
  ['redeliver', 'redelivered'],
  ['reply-to', 'replyTo'],
  ['routing-key', 'routingKey'],
  ['timestamp', 'timestamp'],
  ['type', 'type'],
  ['user-id', 'userId'],
] as const

const nothing: Origin = {}
const maxDepth = 50

export function originOf(message: AmqpMessage, level: MetadataLevel): Origin {
  if (level === 'none') return nothing
  const properties: Fields = {}
  for (const [name, own] of propertyNames) {
    const value = message.properties[own] ?? message.fields[own]
    // Ruby's nil and false are left out; an empty text, such as the name of the default exchange, is not.
    if (value !== undefined && value !== null && value !== false) putField(properties, name, fieldOf(value))
  }
  const overwrite: [string, Value][] = [
    ['[@metadata][rabbitmq_headers]', fieldOf(message.properties.headers ?? {})],
    ['[@metadata][rabbitmq_properties]', properties],
  ]
  if (level === 'extended') overwrite.push(['[@metadata][rabbitmq_payload]', utf8Text(message.content)])
  return { overwrite }
}

/** Tables hold texts, numbers, lists and tables; times and decimals come wrapped as `{ '!': kind, value }`. */
function fieldOf(value: unknown, depth = 0): Value {
  if (depth > maxDepth) return null
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint') return value
  if (typeof value === 'boolean') return value
  if (Buffer.isBuffer(value)) return utf8Text(value)
  if (Array.isArray(value)) return value.map((item) => fieldOf(item, depth + 1))
  if (!isFields(value)) return null
  const kind = Object.hasOwn(value, '!') ? value['!'] : undefined
  if (kind === 'timestamp') return fieldOf(value['value'], depth + 1)
  if (kind === 'decimal' && isFields(value['value'])) {
    const { digits, places } = value['value']
    return Number(digits) / 10 ** Number(places)
  }
  const fields: Fields = {}
  for (const name of Object.keys(value)) {
    if (kind !== undefined && name === '!') continue
    putField(fields, name, fieldOf(Object.getOwnPropertyDescriptor(value, name)?.value, depth + 1))
  }
  return fields
}
