/** Frames between threads: the bytes of the records that travel are copied out once and handed over. */
import { copyOfFrame, type Frame, recordBase } from '../pipeline/frames/frame.ts'
import type { PortableFrame } from './messages.ts'

export function toPortable(frame: Frame): PortableFrame {
  const { input, codec, origin, millis, nanos, gap, repeated, wire, fault, lineage, byOffset } = frame
  const count = frame.to - frame.from
  const common = { input, codec, origin, millis, nanos, gap, repeated, wire, fault, count, lineage, byOffset }
  const counter = frame.counter && {
    reference: frame.counter.reference,
    first: frame.counter.first + frame.from,
  }
  if (frame.ends === null) {
    // Events in wire form cannot be cut without reading them: all go, and which of them are meant.
    const from = frame.wire ? frame.from : 0
    const base = frame.base + frame.from - from
    return { ...common, from, base, counter, bytes: new Uint8Array(frame.bytes!), ends: null }
  }
  const start = frame.from === 0 ? 0 : frame.ends[frame.from - 1]! + gap
  const ends = frame.ends.slice(frame.from, frame.to)
  const last = ends[ends.length - 1]!
  for (let i = 0; i < ends.length; i++) ends[i]! -= start
  const bytes = new Uint8Array(frame.bytes!.subarray(start, last))
  return { ...common, from: 0, base: recordBase(frame, frame.from), counter, bytes, ends }
}

export function buffersOf(frames: readonly PortableFrame[]): ArrayBuffer[] {
  return frames.flatMap(({ bytes, ends }) =>
    ends === null ? [bytes.buffer as ArrayBuffer] : [bytes.buffer as ArrayBuffer, ends.buffer as ArrayBuffer],
  )
}

export function fromPortable(frame: PortableFrame): Frame {
  const { count, from } = frame
  return copyOfFrame({ ...frame, to: from + count, events: null, ticket: null, queued: 0 })
}
