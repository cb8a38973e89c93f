/** The package `@platformatic/kafka` as far as the input uses it, and its settings made of the options. */
import { loginOf, tlsOf } from '../../kafka/security.ts'
import { loadPeer } from '../../packages/peer-package.ts'
import type { Assignment, CommittedOffset } from './offset-commits.ts'
import type { KafkaOptions } from './options.ts'

export interface KafkaMessage {
  readonly topic: string
  readonly partition: number
  readonly offset: bigint
  readonly timestamp: bigint
  readonly key: Buffer | null | undefined
  readonly value: Buffer | null | undefined
  readonly headers: ReadonlyMap<Buffer | string, Buffer | string>
}

/** A readable stream of messages in object mode. */
export interface KafkaStream {
  read(): KafkaMessage | null
  on(event: string, listener: (error?: Error) => void): unknown
  destroy(): unknown
  /** Where it reads next, by `topic:partition`; known when it has told so by the event `offsets`. */
  readonly offsetsToFetch?: ReadonlyMap<string, bigint>
  /** Connections to the brokers it fetches from, by `host:port`. */
  readonly connections?: Iterable<[string, { readonly socket?: { readonly bytesRead: number } | undefined }]>
}

export interface KafkaConsumer {
  /** Set before it joins: it is that member of the group again, not a new one. */
  memberId: string | null
  readonly generationId: number
  /** The partitions of this consumer, once it has joined its group. */
  readonly assignments?: readonly Assignment[] | null
  readonly currentMetadata?: KafkaMetadata | undefined
  consume(options: Record<string, unknown>): Promise<KafkaStream>
  commit(options: { offsets: readonly (CommittedOffset & { leaderEpoch: number })[] }): Promise<void>
  /** Fetches from one broker, for a stream. */
  fetch(options: { node: number }, callback: FetchCallback): unknown
  clearMetadata(): void
  leaveGroup(force?: boolean): Promise<void>
  close(force?: boolean): Promise<void>
  on(event: string, listener: (payload: { error?: Error } & Error) => void): unknown
}

type FetchCallback = (error: Error | null, response?: unknown) => void

interface KafkaMetadata {
  readonly brokers: ReadonlyMap<number, { readonly host: string; readonly port: number }>
}

type ApiCallback = (error: Error | null, api?: unknown) => void

export interface KafkaPackage {
  readonly Consumer: new (options: Record<string, unknown>) => KafkaConsumer
  /** The name of the method by which the consumer looks up a request of the protocol before it sends one. */
  readonly kGetApi?: symbol
}

/** What is told about a consumer that the package has no events for. */
export interface ConsumerWatch {
  /** It is about to ask for its place in the group; it does when this has settled. */
  beforeJoin(): Promise<void>
  fetchBegins(node: number): void
  fetchEnds(node: number): void
}

/** The package's consumer, which tells its watch what it does. */
export function watchedConsumer(
  { Consumer, kGetApi }: KafkaPackage,
  settings: Record<string, unknown>,
  watch: ConsumerWatch,
): KafkaConsumer {
  const consumer = new Consumer(settings)
  const fetch = consumer.fetch?.bind(consumer)
  consumer.fetch = (options, callback) => {
    watch.fetchBegins(options.node)
    return fetch(options, (error, response) => {
      watch.fetchEnds(options.node)
      callback(error, response)
    })
  }
  if (kGetApi === undefined) return consumer
  const methods = consumer as unknown as Record<symbol, (name: string, callback: ApiCallback) => void>
  const find = methods[kGetApi]!.bind(consumer)
  methods[kGetApi] = (name, callback) => {
    if (name !== 'JoinGroup') return find(name, callback)
    void watch.beforeJoin().finally(() => find(name, callback))
  }
  return consumer
}

/**
 * The package unpacks a whole answer before it gives out the first record: a megabyte of compressed lines of a log is
 * ten in memory. A broker sends at least one batch whatever is asked for.
 */
const maxFetchBytes = 8 * 1024 * 1024
const maxPartitionBytes = 256 * 1024

export const packageName = '@platformatic/kafka'

export function loadKafka(): Promise<KafkaPackage> {
  return loadPeer<KafkaPackage>(packageName, 'Kafka is read', { member: 'Consumer' })
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
    bootstrapBrokers: inAnyOrder(options.bootstrap_servers.split(',').map((server) => server.trim())),
    // A request that fails is not repeated by the package, which keeps asking the same broker, but by the member.
    retries: 0,
    requestTimeout: options.request_timeout_ms,
    sessionTimeout: options.session_timeout_ms,
    heartbeatInterval: options.heartbeat_interval_ms,
    // The client holds that a member may be silent for no longer than the group waits for it.
    rebalanceTimeout: Math.max(options.max_poll_interval_ms, options.session_timeout_ms),
    retryDelay: options.retry_backoff_ms,
    metadataMaxAge: options.metadata_max_age_ms,
    minBytes: options.fetch_min_bytes,
    maxBytes: Math.min(options.fetch_max_bytes, maxFetchBytes),
    maxBytesPerPartition: Math.min(options.max_partition_fetch_bytes, maxPartitionBytes),
    maxWaitTime: options.fetch_max_wait_ms,
    isolationLevel: options.isolation_level === 'read_committed' ? 1 : 0,
    highWaterMark: Math.max(1, options.max_poll_records),
    autocommit: false,
    ...(protocol.endsWith('SSL') && { tls: await tlsOf(options) }),
    ...loginOf(options),
  }
}

/** The package asks the first one that takes a connection, which a broker that hangs does. */
function inAnyOrder(servers: readonly string[]): string[] {
  const left = [...servers]
  const order: string[] = []
  while (left.length > 0) order.push(...left.splice(Math.floor(Math.random() * left.length), 1))
  return order
}
