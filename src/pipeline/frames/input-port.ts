/**
 * The sink an input writes into: turns bytes, payloads and ready-made events into frames and pushes them
 * into whatever pipeline generation currently owns the input. While a reload swaps generations, pushes wait.
 */
import { type Event, lastingName } from '../../event/event.ts'
import type {
  ByteStream,
  CodecInstance,
  Origin,
  Sink,
  SourcePosition,
  StreamDecoder,
} from '../../plugin/define.ts'
import { type Frame, type FrameFault, ownReader, readyEvents, type Ticket } from './frame.ts'
import { type CutRecords, RecordCutter } from './framing.ts'
import { StreamDecoding, type StreamPlace } from './stream-decoding.ts'

/** Where frames go: the queue of a generation. */
interface FrameTarget {
  /** Position of this input in the generation. */
  readonly input: number
  accept(frame: Frame): void | Promise<void>
}

export interface FrameBody {
  bytes: Uint8Array | null
  ends?: Uint32Array | null
  gap?: number
  count: number
  codec?: number
  repeated?: boolean
  counter?: { reference: string; first: number }
  events?: Event[]
  wire?: boolean
  fault?: FrameFault
  lineage?: string
  base?: number
  byOffset?: boolean
  done?: (() => void) | undefined
}

export class InputPort implements Sink {
  #codec: CodecInstance
  #additional: readonly CodecInstance[]
  #target: FrameTarget | undefined
  #resumed: Promise<void> | undefined
  #resume: () => void = () => {}

  constructor(codec: CodecInstance, additional: readonly CodecInstance[] = []) {
    this.#codec = codec
    this.#additional = additional
    this.pause()
  }

  /** From now on frames wait until `redirect`. */
  pause(): void {
    this.#target = undefined
    this.#resumed ??= new Promise((resolve) => {
      this.#resume = resolve
    })
  }

  redirect(target: FrameTarget): void {
    this.#target = target
    this.#resumed = undefined
    this.#resume()
  }

  #push(origin: Origin, body: FrameBody): void | Promise<void> {
    const target = this.#target
    if (target === undefined) return this.#pushLater(origin, body)
    return target.accept(frameOf(target.input, origin, body))
  }

  async #pushLater(origin: Origin, body: FrameBody): Promise<void> {
    while (this.#target === undefined) await this.#resumed
    await this.#target.accept(frameOf(this.#target.input, origin, body))
  }

  /** Several frames that stand for one write: `done` is called when all of them are out. */
  #pushAll(origin: Origin, bodies: readonly FrameBody[], done?: () => void): void | Promise<void> {
    const [only, ...others] = bodies
    if (only === undefined) return done?.()
    if (others.length === 0) return this.#push(origin, { ...only, done })
    const each = done && countdown(bodies.length, done)
    const waits = bodies.map((body) => this.#push(origin, { ...body, done: each }))
    if (waits.some((wait) => wait !== undefined)) return Promise.all(waits).then(() => undefined)
  }

  stream(origin: Origin, options: { delimiter?: Uint8Array | undefined } = {}): ByteStream {
    const { decoder, delimiter: own, maxRecordBytes, unpack } = this.#codec
    if (unpack !== undefined) return this.#packedStream(origin)
    const delimiter = options.delimiter ?? own
    if (decoder !== undefined) return this.#decodedStream(origin, decoder.call(this.#codec), delimiter)
    if (delimiter === undefined) return this.#chunkStream(origin)
    const cutter = new RecordCutter(delimiter, maxRecordBytes)
    const early = new EarlyRecords()
    const push = (cuts: readonly CutRecords[], done?: () => void, names?: RecordNames) => {
      if (cuts.length === 0) return early.whenOut(done)
      const bodies = cuts.map((cut) => ({ ...bodyOf(cut, cutter.gap), ...names }))
      if (done !== undefined) return this.#pushAll(origin, bodies, () => early.whenOut(done))
      const isEarly = bodies.some(({ fault }) => fault !== undefined)
      return this.#pushAll(origin, bodies, isEarly ? early.begin() : undefined)
    }
    return {
      write: (chunk, done, at) => {
        const held = cutter.held
        const cuts = cutter.cut(chunk)
        return push(cuts, done, cuts.length === 1 ? namesFrom(at, held) : undefined)
      },
      end: (done) => push(cutter.rest(), done),
    }
  }

  /** A codec without delimiter: every chunk is a payload. */
  #chunkStream(origin: Origin): ByteStream {
    return {
      write: (chunk, done) => this.#push(origin, { bytes: chunk, count: 1, done }),
      end: (done) => done?.(),
    }
  }

  /** A codec whose payloads come packed: every chunk is one. */
  #packedStream(origin: Origin): ByteStream {
    return {
      write: (chunk, done) => this.#packedPayload(chunk, origin, -1, done),
      end: (done) => done?.(),
    }
  }

  /** Unpacked here, piece by piece, as fast as the pipeline takes the records. */
  async #packedPayload(payload: Uint8Array, origin: Origin, codec: number, done?: () => void): Promise<void> {
    const { unpack, delimiter, maxRecordBytes } = codec < 0 ? this.#codec : this.#additional[codec]!
    const cutter = new RecordCutter(delimiter!, maxRecordBytes)
    const pushed = new EarlyRecords()
    const push = async (cuts: readonly CutRecords[]) => {
      for (const cut of cuts)
        await this.#push(origin, { ...bodyOf(cut, cutter.gap), codec, done: done && pushed.begin() })
    }
    const pieces = unpack!(payload)[Symbol.asyncIterator]()
    try {
      for (;;) {
        const next = await pieces.next().catch(() => 'damaged' as const)
        // The codec has said so. What comes behind the last delimiter is part of a record only.
        if (next === 'damaged') break
        await push(next.done === true ? cutter.rest() : cutter.cut(next.value))
        if (next.done === true) break
      }
    } finally {
      await pieces.return?.()
    }
    pushed.whenOut(done)
  }

  /** A stateful codec: decoded here, in order, events travel ready-made. */
  #decodedStream(origin: Origin, decoder: StreamDecoder, delimiter: Uint8Array | undefined): ByteStream {
    const cutter =
      delimiter === undefined ? undefined : new RecordCutter(delimiter, this.#codec.maxRecordBytes)
    const decoding = new StreamDecoding(decoder)
    const heldBack = new HeldBack(decoder)
    const push = (done?: () => void) => {
      const bodies = decoding.take()
      return this.#pushAll(origin, bodies, heldBack.whenOut(bodies.length > 0, done))
    }
    let idle: NodeJS.Timeout | undefined
    const { idleMilliseconds } = decoder
    const flushWhenIdle = () => {
      if (idleMilliseconds === undefined) return
      clearTimeout(idle)
      idle = setTimeout(() => {
        decoding.flush()
        // A pipeline that takes nothing more has said so; nobody waits here.
        push()?.catch(() => undefined)
      }, idleMilliseconds)
    }
    return {
      write: (chunk, done, at) => {
        if (cutter === undefined)
          decoding.decode(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength), false)
        else {
          const { held } = cutter
          const cuts = cutter.cut(chunk)
          decoding.decodeAll(cuts, cutter.gap, cuts.length < 2 ? placeFrom(at, held) : undefined)
        }
        flushWhenIdle()
        return push(done)
      },
      end: (done) => {
        clearTimeout(idle)
        if (cutter !== undefined) decoding.decodeAll(cutter.rest(), cutter.gap)
        decoding.flush()
        return push(done)
      },
    }
  }

  record(
    payload: Uint8Array,
    origin: Origin,
    options: { done?: () => void; codec?: number; name?: string } = {},
  ): void | Promise<void> {
    const { done, codec = -1, name } = options
    const names = name === undefined ? {} : { lineage: lastingName(name) }
    const { decoder, delimiter, maxRecordBytes, unpack } =
      codec < 0 ? this.#codec : (this.#additional[codec] ?? this.#codec)
    if (unpack !== undefined) return this.#packedPayload(payload, origin, codec, done)
    if (decoder !== undefined) return this.#decodedPayload(payload, origin, codec, done)
    if (delimiter === undefined)
      return this.#push(origin, { bytes: payload, count: 1, codec, done, ...names })
    const cutter = new RecordCutter(delimiter, maxRecordBytes)
    const cuts = joinCuts(cutter.cut(payload), cutter.rest(), cutter.gap)
    return this.#pushAll(
      origin,
      cuts.map((cut, index) => ({ ...bodyOf(cut, cutter.gap), codec, ...(index === 0 && names) })),
      done,
    )
  }

  /** A payload for a stateful codec is a stream that begins and ends with it. */
  async #decodedPayload(
    payload: Uint8Array,
    origin: Origin,
    codec: number,
    done?: () => void,
  ): Promise<void> {
    const instance = codec < 0 ? this.#codec : this.#additional[codec]!
    const stream = this.#decodedStream(origin, instance.decoder!(), instance.delimiter)
    const each = done && countdown(2, done)
    await stream.write(payload, each)
    await stream.end(each)
  }

  repeat(
    payload: Uint8Array,
    origin: Origin,
    count: number,
    counter?: { reference: string; first: number },
  ): void | Promise<void> {
    return this.#push(origin, { bytes: payload, count, repeated: true, ...(counter && { counter }) })
  }

  payloads(
    payloads: readonly Uint8Array[],
    origin: Origin,
    { done }: { done?: () => void } = {},
  ): void | Promise<void> {
    if (payloads.length === 0) return done?.()
    const ends = new Uint32Array(payloads.length)
    let end = 0
    payloads.forEach((payload, i) => {
      end += payload.length
      ends[i] = end
    })
    const bytes = Buffer.concat(payloads, end)
    return this.#push(origin, { bytes, ends, gap: 0, count: payloads.length, codec: ownReader, done })
  }

  events(events: Event[], { done }: { done?: () => void } = {}): void | Promise<void> {
    if (events.length === 0) return done?.()
    return this.#push({}, { bytes: null, events, count: events.length, done })
  }

  /** Events of another pipeline, in wire form. */
  wire(bytes: Uint8Array, count: number, { done }: { done?: () => void } = {}): void | Promise<void> {
    return this.#push({}, { bytes, count, wire: true, done })
  }

  /** Events in wire form that have been through an input before: this one adds nothing to them. */
  replay(bytes: Uint8Array, count: number): void | Promise<void> {
    return this.#push({}, { bytes, count, wire: true, codec: readyEvents })
  }
}

type RecordNames = Pick<FrameBody, 'lineage' | 'base' | 'byOffset'>

/** Where the first record of a chunk stands, which began so many bytes before it. */
function placeFrom(at: SourcePosition | undefined, held: number | undefined): StreamPlace | undefined {
  if (at === undefined || held === undefined) return undefined
  return { lineage: lastingName(at.source), offset: at.offset - held }
}

function namesFrom(at: SourcePosition | undefined, held: number | undefined): RecordNames | undefined {
  const place = placeFrom(at, held)
  return place && { lineage: place.lineage, base: place.offset, byOffset: true }
}

function bodyOf({ bytes, ends, truncated }: CutRecords, gap: number): FrameBody {
  return { bytes, ends, gap, count: ends.length, ...(truncated && { fault: { kind: 'truncated' } }) }
}

/** A payload's complete records and its last, undelimited one as one list. */
function joinCuts(
  complete: readonly CutRecords[],
  last: readonly CutRecords[],
  gap: number,
): readonly CutRecords[] {
  const [first, ...more] = complete
  const [rest] = last
  if (first === undefined || rest === undefined || more.length > 0 || first.truncated)
    return [...complete, ...last]
  const restStart = first.ends[first.ends.length - 1]! + gap
  const ends = new Uint32Array(first.ends.length + 1)
  ends.set(first.ends)
  ends[first.ends.length] = restStart + rest.bytes.length
  return [{ bytes: first.bytes, ends, truncated: false }]
}

function countdown(count: number, done: () => void): () => void {
  let left = count
  return () => {
    left -= 1
    if (left === 0) done()
  }
}

/**
 * Records that were handed over before the last of their write, such as those that are too long before their delimiter came. Whoever hears that the
 * records of a later write are out may conclude that the stream is out up to there, so he hears it after these.
 */
class EarlyRecords {
  #count = 0
  #waiting: (() => void)[] = []

  begin(): () => void {
    this.#count += 1
    return () => {
      this.#count -= 1
      if (this.#count === 0) for (const done of this.#waiting.splice(0)) done()
    }
  }

  whenOut(done: (() => void) | undefined): void {
    if (done === undefined) return
    if (this.#count === 0) done()
    else this.#waiting.push(done)
  }
}

/**
 * Writes whose last records a decoder holds back for a later event. They are out when their own events are, and the next
 * ones of the stream, which are made of what was held back.
 */
class HeldBack {
  readonly #decoder: StreamDecoder
  #waiting: (() => void)[] = []

  constructor(decoder: StreamDecoder) {
    this.#decoder = decoder
  }

  /** What to call when the events of a write are out. */
  whenOut(hasEvents: boolean, done: (() => void) | undefined): (() => void) | undefined {
    const isHolding = this.#decoder.isHolding === true
    const before = hasEvents || !isHolding ? this.#waiting.splice(0) : []
    const own = done !== undefined && isHolding ? countdown(2, done) : done
    if (own !== undefined && isHolding) this.#waiting.push(own)
    if (before.length === 0) return own
    return () => {
      for (const out of before) out()
      own?.()
    }
  }
}

function frameOf(input: number, origin: Origin, body: FrameBody): Frame {
  const precise = performance.timeOrigin + performance.now()
  const millis = Math.floor(precise)
  const ticket: Ticket | null = body.done === undefined ? null : { remaining: body.count, done: body.done }
  return {
    input,
    codec: body.codec ?? -1,
    origin,
    millis,
    nanos: Math.floor((precise - millis) * 1000) * 1000,
    bytes: body.bytes,
    ends: body.ends ?? null,
    gap: body.gap ?? 0,
    from: 0,
    to: body.count,
    repeated: body.repeated ?? false,
    counter: body.counter,
    events: body.events ?? null,
    wire: body.wire ?? false,
    ticket,
    fault: body.fault,
    lineage: body.lineage ?? null,
    base: body.base ?? 0,
    byOffset: body.byOffset ?? false,
    queued: 0,
  }
}
