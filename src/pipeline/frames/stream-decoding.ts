/**
 * A stream through a stateful codec, in the thread that reads it: records in, bodies of frames with ready-made events
 * out. A record that the codec fails on becomes a frame of its own, so that its bytes are not lost and whoever makes
 * events of frames counts the failure.
 */
import type { Event } from '../../event/event.ts'
import { Timestamp } from '../../event/timestamp.ts'
import { utf8Text } from '../../event/utf8-text.ts'
import type { StreamDecoder } from '../../plugin/define.ts'
import type { FrameFault } from './frame.ts'
import type { CutRecords } from './framing.ts'
import type { FrameBody } from './input-port.ts'

export class StreamDecoding {
  readonly #decoder: StreamDecoder
  #bodies: FrameBody[] = []
  #events: Event[] = []
  readonly #emit = (event: Event): void => {
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

  decodeAll(cuts: readonly CutRecords[], gap: number): void {
    const time = Timestamp.now()
    for (const { bytes, ends, truncated } of cuts) {
      const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      let start = 0
      for (const end of ends) {
        this.decode(buffer.subarray(start, end), truncated, time)
        start = end + gap
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
