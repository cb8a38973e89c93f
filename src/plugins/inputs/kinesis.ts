/**
 * Reads records from a stream of Amazon Kinesis, all its shards side by side, those that came from another after that one.
 * Positions are remembered up to the last record before which every one is safe.
 */
import { integer, type Value } from '../../event/value.ts'
import { packageConcern } from '../../plugin/concern.ts'
import { defineInput, type Origin, type Sink } from '../../plugin/define.ts'
import { credentialsPackage, packageNames } from '../aws/packages.ts'
import { AwsService, errorFacts } from '../aws/service.ts'
import { untilDone } from '../aws/until-done.ts'
import { whilePositionsMove } from '../receiving/arrivals.ts'
import { Stop } from '../receiving/stop.ts'
import { unpackRecord } from './kinesis/aggregated-record.ts'
import { Checkpoints, checkpointPath, shardEnd } from './kinesis/checkpoints.ts'
import { kinesisOptions, type ReaderSettings, readerSettings } from './kinesis/options.ts'

/** Five requests a second are allowed for each shard, to all its readers. */
const busyMilliseconds = 250

interface Shard {
  readonly ShardId: string
  readonly ParentShardId?: string
  readonly AdjacentParentShardId?: string
}

interface KinesisRecord {
  readonly SequenceNumber: string
  readonly PartitionKey: string
  readonly ApproximateArrivalTimestamp?: Date
  readonly Data: Uint8Array
}

export default defineInput({
  name: 'kinesis',
  summary: 'Reads records from a stream of Amazon Kinesis.',
  description: [
    'The client is the package `@aws-sdk/client-kinesis`, which has to be installed beside millrace. Credentials come from the',
    'environment, the shared files of AWS or the role of the machine. `additional_settings` takes `kinesis_endpoint`,',
    '`max_records`, `idle_time_between_reads_in_millis` and `shard_sync_interval_millis`.',
    '',
    'The position of a shard is remembered, in a file below `path.data`, up to the last record before which every one is safe:',
    'on stable storage where the queue of the pipeline is persisted, delivered by the outputs where it is in memory. Records',
    'behind it are read again after a crash. There is no table in DynamoDB: positions are those of this node, and several nodes',
    'with the same `application_name` each read the whole stream. Records that the Kinesis Producer Library has packed into one',
    'are unpacked.',
  ].join('\n'),
  originLast: true,
  options: kinesisOptions,
  concerns: (options) => [
    ...packageConcern('kinesis_stream_name', packageNames.kinesis),
    ...((options.role_arn ?? options.profile) ? packageConcern('role_arn', credentialsPackage) : []),
  ],
  create({ options, logger, setting, abort }) {
    const { kinesis_stream_name: StreamName, initial_position_in_stream } = options
    const stop = new Stop()
    let settings: ReaderSettings
    let service: AwsService | undefined
    let checkpoints: Checkpoints | undefined

    const call = <Output>(operation: string, input: object) =>
      service!.call<Output>(operation, input, stop.signal)

    const listShards = async (): Promise<Shard[]> => {
      const shards: Shard[] = []
      let NextToken: string | undefined
      do {
        const input: object = NextToken === undefined ? { StreamName } : { NextToken }
        const page = await call<{ Shards?: Shard[]; NextToken?: string }>('ListShards', input)
        shards.push(...(page.Shards ?? []))
        NextToken = page.NextToken
      } while (NextToken !== undefined)
      return shards
    }

    /** `last`: the record behind which to go on; without one `first` says where. */
    const iteratorFor = async (ShardId: string, last: string | undefined, first: object): Promise<string> => {
      const place =
        last === undefined
          ? first
          : { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', StartingSequenceNumber: last }
      const { ShardIterator } = await call<{ ShardIterator: string }>('GetShardIterator', {
        StreamName,
        ShardId,
        ...place,
      })
      return ShardIterator
    }

    const handOver = async (sink: Sink, shard: string, record: KinesisRecord): Promise<void> => {
      const { SequenceNumber, PartitionKey, ApproximateArrivalTimestamp } = record
      const data = Buffer.from(record.Data.buffer, record.Data.byteOffset, record.Data.byteLength)
      const parts = unpackRecord(data) ?? [{ data, partitionKey: PartitionKey }]
      const done = countdown(parts.length, checkpoints!.track(shard, SequenceNumber))
      for (const [n, part] of parts.entries()) {
        const metadata: Record<string, Value> = {
          approximate_arrival_timestamp: integer(BigInt(ApproximateArrivalTimestamp?.getTime() ?? 0)),
          partition_key: part.partitionKey,
          sequence_number: SequenceNumber,
        }
        const origin: Origin = { overwrite: [['@metadata', metadata]] }
        const name = `kinesis ${options.region} ${StreamName} ${shard} ${SequenceNumber} ${n}`
        const room = sink.record(part.data, origin, { done, name })
        if (room !== undefined) await stop.during(room)
        if (stop.isRequested) return
      }
    }

    /** Reads a shard to its end; `from`: where to begin without a position. */
    const readShard = async (sink: Sink, shard: string, from: string): Promise<void> => {
      let last = checkpoints!.get(shard)
      let first: object = { ShardIteratorType: from }
      let iterator: string | undefined
      const step = async (): Promise<boolean> => {
        iterator ??= await iteratorFor(shard, last, first)
        // What is the latest moves on: another iterator begins where the first one did.
        if (from === 'LATEST' && !('Timestamp' in first)) {
          first = { ShardIteratorType: 'AT_TIMESTAMP', Timestamp: new Date() }
        }
        const using = iterator
        // An iterator serves once, or five minutes: after a failure another one is asked for.
        iterator = undefined
        const answer = await call<{
          Records?: KinesisRecord[]
          NextShardIterator?: string
          MillisBehindLatest?: number
        }>('GetRecords', { ShardIterator: using, Limit: settings.maxRecords })
        const { Records = [], NextShardIterator } = answer
        for (const record of Records) {
          await handOver(sink, shard, record)
          if (stop.isRequested) return true
          last = record.SequenceNumber
        }
        if (NextShardIterator === undefined || NextShardIterator === null) {
          checkpoints!.track(shard, shardEnd)()
          return true
        }
        iterator = NextShardIterator
        const isIdle = Records.length === 0 && (answer.MillisBehindLatest ?? 0) === 0
        await stop.sleep(isIdle ? settings.idleMilliseconds : busyMilliseconds)
        return false
      }
      await untilDone(stop, step, (error, sleep_time) => {
        logger.warn('Kinesis error ... retrying with exponential backoff', {
          stream: StreamName,
          shard,
          ...errorFacts(error),
          sleep_time,
        })
      })
    }

    /** Starts a reader for every shard that has none, once what came before it is read. */
    const followShards = async (sink: Sink): Promise<void> => {
      const readers = new Map<string, Promise<void>>()
      const finished = new Set<string>()
      let ended = new Stop()
      let isFirst = true
      const sync = async (): Promise<boolean> => {
        // Heard from now on: a shard that ends meanwhile makes room for its children at once.
        const wake = new Stop()
        ended = wake
        const shards = await listShards()
        const names = new Set(shards.map(({ ShardId }) => ShardId))
        if (names.size > 0) checkpoints!.keep(names)
        const isOver = (parent: string | undefined) =>
          parent === undefined ||
          !names.has(parent) ||
          finished.has(parent) ||
          checkpoints!.get(parent) === shardEnd
        for (const { ShardId, ParentShardId, AdjacentParentShardId } of shards) {
          if (readers.has(ShardId) || checkpoints!.get(ShardId) === shardEnd) continue
          if (!isOver(ParentShardId) || !isOver(AdjacentParentShardId)) continue
          const reading = readShard(
            sink,
            ShardId,
            isFirst ? initial_position_in_stream : 'TRIM_HORIZON',
          ).then(() => {
            finished.add(ShardId)
            ended.request()
          })
          readers.set(ShardId, reading)
        }
        isFirst = false
        await Promise.race([stop.sleep(settings.shardSyncMilliseconds), wake.requested])
        return false
      }
      await untilDone(stop, sync, (error, sleep_time) => {
        const facts = { stream: StreamName, ...errorFacts(error), sleep_time }
        logger.warn('The shards of the stream cannot be listed', facts)
      })
      await Promise.all(readers.values())
    }

    const save = (): Promise<void> =>
      checkpoints!.save().catch((error: Error) => {
        logger.error(`Kinesis worker failed checkpointing: ${error.message}`)
      })

    return {
      async register() {
        logger.info('Registering logstash-input-kinesis')
        settings = readerSettings(options.additional_settings, logger)
        const data = String(setting('path.data') ?? 'data')
        checkpoints = await Checkpoints.open(checkpointPath(data, options.application_name, StreamName))
        const { region, profile, role_arn, role_session_name, http_proxy } = options
        service = await AwsService.open({
          service: 'kinesis',
          options: {
            ...{ region, profile, role_arn, role_session_name, endpoint: settings.endpoint },
            ...{ access_key_id: undefined, secret_access_key: undefined },
            ...{ session_token: undefined, aws_credentials_file: undefined },
            proxy_uri: http_proxy?.value === '' ? undefined : http_proxy?.value,
          },
          logger,
          abort,
        })
        logger.info('Registered logstash-input-kinesis')
      },
      async run(sink) {
        const seconds = Math.max(0.05, options.checkpoint_interval_seconds)
        const timer = setInterval(save, seconds * 1000)
        try {
          await followShards(sink)
          await whilePositionsMove(checkpoints!.settled(), abort, () => checkpoints!.changes)
        } finally {
          clearInterval(timer)
          await save()
        }
      },
      stop: () => stop.request(),
      close() {
        service?.close()
        service = undefined
      },
    }
  },
})

/** Calls `done` when it was called so many times itself. */
function countdown(count: number, done: () => void): () => void {
  let left = count
  if (left === 0) done()
  return () => {
    left -= 1
    if (left === 0) done()
  }
}
