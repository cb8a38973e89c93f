/**
 * A sink for inputs under test: decodes what the input hands over, sets the fields of its origin and the
 * common options, and keeps the events. Everything counts as safe at once, unless the test holds that back.
 */
import type { Event } from '../../event/event.ts'
import type { Fields } from '../../event/value.ts'
import { decodeEvents } from '../../event/wire.ts'
import type { Decoration } from '../decorate.ts'
import type { CodecInstance, Origin, PayloadReader, Sink } from '../define.ts'
import { DecodingStream } from './decode.ts'
import { setPatience } from './patience.ts'
import { shownFields, testTime } from './shown-fields.ts'
import { standInCodec } from './stand-in-codec.ts'

interface SinkSettings {
  decorate?: Decoration | undefined
  /** Fields of the origin are set after the common options. */
  originLast?: boolean | undefined
  additionalCodecs?: readonly CodecInstance[] | undefined
  reader?: PayloadReader | undefined | undefined
}

export interface RecordingSink extends Sink {
  /** In the order in which they were completed. */
  readonly received: Event[]
  /** Returns the events as plain fields, without the `@timestamp` and `@version` that every event has. */
  fields(): Fields[]
  /** Resolves when that many events have arrived; rejects after `milliseconds` in which the process ran. */
  waitFor(count: number, milliseconds?: number): Promise<Fields[]>
  /** From now on nothing counts as safe until `release`. */
  hold(): void
  /** What was handed over and does not count as safe yet, in calls. */
  readonly held: number
  /** Makes what is held safe, the oldest calls first; without a number all of it, and what comes from now on. */
  release(calls?: number): void
  /** Releases one call, by its position among those that are held. */
  releaseAt(position: number): void
}

export function recordingSink(
  codec: CodecInstance = standInCodec('line'),
  settings: SinkSettings = {},
): RecordingSink {
  const received: Event[] = []
  const waiting = new Set<() => void>()
  const held: (() => void)[] = []
  let isHolding = false
  const settle = (done: (() => void) | undefined) => {
    if (done === undefined) return
    if (isHolding) held.push(done)
    else done()
  }
  const accept = (events: Iterable<Event>, origin: Origin = {}) => {
    for (const event of events) {
      if (!settings.originLast) setOrigin(event, origin)
      settings.decorate?.(event)
      if (settings.originLast) setOrigin(event, origin)
      received.push(event)
    }
    for (const wake of waiting) wake()
  }
  const decodeWhole = (payload: Uint8Array, codec: CodecInstance) => {
    const stream = new DecodingStream(codec, { time: testTime })
    stream.write(payload)
    stream.end()
    return stream.events
  }
  const fields = () => received.map((event) => shownFields(event))
  return {
    received,
    fields,
    hold() {
      isHolding = true
    },
    get held() {
      return held.length
    },
    release(calls) {
      if (calls === undefined) isHolding = false
      for (const done of held.splice(0, calls ?? held.length)) done()
    },
    releaseAt(position) {
      for (const done of held.splice(position, 1)) done()
    },
    waitFor(count, milliseconds = 5000) {
      return new Promise((resolve, reject) => {
        const finish = () => {
          if (received.length < count) return
          clearTimeout(timer)
          waiting.delete(finish)
          resolve(fields())
        }
        const timer = setPatience(() => {
          waiting.delete(finish)
          reject(new Error(`${received.length} of ${count} events after ${milliseconds} ms`))
        }, milliseconds)
        waiting.add(finish)
        finish()
      })
    },
    stream(origin, options) {
      const stream = new DecodingStream(codec, { delimiter: options?.delimiter, time: testTime })
      const pass = () => accept(stream.events.splice(0), origin)
      return {
        write(chunk, done) {
          stream.write(chunk)
          pass()
          settle(done)
        },
        end(done) {
          stream.end()
          pass()
          settle(done)
        },
      }
    },
    record(payload, origin, options) {
      const other = options?.codec === undefined ? codec : settings.additionalCodecs?.[options.codec]
      if (other === undefined) throw new Error(`no additional codec ${options?.codec}`)
      accept(decodeWhole(payload, other), origin)
      settle(options?.done)
    },
    repeat(payload, origin, count, counter) {
      for (let i = 0; i < count; i++) {
        const events = decodeWhole(payload, codec)
        if (counter !== undefined) for (const event of events) event.set(counter.reference, counter.first + i)
        accept(events, origin)
      }
    },
    payloads(payloads, origin, options) {
      const { reader } = settings
      if (reader === undefined) throw new Error('this input has no reader')
      const crossing = structuredClone(origin)
      for (const payload of payloads) {
        reader.read(payload, crossing, (event) => received.push(event), testTime)
      }
      for (const wake of waiting) wake()
      settle(options?.done)
    },
    events(events, options) {
      accept(events)
      settle(options?.done)
    },
    wire(bytes, _count, options) {
      accept(decodeEvents(bytes))
      settle(options?.done)
    },
  }
}

function setOrigin(event: Event, { fields = [], overwrite = [] }: Origin): void {
  for (const [reference, value] of fields) if (!event.include(reference)) event.set(reference, value)
  for (const [reference, value] of overwrite) event.set(reference, value)
}
