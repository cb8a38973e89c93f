/**
 * Reads events from Azure Event Hubs. The checkpoint of a partition moves to the last event before which every one is
 * safe, so that a crash repeats events rather than losing them.
 */
import { writeJson } from '../../event/json-write.ts'
import { type Fields, integer, isFields, putField, type Value } from '../../event/value.ts'
import { packageConcern, startConcern } from '../../plugin/concern.ts'
import { defineInput, type Origin, option, type Sink } from '../../plugin/define.ts'
import { whilePositionsMove } from '../receiving/arrivals.ts'
import { Stop } from '../receiving/stop.ts'
import {
  type HubClient,
  type HubEvent,
  loadHubs,
  openStore,
  type PartitionContext,
  packageName,
} from './azure-event-hubs/client.ts'
import { type Hub, hubsOf } from './azure-event-hubs/hubs.ts'
import { Deliveries } from './file/deliveries.ts'

const firstRetryMilliseconds = 1000
const maxRetryMilliseconds = 60_000

export default defineInput({
  name: 'azure_event_hubs',
  summary: 'Reads events from Azure Event Hubs.',
  description: [
    `The client is the package \`${packageName}\`, which has to be installed beside millrace; with \`storage_connection\` also`,
    '`@azure/eventhubs-checkpointstore-blob` and `@azure/storage-blob`.',
    '',
    'The checkpoint of a partition moves to the last event before which every one is safe: on stable storage where the queue',
    'of the pipeline is persisted, delivered by the outputs where it is in memory. Without `storage_connection` there are no',
    'checkpoints, and every start begins at `initial_position`.',
  ].join('\n'),
  options: {
    config_mode: option.oneOf(['basic', 'advanced'] as const, {
      default: 'basic',
      doc: 'Whether all Event Hubs have the same settings, or each may have its own.',
    }),
    event_hubs: option.array({
      default: [],
      doc: 'In advanced mode: hashes of the name of an Event Hub and its settings, of which `event_hub_connection` is needed.',
    }),
    event_hub_connections: option.array({
      default: [],
      doc: 'In basic mode: connection strings with their `EntityPath`.',
    }),
    event_hub_connection: option.string({
      doc: 'A setting inside of `event_hubs`; has no meaning beside it.',
    }),
    storage_connection: option.password({
      doc: 'Connection string of the blob storage that keeps checkpoints.',
    }),
    storage_container: option.string({
      doc: 'Container of the checkpoints; the name of the Event Hub unless given.',
    }),
    threads: option.number({
      default: 16,
      doc: 'At least the number of Event Hubs plus one, as in Logstash; otherwise without meaning.',
    }),
    consumer_group: option.string({ default: '$Default', doc: 'Consumer group to read with.' }),
    max_batch_size: option.number({ default: 125, doc: 'How many events of a partition are taken at once.' }),
    prefetch_count: option.number({ default: 300, doc: 'How many events of a partition are fetched ahead.' }),
    receive_timeout: option.number({ default: 60, doc: 'Seconds to wait for a full batch.' }),
    initial_position: option.oneOf(['beginning', 'end', 'look_back'] as const, {
      default: 'beginning',
      doc: 'Where to begin without a checkpoint.',
    }),
    initial_position_look_back: option.number({
      default: 86_400,
      doc: 'With `look_back`: how many seconds before the end.',
    }),
    checkpoint_interval: option.number({
      default: 5,
      doc: 'Seconds between two checkpoints of a partition; 0 for one whenever events are safe.',
    }),
    decorate_events: option.boolean({
      default: false,
      doc: 'Whether to add facts under `[@metadata][azure_event_hubs]`.',
    }),
  },
  concerns: (options) => [
    ...startConcern('event_hub_connections', () => hubsOf(options)),
    ...packageConcern('event_hub_connections', packageName),
  ],
  create({ options, logger, abort }) {
    const stop = new Stop()
    const clients = new Set<HubClient>()
    let hubs: Hub[] = []

    const readHub = async (hub: Hub, sink: Sink): Promise<void> => {
      const { EventHubConsumerClient } = await loadHubs()
      const store =
        hub.storageConnection === undefined
          ? []
          : [await openStore(hub.storageConnection, hub.storageContainer)]
      const client = new EventHubConsumerClient(hub.consumerGroup, hub.connection, ...store)
      clients.add(client)
      const partitions = new Map<string, PartitionCheckpoints>()
      const fail = (error: Error) => logger.warn('Failed to update checkpoint', { error: error.message })
      const subscription = client.subscribe(
        {
          async processEvents(events, context) {
            let partition = partitions.get(context.partitionId)
            if (partition === undefined) {
              partition = new PartitionCheckpoints(
                context,
                hub.storageConnection === undefined ? -1 : hub.checkpointSeconds,
                fail,
              )
              partitions.set(context.partitionId, partition)
            }
            for (const event of events) {
              if (stop.isRequested) return
              const done = partition.track(event)
              const bytes = bodyBytes(event)
              const accepted = sink.record(
                bytes,
                hub.decorate ? originOf(event, context, bytes.length) : nothing,
                { done },
              )
              if (accepted !== undefined) await stop.during(accepted)
            }
          },
          async processError(error, context) {
            logger.error('Error with Event Hub', {
              event_hub: context.eventHubName,
              partition: context.partitionId,
              message: error.message,
            })
          },
          async processClose(_, { partitionId }) {
            partitions.get(partitionId)?.close()
            partitions.delete(partitionId)
          },
        },
        {
          startPosition: positionOf(hub),
          maxBatchSize: hub.maxBatchSize,
          maxWaitTimeInSeconds: Math.max(1, Math.min(options.receive_timeout, 60)),
          prefetchCount: hub.prefetchCount,
        },
      )
      try {
        await stop.requested
        const all = [...partitions.values()]
        const settled = Promise.all(all.map((partition) => partition.settled()))
        await whilePositionsMove(settled, abort, () => all.map(({ position }) => position).join())
        await Promise.all(all.map((partition) => partition.finish()))
      } finally {
        for (const partition of partitions.values()) partition.close()
        await subscription.close().catch(() => undefined)
        clients.delete(client)
        await client.close().catch(() => undefined)
      }
    }

    const readAlways = async (hub: Hub, sink: Sink): Promise<void> => {
      for (
        let wait = firstRetryMilliseconds;
        !stop.isRequested;
        wait = Math.min(maxRetryMilliseconds, wait * 2)
      ) {
        try {
          await readHub(hub, sink)
        } catch (error) {
          if (stop.isRequested) return
          logger.error('Error with Event Hub', { event_hub: hub.name, message: (error as Error).message })
          await stop.sleep(wait)
        }
      }
    }

    return {
      async register() {
        hubs = hubsOf(options)
        await loadHubs()
      },
      async run(sink) {
        await Promise.all(hubs.map((hub) => readAlways(hub, sink)))
      },
      stop() {
        stop.request()
      },
      async close() {
        for (const client of clients) await client.close().catch(() => undefined)
      },
    }
  },
})

const nothing: Origin = {}

function positionOf({ initialPosition, lookBackSeconds }: Hub): Record<string, unknown> {
  if (initialPosition === 'beginning') return { offset: '-1' }
  if (initialPosition === 'end') return { offset: '@latest' }
  return { enqueuedOn: Date.now() - lookBackSeconds * 1000 }
}

/** The package reads JSON by itself; what came is told by its bytes. */
function bodyBytes(event: HubEvent): Buffer {
  const raw = event.getRawAmqpMessage?.().body
  for (const body of [raw, event.body]) {
    if (body instanceof Uint8Array) return Buffer.from(body)
    if (isFields(body) && body['content'] instanceof Uint8Array)
      return Buffer.from(body['content'] as Uint8Array)
  }
  return Buffer.from(typeof event.body === 'string' ? event.body : writeJson((event.body ?? '') as Value))
}

function originOf(event: HubEvent, context: PartitionContext, size: number): Origin {
  const { offset, sequenceNumber, enqueuedTimeUtc, properties } = event
  const place = '[@metadata][azure_event_hubs]'
  const overwrite: [string, Value][] = [
    [`${place}[name]`, context.eventHubName],
    [`${place}[consumer_group]`, context.consumerGroup],
    [`${place}[processor_host]`, context.fullyQualifiedNamespace],
    [`${place}[partition]`, context.partitionId],
    [`${place}[offset]`, String(offset)],
    [`${place}[sequence]`, integer(BigInt(sequenceNumber))],
    [`${place}[timestamp]`, Math.floor(enqueuedTimeUtc.getTime() / 1000)],
    [`${place}[event_size]`, size],
  ]
  if (properties !== undefined) {
    const fields: Fields = {}
    for (const [name, value] of Object.entries(properties)) {
      const isPlain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      putField(fields, name, isPlain ? value : String(value))
    }
    overwrite.push([`${place}[user_properties]`, fields])
  }
  return { overwrite }
}

/** Checkpoints of one partition, not more often than wanted. */
class PartitionCheckpoints {
  position = ''
  readonly #context: PartitionContext
  readonly #seconds: number
  readonly #failed: (error: Error) => void
  readonly #deliveries: Deliveries<HubEvent>
  #pending: HubEvent | undefined
  #timer: NodeJS.Timeout | undefined
  #underway: Promise<void> = Promise.resolve()

  /** A negative interval: there is nowhere to keep checkpoints. */
  constructor(context: PartitionContext, seconds: number, failed: (error: Error) => void) {
    this.#context = context
    this.#seconds = seconds
    this.#failed = failed
    this.#deliveries = new Deliveries((last) => {
      this.position = String(last.offset)
      if (seconds < 0) return
      this.#pending = last
      if (this.#timer === undefined) this.#timer = setTimeout(() => void this.finish(), seconds * 1000)
    })
  }

  track(event: HubEvent): () => void {
    return this.#deliveries.track(event)
  }

  settled(): Promise<void> {
    return this.#deliveries.settled()
  }

  /** Resolves when what is safe is written, or could not be. */
  finish(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const next = this.#pending
    this.#pending = undefined
    if (next !== undefined && this.#seconds >= 0) {
      this.#underway = this.#underway.then(() => this.#context.updateCheckpoint(next)).catch(this.#failed)
    }
    return this.#underway
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#pending = undefined
  }
}
