/**
 * The queue that survives: a push is answered when its group is on the disk (group commit), events are delivered to
 * several workers, acknowledged in any order and kept until then. Readers never see an event that a power cut could
 * take back. `docs/decisions/0022-persisted-queue.md` says why it is built this way.
 */
import { randomBytes } from 'node:crypto'
import type { QueueItem } from '../memory-queue.ts'
import { Checkpointer } from './checkpointer.ts'
import { GroupCommit, type PushedRecord } from './group-commit.ts'
import type { IntervalSet } from './interval-set.ts'
import { pageHeaderBytes, pageName } from './page-format.ts'
import type { ScannedDamage } from './page-scan.ts'
import { PageTable } from './page-table.ts'
import { Quarantine } from './quarantine.ts'
import {
  type Delivery,
  newCounters,
  QueueClosed,
  type QueueCounters,
  type QueueEnvironment,
  type QueueSettings,
  type RecordCodec,
} from './queue-options.ts'
import type { QueuePage } from './queue-page.ts'
import { RecordSource } from './record-source.ts'
import { type Recovered, recover } from './recovery.ts'
import { SparePages } from './spare-pages.ts'
import { SyncedMarkFile } from './synced-mark.ts'

interface Waiting<T> {
  readonly item: T
  readonly accept: (written: Promise<void>) => void
  readonly refuse: (error: Error) => void
}

const ignored = (): void => {}

export interface QueueFigures {
  readonly type: 'persisted'
  readonly path: string
  /** Delivered to nobody yet. */
  readonly unreadEvents: number
  /** Not acknowledged by the outputs yet. */
  readonly unackedEvents: number
  readonly queueBytes: number
  readonly freeBytes: number
  readonly isDiskFull: boolean
  readonly counters: Readonly<QueueCounters>
}

export class PersistedQueue<T extends QueueItem> {
  /** Called when something can be taken. */
  onReadable: () => void = () => {}
  /** Called once, when the disk failed for good. Everything that was acknowledged is still in the pages. */
  onFailed: (error: Error) => void = () => {}
  /**
   * Called with a single event that cannot become a record. Resolves when it is safe elsewhere, or was said to be lost;
   * whoever pushed it is answered then. Without it, such a push rejects.
   */
  onRefused: ((item: T, error: Error) => Promise<void>) | undefined
  readonly counters: QueueCounters = newCounters()
  readonly settings: QueueSettings
  readonly #env: QueueEnvironment
  readonly #codec: RecordCodec<T>
  readonly #queueId: Uint8Array
  readonly #epoch: number
  readonly #acked: IntervalSet
  readonly #pages: PageTable
  readonly #quarantine: Quarantine
  readonly #spares: SparePages
  readonly #mark: SyncedMarkFile
  readonly #source: RecordSource<T>
  readonly #commit: GroupCommit<T>
  readonly #checkpointer: Checkpointer
  /** Events below it were synced when the queue was opened. */
  readonly #confirmedSeq: number
  /** The first event that came since then. */
  readonly #openSeq: number
  #unread = 0
  #written = { events: 0, bytes: 0 }
  #waiting: Waiting<T>[] = []
  #failure: Error | undefined
  #isClosed = false
  /** The reader is about to hear that something can be taken. */
  #isTelling = false
  #idle: (() => void)[] = []

  static async open<T extends QueueItem>(
    env: QueueEnvironment,
    settings: QueueSettings,
    codec: RecordCodec<T>,
  ): Promise<PersistedQueue<T>> {
    env.files.makeDirectory(env.directory)
    const recovered = recover(env.files, env.directory)
    for (const finding of recovered.findings) env.log('warn', finding)
    const queue = new PersistedQueue(env, settings, codec, recovered)
    await queue.#start(recovered)
    return queue
  }

  private constructor(
    env: QueueEnvironment,
    settings: QueueSettings,
    codec: RecordCodec<T>,
    recovered: Recovered,
  ) {
    const { files, directory } = env
    this.#env = env
    this.settings = settings
    this.#codec = codec
    this.#queueId = recovered.queueId ?? (env.newId ?? (() => randomBytes(16)))()
    this.#epoch = recovered.epoch + 1
    this.#acked = recovered.acked
    this.#confirmedSeq = recovered.confirmedSeq
    this.#openSeq = recovered.nextSeq
    this.#pages = new PageTable(recovered.pages)
    this.#quarantine = new Quarantine(files, directory)
    this.#spares = new SparePages(files, directory, this.#epoch, settings.pageCapacity)
    const shared = { env, settings, counters: this.counters, pages: this.#pages, spares: this.#spares }
    this.#mark = new SyncedMarkFile(files, directory, this.#queueId)
    this.#source = new RecordSource({
      files,
      directory,
      queueId: this.#queueId,
      codec,
      acked: this.#acked,
      recentBytes: settings.recentBytes,
      events: {
        missing: (from, to, page, damage) => {
          for (const one of damage) this.#damaged(page, one)
          this.#missing(from, to, `in ${directory}/${pageName(page.number)}`)
        },
        unpacked: (packedBytes, unpackedBytes, nanos) => {
          this.counters.packedBytes += packedBytes
          this.counters.unpackedBytes += unpackedBytes
          this.counters.unpackNanos += nanos
        },
      },
    })
    this.#commit = new GroupCommit<T>(
      shared,
      { queueId: this.#queueId, epoch: this.#epoch, page: recovered.nextPage, seq: recovered.nextSeq },
      {
        written: (page, records, positions) => this.#committed(page, records, positions),
        synced: () => this.#writeMark(),
        failed: (error) => this.#fail(error),
      },
    )
    this.#checkpointer = new Checkpointer(
      { ...shared, quarantine: this.#quarantine },
      recovered.checkpoint?.generation ?? 0,
      {
        content: () => ({ queueId: this.queueId, epoch: this.#epoch, ...this.#commit.synced }),
        acked: () => this.#acked,
        leaving: (page) => this.#source.closePage(page),
        released: () => {
          this.#commit.retry()
          this.#admit()
        },
        failed: (error) => this.#fail(error),
      },
    )
  }

  /** The number of the opening must be durable before the first event gets a sequence number of it. */
  async #start(recovered: Recovered): Promise<void> {
    this.#removeSpares()
    for (const { page, from, bytes } of recovered.torn) this.#cutTail(page, from, bytes)
    for (const name of recovered.damagedCheckpoints) this.#keepFile(name)
    for (const [from, to] of recovered.gaps) this.#missing(from, to, `of ${this.#env.directory}`)
    for (const page of this.#pages) {
      this.#unread += page.unacked
      this.#written.events += page.endSeq - page.firstSeq
      this.#written.bytes += page.bytes
    }
    for (const [from, to] of recovered.holes) this.#missing(from, to, `of ${this.#env.directory}`)
    for (const page of this.#pages) this.#source.addPage(page, pageHeaderBytes)
    const isSynced = await this.#syncRecovered(recovered.unsyncedPages)
    this.#commit.synced = {
      page: recovered.nextPage - 1,
      offset: this.#pages.last?.number === recovered.nextPage - 1 ? this.#pages.last.bytes : 0,
      nextSeq: isSynced ? recovered.nextSeq : recovered.confirmedSeq,
    }
    // Both slots are written when one was damaged: the other one could be a very old one.
    for (let left = recovered.damagedCheckpoints.length > 0 ? 2 : 1; left > 0; left--)
      await this.#checkpointer.writeNow()
    this.#writeMark()
  }

  /** After `kill -9` there may be records that were written and never synced. */
  async #syncRecovered(pages: readonly number[]): Promise<boolean> {
    try {
      for (const page of pages) {
        const file = this.#env.files.openRandom(`${this.#env.directory}/${pageName(page)}`)
        await file.sync()
        file.close()
      }
      if (pages.length > 0) this.#env.files.syncDirectory(this.#env.directory)
      return true
    } catch (error) {
      this.#env.log('warn', `pages of the queue could not be synced: ${(error as Error).message}`)
      return false
    }
  }

  /** Names the queue for ever. */
  get queueId(): string {
    return Buffer.from(this.#queueId).toString('hex')
  }

  // ------------------------------------------------------------------------------------------------ pushing

  get full(): boolean {
    const { maxBytes, maxEvents } = this.settings
    return (
      (maxBytes > 0 && this.#pages.bytes + this.#commit.gatheredBytes >= maxBytes) ||
      (maxEvents > 0 && this.#unread + this.#commit.gathered >= maxEvents) ||
      this.#commit.isFull
    )
  }

  /** Pushes that wait for room. */
  get waiting(): number {
    return this.#waiting.length
  }

  /**
   * Resolves when the events survive a power cut (durability `group`). It rejects when the queue failed or was closed,
   * and then nobody may believe that they do.
   */
  push(item: T): Promise<void> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure)
    if (this.#isClosed) return Promise.reject(new QueueClosed())
    if (!this.full && this.#waiting.length === 0) return this.#accept(item)
    this.#sealWhenStuck()
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, accept: resolve, refuse: reject })
    })
  }

  /**
   * Undefined when there is room for more; otherwise resolves when the item was taken. `safe` is called when it survives
   * a power cut, and never when the queue failed before.
   */
  offer(item: T, safe?: () => void): void | Promise<void> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure)
    if (this.#isClosed) return Promise.reject(new QueueClosed())
    const accept = (written: Promise<void>): void => {
      if (safe !== undefined) written.then(safe, ignored)
    }
    if (!this.full && this.#waiting.length === 0) return accept(this.#accept(item))
    this.#sealWhenStuck()
    return new Promise((resolve, reject) => {
      const taken = (written: Promise<void>): void => {
        accept(written)
        resolve()
      }
      this.#waiting.push({ item, accept: taken, refuse: reject })
    })
  }

  #accept(item: T): Promise<void> {
    try {
      const lasting = this.#codec.lasting?.(item) ?? item
      return this.#commit.add(lasting, this.#codec.encode(lasting))
    } catch (error) {
      return this.#acceptParts(item, error as Error)
    }
  }

  /** What cannot become one record may become two; an event that cannot is refused, and those around it go on. */
  #acceptParts(item: T, error: Error): Promise<void> {
    const count = item.to - item.from
    if (count > 1) {
      const parts = this.#codec.split(item, count >> 1)
      return Promise.all(parts.map((part) => this.#accept(part))).then(ignored)
    }
    return this.onRefused?.(item, error) ?? Promise.reject(error)
  }

  #admit(): void {
    while (this.#waiting.length > 0 && !this.full && this.#failure === undefined) {
      const { item, accept } = this.#waiting.shift()!
      accept(this.#accept(item))
    }
    if (this.#waiting.length > 0) this.#sealWhenStuck()
  }

  /** A page that is still written to is never released: when it alone fills the queue it has to end. */
  #sealWhenStuck(): void {
    const { last } = this.#pages
    if (last === undefined || last.isSealed || last.unacked > 0 || this.#pages.bytes < this.settings.maxBytes)
      return
    if (this.#commit.sealIdleHead()) this.#checkpointer.request()
  }

  #committed(page: QueuePage, records: readonly PushedRecord<T>[], positions: readonly number[]): void {
    for (let i = 0; i < records.length; i++) {
      const { item, seq, count } = records[i]!
      this.#source.add(page, item, seq, [positions[i]!, positions[i + 1]!])
      this.#unread += count
      this.#written.events += count
    }
    this.#written.bytes += positions.at(-1)! - positions[0]!
    this.#tellReader()
    this.#admit()
  }

  /** After whoever pushed: a sender that is to hear that its events are safe must not wait until they are worked on. */
  #tellReader(): void {
    if (this.#isTelling) return
    this.#isTelling = true
    setImmediate(() => {
      this.#isTelling = false
      if (!this.#isClosed) this.onReadable()
    })
  }

  // ------------------------------------------------------------------------------------------------- taking

  /** Unread events. */
  get records(): number {
    return this.#unread
  }

  /** About how many bytes they have. */
  get bytes(): number {
    const { events, bytes } = this.#written
    return events === 0 ? 0 : Math.round((this.#unread * bytes) / events)
  }

  get empty(): boolean {
    return this.#unread === 0
  }

  /** Events were pushed that cannot be taken yet: they wait for room or for their sync. */
  get isWriting(): boolean {
    return this.#failure === undefined && (this.#commit.gathered > 0 || this.#waiting.length > 0)
  }

  /** Up to `max` events, in order. Each is delivered once until the queue is opened again or it is given back. */
  take(max: number): Delivery<T>[] {
    const taken: Delivery<T>[] = []
    let room = max
    try {
      while (room > 0 && this.#unread > 0) {
        const delivery = this.#source.next(room)
        if (delivery === undefined) break
        const count = delivery.item.to - delivery.item.from
        room -= count
        this.#unread -= count
        taken.push(delivery)
      }
    } catch (error) {
      this.#env.log('warn', `the queue cannot be read now: ${(error as Error).message}`)
      this.#commit.later(() => this.onReadable())
    }
    if (this.#waiting.length > 0) this.#admit()
    return taken
  }

  /** They are through: the outputs have them, or they were dropped by a filter. In any order, once. */
  acknowledge(deliveries: readonly Pick<Delivery<T>, 'item' | 'seq'>[]): void {
    let count = 0
    let isReleasing = false
    for (const { seq, item } of deliveries) {
      const to = seq + item.to - item.from
      const fresh = this.#acked.add(seq, to)
      const page = this.#pages.find(seq)
      if (page !== undefined) {
        page.unacked -= fresh
        isReleasing ||= page.isReleasable
      }
      count += fresh
    }
    this.#writeMark()
    this.#checkpointer.acknowledged(count, isReleasing)
    if (this.#waiting.length > 0) this.#sealWhenStuck()
    if (this.#idle.length > 0) this.#wakeIdle()
  }

  /** Not worked on after all: they are delivered again, before everything else. */
  giveBack(deliveries: readonly Delivery<T>[]): void {
    for (const { item } of deliveries) this.#unread += item.to - item.from
    this.#source.giveBack(deliveries)
    if (deliveries.length > 0) this.onReadable()
  }

  get unacked(): number {
    let count = this.#commit.gathered
    for (const page of this.#pages) count += page.unacked
    return count
  }

  /** Resolves when everything is acknowledged, or the queue failed (`queue.drain`). */
  drained(): Promise<void> {
    if (this.unacked === 0 || this.#failure !== undefined) return Promise.resolve()
    return new Promise((resolve) => {
      this.#idle.push(resolve)
    })
  }

  #wakeIdle(): void {
    if (this.unacked > 0 && this.#failure === undefined) return
    for (const resolve of this.#idle.splice(0)) resolve()
  }

  // -------------------------------------------------------------------------------------------------- damage

  #damaged(page: QueuePage, damage: ScannedDamage): void {
    const { directory } = this.#env
    this.counters.corruptRecords += 1
    if (damage.isUnreadable) page.isSuspect = true
    const kept = this.#keep(page.number, damage.from, damage.to)
    const where = kept === undefined ? 'the bytes could not be kept' : `the bytes are kept in ${kept}`
    const place = `${directory}/${pageName(page.number)} is damaged from byte ${damage.from} to ${damage.to}`
    this.#env.log('error', `${place} (${damage.reason}); ${where}`)
  }

  /**
   * Numbers without a record can never be acknowledged, and as far as they had been promised they are lost. What was
   * written since the queue was opened is in the pages only after its sync.
   */
  #missing(from: number, to: number, where: string): void {
    let lost = 0
    let unconfirmed = 0
    for (const [start, end] of this.#acked.missing(from, to)) {
      const early = this.#confirmedSeq
      const late = Math.max(early, this.#openSeq)
      const doubtful = Math.max(0, Math.min(end, late) - Math.max(start, early))
      unconfirmed += doubtful
      lost += end - start - doubtful
      const page = this.#pages.find(start)
      if (page === undefined) continue
      page.unacked -= end - start
      this.#unread -= end - start
    }
    this.#acked.add(from, to)
    if (lost + unconfirmed === 0) return
    this.counters.lostEvents += lost
    this.counters.unconfirmedEvents += unconfirmed
    if (lost > 0) this.#env.log('error', `${lost} events ${where} are lost: ${from} to ${to - 1}`)
    if (unconfirmed > 0)
      this.#env.log('warn', `${unconfirmed} events ${where} were never acknowledged and are not complete`)
    this.#checkpointer.acknowledged(lost + unconfirmed, true)
    if (this.#idle.length > 0) this.#wakeIdle()
  }

  #keep(page: number, from: number, to: number): string | undefined {
    try {
      const file = this.#env.files.openRead(`${this.#env.directory}/${pageName(page)}`)
      try {
        return this.#quarantine.keep(`${pageName(page)}.${from}`, file.read(from, Math.min(to, file.size)))
      } finally {
        file.close()
      }
    } catch {
      return undefined
    }
  }

  #keepFile(name: string): void {
    try {
      const bytes = this.#env.files.read(`${this.#env.directory}/${name}`)
      this.#quarantine.keep(`${name}.${this.#epoch}`, bytes)
    } catch {
      // A file that cannot be read cannot be kept either; it was reported.
    }
  }

  /** A group that was never acknowledged and did not get to the disk as a whole. */
  #cutTail(page: number, from: number, bytes: Uint8Array): void {
    const path = `${this.#env.directory}/${pageName(page)}`
    const kept = this.#quarantine.keep(`${pageName(page)}.${from}`, bytes)
    const where = kept === undefined ? '' : `, kept in ${kept}`
    this.#env.log('info', `${path} ends with ${bytes.length} bytes of a write that a crash cut off${where}`)
    if (kept === undefined) return
    try {
      const file = this.#env.files.openRandom(path)
      file.truncate(from)
      file.close()
    } catch (error) {
      this.#env.log('warn', `${path} could not be cut to ${from} bytes: ${(error as Error).message}`)
    }
  }

  // -------------------------------------------------------------------------------------------------- endings

  #writeMark(): void {
    const { page, offset, nextSeq } = this.#commit.synced
    try {
      this.#mark.write(page, offset, nextSeq, this.#acked)
    } catch {
      // An older mark is as good as the last checkpoint.
    }
  }

  /** Those of this process and of one before it. */
  #removeSpares(): void {
    try {
      this.#spares.remove()
      this.#spares.removeOld()
    } catch (error) {
      this.#env.log('warn', `spare pages could not be removed: ${(error as Error).message}`)
    }
  }

  #fail(error: Error): void {
    if (this.#failure !== undefined) return
    this.#failure = error
    this.#env.log('error', `the queue in ${this.#env.directory} failed: ${error.message}`)
    for (const { refuse } of this.#waiting.splice(0)) refuse(error)
    this.#wakeIdle()
    this.onFailed(error)
  }

  get failure(): Error | undefined {
    return this.#failure
  }

  figures(): QueueFigures {
    const { files, directory } = this.#env
    let freeBytes = 0
    try {
      freeBytes = files.space(directory).available
    } catch {
      // Unknown is shown as none.
    }
    return {
      type: 'persisted',
      path: directory,
      unreadEvents: this.#unread,
      unackedEvents: this.unacked,
      queueBytes: this.#pages.bytes,
      freeBytes,
      isDiskFull: this.#commit.isShort,
      counters: this.counters,
    }
  }

  /** What was accepted is written, acknowledgements are in a checkpoint; what is not acknowledged stays in the pages. */
  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    for (const { refuse } of this.#waiting.splice(0)) refuse(new QueueClosed())
    await this.#commit.close()
    await this.#checkpointer.close()
    this.#removeSpares()
    this.#writeMark()
    this.#mark.close()
    this.#source.close()
  }
}
