/**
 * The package `amqplib` as far as the rabbitmq plugins use it, and connections made of their options. Of several hosts one
 * is chosen at random for each connection, as Logstash does.
 */
import { readFile } from 'node:fs/promises'
import type { ConnectionOptions, SecureVersion } from 'node:tls'
import { loadPeer } from '../packages/peer-package.ts'
import type { ConnectionChoice } from './options.ts'

export const packageName = 'amqplib'

/** How long a connection may take to open where no limit is given. */
const connectMilliseconds = 60_000
const heartbeatSeconds = 60

export interface AmqpMessage {
  readonly content: Buffer
  readonly fields: Readonly<Record<string, unknown>> & { readonly deliveryTag: number }
  readonly properties: Readonly<Record<string, unknown>> & { readonly headers?: unknown }
}

export interface AmqpChannel {
  assertExchange(exchange: string, type: string, options: Record<string, unknown>): Promise<unknown>
  checkExchange(exchange: string): Promise<unknown>
  assertQueue(queue: string, options: Record<string, unknown>): Promise<{ readonly queue: string }>
  checkQueue(queue: string): Promise<{ readonly queue: string }>
  bindQueue(queue: string, exchange: string, pattern: string): Promise<unknown>
  prefetch(count: number): Promise<unknown>
  consume(
    queue: string,
    receive: (message: AmqpMessage | null) => void,
    options: Record<string, unknown>,
  ): Promise<{ readonly consumerTag: string }>
  cancel(consumerTag: string): Promise<unknown>
  ack(message: AmqpMessage, allUpTo?: boolean): void
  publish(
    exchange: string,
    key: string,
    content: Buffer,
    options: Record<string, unknown>,
    confirmed: (error: Error | null) => void,
  ): boolean
  close(): Promise<void>
  on(event: string, listener: (problem?: unknown) => void): unknown
  once(event: string, listener: (problem?: unknown) => void): unknown
  off(event: string, listener: (problem?: unknown) => void): unknown
}

export interface AmqpConnection {
  createChannel(): Promise<AmqpChannel>
  createConfirmChannel(): Promise<AmqpChannel>
  close(): Promise<void>
  on(event: string, listener: (problem?: unknown) => void): unknown
  /** The connection below the one for promises. */
  readonly connection?: { readonly stream?: { destroy(): void } }
}

interface AmqpPackage {
  connect(url: Record<string, unknown>, options: Record<string, unknown>): Promise<AmqpConnection>
}

export function loadAmqp(): Promise<AmqpPackage> {
  return loadPeer<AmqpPackage>(packageName, 'RabbitMQ is reached', { member: 'connect' })
}

export async function openConnection(options: ConnectionChoice): Promise<AmqpConnection> {
  const { connect } = await loadAmqp()
  const host = options.host[Math.floor(Math.random() * options.host.length)] ?? 'localhost'
  return connect(
    {
      protocol: options.ssl ? 'amqps' : 'amqp',
      hostname: host,
      port: options.port,
      username: options.user,
      password: options.password?.value ?? 'guest',
      vhost: encodeURIComponent(options.vhost),
      heartbeat: options.heartbeat ?? heartbeatSeconds,
    },
    {
      timeout: options.connection_timeout ?? connectMilliseconds,
      noDelay: true,
      keepAlive: true,
      ...(options.ssl && (await tlsOf(options))),
    },
  )
}

/** Ends a connection however far it has come: in order if the server answers in time, else by closing the socket. */
export async function closeConnection(connection: AmqpConnection, milliseconds = 2000): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds)
  })
  await Promise.race([connection.close().catch(() => undefined), late])
  clearTimeout(timer)
  connection.connection?.stream?.destroy()
}

const versions = ['TLSv1', 'TLSv1.1', 'TLSv1.2', 'TLSv1.3'] as const

/** Certificates of servers are checked only against what the given key store trusts; names are not, as in Java's client. */
async function tlsOf(options: ConnectionChoice): Promise<ConnectionOptions> {
  const oldest: SecureVersion | undefined = versions.find((version) => version === options.ssl_version)
  if (oldest === undefined) throw new Error(`Unknown ssl_version "${options.ssl_version}"`)
  const path = options.ssl_certificate_path
  if (path === undefined) return { rejectUnauthorized: false, minVersion: oldest }
  return {
    pfx: await readFile(path),
    ...(options.ssl_certificate_password !== undefined && { passphrase: options.ssl_certificate_password }),
    rejectUnauthorized: true,
    checkServerIdentity: () => undefined,
    minVersion: oldest,
  }
}
