/**
 * Frames to events, inside a worker: decode the records with the input's codec, add the fields of the
 * origin, then type, add_field and tags. One decoder per input and worker.
 */
import { isAscii } from 'node:buffer'
import { compileSet } from '../event/accessors.ts'
import type { Event } from '../event/event.ts'
import { Timestamp } from '../event/timestamp.ts'
import { decodeEvents } from '../event/wire.ts'
import type { CodecInstance, Origin, PayloadReader } from '../plugin/define.ts'
import { type Frame, ownReader } from './frame.ts'
import { type ApplyOrigin, compileOrigin } from './origin-fields.ts'

/** Longer texts get memory of their own from V8, each with the cost of a system call and fresh pages. */
const longestRun = 64 * 1024

export class FrameDecoder {
  #codec: CodecInstance
  #additional: CodecInstance[]
  #decorate: ((event: Event) => void) | undefined
  #originLast: boolean
  #reader: PayloadReader | undefined
  #origins = new WeakMap<Origin, ApplyOrigin>()
  #out: Event[] = []
  #applyOrigin: ApplyOrigin = nothing
  #emit = (event: Event): void => {
    if (!this.#originLast) this.#applyOrigin(event)
    this.#decorate?.(event)
    if (this.#originLast) this.#applyOrigin(event)
    this.#out.push(event)
  }
  #take = (event: Event): void => {
    this.#out.push(event)
  }

  constructor(
    codec: CodecInstance,
    additional: CodecInstance[],
    decorate: ((event: Event) => void) | undefined,
    originLast: boolean,
    reader?: PayloadReader,
  ) {
    this.#codec = codec
    this.#additional = additional
    this.#decorate = decorate
    this.#originLast = originLast
    this.#reader = reader
  }

  /** Appends the events of the frame to `out`. */
  decode(frame: Frame, out: Event[]): void {
    this.#out = out
    this.#applyOrigin = this.#prepare(frame.origin)
    if (frame.events !== null) {
      for (let i = frame.from; i < frame.to; i++) this.#emit(frame.events[i]!)
      return
    }
    const bytes = asBuffer(frame.bytes!)
    if (frame.wire) {
      const events = decodeEvents(bytes)
      for (let i = frame.from; i < Math.min(frame.to, events.length); i++) this.#emit(events[i]!)
      return
    }
    if (frame.codec === ownReader) return this.#readPayloads(frame, frame.ends!, bytes)
    const codec = frame.codec < 0 ? this.#codec : (this.#additional[frame.codec] ?? this.#codec)
    const time = new Timestamp(frame.millis, frame.nanos)
    if (codec.decodeBytes !== undefined) this.#decodeBinary(codec, frame, bytes, time)
    else if (frame.repeated) this.#decodeRepeated(codec, frame, bytes, time)
    else if (frame.ends === null) codec.decode?.(textOf(bytes, codec.charset), this.#emit, time)
    else {
      this.#decodeRecords(codec, frame, frame.ends, bytes, time)
      codec.preview?.(undefined)
    }
  }

  #readPayloads(frame: Frame, ends: Uint32Array, bytes: Buffer): void {
    const time = new Timestamp(frame.millis, frame.nanos)
    for (let i = frame.from; i < frame.to; i++) {
      const start = i === 0 ? 0 : ends[i - 1]! + frame.gap
      this.#reader!.read(bytes.subarray(start, ends[i]!), frame.origin, this.#take, time)
    }
  }

  #decodeRecords(
    codec: CodecInstance,
    frame: Frame,
    ends: Uint32Array,
    bytes: Buffer,
    time: Timestamp,
  ): void {
    const first = frame.from === 0 ? 0 : ends[frame.from - 1]! + frame.gap
    const last = ends[frame.to - 1]!
    const utf8 = isUtf8(codec.charset)
    codec.preview?.(bytes.subarray(first, last))
    if (utf8 && isAscii(bytes.subarray(first, last))) {
      this.#decodeAscii(codec, frame, ends, bytes, time)
      return
    }
    let start = first
    for (let i = frame.from; i < frame.to; i++) {
      const end = ends[i]!
      const text = utf8
        ? bytes.toString('utf8', start, end)
        : textOf(bytes.subarray(start, end), codec.charset)
      codec.decode!(text, this.#emit, time)
      start = end + frame.gap
    }
  }

  /** A run of records becomes one text first, of which the records are parts: cheaper than a text for each. */
  #decodeAscii(codec: CodecInstance, frame: Frame, ends: Uint32Array, bytes: Buffer, time: Timestamp): void {
    const { from, to, gap } = frame
    for (let i = from, start = from === 0 ? 0 : ends[from - 1]! + gap; i < to; ) {
      let next = i + 1
      while (next < to && ends[next]! - start <= longestRun) next += 1
      const text = bytes.toString('latin1', start, ends[next - 1]!)
      for (let at = 0; i < next; i++) {
        const end = ends[i]! - start
        codec.decode!(text.slice(at, end), this.#emit, time)
        at = end + gap
      }
      start = ends[next - 1]! + gap
    }
  }

  #decodeRepeated(codec: CodecInstance, frame: Frame, bytes: Buffer, time: Timestamp): void {
    const text = textOf(bytes, codec.charset)
    const { counter } = frame
    if (counter === undefined) {
      for (let i = frame.from; i < frame.to; i++) codec.decode!(text, this.#emit, time)
      return
    }
    const set = compileSet(counter.reference)
    for (let i = frame.from; i < frame.to; i++) {
      const before = this.#out.length
      codec.decode!(text, this.#emit, time)
      for (let k = before; k < this.#out.length; k++) set(this.#out[k]!, counter.first + i)
    }
  }

  #decodeBinary(codec: CodecInstance, frame: Frame, bytes: Buffer, time: Timestamp): void {
    if (frame.ends === null) {
      for (let i = frame.from; i < frame.to; i++) codec.decodeBytes!(bytes, this.#emit, time)
      return
    }
    for (let i = frame.from; i < frame.to; i++) {
      const start = i === 0 ? 0 : frame.ends[i - 1]! + frame.gap
      codec.decodeBytes!(bytes.subarray(start, frame.ends[i]!), this.#emit, time)
    }
  }

  #prepare(origin: Origin): ApplyOrigin {
    let apply = this.#origins.get(origin)
    if (apply === undefined) {
      apply = compileOrigin(origin)
      this.#origins.set(origin, apply)
    }
    return apply
  }
}

const nothing: ApplyOrigin = () => {}

function isUtf8(charset: string | undefined): boolean {
  return charset === undefined || charset === 'UTF-8'
}

const textDecoders = new Map<string, InstanceType<typeof TextDecoder>>()

function textOf(bytes: Buffer, charset: string | undefined): string {
  if (isUtf8(charset))
    return isAscii(bytes)
      ? bytes.toString('latin1', 0, bytes.length)
      : bytes.toString('utf8', 0, bytes.length)
  let decoder = textDecoders.get(charset!)
  if (decoder === undefined) {
    decoder = new TextDecoder(charset, { ignoreBOM: true })
    textDecoders.set(charset!, decoder)
  }
  return decoder.decode(bytes)
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
