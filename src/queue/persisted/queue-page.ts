/** A page as the queue keeps it in mind: which events are in it, how many of them are still to be acknowledged. */
import type { IntervalSet } from './interval-set.ts'

export class QueuePage {
  readonly number: number
  readonly epoch: number
  readonly firstSeq: number
  /** After the last event. */
  endSeq: number
  /** Position after the last record that counts; what is behind it in the file is nothing. */
  bytes: number
  unacked: number
  /** Nothing is added any more. */
  isSealed = false
  /** An fsync of it failed. The file is kept as evidence. */
  isSuspect = false

  constructor(number: number, epoch: number, firstSeq: number, bytes: number) {
    this.number = number
    this.epoch = epoch
    this.firstSeq = firstSeq
    this.endSeq = firstSeq
    this.bytes = bytes
    this.unacked = 0
  }

  static recovered(
    number: number,
    epoch: number,
    [firstSeq, endSeq]: readonly [number, number],
    bytes: number,
    acked: IntervalSet,
  ): QueuePage {
    const page = new QueuePage(number, epoch, firstSeq, bytes)
    page.endSeq = endSeq
    page.unacked = acked.countMissing(firstSeq, endSeq)
    page.isSealed = true
    return page
  }

  get isReleasable(): boolean {
    return this.isSealed && this.unacked === 0
  }
}
