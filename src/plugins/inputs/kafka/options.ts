/** The options of the kafka input. */
import { type OptionValues, option } from '../../../plugin/define.ts'
import {
  brokersOption,
  kafkaClientOptions,
  requestOptions,
  unusedByClient,
} from '../../kafka/client-options.ts'
import { kafkaSecurityOptions } from '../../kafka/security-options.ts'

const text = () => option.string({ doc: unusedByClient })
const registry = 'Accepted for compatibility; a schema registry is not supported.'

export const kafkaOptions = {
  bootstrap_servers: brokersOption,
  topics: option.array({ default: ['logstash'], doc: 'Topics to read.', aliases: ['topic_id'] }),
  topics_pattern: option.string({ doc: 'Patterns of topics are not supported; name the topics.' }),
  group_id: option.string({ default: 'logstash', doc: 'Group of consumers that share the topics.' }),
  group_instance_id: option.string({ doc: 'Name of this consumer in its group, for static membership.' }),
  client_id: option.string({ default: 'logstash', doc: 'Name of this client in the logs of the brokers.' }),
  consumer_threads: option.number({ default: 1, doc: 'How many consumers to run.' }),
  auto_offset_reset: option.string({
    doc: 'Where to begin without a committed offset: `earliest` or `latest`; `latest` unless given.',
  }),
  decorate_events: option.string({
    default: 'none',
    doc: 'Facts to add to the metadata: `none`, `basic`, or `extended` with the headers of the record.',
  }),
  enable_auto_commit: option.boolean({
    default: true,
    doc: 'Whether to commit offsets in intervals; otherwise as soon as records are safe.',
  }),
  auto_commit_interval_ms: option.number({ default: 5000, doc: 'Milliseconds between two commits.' }),
  ...kafkaSecurityOptions,
  session_timeout_ms: option.number({
    default: 10000,
    doc: 'Milliseconds after which a silent consumer is out.',
  }),
  heartbeat_interval_ms: option.number({ default: 3000, doc: 'Milliseconds between two signs of life.' }),
  max_poll_interval_ms: option.number({
    default: 300_000,
    doc: 'Milliseconds the group waits for this consumer when its partitions are divided anew.',
  }),
  max_poll_records: option.number({ default: 500, doc: 'Records that are held before they are events.' }),
  poll_timeout_ms: option.number({ default: 100, doc: unusedByClient }),
  fetch_max_bytes: option.number({
    default: 52_428_800,
    doc: 'Bytes a broker sends at once, at most; never more than 8 MB.',
  }),
  fetch_max_wait_ms: option.number({
    default: 500,
    doc: 'Milliseconds a broker waits for `fetch_min_bytes` to come together.',
  }),
  fetch_min_bytes: option.number({ default: 1, doc: 'Bytes a broker waits for before it answers.' }),
  max_partition_fetch_bytes: option.number({
    default: 1_048_576,
    doc: 'Bytes a broker sends of one partition at once, at most; never more than 256 kB, unless a batch is larger.',
  }),
  ...requestOptions,
  check_crcs: option.boolean({ default: true, doc: unusedByClient }),
  client_rack: text(),
  exclude_internal_topics: text(),
  isolation_level: option.oneOf(['read_uncommitted', 'read_committed'] as const, {
    default: 'read_uncommitted',
    doc: 'Whether records of open transactions are read, `read_uncommitted`, or not, `read_committed`.',
  }),
  partition_assignment_strategy: text(),
  key_deserializer_class: text(),
  value_deserializer_class: text(),
  auto_create_topics: option.boolean({
    default: true,
    doc: 'Whether topics that do not exist are made, if the broker allows it.',
  }),
  ...kafkaClientOptions,
  schema_registry_url: option.string({ doc: 'Schema registries are not supported.' }),
  schema_registry_key: option.string({ doc: registry }),
  schema_registry_secret: option.password({ doc: registry }),
  schema_registry_proxy: option.string({ doc: registry }),
  schema_registry_validation: option.oneOf(['auto', 'skip'] as const, { default: 'auto', doc: registry }),
  schema_registry_ssl_keystore_location: option.string({ doc: registry }),
  schema_registry_ssl_keystore_password: option.password({ doc: registry }),
  schema_registry_ssl_keystore_type: option.oneOf(['jks', 'PKCS12'] as const, { doc: registry }),
  schema_registry_ssl_truststore_location: option.string({ doc: registry }),
  schema_registry_ssl_truststore_password: option.password({ doc: registry }),
  schema_registry_ssl_truststore_type: option.oneOf(['jks', 'PKCS12'] as const, { doc: registry }),
  zk_connect: option.string({
    doc: 'No longer has a meaning; use `bootstrap_servers`.',
    removed: 'Use `bootstrap_servers` instead.',
  }),
  reset_beginning: option.boolean({
    doc: 'No longer has a meaning; use `auto_offset_reset`.',
    removed: 'Use `auto_offset_reset` instead.',
  }),
}

export type KafkaOptions = OptionValues<typeof kafkaOptions>
