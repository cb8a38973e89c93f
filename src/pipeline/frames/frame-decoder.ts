/**
 * Frames to events, inside a worker: decode the records with the input's codec, add the fields of the
 * origin, then type, add_field and tags. One decoder per input and worker. An exception concerns its record: it
 * becomes an event with the text in `message` and the tag `_inputfailure`, or keeps the event it has become.
 */
import { isAscii } from 'node:buffer'
import { compileSet, type Setter } from '../../event/accessors.ts'
import { Event } from '../../event/event.ts'
import { Timestamp } from '../../event/timestamp.ts'
import { utf8Text } from '../../event/utf8-text.ts'
import { decodeEvents } from '../../event/wire.ts'
import type { CodecInstance, Origin, PayloadReader } from '../../plugin/define.ts'
import { inputFailureTag, type PluginFailures, truncatedTag } from '../run/plugin-failures.ts'
import { type Frame, type FrameFault, ownReader, readyEvents, recordNumber } from './frame.ts'
import { type ApplyOrigin, compileOrigin } from './origin-fields.ts'

/** Longer texts get memory of their own from V8, each with the cost of a system call and fresh pages. */
const maxRunLength = 64 * 1024

type InputFailures = Pick<PluginFailures, 'tagged' | 'failed' | 'truncated' | 'lost' | 'foreignText'>

const unreported: InputFailures = {
  tagged: (event, tag) => event.tag(tag),
  failed: () => {},
  truncated: () => {},
  lost: () => {},
  foreignText: () => {},
}

const decodingFailed = 'A record could not be decoded, its text is now in the message field'
const decoratingFailed = 'Fields of the input could not be set on an event'

export class FrameDecoder {
  #codec: CodecInstance
  #additional: CodecInstance[]
  #decorate: ((event: Event) => void) | undefined
  #originLast: boolean
  #reader: PayloadReader | undefined
  #origins = new WeakMap<Origin, ApplyOrigin>()
  #out: Event[] = []
  #applyOrigin: ApplyOrigin = nothing
  #failures: InputFailures
  /** What names the events of the record that is decoded now, and how many it has become so far. */
  #lineage: string | null = null
  #sequence = 0
  #made = 0
  #emit = (event: Event): void => {
    this.#name(event)
    this.#out.push(event)
    if (!this.#originLast) this.#setOrigin(event)
    this.#decorate?.(event)
    if (this.#originLast) this.#setOrigin(event)
  }
  #foreign = (text: string): void => {
    this.#failures.foreignText(text)
  }
  #take = (event: Event): void => {
    this.#name(event)
    this.#out.push(event)
  }

  constructor(
    codec: CodecInstance,
    additional: CodecInstance[],
    decorate: ((event: Event) => void) | undefined,
    originLast: boolean,
    reader?: PayloadReader,
    failures: InputFailures = unreported,
  ) {
    this.#codec = codec
    this.#additional = additional
    this.#decorate = decorate
    this.#originLast = originLast
    this.#reader = reader
    this.#failures = failures
  }

  #setOrigin(event: Event): void {
    try {
      this.#applyOrigin(event)
    } catch (error) {
      this.#failures.tagged(event, inputFailureTag, error, decoratingFailed)
    }
  }

  /** An event that another queue has named before keeps its name. */
  #name(event: Event): void {
    if (event.lineage !== null) return
    event.lineage = this.#lineage
    event.sequence = this.#sequence
    if (this.#made > 0) event.copy = `+${this.#made}`
    this.#made += 1
  }

  #begin(record: number, frame: Frame): void {
    this.#sequence = recordNumber(frame, record)
    this.#made = 0
  }

  /** Appends the events of the frame to `out`. */
  decode(frame: Frame, out: Event[]): void {
    this.#out = out
    this.#lineage = frame.lineage
    this.#begin(frame.from, frame)
    this.#applyOrigin = this.#prepare(frame.origin)
    try {
      if (frame.fault === undefined) this.#decodeFrame(frame)
      else this.#decodeFaulty(frame, frame.fault)
    } catch (error) {
      this.#failures.lost(frame.to - frame.from, error, 'Records could not be decoded', frame.bytes)
    }
  }

  #decodeFaulty(frame: Frame, fault: FrameFault): void {
    if (fault.kind === 'truncated') return this.#decodeTruncated(frame)
    const error = Object.assign(new Error(fault.message), { name: fault.exception })
    const time = new Timestamp(frame.millis, frame.nanos)
    this.#undecodable(asBuffer(frame.bytes!), error, time, this.#out.length)
  }

  #decodeTruncated(frame: Frame): void {
    const before = this.#out.length
    this.#decodeFrame(frame)
    for (let i = before; i < this.#out.length; i++) this.#out[i]!.tag(truncatedTag)
    if (frame.from === 0) this.#failures.truncated(frame.bytes?.length ?? 0)
  }

  #decodeFrame(frame: Frame): void {
    if (frame.events !== null) {
      for (let i = frame.from; i < frame.to; i++) {
        this.#begin(i, frame)
        this.#emit(frame.events[i]!)
      }
      return
    }
    const bytes = asBuffer(frame.bytes!)
    if (frame.wire) return this.#decodeWire(frame, bytes)
    const time = new Timestamp(frame.millis, frame.nanos)
    if (frame.codec === ownReader) return this.#readPayloads(frame, frame.ends!, bytes, time)
    const codec = frame.codec < 0 ? this.#codec : (this.#additional[frame.codec] ?? this.#codec)
    if (codec.decodeBytes !== undefined) this.#decodeBinary(codec, frame, bytes, time)
    else if (frame.repeated) this.#decodeRepeated(codec, frame, bytes, time)
    else if (frame.ends === null) this.#decodeText(codec, this.#textOf(bytes, codec.charset), time)
    else {
      this.#decodeRecords(codec, frame, frame.ends, bytes, time)
      codec.preview?.(undefined)
    }
  }

  #decodeWire(frame: Frame, bytes: Buffer): void {
    let events: Event[]
    try {
      events = decodeEvents(bytes)
    } catch (error) {
      this.#failures.lost(frame.to - frame.from, error, 'Events of another pipeline could not be read', bytes)
      return
    }
    for (let i = frame.from; i < Math.min(frame.to, events.length); i++) {
      this.#begin(i, frame)
      if (frame.codec === readyEvents) this.#take(events[i]!)
      else this.#emit(events[i]!)
    }
  }

  #readPayloads(frame: Frame, ends: Uint32Array, bytes: Buffer, time: Timestamp): void {
    for (let i = frame.from; i < frame.to; i++) {
      const start = i === 0 ? 0 : ends[i - 1]! + frame.gap
      const payload = bytes.subarray(start, ends[i]!)
      const before = this.#out.length
      this.#begin(i, frame)
      try {
        this.#reader!.read(payload, frame.origin, this.#take, time)
      } catch (error) {
        this.#undecodable(payload, error, time, before)
      }
    }
  }

  #textOf(bytes: Buffer, charset: string | undefined): string {
    if (!isUtf8(charset)) return decoded(bytes, charset!)
    return isAscii(bytes)
      ? bytes.toString('latin1', 0, bytes.length)
      : utf8Text(bytes, 0, bytes.length, this.#foreign)
  }

  #decodeText(codec: CodecInstance, text: string, time: Timestamp): void {
    const before = this.#out.length
    try {
      codec.decode?.(text, this.#emit, time)
    } catch (error) {
      this.#undecodable(text, error, time, before)
    }
  }

  /** An event for a record that has become none; what the codec made of its first part stays. */
  #undecodable(record: string | Buffer, error: unknown, time: Timestamp, before: number): void {
    this.#failures.failed(inputFailureTag, error, decodingFailed)
    if (this.#out.length > before || record.length === 0) return
    const message = typeof record === 'string' ? record : utf8Text(record)
    this.#emit(new Event({ '@timestamp': time, '@version': '1', message, tags: [inputFailureTag] }))
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
        ? utf8Text(bytes, start, end, this.#foreign)
        : this.#textOf(bytes.subarray(start, end), codec.charset)
      this.#begin(i, frame)
      this.#decodeText(codec, text, time)
      start = end + frame.gap
    }
  }

  /** A run of records becomes one text first, of which the records are parts: cheaper than a text for each. */
  #decodeAscii(codec: CodecInstance, frame: Frame, ends: Uint32Array, bytes: Buffer, time: Timestamp): void {
    const { from, to, gap } = frame
    for (let i = from, start = from === 0 ? 0 : ends[from - 1]! + gap; i < to; ) {
      let next = i + 1
      while (next < to && ends[next]! - start <= maxRunLength) next += 1
      const text = bytes.toString('latin1', start, ends[next - 1]!)
      for (let at = 0; i < next; i++) {
        const end = ends[i]! - start
        this.#begin(i, frame)
        this.#decodeText(codec, text.slice(at, end), time)
        at = end + gap
      }
      start = ends[next - 1]! + gap
    }
  }

  #decodeRepeated(codec: CodecInstance, frame: Frame, bytes: Buffer, time: Timestamp): void {
    const text = this.#textOf(bytes, codec.charset)
    const { counter } = frame
    if (counter === undefined) {
      for (let i = frame.from; i < frame.to; i++) {
        this.#begin(i, frame)
        this.#decodeText(codec, text, time)
      }
      return
    }
    const set = compileSet(counter.reference)
    for (let i = frame.from; i < frame.to; i++) {
      const before = this.#out.length
      this.#begin(i, frame)
      this.#decodeText(codec, text, time)
      for (let k = before; k < this.#out.length; k++) this.#setCounter(this.#out[k]!, set, counter.first + i)
    }
  }

  #setCounter(event: Event, set: Setter, value: number): void {
    try {
      set(event, value)
    } catch (error) {
      this.#failures.tagged(event, inputFailureTag, error, decoratingFailed)
    }
  }

  #decodeBinary(codec: CodecInstance, frame: Frame, bytes: Buffer, time: Timestamp): void {
    for (let i = frame.from; i < frame.to; i++) {
      const start = i === 0 || frame.ends === null ? 0 : frame.ends[i - 1]! + frame.gap
      const record = frame.ends === null ? bytes : bytes.subarray(start, frame.ends[i]!)
      const before = this.#out.length
      this.#begin(i, frame)
      try {
        codec.decodeBytes!(record, this.#emit, time)
      } catch (error) {
        this.#undecodable(record, error, time, before)
      }
    }
  }

  #prepare(origin: Origin): ApplyOrigin {
    let apply = this.#origins.get(origin)
    if (apply === undefined) {
      apply = originOrFailure(origin)
      this.#origins.set(origin, apply)
    }
    return apply
  }
}

const nothing: ApplyOrigin = () => {}

/** Fields that contradict each other fail on every event. */
function originOrFailure(origin: Origin): ApplyOrigin {
  try {
    return compileOrigin(origin)
  } catch (error) {
    return () => {
      throw error
    }
  }
}

function isUtf8(charset: string | undefined): boolean {
  return charset === undefined || charset === 'UTF-8'
}

const textDecoders = new Map<string, InstanceType<typeof TextDecoder>>()

function decoded(bytes: Buffer, charset: string): string {
  let decoder = textDecoders.get(charset)
  if (decoder === undefined) {
    decoder = new TextDecoder(charset, { ignoreBOM: true })
    textDecoders.set(charset, decoder)
  }
  return decoder.decode(bytes)
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
