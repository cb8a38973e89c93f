/**
 * A frame as a record of the persisted queue. The bytes of its records stay as they came; nothing is decoded before a
 * worker has it. Little endian:
 *   0  1  version, 1
 *   1  1  1: ends follow, 2: one record stands for all, 4: events in wire form
 *   2  2  codec, signed
 *   4  4  bytes of the header text
 *   8  8  milliseconds of arrival, a float
 *  16  4  nanoseconds in that millisecond
 *  20  4  bytes between two records
 *  24     header text: what names the input, the origin in wire form, the counter, the fault
 *         ends, 4 bytes each, if there are any; then the bytes of the records
 */
import { Event } from '../../event/event.ts'
import type { Fields, Value } from '../../event/value.ts'
import { decodeEvents, encodeEvents, wireCount } from '../../event/wire.ts'
import type { Origin } from '../../plugin/define.ts'
import type { RecordCodec } from '../../queue/persisted/queue-options.ts'
import { copyOfFrame, type Frame, type FrameFault, frameBytes, recordBase, splitFrame } from './frame.ts'

const version = 1
const fixedBytes = 24
const flags = { ends: 1, repeated: 2, wire: 4 } as const

/** Inputs by names that stay when their positions change with the configuration. */
export interface InputNames {
  idOf(input: number): string
  /** -1 when there is no such input any more. */
  positionOf(id: string): number
}

export class FrameRecords implements RecordCodec<Frame> {
  readonly #inputs: InputNames
  readonly #originTexts = new WeakMap<Origin, string>()
  readonly #origins = new Map<string, Origin>()
  readonly split = splitFrame
  readonly weigh = frameBytes

  constructor(inputs: InputNames) {
    this.#inputs = inputs
  }

  lasting(frame: Frame): Frame {
    return frame.events === null && frame.ticket === null ? frame : lastingFrame(frame)
  }

  encode(frame: Frame): Uint8Array[] {
    const { from, to, gap, repeated, counter } = frame
    const isWire = frame.wire || frame.events !== null
    const own = counter && { reference: counter.reference, first: counter.first + from }
    const header = Buffer.from(
      JSON.stringify({
        input: this.#inputs.idOf(frame.input),
        origin: this.#originText(frame.origin),
        counter: own,
        fault: frame.fault,
        name: nameOf(frame),
      }),
    )
    const fixed = Buffer.alloc(fixedBytes)
    fixed[0] = version
    const hasEnds = frame.ends !== null && !isWire
    fixed[1] = (hasEnds ? flags.ends : 0) | (repeated ? flags.repeated : 0) | (isWire ? flags.wire : 0)
    fixed.writeInt16LE(frame.codec, 2)
    fixed.writeUInt32LE(header.length, 4)
    fixed.writeDoubleLE(frame.millis, 8)
    fixed.writeUInt32LE(frame.nanos, 16)
    fixed.writeUInt32LE(gap, 20)
    if (isWire) return [fixed, header, wireBytes(frame)]
    if (frame.ends === null) return [fixed, header, frame.bytes!]
    const start = from === 0 ? 0 : frame.ends[from - 1]! + gap
    const ends = from === 0 && to === frame.ends.length ? frame.ends : frame.ends.slice(from, to)
    if (start > 0) for (let i = 0; i < ends.length; i++) ends[i]! -= start
    const endBytes = new Uint8Array(ends.buffer, ends.byteOffset, ends.byteLength)
    return [fixed, header, endBytes, frame.bytes!.subarray(start, start + ends[ends.length - 1]!)]
  }

  /** Returns the text of an origin. The same text becomes the same object again, so that what is compiled for it is compiled once. */
  #originText(origin: Origin): string {
    let text = this.#originTexts.get(origin)
    if (text === undefined) {
      const { fields = [], overwrite = [], facts } = origin
      const data = { fields, overwrite, ...(facts && { facts }) } as unknown as Fields
      text = Buffer.from(encodeEvents([new Event(data)])).toString('utf8')
      this.#originTexts.set(origin, text)
    }
    return text
  }

  decode(payload: Uint8Array, count: number): Frame {
    const bytes = Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength)
    if (bytes[0] !== version) throw new RangeError(`a frame of version ${bytes[0]}`)
    const given = bytes[1]!
    const headerEnd = fixedBytes + bytes.readUInt32LE(4)
    const header = JSON.parse(bytes.toString('utf8', fixedBytes, headerEnd)) as {
      input: string
      origin: string
      counter?: { reference: string; first: number }
      fault?: FrameFault
      name?: { lineage: string; base: number; byOffset: boolean }
    }
    let ends: Uint32Array | null = null
    let at = headerEnd
    if (given & flags.ends) {
      ends = new Uint32Array(count)
      new Uint8Array(ends.buffer).set(bytes.subarray(at, at + count * 4))
      at += count * 4
      if (ends[count - 1] !== bytes.length - at) throw new RangeError('a frame whose records end elsewhere')
    }
    return {
      input: this.#inputs.positionOf(header.input),
      codec: bytes.readInt16LE(2),
      origin: this.#originOf(header.origin),
      millis: bytes.readDoubleLE(8),
      nanos: bytes.readUInt32LE(16),
      bytes: bytes.subarray(at),
      ends,
      gap: bytes.readUInt32LE(20),
      from: 0,
      to: count,
      repeated: (given & flags.repeated) !== 0,
      counter: header.counter,
      events: null,
      wire: (given & flags.wire) !== 0,
      ticket: null,
      fault: header.fault,
      lineage: header.name?.lineage ?? null,
      base: header.name?.base ?? 0,
      byOffset: header.name?.byOffset ?? false,
      queued: 0,
    }
  }

  #originOf(text: string): Origin {
    let origin = this.#origins.get(text)
    if (origin === undefined) {
      const [event] = decodeEvents(Buffer.from(text))
      const { fields, overwrite, facts } = event!.data as unknown as {
        fields: [string, Value][]
        overwrite: [string, Value][]
        facts?: Record<string, Value>
      }
      origin = {
        ...(fields.length > 0 && { fields }),
        ...(overwrite.length > 0 && { overwrite }),
        ...(facts && { facts }),
      }
      if (this.#origins.size >= maxOrigins) this.#origins.clear()
      this.#origins.set(text, origin)
    }
    return origin
  }
}

/** What its source calls it; records are counted from the first one that is written. */
function nameOf(frame: Frame): Pick<Frame, 'lineage' | 'base' | 'byOffset'> | undefined {
  const { lineage, byOffset, from } = frame
  if (lineage === null) return undefined
  return { lineage, base: recordBase(frame, from), byOffset }
}

/** Ready-made events are changed by filters; what may be delivered again is their bytes. */
function lastingFrame(frame: Frame): Frame {
  const lasting = copyOfFrame(frame)
  lasting.ticket = null
  if (frame.events === null) return lasting
  const { from, to, events } = frame
  const count = to - from
  lasting.bytes = encodeEvents(count === events.length ? events : events.slice(from, to))
  lasting.events = null
  lasting.wire = true
  lasting.from = 0
  lasting.to = count
  return lasting
}

/** Origins that are remembered; a busy port has one for each connection. */
const maxOrigins = 1000

function wireBytes({ events, bytes, from, to }: Frame): Uint8Array {
  if (events !== null)
    return encodeEvents(from === 0 && to === events.length ? events : events.slice(from, to))
  const whole = bytes!
  if (from === 0) {
    // A frame that was split has more than its own.
    if (wireCount(whole) === to) return whole
  }
  return encodeEvents(decodeEvents(whole).slice(from, to))
}
