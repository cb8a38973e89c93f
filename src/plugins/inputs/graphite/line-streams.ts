/** A sink whose streams are cut into lines for the reader of the input; all else is as the sink of the pipeline has it. */

import type { ByteStream, Origin, Sink } from '../../../plugin/define.ts'
import { lineFeed } from '../../../text/ascii.ts'

const maxLineBytes = 1024 * 1024

export class LineStreams implements Sink {
  readonly #sink: Sink
  readonly record: Sink['record']
  readonly repeat: Sink['repeat']
  readonly payloads: Sink['payloads']
  readonly events: Sink['events']
  readonly wire: Sink['wire']

  constructor(sink: Sink) {
    this.#sink = sink
    this.record = sink.record.bind(sink)
    this.repeat = sink.repeat.bind(sink)
    this.payloads = sink.payloads.bind(sink)
    this.events = sink.events.bind(sink)
    this.wire = sink.wire.bind(sink)
  }

  stream(origin: Origin): ByteStream {
    const sink = this.#sink
    const lines = new Lines()
    const hand = (cut: Buffer[], done?: () => void) => {
      if (cut.length > 0) return sink.payloads(cut, origin, done === undefined ? {} : { done })
      done?.()
    }
    return {
      write: (chunk, done) => hand(lines.push(chunk), done),
      end: (done) => hand(lines.end(), done),
    }
  }
}

class Lines {
  #rest: Buffer[] = []
  #length = 0

  push(chunk: Uint8Array): Buffer[] {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    const lines: Buffer[] = []
    let start = 0
    for (let end = bytes.indexOf(lineFeed); end >= 0; end = bytes.indexOf(lineFeed, start)) {
      lines.push(this.#complete(bytes.subarray(start, end)))
      start = end + 1
    }
    const room = maxLineBytes - this.#length
    const rest = bytes.subarray(start, Math.min(bytes.length, start + room))
    if (rest.length > 0) {
      this.#rest.push(Buffer.from(rest))
      this.#length += rest.length
    }
    return lines.filter((line) => line.length > 0)
  }

  end(): Buffer[] {
    const last = this.#complete(Buffer.alloc(0))
    return last.length > 0 ? [last] : []
  }

  #complete(last: Buffer): Buffer {
    const whole = this.#rest.length === 0 ? last : Buffer.concat([...this.#rest, last])
    this.#rest = []
    this.#length = 0
    const cut = whole.subarray(0, maxLineBytes)
    return cut.at(-1) === 13 ? cut.subarray(0, -1) : cut
  }
}
