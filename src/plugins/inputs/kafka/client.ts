/** The package `@platformatic/kafka` as far as the input uses it, and its settings made of the options. */
import { loginOf, tlsOf } from '../../kafka/security.ts'
import type { Assignment } from './offset-commits.ts'
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
  /** The partitions of this consumer, once it has joined its group. */
  readonly assignments?: readonly Assignment[] | null
  on?(event: string, listener: () => void): unknown
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
    // The client holds that a member may be silent for no longer than the group waits for it.
    rebalanceTimeout: Math.max(options.max_poll_interval_ms, options.session_timeout_ms),
    retryDelay: options.retry_backoff_ms,
    metadataMaxAge: options.metadata_max_age_ms,
    minBytes: options.fetch_min_bytes,
    maxBytes: options.fetch_max_bytes,
    maxBytesPerPartition: options.max_partition_fetch_bytes,
    maxWaitTime: options.fetch_max_wait_ms,
    isolationLevel: options.isolation_level === 'read_committed' ? 1 : 0,
    highWaterMark: Math.max(1, options.max_poll_records),
    autocommit: false,
    ...(protocol.endsWith('SSL') && { tls: await tlsOf(options) }),
    ...loginOf(options),
  }
}
