/**
 * A frame: what inputs put into the queue and what crosses threads. Bytes of some records, where each
 * record ends, where they came from and when. Events exist only after a worker decoded it.
 */
import type { Event } from '../event/event.ts'
import type { Origin } from '../plugin/define.ts'

/** Called back when every record of a write has left the pipeline. */
export interface Ticket {
  remaining: number
  done: (() => void) | undefined
}

export const ownReader = -2

/** What is wrong with the records of a frame; whoever decodes it counts that and says so. */
export type FrameFault =
  /** The record was cut at the limit of its codec. */
  | { readonly kind: 'truncated' }
  /** The codec failed on the record while the stream was read. */
  | { readonly kind: 'undecodable'; readonly exception: string; readonly message: string }

export interface Frame {
  /** Position of the input in the pipeline. */
  readonly input: number
  /** -1: the input's own codec; `ownReader`: the input's own reader; otherwise one of its additional codecs. */
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
  readonly fault?: FrameFault | undefined
  /** Of the queue it was in, see `Event`; record i has the number `base + i`. */
  lineage: string | null
  base: number
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
  const middle = frame.from + count
  return [
    { ...frame, to: middle },
    { ...frame, from: middle },
  ]
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
