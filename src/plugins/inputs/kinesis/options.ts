/** The options of the kinesis input, and those of the Kinesis Client Library that mean something here. */
import type { HashValue, PluginLogger } from '../../../plugin/define.ts'
import { option, withoutEffect } from '../../../plugin/define.ts'
import { additionalSettings } from '../../aws/options.ts'

export const kinesisOptions = {
  kinesis_stream_name: option.string({ required: true, doc: 'Name of the stream.' }),
  application_name: option.string({
    default: 'logstash',
    doc: 'Name under which this reader remembers how far it has read; pipelines with different names read independently.',
  }),
  region: option.string({ default: 'us-east-1', doc: 'Region of the stream.' }),
  checkpoint_interval_seconds: option.number({
    default: 60,
    doc: 'Seconds after which the positions of what is safe are written.',
  }),
  initial_position_in_stream: option.oneOf(['TRIM_HORIZON', 'LATEST'] as const, {
    default: 'TRIM_HORIZON',
    doc: 'Where to begin without a position: at the oldest record, or with those that come from now on.',
  }),
  profile: option.string({
    doc: 'Section of the shared credentials file; needs the package `@aws-sdk/credential-providers`.',
  }),
  role_arn: option.string({
    doc: 'Role to assume; needs the package `@aws-sdk/credential-providers`.',
  }),
  role_session_name: option.string({ default: 'logstash', doc: 'Name of the session of that role.' }),
  http_proxy: option.password({ doc: 'Address of an HTTP proxy, `http://user:password@host:port`.' }),
  non_proxy_hosts: option.string(
    withoutEffect('all requests go to the one service, through the proxy where one is given.'),
  ),
  metrics: option.string({
    doc: 'Accepted for compatibility: `cloudwatch` would send figures about the reader, which the monitoring API has.',
  }),
  ...additionalSettings,
}

export interface ReaderSettings {
  readonly endpoint: string | undefined
  /** Most records of one request. */
  readonly maxRecords: number
  /** Between two requests for a shard that has nothing new. */
  readonly idleMilliseconds: number
  readonly shardSyncMilliseconds: number
}

/** `additional_settings` has the names of KinesisClientLibConfiguration, in snake case. */
export function readerSettings(settings: HashValue, logger: PluginLogger): ReaderSettings {
  const known = new Set([
    'kinesis_endpoint',
    'max_records',
    'idle_time_between_reads_in_millis',
    'shard_sync_interval_millis',
  ])
  for (const setting of settings.keys()) {
    if (known.has(setting)) continue
    logger.warn('A setting of additional_settings has no effect here', { setting })
  }
  const number = (name: string, value: number) => Math.max(1, Number(settings.get(name) ?? value))
  const endpoint = settings.get('kinesis_endpoint')
  return {
    endpoint: endpoint === undefined ? undefined : String(endpoint),
    maxRecords: Math.min(10_000, number('max_records', 10_000)),
    idleMilliseconds: number('idle_time_between_reads_in_millis', 1000),
    shardSyncMilliseconds: number('shard_sync_interval_millis', 60_000),
  }
}
