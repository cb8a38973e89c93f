/**
 * The dead letter queue of one pipeline: one owner that appends entries for all threads, seals segments that are full or
 * were not written for a while, and keeps to the limits of size and age. Appends that come while an fsync is under way
 * share the next one (group commit). It never throws into the pipeline: what cannot be written is dropped, counted and
 * said, as Logstash does when its queue is full.
 */
import type { Files } from '../../storage/files.ts'
import { OpenSegment } from './open-segment.ts'
import { recoverLeftovers } from './recovery.ts'
import { SealedSegments, type StoragePolicy } from './retention.ts'
import { lastNumber, removalNotice } from './segment-files.ts'
import { headerBytes, maxSegmentBytes } from './segment-format.ts'

export interface DeadLetterLogger {
  warn(message: string, fields?: Record<string, unknown>): void
  error(message: string, fields?: Record<string, unknown>): void
}

export interface DeadLetterSettings {
  readonly files: Files
  readonly directory: string
  readonly maxBytes: number
  readonly policy: StoragePolicy
  /** Milliseconds; undefined keeps entries for ever. */
  readonly retainMillis?: number | undefined
  /** Milliseconds without a write after which the open segment is sealed. */
  readonly flushMillis: number
  readonly logger: DeadLetterLogger
  readonly segmentBytes?: number
  /** Milliseconds since 1970. */
  now?(): number
}

/** As the monitoring API shows them. */
export interface DeadLetterStats {
  readonly queue_size_in_bytes: number
  readonly max_queue_size_in_bytes: number
  readonly storage_policy: StoragePolicy
  readonly dropped_events: number
  readonly expired_events: number
  readonly last_error: string
}

/** The names of new directories are safe as well when this returns. */
function makeDurableDirectory(files: Files, directory: string): void {
  if (files.exists(directory)) return
  const parent = directory.slice(0, directory.lastIndexOf('/'))
  if (parent !== '') makeDurableDirectory(files, parent)
  files.makeDirectory(directory)
  files.syncDirectory(parent === '' ? '/' : parent)
}

interface Group {
  readonly entries: readonly Uint8Array[]
  readonly settled: () => void
}

/** At most one line in that time says what was dropped. */
const logMillis = 10_000
/** How often the files are counted again while the queue is full. */
const recountMillis = 1000

export class DeadLetterQueue {
  readonly #settings: DeadLetterSettings
  readonly #sealed: SealedSegments
  readonly #now: () => number
  readonly #segmentBytes: number
  #open: OpenSegment | undefined
  #lastId = 0
  #bytes = 0
  #lastWrite = 0
  #lastCount = Number.NEGATIVE_INFINITY
  #dropped = 0
  #expired = 0
  #lastError = 'no errors'
  #hasLeftovers = false
  #waiting: Group[] = []
  #turn: Promise<void> = Promise.resolve()
  #isClosed = false
  #lastLine = Number.NEGATIVE_INFINITY
  #unsaid = 0

  /** Seals what an earlier writer left open. Rejects only when the directory cannot be used at all. */
  static async open(settings: DeadLetterSettings): Promise<DeadLetterQueue> {
    const { files, directory } = settings
    makeDurableDirectory(files, directory)
    const queue = new DeadLetterQueue(settings)
    queue.#lastId = lastNumber(files, directory)
    await queue.#recover()
    queue.#recount()
    return queue
  }

  private constructor(settings: DeadLetterSettings) {
    this.#settings = settings
    this.#sealed = new SealedSegments(settings.files, settings.directory)
    this.#now = settings.now ?? Date.now
    this.#segmentBytes = settings.segmentBytes ?? maxSegmentBytes
  }

  get stats(): DeadLetterStats {
    return {
      queue_size_in_bytes: this.#bytes,
      max_queue_size_in_bytes: this.#settings.maxBytes,
      storage_policy: this.#settings.policy,
      dropped_events: this.#dropped,
      expired_events: this.#expired,
      last_error: this.#lastError,
    }
  }

  /** Resolves when each entry is on the disk, or was dropped and counted; never rejects. */
  append(entries: readonly Uint8Array[]): Promise<void> {
    if (entries.length === 0) return Promise.resolve()
    if (this.#isClosed) {
      this.#drop(entries.length, `Cannot write event to DLQ(path: ${this.#settings.directory}): it is closed`)
      return Promise.resolve()
    }
    return new Promise((settled) => {
      this.#waiting.push({ entries, settled })
      if (this.#waiting.length === 1) void this.#inTurn(() => this.#commit())
    })
  }

  /** To be called now and then: seals a segment that rests, removes what is too old, seals leftovers of failures. */
  check(): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#isClosed) return
      if (this.#hasLeftovers) await this.#recover()
      if (this.#open?.hasEntries && this.#now() - this.#lastWrite >= this.#settings.flushMillis) this.#seal()
      this.#takeNotice()
      this.#sealed.lookAgain()
      this.#expire()
      this.#say()
    })
  }

  /** Seals what is open. Later entries are dropped. */
  close(): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#isClosed) return
      this.#isClosed = true
      this.#seal()
      this.#open?.discard()
      this.#open = undefined
      if (this.#hasLeftovers) await this.#recover()
      this.#expire()
      this.#lastLine = Number.NEGATIVE_INFINITY
      this.#say()
    })
  }

  /** One thing after the other; what fails unexpectedly is said and leaves the queue usable. */
  #inTurn(work: () => Promise<void>): Promise<void> {
    this.#turn = this.#turn.then(work).catch((error: unknown) => {
      this.#fail(error)
    })
    return this.#turn
  }

  // ----------------------------------------------------------------------------------------------- writing

  async #commit(): Promise<void> {
    const groups = this.#waiting
    this.#waiting = []
    try {
      this.#expire()
      await this.#writeAll(groups.flatMap(({ entries }) => entries))
    } finally {
      for (const { settled } of groups) settled()
    }
  }

  /** Entries that share a segment go into it together. */
  async #writeAll(entries: readonly Uint8Array[]): Promise<void> {
    let together: Uint8Array[] = []
    let bytes = 0
    const flush = async () => {
      const now = together
      together = []
      bytes = 0
      if (now.length > 0) await this.#write(now)
    }
    for (const entry of entries) {
      const size = headerBytes + entry.length
      if (!this.#fits(bytes + size)) await flush()
      if (!this.#fits(bytes + size) && !this.#makeRoom(size)) {
        const { directory, maxBytes } = this.#settings
        this.#drop(1, `Cannot write event to DLQ(path: ${directory}): reached maxQueueSize of ${maxBytes}`)
        continue
      }
      if (this.#segmentSize() + bytes + size > this.#segmentBytes) {
        await flush()
        this.#seal()
      }
      together.push(entry)
      bytes += size
    }
    await flush()
  }

  #segmentSize(): number {
    return this.#open?.size ?? 0
  }

  /** A segment that failed is left alone; a second one gets a try, unless the disk is full anyway. */
  async #write(entries: readonly Uint8Array[]): Promise<void> {
    for (let isSecond = false; ; isSecond = true) {
      try {
        const { files, directory } = this.#settings
        if (this.#open === undefined) {
          this.#open = await OpenSegment.create(files, directory, ++this.#lastId)
          this.#bytes += this.#open.size
        }
        const before = this.#open.size
        await this.#open.append(entries)
        this.#bytes += this.#open.size - before
        this.#lastWrite = this.#now()
        return
      } catch (error) {
        if (this.#open === undefined) this.#hasLeftovers = true
        this.#abandonUnusable()
        if (!isSecond && (error as NodeJS.ErrnoException).code !== 'ENOSPC') continue
        const { directory } = this.#settings
        this.#drop(
          entries.length,
          `Cannot write event to DLQ(path: ${directory}): ${(error as Error).message}`,
        )
        return
      }
    }
  }

  #abandonUnusable(): void {
    if (this.#open === undefined || this.#open.isUsable) return
    this.#open.abandon()
    this.#open = undefined
    this.#hasLeftovers = true
  }

  #seal(): void {
    const segment = this.#open
    if (!segment?.hasEntries) return
    this.#open = undefined
    this.#sealed.lookAgain()
    try {
      segment.seal()
    } catch (error) {
      this.#hasLeftovers = true
      this.#fail(error)
    }
  }

  async #recover(): Promise<void> {
    const { files, directory, logger } = this.#settings
    const { recovered, failures } = await recoverLeftovers(files, directory, this.#open?.id)
    this.#hasLeftovers = failures.length > 0
    for (const { path, message } of failures) this.#fail(new Error(`${path} could not be sealed: ${message}`))
    for (const { path, entries, quarantine } of recovered) {
      if (quarantine === undefined) continue
      logger.warn('A segment of the dead letter queue ended in bytes that are no entry; they were kept', {
        segment: path,
        entries,
        kept_as: quarantine,
      })
    }
    this.#sealed.lookAgain()
  }

  // ------------------------------------------------------------------------------------------------ limits

  #fits(size: number): boolean {
    return this.#bytes + size <= this.#settings.maxBytes
  }

  /** A reader may have removed segments meanwhile; older ones go when the policy says so. */
  #makeRoom(size: number): boolean {
    if (this.#now() - this.#lastCount >= recountMillis) this.#recount()
    if (this.#fits(size)) return true
    if (this.#settings.policy === 'drop_newer' || size > this.#settings.maxBytes) return false
    let segments = this.#sealed.list()
    while (!this.#fits(size)) {
      const [oldest, ...rest] = segments
      if (oldest === undefined) {
        if (!this.#open?.hasEntries) return false
        this.#seal()
        segments = this.#sealed.list()
        if (segments.length === 0) return false
        continue
      }
      segments = rest
      const removed = this.#sealed.remove(oldest)
      if (removed === undefined) this.#recount()
      else {
        this.#bytes -= removed.bytes
        const { maxBytes } = this.#settings
        this.#drop(
          removed.entries,
          `Removed segment ${oldest.path}: dead letter queue size exceeded dead_letter_queue.max_bytes size(${maxBytes})`,
        )
      }
    }
    return true
  }

  #expire(): void {
    const { retainMillis } = this.#settings
    if (retainMillis === undefined) return
    const before = this.#now() - retainMillis
    for (let old = this.#sealed.expired(before); old !== undefined; old = this.#sealed.expired(before)) {
      const removed = this.#sealed.remove(old)
      if (removed === undefined) continue
      this.#bytes -= removed.bytes
      this.#expired += removed.entries
    }
  }

  #recount(): void {
    this.#lastCount = this.#now()
    this.#bytes = this.#sealed.bytes()
    this.#sealed.lookAgain()
  }

  #takeNotice(): void {
    const { files, directory } = this.#settings
    const notice = `${directory}/${removalNotice}`
    if (!files.exists(notice)) return
    files.remove(notice)
    this.#recount()
  }

  // ---------------------------------------------------------------------------------------------- failures

  #drop(count: number, reason: string): void {
    this.#dropped += count
    this.#unsaid += count
    this.#lastError = reason
    this.#say()
  }

  /** A queue that cannot do what it should, without an entry being lost by it. */
  #fail(error: unknown): void {
    this.#lastError = (error as Error).message
    this.#settings.logger.error('The dead letter queue has a problem', {
      path: this.#settings.directory,
      message: this.#lastError,
    })
  }

  #say(): void {
    if (this.#unsaid === 0 || this.#now() - this.#lastLine < logMillis) return
    this.#lastLine = this.#now()
    this.#settings.logger.error(this.#lastError, { dropped_events: this.#unsaid })
    this.#unsaid = 0
  }
}
