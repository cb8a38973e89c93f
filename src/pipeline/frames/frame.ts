/**
 * A frame: what inputs put into the queue and what crosses threads. Bytes of some records, where each
 * record ends, where they came from and when. Events exist only after a worker decoded it.
 */
import type { Event } from '../../event/event.ts'
import type { Origin } from '../../plugin/define.ts'

/** Called back when every record of a write has left the pipeline. */
export interface Ticket {
  remaining: number
  done: (() => void) | undefined
}

export const ownReader = -2
/** In the place of a codec: events in wire form that are complete, and get nothing from the input. */
export const readyEvents = -3

/** What is wrong with the records of a frame; whoever decodes it counts that and says so. */
export type FrameFault =
  /** The record was cut at the limit of its codec. */
  | { readonly kind: 'truncated' }
  /** The codec failed on the record while the stream was read. */
  | { readonly kind: 'undecodable'; readonly exception: string; readonly message: string }

export interface Frame {
  /** Position of the input in the pipeline. */
  readonly input: number
  /** -1: the input's own codec; `ownReader`: the input's own reader; `readyEvents`: none; otherwise one of its additional codecs. */
  readonly codec: number
  readonly origin: Origin
  readonly millis: number
  readonly nanos: number
  /** Null for frames of ready-made events, which never leave their thread as they are. */
  readonly bytes: Uint8Array | null
  /** End of each record in `bytes`; record i starts `gap` bytes after the end of record i-1. Null: `bytes` is one record. */
  readonly ends: Uint32Array | null
  readonly gap: number
  /** First record and the one after the last. */
  readonly from: number
  readonly to: number
  /** The one record of `bytes` stands for `to - from` records. */
  readonly repeated: boolean
  /** A field that counts up over repeated records, and its value for record 0. */
  readonly counter: { reference: string; first: number } | undefined
  readonly events: Event[] | null
  /** The bytes are events in wire form, from another pipeline or thread. */
  readonly wire: boolean
  readonly ticket: Ticket | null
  readonly fault: FrameFault | undefined
  /**
   * What names its events, see `Event`: of the queue it is in, or of the source where the input knows better. Record i
   * has the number `base + i`, or the one of its first byte, `base` being that of the first byte of the frame.
   */
  lineage: string | null
  base: number
  readonly byOffset: boolean
  /** Number of record 0 in a queue that has to be told when the records are through. */
  readonly queued: number
}

/** Number of a record for `base` of a frame that begins with it. */
export function recordBase({ base, byOffset, ends, gap }: Frame, record: number): number {
  if (!byOffset) return base + record
  return record === 0 || ends === null ? base : base + ends[record - 1]! + gap
}

const marks = 0x10000
const maxMarkedBytes = 32

/**
 * The number of a record for the names of its events. That of a place in a source has a mark of what stands there: a
 * file may have been truncated and have grown again while nobody looked.
 */
export function recordNumber(frame: Frame, record: number): number {
  const number = recordBase(frame, record)
  const { bytes, byOffset, ends } = frame
  if (!byOffset || bytes === null) return number
  const start = number - frame.base
  return markedNumber(number, bytes, start, ends === null ? bytes.length : ends[record]!)
}

/** Makes a number of a place in a source and a mark of the first bytes that are given. */
export function markedNumber(place: number, bytes: Uint8Array, from: number, to: number): number {
  const end = Math.min(to, from + maxMarkedBytes)
  let mark = 0
  for (let i = from; i < end; i++) mark = (Math.imul(mark, 31) + bytes[i]!) | 0
  return place * marks + ((mark ^ (mark >>> 16)) & (marks - 1))
}

/** Ready-made events of an input, as they came. */
export function frameOfEvents(input: number, events: Event[], millis = Date.now()): Frame {
  return {
    input,
    codec: -1,
    origin: {},
    millis,
    nanos: 0,
    bytes: null,
    ends: null,
    gap: 0,
    from: 0,
    to: events.length,
    repeated: false,
    counter: undefined,
    events,
    wire: false,
    ticket: null,
    fault: undefined,
    lineage: null,
    base: 0,
    byOffset: false,
    queued: 0,
  }
}

type OpenFrame = { -readonly [Key in keyof Frame]: Frame[Key] }

/**
 * A copy to be changed. All frames have their fields in one order, so that they are of one hidden class: what is done for
 * each event of a frame reads several of them.
 */
export function copyOfFrame(frame: Frame): OpenFrame {
  return {
    input: frame.input,
    codec: frame.codec,
    origin: frame.origin,
    millis: frame.millis,
    nanos: frame.nanos,
    bytes: frame.bytes,
    ends: frame.ends,
    gap: frame.gap,
    from: frame.from,
    to: frame.to,
    repeated: frame.repeated,
    counter: frame.counter,
    events: frame.events,
    wire: frame.wire,
    ticket: frame.ticket,
    fault: frame.fault,
    lineage: frame.lineage,
    base: frame.base,
    byOffset: frame.byOffset,
    queued: frame.queued,
  }
}

export function frameCount(frame: Frame): number {
  return frame.to - frame.from
}

/** Bytes the frame keeps alive, for the bound of the queue. */
export function frameBytes(frame: Frame): number {
  if (frame.bytes === null) return 512 * frameCount(frame)
  if (frame.ends === null) return frame.bytes.length + 64
  const start = frame.from === 0 ? 0 : frame.ends[frame.from - 1]! + frame.gap
  return frame.ends[frame.to - 1]! - start + 64
}

/** Bytes of the records without their delimiters, for the statistics; ready-made events are guessed at. */
export function recordBytes(frame: Frame): number {
  const { bytes, ends, from, to, gap } = frame
  if (bytes === null) return 512 * (to - from)
  if (frame.repeated) return bytes.length * (to - from)
  if (ends === null || to === from) return bytes.length
  const start = from === 0 ? 0 : ends[from - 1]! + gap
  return ends[to - 1]! - start - gap * (to - from - 1)
}

/** The first `count` records, and the rest. */
export function splitFrame(frame: Frame, count: number): [Frame, Frame] {
  const first = copyOfFrame(frame)
  const rest = copyOfFrame(frame)
  first.to = rest.from = frame.from + count
  return [first, rest]
}

export function settleFrame(frame: Frame): void {
  const { ticket } = frame
  if (ticket === null) return
  ticket.remaining -= frameCount(frame)
  if (ticket.remaining <= 0) {
    const { done } = ticket
    ticket.done = undefined
    done?.()
  }
}
