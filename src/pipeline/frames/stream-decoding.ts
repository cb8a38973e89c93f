/**
 * A stream through a stateful codec, in the thread that reads it: records in, bodies of frames with ready-made events
 * out. A record that the codec fails on becomes a frame of its own, so that its bytes are not lost and whoever makes
 * events of frames counts the failure.
 *
 * Where the stream has places that can be read again, an event is named after the place of the record that completed it
 * and the beginning of its text, so that it has the same name after a crash.
 */
import type { Event } from '../../event/event.ts'
import { Timestamp } from '../../event/timestamp.ts'
import { utf8Text } from '../../event/utf8-text.ts'
import type { StreamDecoder } from '../../plugin/define.ts'
import { type FrameFault, markedNumber } from './frame.ts'
import type { CutRecords } from './framing.ts'
import type { FrameBody } from './input-port.ts'

/** Where the first record of a list stands in its source. */
export interface StreamPlace {
  readonly lineage: string
  readonly offset: number
}

/** Characters of an event's text that may mark its name. */
const maxMarkedText = 32

export class StreamDecoding {
  readonly #decoder: StreamDecoder
  #bodies: FrameBody[] = []
  #events: Event[] = []
  /** Where the record begins that is decoded, or the one that comes next. */
  #place: StreamPlace | undefined
  /** Events that were made at that place. */
  #made = 0
  readonly #emit = (event: Event): void => {
    this.#name(event)
    this.#events.push(event)
  }

  constructor(decoder: StreamDecoder) {
    this.#decoder = decoder
  }

  /** What has been decoded since the last call. */
  take(): readonly FrameBody[] {
    this.#close()
    const bodies = this.#bodies
    this.#bodies = []
    return bodies
  }

  #name(event: Event): void {
    const { message } = event.data
    if (this.#place === undefined || typeof message !== 'string') return
    const { lineage, offset } = this.#place
    const text = Buffer.from(message.slice(0, maxMarkedText))
    event.lineage = lineage
    event.sequence = markedNumber(offset, text, 0, text.length)
    if (this.#made > 0) event.copy = `+${this.#made}`
    this.#made += 1
  }

  #moveTo(place: StreamPlace | undefined): void {
    if (place?.offset !== this.#place?.offset || place?.lineage !== this.#place?.lineage) this.#made = 0
    this.#place = place
  }

  decodeAll(cuts: readonly CutRecords[], gap: number, place?: StreamPlace): void {
    const time = Timestamp.now()
    this.#moveTo(place)
    for (const { bytes, ends, truncated } of cuts) {
      const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      let start = 0
      for (const end of ends) {
        this.decode(buffer.subarray(start, end), truncated, time)
        start = end + gap
        if (place !== undefined) this.#moveTo({ ...place, offset: place.offset + start })
      }
    }
  }

  decode(record: Buffer, truncated: boolean, time = Timestamp.now()): void {
    const decoder = this.#decoder
    const marked = truncated && decoder.boundsRecords !== true
    if (marked) this.#close()
    try {
      if (decoder.decodeBytes !== undefined) decoder.decodeBytes(record, this.#emit, time)
      else decoder.decode?.(utf8Text(record), this.#emit, time)
    } catch (error) {
      this.#failed(record, error)
    }
    if (marked) this.#close({ kind: 'truncated' })
  }

  flush(): void {
    try {
      this.#decoder.flush(this.#emit, Timestamp.now())
    } catch (error) {
      this.#failed(Buffer.alloc(0), error)
    }
  }

  #failed(record: Buffer, error: unknown): void {
    this.#close()
    const { name, message } = error as Error
    // The chunk the record is part of may be used again once its write is done.
    const bytes = Buffer.from(record)
    this.#bodies.push({ bytes, count: 1, fault: { kind: 'undecodable', exception: name, message } })
  }

  #close(fault?: FrameFault): void {
    if (this.#events.length === 0) return
    const events = this.#events
    this.#events = []
    this.#bodies.push({ bytes: null, events, count: events.length, ...(fault && { fault }) })
  }
}
