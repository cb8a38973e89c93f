/**
 * What waits to be delivered, in order: records that are still in memory and stretches of pages. Readers right behind
 * the writer get what was pushed without reading it again, within a bound in bytes; what came when the bound was
 * reached is read from its page later, and its checksums are verified.
 */
import type { Files } from '../../storage/files.ts'
import type { QueueItem } from '../memory-queue.ts'
import type { IntervalSet } from './interval-set.ts'
import { pageName } from './page-format.ts'
import { PageScan, type ScannedDamage, type ScannedRecord, type UnpackMeter } from './page-scan.ts'
import type { Delivery, RecordCodec } from './queue-options.ts'
import type { QueuePage } from './queue-page.ts'
import { pageSeed } from './record-format.ts'

interface Recent<T extends QueueItem> extends Delivery<T> {
  readonly weight: number
}

/** A stretch of a page. */
interface Stretch {
  readonly page: QueuePage
  /** Position after the last good record. */
  from: number
  /** Sequence number that is expected next, and the one after the last. */
  seq: number
  to: number
  endSeq: number
  /** Found since the last good record. */
  damage: ScannedDamage[]
  /** How often the disk could not read what comes next. */
  failedReads: number
}

/** A disk that cannot read now may be able to later; after so many times what it has is taken for lost. */
const maxFailedReads = 5

interface SourceEvents {
  /** Sequence numbers that no good record has, and the places where they should be. */
  missing(from: number, to: number, page: QueuePage, damage: readonly ScannedDamage[]): void
  readonly unpacked?: UnpackMeter
}

interface SourceSettings<T extends QueueItem> {
  readonly files: Files
  readonly directory: string
  readonly queueId: Uint8Array
  readonly codec: RecordCodec<T>
  readonly acked: IntervalSet
  /** Limit of the records that stay in memory after they were written. */
  readonly recentBytes: number
  readonly events: SourceEvents
}

export class RecordSource<T extends QueueItem> {
  readonly #settings: SourceSettings<T>
  /** Delivered before everything else, in order of their numbers. */
  #first: Recent<T>[] = []
  #waiting: (Recent<T> | Stretch)[] = []
  #head = 0
  #weight = 0
  #scan: { stretch: Stretch; scan: PageScan } | undefined

  constructor(settings: SourceSettings<T>) {
    this.#settings = settings
  }

  /** A record that was just written to `page`, from one position to another. */
  add(page: QueuePage, item: T, seq: number, [from, to]: readonly [from: number, to: number]): void {
    const weight = this.#settings.codec.weigh(item)
    if (this.#weight + weight <= this.#settings.recentBytes) {
      this.#weight += weight
      this.#waiting.push({ item, seq, epoch: page.epoch, weight })
      return
    }
    const endSeq = seq + item.to - item.from
    const last = this.#waiting.length > this.#head ? this.#waiting.at(-1) : undefined
    if (last !== undefined && 'page' in last && last.page === page) {
      last.to = to
      last.endSeq = endSeq
    } else this.#waiting.push({ page, from, to, seq, endSeq, damage: [], failedReads: 0 })
  }

  /** A page that was there when the queue was opened. */
  addPage(page: QueuePage, from: number): void {
    if (page.unacked > 0)
      this.#waiting.push({
        page,
        from,
        to: page.bytes,
        seq: page.firstSeq,
        endSeq: page.endSeq,
        damage: [],
        failedReads: 0,
      })
  }

  /** What was delivered and not acknowledged comes first again. */
  giveBack(deliveries: readonly Delivery<T>[]): void {
    this.#first = [...this.#first, ...deliveries.map((delivery) => ({ ...delivery, weight: 0 }))].sort(
      (a, b) => a.seq - b.seq,
    )
  }

  /** Up to `max` events of the next record; undefined when nothing waits. */
  next(max: number): Delivery<T> | undefined {
    for (;;) {
      const early = this.#first[0]
      if (early !== undefined) {
        const [taken, rest] = this.#cut(early, max)
        if (rest === undefined) this.#first.shift()
        else this.#first[0] = rest
        return taken
      }
      const front = this.#waiting[this.#head]
      if (front === undefined) return undefined
      if (!('page' in front)) {
        const [taken, rest] = this.#cut(front, max)
        if (rest === undefined) this.#shift()
        else this.#waiting[this.#head] = rest
        return taken
      }
      if (!this.#read(front)) this.#shift()
    }
  }

  #cut(from: Recent<T>, max: number): [Delivery<T>, Recent<T> | undefined] {
    const { item, seq, epoch, weight } = from
    const count = item.to - item.from
    if (count <= max) {
      this.#weight -= weight
      return [{ item, seq, epoch }, undefined]
    }
    const [taken, rest] = this.#settings.codec.split(item, max)
    return [
      { item: taken, seq, epoch },
      { item: rest, seq: seq + max, epoch, weight },
    ]
  }

  #shift(): void {
    this.#head += 1
    if (this.#head > 1024 || this.#head === this.#waiting.length) {
      this.#waiting = this.#waiting.slice(this.#head)
      this.#head = 0
    }
  }

  /** Puts the next record of a stretch in front; false at its end. */
  #read(stretch: Stretch): boolean {
    const scan = this.#scanOf(stretch)
    if (scan !== undefined) {
      scan.limit = stretch.to
      while (stretch.seq < stretch.endSeq) {
        const one = scan.next()
        if (one === undefined) break
        if (one.kind === 'damage') this.#noteDamage(stretch, one)
        else if (this.#accept(stretch, one)) return true
      }
    }
    this.closePage(stretch.page)
    this.#miss(stretch, stretch.endSeq)
    return false
  }

  /** The numbers of records have no gaps; a record that was written twice, or to a page that was given up, is old. */
  #accept(stretch: Stretch, record: ScannedRecord): boolean {
    const end = record.seq + record.count
    if (record.seq < stretch.seq || end > stretch.endSeq) return false
    this.#miss(stretch, record.seq)
    stretch.seq = end
    stretch.from = record.to
    stretch.failedReads = 0
    const open = this.#settings.acked.missing(record.seq, end)
    if (open.length === 0) return false
    let rest: T
    try {
      rest = this.#settings.codec.decode(record.payload, record.count)
    } catch (error) {
      const reason = `the record cannot be decoded: ${(error as Error).message}`
      const damage = { kind: 'damage' as const, from: record.from, to: record.to, reason }
      this.#settings.events.missing(record.seq, end, stretch.page, [damage])
      return false
    }
    let at = record.seq
    for (const [from, to] of open) {
      if (from > at) rest = this.#settings.codec.split(rest, from - at)[1]
      const isAll = to === end
      const [item, after] = isAll ? [rest, rest] : this.#settings.codec.split(rest, to - from)
      this.#first.push({ item, seq: from, epoch: stretch.page.epoch, weight: 0 })
      rest = after
      at = to
    }
    return true
  }

  #noteDamage(stretch: Stretch, damage: ScannedDamage): void {
    if (damage.isUnreadable && stretch.failedReads < maxFailedReads) {
      stretch.failedReads += 1
      stretch.damage = []
      this.closePage(stretch.page)
      throw new Error(`page ${stretch.page.number} cannot be read at ${damage.from}`)
    }
    stretch.damage.push(damage)
  }

  /** Damage without a missing event is nothing: a write that was cut off and not acknowledged. */
  #miss(stretch: Stretch, to: number): void {
    if (this.#settings.acked.countMissing(stretch.seq, to) > 0)
      this.#settings.events.missing(stretch.seq, to, stretch.page, stretch.damage)
    stretch.damage = []
  }

  #scanOf(stretch: Stretch): PageScan | undefined {
    if (this.#scan?.stretch === stretch) return this.#scan.scan
    this.#scan?.scan.close()
    this.#scan = undefined
    const { number } = stretch.page
    try {
      const file = this.#settings.files.openRead(`${this.#settings.directory}/${pageName(number)}`)
      const scan = new PageScan(
        file,
        pageSeed(this.#settings.queueId, number),
        stretch.from,
        stretch.to,
        this.#settings.events.unpacked,
      )
      this.#scan = { stretch, scan }
      return scan
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
      return undefined
    }
  }

  /** Nothing of the page is read any more. */
  closePage(page: QueuePage): void {
    if (this.#scan?.stretch.page !== page) return
    this.#scan.scan.close()
    this.#scan = undefined
  }

  close(): void {
    this.#scan?.scan.close()
    this.#scan = undefined
  }
}
