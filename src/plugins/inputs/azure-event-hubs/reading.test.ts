/** What the azure_event_hubs input asks of the package that reads, and when it writes checkpoints; the package is played. */
import { afterEach, describe, expect, it, vi } from 'vitest'
import { inputFor, type TestOptions } from '../../../plugin/testing.ts'
import plain from '../../codecs/plain.ts'
import azure from '../azure-event-hubs.ts'
import type { HubEvent, PartitionContext } from './client.ts'

type Handlers = { processEvents(events: readonly HubEvent[], context: PartitionContext): Promise<void> }

const seen = vi.hoisted(() => ({
  settings: undefined as Record<string, unknown> | undefined,
  handlers: undefined as unknown,
}))

vi.mock('@azure/event-hubs', () => ({
  EventHubConsumerClient: class {
    subscribe(handlers: unknown, settings: Record<string, unknown>) {
      Object.assign(seen, { handlers, settings })
      return { close: async () => {} }
    }
    async close() {}
  },
  latestEventPosition: {},
}))
vi.mock('@azure/storage-blob', () => ({
  ContainerClient: class {
    async createIfNotExists() {}
  },
  BlobClient: class {},
}))
vi.mock('@azure/eventhubs-checkpointstore-blob', () => ({
  BlobCheckpointStore: class {},
  logger: {},
}))

const atEnd: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of atEnd.splice(0)) await end()
  Object.assign(seen, { settings: undefined, handlers: undefined })
})

async function start(options: TestOptions = {}) {
  const connection = 'Endpoint=sb://one.example/;SharedAccessKeyName=n;SharedAccessKey=c2VjcmV0;EntityPath=a'
  const input = inputFor(azure, { event_hub_connections: [connection], ...options }, { codecs: [plain] })
  await input.instance.register!()
  const ended = input.instance.run(input.sink)
  atEnd.push(async () => {
    await input.instance.stop()
    await ended
    await input.instance.close?.()
  })
  await vi.waitFor(() => expect(seen.settings).toBeDefined(), 10_000)
  return { ...input, settings: seen.settings!, handlers: seen.handlers as Handlers }
}

describe('azure_event_hubs input', () => {
  it.each<[TestOptions, object]>([
    [
      {},
      { prefetchCount: 300, maxWaitTimeInSeconds: 60, maxBatchSize: 125, startPosition: { offset: '-1' } },
    ],
    [{ prefetch_count: 7 }, { prefetchCount: 7 }],
    [{ receive_timeout: 5 }, { maxWaitTimeInSeconds: 5 }],
    [{ initial_position: 'end' }, { startPosition: { offset: '@latest' } }],
  ])('with %j reads with %j', async (options, wanted) => {
    expect((await start(options)).settings).toMatchObject(wanted)
  })

  it('looks back as far as initial_position_look_back says', async () => {
    const { settings } = await start({ initial_position: 'look_back', initial_position_look_back: 3600 })
    const { enqueuedOn } = settings['startPosition'] as { enqueuedOn: number }
    const seconds = (Date.now() - enqueuedOn) / 1000
    expect(seconds).toBeGreaterThanOrEqual(3600)
    expect(seconds).toBeLessThan(3700)
  })

  it.each([
    [0, 3],
    [3600, 0],
  ])(
    'with checkpoint_interval => %i has written %i checkpoints after three events',
    async (interval, count) => {
      const checkpoints: number[] = []
      const { handlers, sink } = await start({
        checkpoint_interval: interval,
        storage_connection: 'AccountName=x;AccountKey=aaaaaaaaaaaa',
      })
      const context: PartitionContext = {
        ...{ fullyQualifiedNamespace: 'n', eventHubName: 'a', consumerGroup: 'g', partitionId: '0' },
        async updateCheckpoint({ sequenceNumber }) {
          checkpoints.push(sequenceNumber)
        },
      }
      for (const sequenceNumber of [1, 2, 3]) {
        const event = {
          body: 'm',
          offset: String(sequenceNumber),
          sequenceNumber,
          enqueuedTimeUtc: new Date(),
        }
        await handlers.processEvents([event], context)
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
      expect(sink.received).toHaveLength(3)
      expect(checkpoints).toHaveLength(count)
      // What is safe when the input stops is written then.
      await atEnd.pop()!()
      expect(checkpoints.at(-1)).toBe(3)
    },
  )
})
