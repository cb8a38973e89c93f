/**
 * The part of a RabbitMQ server that the plugins talk to, on a loopback port: one vhost, exchanges that send everything to
 * every queue bound to them, prefetch, acknowledgements, publisher confirms, redelivery when a connection is lost. Frames
 * are written and read by the codec of the package `amqplib`; the tables below are AMQP 0-9-1.
 */
import { createRequire } from 'node:module'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { dirname, join } from 'node:path'

type Fields = Record<string, unknown>

interface Definitions {
  readonly constants: Record<string, number>
  encodeMethod(id: number, channel: number, fields: Fields): Buffer
  encodeProperties(id: number, channel: number, size: number, fields: Fields): Buffer
  decode(id: number, payload: Buffer): Fields
  info(id: number): { readonly id: number; readonly name: string }
  readonly [name: string]: unknown
}

const require = createRequire(import.meta.url)
const library = join(dirname(require.resolve('amqplib')), 'lib')
const defs = require(join(library, 'defs.js')) as Definitions
const { makeBodyFrame } = require(join(library, 'frame.js')) as {
  makeBodyFrame(channel: number, payload: Buffer): Buffer
}

interface StoredMessage {
  readonly content: Buffer
  readonly properties: Fields
  readonly exchange: string
  readonly key: string
  redelivered: boolean
}

interface Declared {
  readonly method: string
  readonly fields: Fields
}

interface Consumer {
  readonly connection: Connection
  readonly channel: number
  readonly queue: string
}

export class TestBroker {
  readonly queues = new Map<string, StoredMessage[]>()
  readonly bindings: { exchange: string; queue: string; key: string }[] = []
  readonly declared: Declared[] = []
  readonly logins: string[] = []
  readonly connections = new Set<Connection>()
  readonly consumers = new Set<Consumer>()
  /** Messages taken and not confirmed while this is set. */
  holdsConfirms = false
  /** How many of the next messages are refused. */
  refusals = 0
  readonly #server: Server
  port = 0

  private constructor() {
    this.#server = createServer((socket) => {
      const connection = new Connection(this, socket)
      this.connections.add(connection)
      socket.on('close', () => {
        this.connections.delete(connection)
        connection.requeue()
        this.serve()
      })
    })
  }

  static async open(port = 0): Promise<TestBroker> {
    const broker = new TestBroker()
    await new Promise<void>((resolve) => broker.#server.listen(port, '127.0.0.1', resolve))
    broker.port = (broker.#server.address() as AddressInfo).port
    return broker
  }

  /** As a crash would. */
  dropConnections(): void {
    for (const { socket } of this.connections) socket.destroy()
  }

  async close(): Promise<void> {
    this.dropConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  put(queue: string, text: string, properties: Fields = {}): void {
    this.#queue(queue).push({
      content: Buffer.from(text),
      properties,
      exchange: '',
      key: queue,
      redelivered: false,
    })
    this.serve()
  }

  get unacknowledged(): number {
    return [...this.connections].reduce((sum, { unacknowledged }) => sum + unacknowledged.size, 0)
  }

  #queue(name: string): StoredMessage[] {
    let messages = this.queues.get(name)
    if (messages === undefined) this.queues.set(name, (messages = []))
    return messages
  }

  declareQueue(name: string): string {
    const named = name === '' ? `amq.gen-${this.queues.size}` : name
    this.#queue(named)
    return named
  }

  publish(message: StoredMessage): void {
    for (const { exchange, queue } of this.bindings) {
      if (exchange === message.exchange) this.#queue(queue).push(message)
    }
    this.serve()
  }

  serve(): void {
    for (const { connection, channel, queue } of this.consumers) {
      const messages = this.#queue(queue)
      while (messages.length > 0 && connection.unacknowledged.size < connection.prefetch) {
        connection.deliver(channel, messages.shift()!, queue)
      }
    }
  }
}

const frameMethod = 1
const frameHeader = 2
const frameBody = 3

class Connection {
  readonly socket: Socket
  readonly unacknowledged = new Map<number, { message: StoredMessage; queue: string }>()
  prefetch = Number.POSITIVE_INFINITY
  readonly #broker: TestBroker
  #input = Buffer.alloc(0)
  #tag = 0
  #published = 0
  #confirms = false
  #incoming: { fields: Fields; properties: Fields; size: number; parts: Buffer[] } | undefined

  constructor(broker: TestBroker, socket: Socket) {
    this.#broker = broker
    this.socket = socket
    socket.on('error', () => undefined)
    socket.on('data', (bytes) => {
      this.#input = Buffer.concat([this.#input, bytes])
      this.#read()
    })
  }

  #read(): void {
    if (this.#input.subarray(0, 4).toString('latin1') === 'AMQP') {
      if (this.#input.length < 8) return
      this.#input = this.#input.subarray(8)
      this.#send(0, 'ConnectionStart', {
        versionMajor: 0,
        versionMinor: 9,
        serverProperties: {},
        mechanisms: Buffer.from('PLAIN'),
        locales: Buffer.from('en_US'),
      })
    }
    while (this.#input.length >= 7) {
      const type = this.#input[0]!
      const channel = this.#input.readUInt16BE(1)
      const size = this.#input.readUInt32BE(3)
      if (this.#input.length < size + 8) return
      const payload = this.#input.subarray(7, 7 + size)
      this.#input = this.#input.subarray(size + 8)
      if (type === frameMethod) {
        const { name, id } = defs.info(payload.readUInt32BE(0))
        this.#method(channel, name, defs.decode(id, payload.subarray(4)))
      } else if (type === frameHeader) {
        this.#incoming!.size = Number(payload.readBigUInt64BE(4))
        this.#incoming!.properties = defs.decode(payload.readUInt16BE(0), payload.subarray(12))
        if (this.#incoming!.size === 0) this.#complete(channel)
      } else if (type === frameBody) {
        this.#incoming!.parts.push(Buffer.from(payload))
        if (this.#incoming!.parts.reduce((sum, part) => sum + part.length, 0) >= this.#incoming!.size)
          this.#complete(channel)
      }
    }
  }

  #send(channel: number, name: string, fields: Fields): void {
    if (!this.socket.destroyed) this.socket.write(defs.encodeMethod(defs[name] as number, channel, fields))
  }

  #method(channel: number, name: string, fields: Fields): void {
    const broker = this.#broker
    if (/Declare|Bind|Qos|Consume$/.test(name)) broker.declared.push({ method: name, fields })
    switch (name) {
      case 'ConnectionStartOk':
        broker.logins.push(String(fields['response']).replaceAll('\0', ' ').trim())
        return this.#send(0, 'ConnectionTune', { channelMax: 0, frameMax: 131_072, heartbeat: 60 })
      case 'ConnectionOpen':
        broker.declared.push({ method: name, fields })
        return this.#send(0, 'ConnectionOpenOk', {})
      case 'ConnectionClose':
        return this.#send(0, 'ConnectionCloseOk', {})
      case 'ChannelOpen':
        return this.#send(channel, 'ChannelOpenOk', {})
      case 'ChannelClose':
        return this.#send(channel, 'ChannelCloseOk', {})
      case 'ConfirmSelect':
        this.#confirms = true
        return this.#send(channel, 'ConfirmSelectOk', {})
      case 'ExchangeDeclare':
        return this.#send(channel, 'ExchangeDeclareOk', {})
      case 'QueueDeclare':
        return this.#send(channel, 'QueueDeclareOk', {
          queue: broker.declareQueue(String(fields['queue'])),
          messageCount: 0,
          consumerCount: 0,
        })
      case 'QueueBind':
        broker.bindings.push({
          exchange: String(fields['exchange']),
          queue: String(fields['queue']),
          key: String(fields['routingKey']),
        })
        return this.#send(channel, 'QueueBindOk', {})
      case 'BasicQos':
        this.prefetch = Number(fields['prefetchCount'])
        return this.#send(channel, 'BasicQosOk', {})
      case 'BasicConsume':
        this.#send(channel, 'BasicConsumeOk', { consumerTag: 'consumer' })
        broker.consumers.add({ connection: this, channel, queue: String(fields['queue']) })
        return broker.serve()
      case 'BasicCancel':
        this.#endConsumers()
        return this.#send(channel, 'BasicCancelOk', { consumerTag: 'consumer' })
      case 'BasicAck':
        this.#acknowledge(Number(fields['deliveryTag']), Boolean(fields['multiple']))
        return broker.serve()
      case 'BasicPublish':
        this.#incoming = { fields, properties: {}, size: 0, parts: [] }
        return
      default:
    }
  }

  #acknowledge(tag: number, multiple: boolean): void {
    for (const known of [...this.unacknowledged.keys()]) {
      if (known === tag || (multiple && known < tag)) this.unacknowledged.delete(known)
    }
  }

  #complete(channel: number): void {
    const { fields, properties, parts } = this.#incoming!
    this.#incoming = undefined
    this.#published += 1
    if (this.#broker.refusals > 0) {
      this.#broker.refusals -= 1
      return this.#send(channel, 'BasicNack', { deliveryTag: this.#published })
    }
    this.#broker.publish({
      content: Buffer.concat(parts),
      properties,
      exchange: String(fields['exchange']),
      key: String(fields['routingKey']),
      redelivered: false,
    })
    if (this.#confirms && !this.#broker.holdsConfirms)
      this.#send(channel, 'BasicAck', { deliveryTag: this.#published })
  }

  deliver(channel: number, message: StoredMessage, queue: string): void {
    this.#tag += 1
    this.unacknowledged.set(this.#tag, { message, queue })
    const { exchange, key, redelivered, content, properties } = message
    this.#send(channel, 'BasicDeliver', {
      consumerTag: 'consumer',
      deliveryTag: this.#tag,
      redelivered,
      exchange,
      routingKey: key,
    })
    const header = defs['BasicProperties'] as number
    this.socket.write(defs.encodeProperties(header, channel, content.length, properties))
    if (content.length > 0) this.socket.write(makeBodyFrame(channel, content))
  }

  #endConsumers(): void {
    for (const consumer of this.#broker.consumers) {
      if (consumer.connection === this) this.#broker.consumers.delete(consumer)
    }
  }

  requeue(): void {
    this.#endConsumers()
    const back = [...this.unacknowledged.values()].reverse()
    this.unacknowledged.clear()
    for (const { message, queue } of back) {
      message.redelivered = true
      this.#broker.queues.get(queue)?.unshift(message)
    }
  }
}
