/** The packages of Azure as far as the input uses them. */
import { loadPeer } from '../../packages/peer-package.ts'

export const packageName = '@azure/event-hubs'
const storePackage = '@azure/eventhubs-checkpointstore-blob'
const blobPackage = '@azure/storage-blob'

export interface HubEvent {
  readonly body: unknown
  readonly offset: unknown
  readonly sequenceNumber: number
  readonly enqueuedTimeUtc: Date
  readonly properties?: Readonly<Record<string, unknown>>
  /** What the service sent, before it was read as JSON. */
  getRawAmqpMessage?(): { readonly body?: unknown; readonly bodyType?: string }
}

export interface PartitionContext {
  readonly fullyQualifiedNamespace: string
  readonly eventHubName: string
  readonly consumerGroup: string
  readonly partitionId: string
  updateCheckpoint(event: HubEvent): Promise<void>
}

export interface HubClient {
  subscribe(
    handlers: {
      processEvents(events: readonly HubEvent[], context: PartitionContext): Promise<void>
      processError(error: Error, context: PartitionContext): Promise<void>
      processClose?(reason: string, context: PartitionContext): Promise<void>
    },
    options: Record<string, unknown>,
  ): { close(): Promise<void> }
  close(): Promise<void>
}

interface HubPackage {
  readonly EventHubConsumerClient: new (group: string, connection: string, ...rest: unknown[]) => HubClient
}

function load<T>(name: string, member: keyof T): Promise<T> {
  return loadPeer<T>(name, 'Azure Event Hubs are read', { member })
}

export function loadHubs(): Promise<HubPackage> {
  return load<HubPackage>(packageName, 'EventHubConsumerClient')
}

/** A store of checkpoints in blobs, which several readers share. */
export async function openStore(connection: string, container: string): Promise<unknown> {
  interface Blobs {
    ContainerClient: new (connection: string, container: string) => { createIfNotExists(): Promise<unknown> }
  }
  interface Stores {
    BlobCheckpointStore: new (client: unknown) => unknown
  }
  const { ContainerClient } = await load<Blobs>(blobPackage, 'ContainerClient')
  const { BlobCheckpointStore } = await load<Stores>(storePackage, 'BlobCheckpointStore')
  const client = new ContainerClient(connection, container)
  await client.createIfNotExists()
  return new BlobCheckpointStore(client)
}
