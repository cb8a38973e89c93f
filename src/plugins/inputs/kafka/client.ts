/** The package `@platformatic/kafka` as far as the input uses it, and its settings made of the options. */
import { readFile } from 'node:fs/promises'
import type { ConnectionOptions } from 'node:tls'
import type { KafkaOptions } from './options.ts'

export interface KafkaMessage {
  readonly topic: string
  readonly partition: number
  readonly offset: bigint
  readonly timestamp: bigint
  readonly key: Buffer | null | undefined
  readonly value: Buffer | null | undefined
  readonly headers: ReadonlyMap<Buffer | string, Buffer | string>
  commit(): void | Promise<void>
}

export interface KafkaConsumer {
  consume(options: Record<string, unknown>): Promise<AsyncIterable<KafkaMessage>>
  close(force?: boolean): Promise<void>
}

interface KafkaPackage {
  readonly Consumer: new (options: Record<string, unknown>) => KafkaConsumer
}

export const packageName = '@platformatic/kafka'

export async function loadKafka(): Promise<KafkaPackage> {
  try {
    const loaded = (await import(packageName)) as KafkaPackage & { default?: KafkaPackage }
    return loaded.Consumer === undefined ? loaded.default! : loaded
  } catch (error) {
    if (!/MODULE_NOT_FOUND/.test(String((error as NodeJS.ErrnoException).code))) throw error
    throw new Error(
      `Kafka is read through the package \`${packageName}\`, which is not installed; install it beside millrace: npm install ${packageName}`,
    )
  }
}

export async function consumerSettings(
  options: KafkaOptions,
  number: number,
): Promise<Record<string, unknown>> {
  const { security_protocol: protocol, consumer_threads, group_instance_id } = options
  const own = (name: string) => (consumer_threads > 1 ? `${name}-${number}` : name)
  return {
    clientId: own(options.client_id),
    groupId: options.group_id,
    ...(group_instance_id !== undefined && { groupInstanceId: own(group_instance_id) }),
    autocreateTopics: options.auto_create_topics,
    bootstrapBrokers: options.bootstrap_servers.split(',').map((server) => server.trim()),
    sessionTimeout: options.session_timeout_ms,
    heartbeatInterval: options.heartbeat_interval_ms,
    autocommit: false,
    ...(protocol.endsWith('SSL') && { tls: await tlsOf(options) }),
    ...(protocol.startsWith('SASL') && { sasl: saslOf(options) }),
  }
}

async function tlsOf(options: KafkaOptions): Promise<ConnectionOptions> {
  const { ssl_truststore_location, ssl_keystore_location } = options
  const tls: ConnectionOptions = {}
  if (ssl_truststore_location !== undefined) {
    const trusted = await readFile(ssl_truststore_location)
    if (!trusted.includes('-----BEGIN')) {
      throw new Error(
        `The trust store ${ssl_truststore_location} is not in PEM format; export its certificates`,
      )
    }
    tls.ca = trusted
  }
  if (ssl_keystore_location !== undefined) {
    tls.pfx = await readFile(ssl_keystore_location)
    tls.passphrase = (options.ssl_keystore_password ?? options.ssl_key_password)?.value
  }
  if (options.ssl_endpoint_identification_algorithm === '') tls.checkServerIdentity = () => undefined
  return tls
}

export function saslOf({ sasl_mechanism, sasl_jaas_config }: KafkaOptions): Record<string, string> {
  if (!['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512'].includes(sasl_mechanism)) {
    throw new Error(
      `sasl_mechanism ${sasl_mechanism} is not supported: PLAIN, SCRAM-SHA-256 and SCRAM-SHA-512 are`,
    )
  }
  const line = sasl_jaas_config?.value ?? ''
  const [username, password] = ['username', 'password'].map((name) =>
    new Map([...line.matchAll(/(\w+)\s*=\s*["']([^"']*)["']/g)].map((m) => [m[1], m[2]])).get(name),
  )
  if (username === undefined || password === undefined) {
    throw new Error('sasl_jaas_config must hold username="…" and password="…"')
  }
  return { mechanism: sasl_mechanism, username, password }
}
