/** What a persisted queue is given, and the words it shares with whoever uses it. */
import type { Files } from '../../storage/files.ts'
import type { QueueItem } from '../memory-queue.ts'
import type { CompressionGoal } from './compression.ts'

/** How items of the queue become bytes. `encode` writes the part `from` to `to` of an item only. */
export interface RecordCodec<T extends QueueItem> {
  encode(item: T): readonly Uint8Array[]
  /** The item to be delivered, where what was pushed does not stay as it was; it is encoded in its place. */
  lasting?(item: T): T
  /** Throws when it cannot make sense of the bytes. */
  decode(payload: Uint8Array, count: number): T
  split(item: T, count: number): [T, T]
  /** Bytes an item keeps in memory. */
  weigh(item: T): number
}

/**
 * When a push is answered: after the disk confirmed its group; after it was written, with an fsync for every
 * `checkpointWrites` events; after it was written.
 */
type Durability = 'group' | 'checkpoint' | 'none'

export interface QueueSettings {
  /** Bytes of a page (`queue.page_capacity`). A larger record gets a page of its own. */
  readonly pageCapacity: number
  /** `queue.max_bytes`: the push that crosses it is the last one that is taken; 0 is no limit, as in Logstash. */
  readonly maxBytes: number
  /** `queue.max_events`: the same for unread events; 0 is no limit. */
  readonly maxEvents: number
  /** `queue.checkpoint.acks`; 0 is no limit. */
  readonly checkpointAcks: number
  /** `queue.checkpoint.writes`; 0 means that writes never wait for the disk. */
  readonly checkpointWrites: number
  /** Milliseconds after which acknowledgements are in a checkpoint. */
  readonly checkpointInterval: number
  readonly durability: Durability
  readonly compression: CompressionGoal
  /** Bytes of records that are kept in memory for readers right behind the writer. */
  readonly recentBytes: number
}

export const defaultQueueSettings: QueueSettings = {
  pageCapacity: 64 * 1024 * 1024,
  maxBytes: 1024 * 1024 * 1024,
  maxEvents: 0,
  checkpointAcks: 1024,
  checkpointWrites: 1024,
  checkpointInterval: 1000,
  durability: 'group',
  compression: 'none',
  recentBytes: 16 * 1024 * 1024,
}

export interface QueueEnvironment {
  readonly files: Files
  readonly directory: string
  /** Tells operators. */
  readonly log: (level: 'info' | 'warn' | 'error', message: string) => void
  /** Calls back after some milliseconds unless cancelled. */
  readonly after?: (milliseconds: number, call: () => void) => () => void
  /** 16 bytes for a queue that is new. */
  readonly newId?: () => Uint8Array
}

/** An item on its way to a worker. Its events have the sequence numbers from `seq` on. */
export interface Delivery<T extends QueueItem> {
  readonly item: T
  readonly seq: number
  /** With the id of the queue and the sequence number it names an event for ever. */
  readonly epoch: number
}

export class QueueClosed extends Error {
  override readonly name = 'QueueClosed'

  constructor() {
    super('the queue is closed')
  }
}

/** What the queue counted since it was opened. */
export interface QueueCounters {
  /** Places in pages where a record or its header was damaged. */
  corruptRecords: number
  /** Events that had been acknowledged to their sender and are gone. */
  lostEvents: number
  /** Events of a group that was never acknowledged and of which a crash left only a part. */
  unconfirmedEvents: number
  /** Syncs that failed. */
  failedSyncs: number
  commits: number
  /** Syncs of pages. */
  syncs: number
  checkpoints: number
  /** Payload bytes before and after compression, and the nanoseconds that it took. */
  rawBytes: number
  storedBytes: number
  packNanos: number
  /** Figures of decompression, for payloads that were read. */
  packedBytes: number
  unpackedBytes: number
  unpackNanos: number
}

export function newCounters(): QueueCounters {
  return {
    corruptRecords: 0,
    lostEvents: 0,
    unconfirmedEvents: 0,
    failedSyncs: 0,
    commits: 0,
    syncs: 0,
    checkpoints: 0,
    rawBytes: 0,
    storedBytes: 0,
    packNanos: 0,
    packedBytes: 0,
    unpackedBytes: 0,
    unpackNanos: 0,
  }
}

/** `EFBIG` is what a limit of the process (`ulimit -f`) or of the file system says. */
const spaceErrors = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'EMFILE', 'ENFILE', 'ENOMEM'])

/** Whether an error goes away when something else is freed. */
export function isShortage(error: unknown): boolean {
  return spaceErrors.has((error as NodeJS.ErrnoException | undefined)?.code ?? '')
}
