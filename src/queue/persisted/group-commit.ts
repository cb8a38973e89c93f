/**
 * Writes what was pushed and syncs it. Pushes that come while an fsync is under way share the next one, whoever they
 * come from; nothing waits for a timer. After a failed fsync nobody knows what is on the disk, and asking again would
 * give a wrong answer: the page is given up and the group, which is still in memory, goes to a new page. When that
 * fails too, the queue has failed. A full disk is no failure: the same write is tried again until there is room.
 */
import type { QueueItem } from '../memory-queue.ts'
import { pack } from './compression.ts'
import { HeadPage, type WritableRecord } from './head-page.ts'
import type { PageTable } from './page-table.ts'
import {
  isShortage,
  QueueClosed,
  type QueueCounters,
  type QueueEnvironment,
  type QueueSettings,
} from './queue-options.ts'
import { QueuePage } from './queue-page.ts'
import { crcOf, maxPayloadBytes, recordHeaderBytes } from './record-format.ts'
import type { SparePages } from './spare-pages.ts'

export interface PushedRecord<T> extends WritableRecord {
  readonly item: T
}

interface Group<T> {
  readonly records: PushedRecord<T>[]
  readonly written: Promise<void>
  readonly resolve: () => void
  readonly reject: (error: Error) => void
}

interface CommitEvents<T> {
  /** They count now; `positions` has one more entry than there are records. */
  written(page: QueuePage, records: readonly PushedRecord<T>[], positions: readonly number[]): void
  synced(): void
  failed(error: Error): void
}

interface CommitContext {
  readonly env: QueueEnvironment
  readonly settings: QueueSettings
  readonly counters: QueueCounters
  readonly pages: PageTable
  readonly spares: SparePages
}

/** Where the next page and the next event begin. */
interface CommitStart {
  readonly queueId: Uint8Array
  readonly epoch: number
  readonly page: number
  readonly seq: number
}

/** Bytes that may gather for the next write. What waits longer than two young collections becomes old garbage. */
const maxGroupBytes = 2 * 1024 * 1024
/** How often a page may be given up for one group. */
const maxAttempts = 2
const retryMilliseconds = 250

export class GroupCommit<T extends QueueItem> {
  /** What is on the disk for certain. */
  synced = { page: 0, offset: 0, nextSeq: 1 }
  /** Events that were pushed and do not count yet. */
  gathered = 0
  gatheredBytes = 0
  readonly #context: CommitContext
  readonly #start: CommitStart
  readonly #events: CommitEvents<T>
  #nextSeq: number
  #nextPage: number
  #head: HeadPage | undefined
  #group: Group<T> | undefined
  #groupBytes = 0
  #running: Promise<void> | undefined
  #failure: Error | undefined
  #isClosing = false
  /** The last write found no room on the disk. */
  #isShort = false
  /** Set while a write waits until it is tried again. */
  #wake: (() => void) | undefined
  /** Events written since the last sync, where pushes do not wait for it. */
  #unsynced = 0

  constructor(context: CommitContext, start: CommitStart, events: CommitEvents<T>) {
    this.#context = context
    this.#start = start
    this.#events = events
    this.#nextSeq = start.seq
    this.#nextPage = start.page
  }

  get isFull(): boolean {
    return this.#groupBytes >= maxGroupBytes
  }

  /** The disk is full. */
  get isShort(): boolean {
    return this.#isShort
  }

  add(item: T, pieces: readonly Uint8Array[]): Promise<void> {
    const { compression } = this.#context.settings
    const began = performance.now()
    const packed = pack(pieces, compression)
    if (packed.rawBytes > maxPayloadBytes)
      throw new RangeError(`a record of ${packed.rawBytes} bytes is larger than ${maxPayloadBytes}`)
    const { counters } = this.#context
    counters.rawBytes += packed.rawBytes
    counters.storedBytes += packed.storedBytes
    if (compression !== 'none') counters.packNanos += (performance.now() - began) * 1e6
    const count = item.to - item.from
    this.#group ??= newGroup()
    const { records, written } = this.#group
    // Now, while the processor still has the bytes in its cache: a group may wait for an fsync before it is written.
    const payloadCrc = crcOf(packed.pieces)
    records.push({ ...packed, payloadCrc, item, seq: this.#nextSeq, count })
    this.#nextSeq += count
    this.gathered += count
    this.gatheredBytes += recordHeaderBytes + packed.storedBytes
    this.#groupBytes += packed.storedBytes
    // Whatever comes in this turn of the event loop, from all inputs, goes along.
    this.#running ??= new Promise<void>((resolve) => setImmediate(resolve)).then(() => this.#run())
    return written
  }

  async #run(): Promise<void> {
    for (let group = this.#group; group !== undefined; group = this.#group) {
      this.#group = undefined
      this.#groupBytes = 0
      try {
        if (this.#failure !== undefined) throw this.#failure
        await this.#write(group.records)
        group.resolve()
        await this.#syncByCount()
      } catch (error) {
        group.reject(error as Error)
        if (!(error instanceof QueueClosed)) this.#fail(error as Error)
      }
    }
    this.#running = undefined
  }

  #fail(error: Error): void {
    if (this.#failure !== undefined) return
    this.#failure = error
    this.#events.failed(error)
  }

  async #write(records: readonly PushedRecord<T>[]): Promise<void> {
    for (let from = 0; from < records.length; ) {
      let to = from
      for (let attempt = 1; ; ) {
        try {
          const head = await this.#headFor(records[from]!)
          to = from + this.#fitting(head, records, from)
          await this.#writePart(head, records.slice(from, to))
          break
        } catch (error) {
          if (error instanceof QueueClosed) throw error
          if (isShortage(error) && !(error instanceof SyncFailed)) {
            await this.#untilThereIsRoom(error as Error)
            continue
          }
          this.#giveUpHead(error as Error)
          if (attempt++ >= maxAttempts) throw error
        }
      }
      from = to
    }
  }

  #fitting(head: HeadPage, records: readonly PushedRecord<T>[], from: number): number {
    let bytes = 0
    let to = from
    do bytes += recordHeaderBytes + records[to++]!.storedBytes
    while (
      to < records.length &&
      head.fits(bytes + recordHeaderBytes + records[to]!.storedBytes) &&
      bytes < maxGroupBytes
    )
    return to - from
  }

  async #headFor(record: PushedRecord<T>): Promise<HeadPage> {
    if (this.#head?.fits(recordHeaderBytes + record.storedBytes)) return this.#head
    if (this.#head !== undefined) {
      if (this.#context.settings.durability === 'checkpoint') await this.#sync(this.#head)
      this.sealHead()
    }
    const { env, settings, pages, spares } = this.#context
    const { queueId, epoch } = this.#start
    const page = new QueuePage(this.#nextPage, epoch, record.seq, 0)
    // A page that is read before its first sync needs its name at once.
    const spare = settings.durability === 'group' ? spares.take() : undefined
    const { files, directory } = env
    const head = new HeadPage({ files, directory, queueId, capacity: settings.pageCapacity }, page, spare)
    this.#nextPage += 1
    this.#head = head
    pages.add(page)
    return head
  }

  async #writePart(head: HeadPage, records: readonly PushedRecord<T>[]): Promise<void> {
    const positions = head.write(records)
    const { durability } = this.#context.settings
    if (durability === 'group') await this.#sync(head)
    if (this.#isShort) this.#context.env.log('info', 'the queue has room on the disk again')
    this.#isShort = false
    const { page } = head
    const last = records.at(-1)!
    let count = 0
    for (const record of records) count += record.count
    page.endSeq = last.seq + last.count
    page.bytes = positions.at(-1)!
    page.unacked += count
    this.gathered -= count
    this.gatheredBytes -= positions.at(-1)! - positions[0]!
    this.#context.counters.commits += 1
    if (durability === 'group') this.#markSynced(page)
    else this.#unsynced += count
    this.#events.written(page, records, positions)
  }

  async #sync(head: HeadPage): Promise<void> {
    try {
      this.#context.counters.syncs += 1
      await head.sync()
    } catch (error) {
      this.#context.counters.failedSyncs += 1
      throw new SyncFailed(error as Error)
    }
  }

  #markSynced({ number, bytes, endSeq }: QueuePage): void {
    this.synced = { page: number, offset: bytes, nextSeq: endSeq }
    this.#unsynced = 0
    this.#events.synced()
  }

  /** Durability `checkpoint`: an fsync for so many events, as Logstash does it. */
  async #syncByCount(): Promise<void> {
    const { durability, checkpointWrites } = this.#context.settings
    if (durability !== 'checkpoint' || checkpointWrites === 0 || this.#unsynced < checkpointWrites) return
    if (this.#head === undefined) return
    await this.#sync(this.#head)
    this.#markSynced(this.#head.page)
  }

  /** The page is never written to again and its file never trusted; what was synced in it before still counts. */
  #giveUpHead(error: Error): void {
    const { log } = this.#context.env
    const head = this.#head
    if (head === undefined) {
      log('error', `a new page could not be made: ${error.message}`)
      return
    }
    log(
      'error',
      `page ${head.page.number} of the queue is given up, its group goes to another one: ${error.message}`,
    )
    head.page.isSuspect = true
    head.page.isSealed = true
    this.#head = undefined
    closeQuietly(head, false)
  }

  /** Nothing more is written to the page; false while a write is under way. */
  sealHead(): boolean {
    const head = this.#head
    if (head === undefined) return false
    head.page.isSealed = true
    this.#head = undefined
    closeQuietly(head, true)
    return true
  }

  /** For the queue, when nothing is being written. */
  sealIdleHead(): boolean {
    return this.#running === undefined && this.sealHead()
  }

  // ----------------------------------------------------------------------------------------------- shortages

  async #untilThereIsRoom(error: Error): Promise<void> {
    if (this.#isClosing) throw new QueueClosed()
    if (this.#gaveSparesBack()) return
    if (!this.#isShort)
      this.#context.env.log('warn', `the queue waits for room on the disk: ${error.message}`)
    this.#isShort = true
    await new Promise<void>((resolve) => {
      const cancel = this.later(resolve)
      this.#wake = () => {
        cancel()
        resolve()
      }
    })
    this.#wake = undefined
    if (this.#isClosing) throw new QueueClosed()
  }

  /** A spare page that cannot be removed is no reason to fail: the queue waits for room as without it. */
  #gaveSparesBack(): boolean {
    try {
      return this.#context.spares.remove()
    } catch {
      return false
    }
  }

  /** There may be room now. */
  retry(): void {
    this.#wake?.()
  }

  later(call: () => void): () => void {
    const { after = timer } = this.#context.env
    return after(retryMilliseconds, call)
  }

  async close(): Promise<void> {
    this.#isClosing = true
    this.#wake?.()
    await this.#running
    const head = this.#head
    if (head === undefined) return
    try {
      if (head.page.bytes > 0 && this.#unsynced > 0) {
        await this.#sync(head)
        this.#markSynced(head.page)
      }
    } catch (error) {
      this.#context.env.log('error', `the last page could not be synced: ${(error as Error).message}`)
    }
    this.sealHead()
  }
}

/** An fsync that failed, whatever its error says, is never tried again on the same file. */
class SyncFailed extends Error {
  constructor(cause: Error) {
    super(cause.message, { cause })
    this.name = 'SyncFailed'
  }
}

function closeQuietly(head: HeadPage, isTrimmed: boolean): void {
  try {
    head.close(isTrimmed)
  } catch {
    // The descriptor is gone either way.
  }
}

function newGroup<T>(): Group<T> {
  let resolve: () => void = () => {}
  let reject: (error: Error) => void = () => {}
  const written = new Promise<void>((yes, no) => {
    resolve = yes
    reject = no
  })
  // Whoever pushed hears of it; a push that nobody waits for must not end the process.
  written.catch(() => undefined)
  return { records: [], written, resolve, reject }
}

export function timer(milliseconds: number, call: () => void): () => void {
  const handle = setTimeout(call, milliseconds)
  handle.unref()
  return () => clearTimeout(handle)
}
